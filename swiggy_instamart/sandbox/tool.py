"""What a tool is: a function of the world and the arguments, its schema, and the check the real server makes of arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from swiggy_instamart.sandbox.state import Call
from swiggy_instamart.sandbox.world import RefusalError, World

Args = Mapping[str, Any]

STRING: Mapping[str, Any] = {"type": "string"}
NUMBER: Mapping[str, Any] = {"type": "number"}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}
OBJECT: Mapping[str, Any] = {"type": "object"}
TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
BROKEN_OUTPUT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"neverThere": {"type": "integer"}},
    "required": ["neverThere"],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The data of a success, the sentence in its envelope if any, and the words an agent is given beside it."""

    data: dict[str, Any]
    prose: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    run: Callable[[World, Args, Call], Answer | Awaitable[Answer]]
    required: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    optional: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    writes: bool = False

    def schema(self) -> dict[str, Any]:
        properties = {name: dict(kind) for name, kind in {**self.required, **self.optional}.items()}
        return {"type": "object", "properties": properties, "required": list(self.required)}

    def check(self, args: Args) -> None:
        """As the real one words it: "Missing ..." and "Invalid ...". Unknown arguments are ignored."""
        for name, kind in {**self.required, **self.optional}.items():
            given = args.get(name)
            if given is None:
                if name in self.required:
                    raise RefusalError(f"Missing required parameter: {name}")
                continue
            wrong_bool = isinstance(given, bool) and kind["type"] != "boolean"
            if wrong_bool or not isinstance(given, TYPES[kind["type"]]):
                raise RefusalError(f"Invalid {name}: expected {kind['type']}")
