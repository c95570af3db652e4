from interactions.modes import ModeConfig


class FaultyConfig(ModeConfig):
    name = "tests.faulty_mode"
    label = "faulty_mode"
    mode = "mode.FaultyMode"
    default_settings = {"greeting": "Faulty is open.", "idle_s": None, "hard_s": None}
