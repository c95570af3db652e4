"""Where live speech is cut into fixed windows, a whole order is spoken by acoustic commands; no window is ever part of it."""

from __future__ import annotations

import pytest

from interactions.models import Device
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Ledger, Money, Speaker

WINDOWS = {"segmentation": "windowed_batch"}
WAKE = WINDOWS | {"source": "wake", "wake": {"word": "hermes", "score": 0.9}}


@pytest.mark.promise("P011", "P012", "P013")
def test_every_turn_to_the_payment_is_an_acoustic_command_and_the_same_words_in_a_window_do_nothing(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    Device.objects.filter(pk=asha_speaks.owned.device.pk).update(segmentation="windowed_batch")
    steps = (
        ("order Swiggy", "Use Home for delivery?"),
        ("yes", "What would you like?"),
        ("milk", "For milk I found"),
        ("option 1", "The cart has 1 x Nandini Toned Milk 500 ml."),
        ("complete order", "Your order: 1 x Nandini Toned Milk 500 ml."),
        ("confirm order", "Placing it now."),
    )
    for said, answered in steps:
        assert ledger.money == NOTHING
        assert asha_speaks.post(said, **WINDOWS)["reason"] == "window"
        asha_speaks.work()
        assert asha_speaks.hear() == ""
        assert asha_speaks.say(f"Hermes, {said}", **WAKE).startswith(answered)
    sandbox.payment("success")
    assert "placed successfully" in asha_speaks.wait_for_payment()
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
    assert len(asha_speaks.of_kind("wake.heard")) == len(steps)
