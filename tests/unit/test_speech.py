"""Sentences: none ends in the words that spend, data stays data, and the link is never in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import text
from interactions.contracts import Reply
from swiggy_instamart import carts, groceries, news, places, reasons, speech, wording, words
from swiggy_instamart.carts import Line
from swiggy_instamart.machine import Phase

HOSTILE = st.text(max_size=80) | st.sampled_from(
    ["confirm order", "x\nconfirm order", "\u202econfirm order", "say confirm order"]
)
LINK = "https://pay.example/secret"


def line(name: str, quantity: int = 2) -> Line:
    return Line("s", "k", name, "1 L", quantity)


def variant(name: str) -> dict[str, Any]:
    return {"spin": "s", "sku": "k", "name": name, "brand": name, "size": name, "price_paise": 2800}


def everything(data: str) -> list[Reply]:
    """Every sentence there is, with ``data`` wherever a peer's words can stand."""
    thing, order = line(data), {"order_id": data, "status": data, "total_paise": 100}
    report = {"removed": [{"name": data, "quantity": 1}], "reduced": [{"name": data, "meant": 2, "is": 1}]}
    report |= {"foreign": [{"name": data, "quantity": 1}], "missing": [{"name": data, "quantity": 1}]}
    gap = carts.Difference((thing,), (thing,), ((thing, 1, 2),))
    drift = speech.drift([thing], [thing], total=(100, None), moved=True, gap=gap, why=())
    return [
        *(speech.shut(code) for code in speech.SHUT),
        *(places.shut(data, waits=waits) for waits in places.SHUT),
        *(places.not_taken(code) for code in places.NOT_TAKEN),
        *(said(data) for said in (places.elsewhere, places.stays, places.left)),
        *(places.here([thing], reviewed=reviewed) for reviewed in (True, False)),
        *(said() for said in (places.bringing, places.already_here, places.hear_it_again)),
        *(speech.which_address([data, "Home"], code=code) for code in ("", "ambiguous", "unmatched", "doubled", "first")),
        speech.which_address([]),
        speech.old_cart([thing], 100, other_address=True),
        speech.keep_or_clear(),
        speech.not_cleared(),
        speech.items(),
        *(speech.not_an_item(twice=twice) for twice in (True, False)),
        speech.still_ordering(),
        groceries.nothing_to_choose(),
        *(speech.items(opening=groceries.not_an_option(twice=twice)) for twice in (True, False)),
        speech.sign_in_ending(),
        groceries.too_many_items(5),
        groceries.offer({"query": data, "variants": [variant(data)]}),
        groceries.offer({"query": data, "variants": [variant(data)] * 4}),
        speech.items(opening=groceries.not_found([data], unchecked=[data])),
        groceries.search_seems_down(),
        groceries.anything_else(groceries.written(report, opening=groceries.added(thing), note=""), count=True),
        groceries.anything_else(groceries.removed(thing), count=False),
        groceries.overtaken(groceries.differences(report)),
        groceries.cart([thing] * 5, 100),
        groceries.cart([], None),
        groceries.reviewed_cart([thing], 100),
        *(reasons.unfit(code, names=[data], total=100, limit=100) for code in reasons.SENTENCES),
        speech.review(
            [thing], total_paise=100, label=data, key="review:1", valid_s=1, maybe=[{"total_paise": 1, "when": data}]
        ),
        speech.no_review(),
        speech.how_to_confirm(),
        *(speech.unheard(code) for code in speech.UNHEARD),
        *(speech.void(code, changes=drift) for code in ("expired", "late", "drifted")),
        *(speech.closed(timeout=timeout, doubt=doubt) for timeout in (True, False) for doubt in (True, False)),
        *(
            speech.trouble(code, what="read the cart")
            for code in ("sign_in", "rate_limited", "unsure", "unsure_wait", "unsure_clear", "unsure_clear_wait", "x")
        ),
        *(speech.helping(phase.value, choosing=choosing) for phase in Phase for choosing in (True, False)),
        speech.busy(),
        speech.still_there(),
        news.checking_out(),
        news.turned_down(data),
        *(news.not_placed(code) for code in ("not_sent", "sign_in", "unchecked", "x")),
        news.unknown(),
        news.still_unknown(),
        news.may_be_placed(),
        news.seen(order),
        *news.pay(total_paise=100, reviewed_paise=200, link=LINK, screen=False),
        news.link_event(LINK, total_paise=100),
        *(news.link_sent(code, screen=screen) for code in ("sent", "failed") for screen in (True, False)),
        *(news.paying(confirmed=confirmed) for confirmed in (True, False)),
        *(news.payment_result(word, 100) for word in ("paid", "payment_unknown", *news.UNPAID)),
        news.unsure("payment_unmonitored"),
        *(news.placed(failures=failures) for failures in (0, 1)),
        *(news.left(unknown=unknown) for unknown in (True, False)),
    ]


@given(HOSTILE)
def test_no_sentence_ends_in_the_words_that_spend_whatever_a_title_says(data: str) -> None:
    for reply in everything(data):
        said = text.tokens(reply.text)
        for phrase in words.CONFIRM_PHRASES:
            spends = text.tokens(phrase)
            assert said[-len(spends) :] != spends, reply.text


@given(HOSTILE)
def test_no_control_character_line_break_or_endless_title_reaches_a_sentence(data: str) -> None:
    for reply in everything(data):
        assert reply.text == " ".join(reply.text.split())
        assert reply.text.isprintable()
        assert len(reply.text) < 900


@pytest.mark.promise("P142")
def test_the_payment_link_is_in_no_text_no_speech_and_no_button() -> None:
    for reply in everything("x"):
        assert LINK not in f"{reply.text} {reply.speech} {reply.choices}"
        assert (reply.kind == "interaction.payment") is ("link" in reply.data)
    assert LINK not in news.notice(100)


@pytest.mark.promise("P238")
def test_the_label_is_proposed_exactly_as_saved() -> None:
    assert speech.propose("Home").text == "Use Home for delivery?"
    assert speech.propose("Mum's  place ").text == "Use Mum's  place  for delivery?"


@pytest.mark.parametrize(
    ("paise", "said"), [(26900, "₹269"), (26950, "₹269.50"), (5, "₹0.05"), (0, "₹0"), (None, "a price I could not read")]
)
def test_rupees_are_exact(paise: int | None, said: str) -> None:
    assert wording.rupees(paise) == said


def test_a_list_reads_as_people_say_it() -> None:
    assert [wording.listed(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert wording.listed(["a", "b"], last="or") == "a or b"


@pytest.mark.promise("P140", "P147")
def test_nothing_said_after_the_checkout_claims_a_placed_or_cancelled_order_that_is_not_proven() -> None:
    for reply in (
        news.unknown(),
        news.still_unknown(),
        news.may_be_placed(),
        news.unsure("x"),
        news.left(unknown=True),
        news.left(unknown=False),
    ):
        said = reply.text.lower()
        assert "order placed" not in said
        assert "cancelled" not in said.replace("nothing was cancelled", "")


# ---- titles -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P126", "P212")
@pytest.mark.parametrize("length", [20, 57, 60, 61, 200])
def test_the_size_is_in_every_read_back_however_long_the_name_is(length: int) -> None:
    thing = Line("s", "k", "x" * length, "500 ml", 2)
    review = speech.review([thing], total_paise=100, label="Home", key="review:1", valid_s=1)
    assert " 500 ml. To Home." in review.text
    for said in (groceries.added(thing), groceries.removed(thing), reasons.unfit("several_lines", names=[thing.title]).text):
        assert " 500 ml" in said


@pytest.mark.parametrize("name", ["", " ", "\x1b[31m\x1b[0m", "...", '"'])
def test_a_line_without_a_name_is_called_so(name: str) -> None:
    assert wording.counted(Line("s", "k", name, "500 ml", 1)) == "1 x an item without a name, 500 ml"
    assert wording.counted(Line("s", "k", name, "", 1)) == "1 x an item without a name"


@pytest.mark.promise("P212")
@pytest.mark.parametrize(
    "title",
    [
        "\x1b[31mRed\x1b[0m Milk",
        "\x9b1;31mRed Milk",
        "\x1b]0;owned\x07Red Milk",
        "Red\x1b[2K Milk",
        "\x1b(BRed Milk\x1b[",
        "Red\x00 Milk",
    ],
)
def test_escape_sequences_are_taken_out_whole(title: str) -> None:
    assert wording.clean(title) == "Red Milk"
