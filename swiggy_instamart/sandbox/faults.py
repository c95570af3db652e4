"""Rules that make one call go wrong on the wire, and which rule meets which call. What a kind does is in ``wire``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from swiggy_instamart.sandbox.switches import Form

Kind = Literal[
    "drop", "half", "slow", "hang", "malformed", "empty", "status", "rpc_error", "is_error", "success_false", "form", "die"
]

KINDS: dict[str, str] = {
    "drop": "the connection is cut without a reply (`reset`: with an RST)",
    "half": "half of the reply, then the connection is cut",
    "slow": "`seconds` pass; then the reply",
    "hang": "no reply until the client gives up",
    "malformed": "200 with `body` instead of JSON-RPC",
    "empty": "`status` (200 unless given) with an empty body",
    "status": "HTTP `status` with a `Retry-After` of `retry_after` seconds if given",
    "rpc_error": "a JSON-RPC error with `code` and `message`",
    "is_error": "a result with isError and `message`",
    "success_false": "a result with success:false and `message`; after the effect: acts, then says it did not",
    "form": "the result in another `form` (always after the effect)",
    "die": "the whole process exits at once, as after kill -9",
}


class Rule(BaseModel):
    """Which call, what goes wrong, and on which side of the effect."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(
        default="*", description='a tool, a JSON-RPC method such as "initialize" or "tools/list", or "*": every tool'
    )
    kind: Kind = Field(description="what goes wrong")
    where: Literal["before", "after"] = Field(
        default="before", description="before the effect, or after it (the reply is lost)"
    )
    nth: int | None = Field(default=None, ge=1, description="only the nth matching call since the rule was set")
    times: int | None = Field(default=None, ge=1, description="at most this often")
    seconds: float = Field(default=1.0, ge=0, description="for slow")
    status: int | None = Field(default=None, ge=200, le=599, description="for status (503 unless given) and empty")
    retry_after: int | None = Field(default=None, ge=0, description="for status")
    code: int = Field(default=-32603, description="for rpc_error")
    message: str = Field(default="Oops, something went wrong. Please try again.", description="for the errors with words")
    body: str = Field(default="<html><body>502 Bad Gateway</body></html>", description="for malformed")
    form: Form | None = Field(default=None, description="for form")
    reset: bool = Field(default=False, description="for drop")
    seen: int = Field(default=0, ge=0, description="counted by the sandbox")
    struck: int = Field(default=0, ge=0, description="counted by the sandbox")

    @model_validator(mode="after")
    def _complete(self) -> Rule:
        if self.kind == "form" and self.form is None:
            raise ValueError("a rule of kind form needs a form")
        if self.kind == "form":
            self.where = "after"
        return self

    def meets(self, *names: str) -> bool:
        """Count a call and say whether this rule strikes it."""
        if self.tool not in names:
            return False
        self.seen += 1
        if (self.nth is not None and self.seen != self.nth) or (self.times is not None and self.struck >= self.times):
            return False
        self.struck += 1
        return True


def pick(rules: list[Rule], *, method: str, tool: str | None) -> list[Rule]:
    """Every rule that strikes this call, in the order they were set."""
    names = (method,) if tool is None else (method, tool, "*")
    return [rule for rule in rules if rule.meets(*names)]
