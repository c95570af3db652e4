"""The saved addresses: paged, newest order first, in three styles of id."""

from __future__ import annotations

from typing import Any

from swiggy_instamart.sandbox.state import Address, Call
from swiggy_instamart.sandbox.tool import NUMBER, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import RefusalError, World

LARGEST_PAGE = 10


def _shown(address: Address) -> dict[str, Any]:
    return {
        "id": address.id,
        "addressLine": address.line,
        "phoneNumber": address.phone,
        "addressTag": address.label,
        "addressCategory": address.category,
    }


def get_addresses(world: World, args: Args, call: Call) -> Answer:
    page, size = int(args.get("page") or 1), int(args.get("pageSize") or LARGEST_PAGE)
    if page < 1 or not 1 <= size <= LARGEST_PAGE:
        raise RefusalError(f"Invalid page or pageSize: page starts at 1, pageSize is at most {LARGEST_PAGE}")
    every = world.addresses()
    total_pages = max(1, -(-len(every) // size))
    rows = every[(page - 1) * size : page * size]
    more = page < total_pages
    lines = [f"{n}. [{a.label}] {a.line} (ID: {a.id})" for n, a in enumerate(rows, start=(page - 1) * size + 1)]
    prose = "\n".join([f"Found {len(every)} saved addresses, page {page} of {total_pages}:", *lines])
    if more:
        prose += f"\nUse page={page + 1} to see more addresses."
    pagination = {"page": page, "pageSize": size, "total": len(every), "totalPages": total_pages, "hasMore": more}
    return Answer({"addresses": [_shown(a) for a in rows], "pagination": pagination}, prose)


def create_address(world: World, args: Args, call: Call) -> Answer:
    if world.switches.create_address_refused:
        raise RefusalError("This feature is currently available only for beta users")
    made = Address(
        id=world.new_id("n3w").lower(),
        label=str(args.get("addressTag") or args["addressCategory"]),
        line=str(args["fullAddress"]),
        category=str(args["addressCategory"]),
        store="S2",
    )
    world.state.addresses.insert(0, made)
    return Answer({"addressId": made.id}, f"Address saved (ID: {made.id}).")


def delete_address(world: World, args: Args, call: Call) -> Answer:
    gone = world.address(args["addressId"])
    world.state.addresses = [a for a in world.state.addresses if a.id != gone.id]
    return Answer({"statusCode": 0, "statusMessage": "Address deleted"}, "Address deleted.")


NEW = ("fullAddress", "addressLine", "addressLine2", "city", "postalCode", "addressCategory", "userName", "userPhone")
ALSO = ("locality", "addressTag", "receiverName", "receiverPhone")

TOOLS = (
    Tool(
        "get_addresses",
        "List the saved delivery addresses.",
        get_addresses,
        optional={"page": NUMBER, "pageSize": NUMBER},
    ),
    Tool(
        "create_address",
        "Save a new delivery address.",
        create_address,
        required=dict.fromkeys(NEW, STRING),
        optional={**dict.fromkeys(ALSO, STRING), "latitude": NUMBER, "longitude": NUMBER},
        writes=True,
    ),
    Tool("delete_address", "Delete a saved address.", delete_address, required={"addressId": STRING}, writes=True),
)
