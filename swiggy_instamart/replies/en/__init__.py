"""What the order mode says in English. The other modules here hold the sentences, each with those of one part of an order."""

from __future__ import annotations

from swiggy_instamart.replies.en import asking, common, orders, paying, repairs, shopping

MESSAGES = {
    **common.MESSAGES,
    **asking.MESSAGES,
    **shopping.MESSAGES,
    **paying.MESSAGES,
    **orders.MESSAGES,
    **repairs.MESSAGES,
}


def form(count: int) -> str:
    return "one" if count == 1 else "many"
