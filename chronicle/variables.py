"""``${NAME}`` and ``${NAME:-default}`` inside one value of a file. Pure: the look-up is given.

What only looks like a variable is a fault: taken as it stands it would be the secret itself, and nobody would notice. A default
holds no brace, since the first one that closes would end it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from chronicle.env import WrongVariableError

Lookup = Callable[[str], str | None]

BEGIN = "${"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}")


def expand(written: str, lookup: Lookup, fault: Callable[[str], None]) -> str | None:
    """``written`` with its variables replaced; None where that cannot be done, after every reason was told to ``fault``.

    A variable that is set to nothing counts as not set. What a variable holds is not looked at for further ones.
    """
    if BEGIN in _VARIABLE.sub(" ", written):
        fault("'${' begins no variable here; write ${NAME} or ${NAME:-default}, with no brace inside")
        return None
    try:
        values = [(found[1], lookup(found[1]) or found[2]) for found in _VARIABLE.finditer(written)]
    except WrongVariableError as error:
        fault(f"environment variable {error}")
        return None
    missing = [name for name, value in values if value is None]
    for name in missing:
        fault(f"environment variable {name} is not set and '${{{name}}}' has no default; set it or write '${{{name}:-...}}'")
    left = iter(values)
    return None if missing else _VARIABLE.sub(lambda _: next(left)[1] or "", written)
