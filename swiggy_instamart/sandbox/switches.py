"""Every switch of the sandbox, its default and its meaning: the one list for code, control API and ``docs/sandbox.md``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Form = Literal["structured", "wrapped", "json", "prose_json", "prose", "field"]


class Switches(BaseModel):
    """How this Swiggy behaves. The defaults are the documented, well-behaved server."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    # the wire
    auth: Literal["ok", "expired", "revoked", "forbidden", "rpc"] = Field(
        default="ok", description="what every bearer is answered: as it deserves, 401, 419, 403, or JSON-RPC -32001"
    )
    revoked_tokens: list[str] = Field(default_factory=list, description="`tid` claims of tokens that answer 401 from now on")
    refresh: Literal["rotate", "keep", "refused"] = Field(
        default="rotate",
        description="what a refresh token brings: another one too, and is used up; only an access token; invalid_grant",
    )
    token_body: Literal["any", "json", "form"] = Field(default="any", description="the body that /auth/token can read")
    token_reply: Literal["ok", "lost", "hang", "down", "odd"] = Field(
        default="ok",
        description="how /auth/token answers: as it should; 503 before acting; acts, then cuts, hangs or says nonsense",
    )
    token_life_s: float = Field(default=432_000, description="how long the access tokens live that /auth/token grants")
    reply: Literal["sse", "json"] = Field(default="sse", description="how replies are framed")
    form: Form = Field(
        default="structured", description="where the envelope is; `field`: prose for get_addresses, prose_json for the rest"
    )
    output_schema: Literal["none", "broken"] = Field(
        default="none", description="`broken`: tools declare an outputSchema no result meets"
    )
    session_header: bool = Field(
        default=False, description="send an Mcp-Session-Id with the initialize reply (nothing is keyed on it)"
    )
    unknown_tool: Literal["rpc", "is_error"] = Field(default="rpc", description="how a tool that is not served is refused")
    rate: Literal["off", "on", "block"] = Field(
        default="off", description="70 calls and 30 writes a minute; `block`: 429 to everything"
    )
    latency_ms: int = Field(default=0, ge=0, le=60_000, description="wait this long before every tool call")

    # addresses
    home: Literal["once", "twice", "absent"] = Field(default="once", description="how many saved addresses are labelled Home")
    many_addresses: bool = Field(default=False, description="21 more addresses, saved before Home: three pages")
    create_address_refused: bool = Field(
        default=False, description='create_address answers success:false, "only for beta users"'
    )

    # search
    search_down: bool = Field(default=False, description='every search is empty with success and nextOffset "1"')
    sampling: bool = Field(default=False, description="a search returns a sample of its rows, another one each time")
    sampling_seed: int = Field(default=1, description="makes the samples repeatable")

    # cart
    cart_ttl_s: float = Field(default=1800, gt=0, description="an untouched cart empties itself after this long")
    clock_ahead_s: float = Field(default=0, description="moves the sandbox's clock")
    foreign_survives: bool = Field(default=False, description="a row put in by someone else survives update_cart")
    clear: Literal["works", "unverified", "silent"] = Field(
        default="works", description="clear_cart: as it should, with verified:null, or success without clearing"
    )
    read_after_write: Literal["ok", "empty", "stale_once"] = Field(
        default="ok", description="what get_cart shows after a successful update_cart: the cart, nothing ever, the old one once"
    )
    echo_address: Literal["base", "full", "missing"] = Field(default="base", description="the address id in the cart's echo")
    item_prices: Literal["number", "text"] = Field(default="number", description='a cart line\'s price as 84 or as "₹84"')
    surge: Literal["off", "on", "flap"] = Field(default="off", description="a ₹30 fee; `flap`: on every other read of the cart")
    discount_paise: int = Field(default=0, ge=0, description="a coupon line in the bill")

    # payment and checkout
    upi: bool = Field(default=True, description="UPI is offered; without it `platforms` is absent")
    cash: bool = Field(default=True, description="cash on delivery is offered")
    require_method: bool = Field(default=True, description="checkout without paymentMethod is refused")
    order_cap_rupees: int | None = Field(default=1000, description="a total at or above this is refused; null: no limit")
    minimum_rupees: int | None = Field(default=None, description="a total below this is refused")
    store_open: bool = Field(default=True, description="a closed store refuses checkout and nothing before it")
    checkout_shape: Literal["normal", "no_order_id", "no_paas_id", "no_bridge_url", "multi_store"] = Field(
        default="normal", description="what a checkout that was accepted answers"
    )
    checkout_extra_paise: int = Field(default=0, description="what checkout charges more than the cart said")
    hold_s: float = Field(default=19, ge=0, description="how long check_payment_status is held while nothing changes")
    autopay_s: float | None = Field(default=None, ge=0, description="the person pays this long after checkout")
    autopay_polls: int | None = Field(default=None, ge=1, description="the person pays during the nth status poll")
    autopay_state: str = Field(
        default="success", description="what paying by itself leads to: any state of POST /control/payment"
    )
    confirmed_on_success: bool = Field(default=True, description="the backend places a paid order without confirm_order")
    confirm_unpaid: Literal["failed", "pending", "other"] = Field(
        default="failed", description="what confirm_order says of an unpaid order"
    )
    pay_page: bool = Field(default=False, description="bridgeUrl is a page of this sandbox, with buttons to pay and to fail")
    polling_interval_ms: int = Field(default=5000, ge=0, description="pollingIntervalInMs in the checkout reply")
    max_poll_ms: int = Field(default=300_000, ge=0, description="maxTimeToPollForInMs in the checkout reply")

    # orders
    orders_stale: bool = Field(default=False, description="get_orders knows nothing of the last two weeks")
    orders_hide_pending: bool = Field(default=False, description="get_orders leaves unpaid orders out")
    status_message: str | None = Field(
        default=None, description="statusMessage of every order in get_orders; null: it has none"
    )
    delivery_status: Literal["full", "empty"] = Field(
        default="full", description="`empty`: get_delivery_status is one general sentence"
    )
