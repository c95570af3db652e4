"""What survives a kill: the state in one file that is replaced whole, and the calls in another that only grows."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from swiggy_instamart.sandbox.state import Call, State


class Journal:
    """Two files in a directory; nothing at all without one."""

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._state, self._calls = directory / "sandbox.json", directory / "calls.jsonl"

    def load(self) -> State | None:
        if self.directory is None or not self._state.exists():
            return None
        try:
            found = State.model_validate_json(self._state.read_text(encoding="utf-8"))
            found.calls = self._read_calls()
        except ValidationError as error:
            raise SystemExit(
                f"sandbox: {self.directory} is of another version or damaged; delete it to start anew\n{error}"
            ) from None
        return found

    def _read_calls(self) -> list[Call]:
        """A call is written when it begins and again when it ends; the later line counts. A kill may tear the last one."""
        if not self._calls.exists():
            return []
        whole, newline, torn = self._calls.read_text(encoding="utf-8").rpartition("\n")
        if torn:
            self._calls.write_text(whole + newline, encoding="utf-8")
        calls = (Call.model_validate_json(line) for line in whole.splitlines())
        return list({call.n: call for call in calls}.values())

    def save(self, state: State, call: Call | None = None) -> None:
        """The state first: a call that is known to have ended never lacks its effect. A rename is whole or not at all."""
        if self.directory is None:
            return
        draft = self._state.with_suffix(".new")
        draft.write_text(state.model_dump_json(exclude={"calls"}), encoding="utf-8")
        draft.replace(self._state)
        if call is not None:
            with self._calls.open("a", encoding="utf-8") as file:
                file.write(call.model_dump_json() + "\n")

    def clear(self) -> None:
        if self.directory is not None:
            self._calls.unlink(missing_ok=True)
