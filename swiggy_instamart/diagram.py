"""``docs/ordering.md``: the machine's table as a picture and as rows. Pure; run as a module it prints the page."""

from __future__ import annotations

from swiggy_instamart import machine
from swiggy_instamart.machine import Phase


def page() -> str:
    """The whole page."""
    arrows: dict[tuple[Phase, Phase], list[str]] = {}
    for (was, on), row in machine.TABLE.items():
        arrows.setdefault((was, row.to), []).append(on)
    drawn = [f"    {was} --> {to}: {', '.join(ons)}" for (was, to), ons in arrows.items()]
    rows = [f"| `{was}` | {on} | `{row.to}` | {row.then} |" for (was, on), row in machine.TABLE.items()]
    return "\n".join([*HEAD, *drawn, f"    {Phase.FINISHED} --> [*]", "```", "", *COLUMNS, *rows, ""])


HEAD = (
    "# How an order moves",
    "",
    "Printed from the table in `swiggy_instamart/machine.py` by `python -m swiggy_instamart.diagram > docs/ordering.md`;",
    "a test fails when it is stale. What is not here is illegal: it raises, and nothing changes. One row spends: from",
    f"`{Phase.REVIEW}` to `{Phase.CHECKOUT}`, on the exact words, with the cart unchanged.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    f"    [*] --> {Phase.STARTING}",
)
COLUMNS = ("| from | on | to | then |", "| --- | --- | --- | --- |")

if __name__ == "__main__":
    print(page(), end="")
