from interactions.modes import ModeConfig


class EchoConfig(ModeConfig):
    name = "tests.echo_mode"
    label = "echo_mode"
    mode = "mode.EchoMode"
    default_settings = {"greeting": "Echo is open.", "idle_s": None, "hard_s": None}
