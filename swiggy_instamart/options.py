"""What the operator may set for orders, with default, range and meaning: ``config/plugins/swiggy_instamart/config.yml``."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """The plugin's own file, typed. Money is whole rupees here and paise everywhere else."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    preferred_address_label: str | None = Field("Home", min_length=1, description="the saved label that is proposed, whole")
    order_limit_rupees: int | None = Field(
        1000, ge=1, le=100_000, description="totals at or above it are refused; null: no limit"
    )
    search_samples: int = Field(3, ge=1, le=3, description="equal searches of one item that start together and are merged")
    items_per_turn: int = Field(5, ge=1, le=5, description="items one sentence may name")
    review_validity_s: int = Field(120, ge=20, le=600, description="seconds a review is good for after it was read out")
    mcp_attempt_s: float = Field(6, ge=1, le=20, description="seconds of one reading call at Swiggy")
    read_attempts: int = Field(2, ge=1, le=5, description="attempts at a reading call within its budget")
    payment_interval_s: float = Field(5, ge=2, le=60, description="least seconds between two looks at a payment")
    payment_window_s: int = Field(600, ge=60, le=1800, description="most seconds a payment is watched, whatever Swiggy allows")
    lookup_s: int = Field(180, ge=10, le=900, description="seconds an unknown checkout is looked up for")
    lookup_interval_s: float = Field(15, ge=2, le=120, description="seconds between two looks at the orders")
    idle_s: int = Field(600, ge=30, le=3600, description="seconds without input until an order is closed")
    hard_s: int = Field(1800, ge=60, le=14_400, description="seconds from the start until an order is closed")

    @property
    def limit_paise(self) -> int | None:
        return None if self.order_limit_rupees is None else self.order_limit_rupees * 100

    @property
    def payment_freeze_s(self) -> int:
        """From the intent on: the payment's cap and five minutes."""
        return self.payment_window_s + 300
