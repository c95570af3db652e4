"""What the order mode says in Hindi. The other modules here hold the sentences, each with those of one part of an order.

Products, brands and Swiggy's own words stay as Swiggy writes them; the person is आप.
"""

from __future__ import annotations

from swiggy_instamart.replies.hi import asking, common, orders, paying, repairs, shopping

MESSAGES = {
    **common.MESSAGES,
    **asking.MESSAGES,
    **shopping.MESSAGES,
    **paying.MESSAGES,
    **orders.MESSAGES,
    **repairs.MESSAGES,
}


def form(count: int) -> str:
    return "one" if count in (0, 1) else "many"
