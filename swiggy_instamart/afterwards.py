"""What is said of orders that were placed before. Pure: what Swiggy lists in, a Reply out, in the language of the sentences.

Its words are quoted as its own, and stand inside a sentence of ours: no reply ends in them. No time of arrival is made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from interactions.contracts import Json, Reply
from interactions.sentences import Sentences
from swiggy_instamart.inquiries import Ask
from swiggy_instamart.reviews import ASKED
from swiggy_instamart.speech import may_exist
from swiggy_instamart.wording import READ_OUT, ask, clean, listed, named, rupees, tell, titled


def orders(say: Sentences, result: Json, *, asked: str) -> Reply:
    """The answer, with what may exist although it is not listed."""
    rows = list(result["orders"])
    said = _what(say, rows) if asked == Ask.WHAT else _where(say, rows)
    said += [_unlisted(say, row) for row in result.get("unlisted", ())]
    return tell(say, " ".join([*said, *(may_exist(say, row) for row in result.get("maybe", ()))]))


def unread(say: Sentences, code: str) -> Reply:
    return tell(say, say.either("unread", code, "other"))


def not_yours(say: Sentences) -> Reply:
    return tell(say, say("orders.not_yours"))


def not_set_up(say: Sentences) -> Reply:
    return tell(say, say("orders.not_set_up"))


def not_ordered_yet(say: Sentences) -> Reply:
    return tell(say, say("orders.not_yet"))


def review_stands(say: Sentences, total_paise: int) -> Reply:
    """After an answer in the middle of a review: it is as good as before, and nothing of it is bought."""
    return ask(say, say("orders.review_stands", total=rupees(say, total_paise)), "repeat", "cancel_order", key=ASKED)


def _where(say: Sentences, rows: Sequence[Json]) -> list[str]:
    under_way = [row for row in rows if row["active"]]
    if not under_way:
        last = [say("orders.end", says=_says(say, row, "the_last_one")) for row in rows[:1]]
        return [say("orders.none_under_way"), *last]
    first, more = under_way[0], len(under_way) - 1
    said = [say("orders.end", says=_says(say, first, "the_order"))]
    if first["message"]:
        said.append(say("orders.adds", message=clean(say, first["message"], most=80)))
    if first["unpaid"]:
        said.append(say("orders.unpaid"))
    elif first["eta"]:
        said.append(say("orders.eta", words=clean(say, first["eta"], most=30)))
    elif first["due"]:
        said.append(say("orders.overdue" if first["overdue"] else "orders.due", time=first["due"]))
    return [*said, *([say.many("orders.more", more)] if more else [])]


def _what(say: Sentences, rows: Sequence[Json]) -> list[str]:
    if not rows:
        return [say("orders.none")]
    row = rows[0]
    said = [say("orders.held", says=_says(say, row, "the_last_order"), held=_held(say, row))]
    return [*said, *([say("orders.unpaid")] if row["unpaid"] else [])]


def _held(say: Sentences, row: Json) -> str:
    lines = [_line(say, *line) for line in row["lines"][:READ_OUT]]
    rest = len(row["lines"]) - READ_OUT
    named = listed(say, [*lines, say("more_lines", count=rest)] if rest > 0 else lines)
    return named or (say.many("orders.count", row["items"]) if row["items"] else say("orders.not_said"))


def _line(say: Sentences, name: str, quantity: int | None) -> str:
    return titled(say, name) if quantity is None else named(say, name, quantity)


def _says(say: Sentences, row: Json, which: str) -> str:
    word = clean(say, str(row["status"] or say("orders.nothing")).replace("_", " ").lower(), most=40)
    return say("orders.says", status=word, which=say(f"orders.{which}"), **_of(say, row))


def _of(say: Sentences, row: Json) -> dict[str, str]:
    total = say("orders.total", total=rupees(say, row["total_paise"])) if row["total_paise"] else ""
    return {"total": total, "when": _from(say, row["when"])}


def _from(say: Sentences, when: Json | None) -> str:
    if when is None:
        return ""
    if when["today"]:
        return say("orders.time", time=when["time"])
    day = date.fromisoformat(when["date"])
    return say("orders.day", day=day.day, month=say(f"month.{day.month}"))


def _unlisted(say: Sentences, row: Json) -> str:
    """An order of ours that the list lacks; it may be old, so nothing is concluded from that."""
    return say("orders.awaits" if row["state"] == "pending_payment" else "orders.unlisted", **_of(say, row))
