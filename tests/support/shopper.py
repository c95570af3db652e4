"""A client of the sandbox with nothing between the test and the wire: JSON-RPC by hand, so that each byte can be wrong."""

from __future__ import annotations

import json
from typing import Any

import httpx2

from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess

BOTH = "application/json, text/event-stream"


class Shopper:
    """Asks one sandbox. ``data`` wants a success, ``refusal`` wants a no; the rest shows what came."""

    def __init__(self, swiggy: SandboxProcess, *, token: str | None = None) -> None:
        self.swiggy = swiggy
        headers = {"accept": BOTH, "authorization": f"Bearer {token or seed.token()}"}
        self.http = httpx2.Client(timeout=20, trust_env=False, headers=headers)

    def close(self) -> None:
        self.http.close()

    def post(self, method: str, params: dict[str, Any] | None = None, **options: Any) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 7, "method": method} | ({"params": params} if params is not None else {})
        return self.http.post(self.swiggy.url, json=message, **options)

    def rpc(self, method: str, params: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        """The JSON-RPC message that came back, however it was framed."""
        answer = self.post(method, params, **options).raise_for_status()
        text = answer.text
        if answer.headers["content-type"].startswith("text/event-stream"):
            text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: "))
        message: dict[str, Any] = json.loads(text)
        assert message["id"] == 7
        return message

    def call(self, tool: str, /, **args: Any) -> httpx2.Response:
        return self.post("tools/call", {"name": tool, "arguments": args})

    def result(self, tool: str, /, **args: Any) -> dict[str, Any]:
        return self.rpc("tools/call", {"name": tool, "arguments": args})["result"]

    def data(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = self.result(tool, **args)["structuredContent"]
        assert envelope["success"] is True, envelope
        return envelope["data"]

    def refusal(self, tool: str, /, **args: Any) -> str:
        envelope = self.result(tool, **args)["structuredContent"]
        assert envelope["success"] is False, envelope
        return envelope["error"]["message"]

    # ---- short ways to where a test begins ------------------------------------------------------------------------------

    def address(self, label: str) -> str:
        rows = self.data("get_addresses")["addresses"]
        return next(row["id"] for row in rows if row["addressTag"] == label)

    def find(self, query: str, *, at: str, size: str | None = None) -> dict[str, Any]:
        """The first organic variation for a query, of a size if given, in stock or not."""
        rows = self.data("search_products", addressId=at, query=query)["products"]
        variations = [v for row in rows if not row["isPromoted"] for v in row["variations"]]
        return next(v for v in variations if size in (None, v["quantityDescription"]))

    def put(self, *wanted: tuple[str, int], at: str) -> dict[str, Any]:
        found = [(self.find(query, at=at), quantity) for query, quantity in wanted]
        items = [{"spinId": v["spinId"], "skuId": v["skuId"], "quantity": quantity} for v, quantity in found]
        return self.data("update_cart", selectedAddressId=at, items=items)

    def cart(self) -> dict[str, Any]:
        return self.data("get_cart")

    def pay_by_scan(self, *, at: str) -> dict[str, Any]:
        return self.data("checkout", addressId=at, paymentMethod="UPI", generateUPIQR=True)
