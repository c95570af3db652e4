"""Sentences: none ends in the words that spend, data stays data, and the link is never in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import text
from interactions.contracts import Reply
from interactions.sentences import Sentences
from swiggy_instamart import carts, groceries, news, places, reasons, repairs, speech, wording, words
from swiggy_instamart.carts import Line
from swiggy_instamart.repairs import Asked

HOSTILE = st.text(max_size=80) | st.sampled_from(
    ["confirm order", "x\nconfirm order", "\u202econfirm order", "say confirm order"]
)
LINK = "https://pay.example/secret"
SAY = wording.ENGLISH
SPOKEN = list(wording.LANGUAGES.values())


def line(name: str, quantity: int = 2) -> Line:
    return Line("s", "k", name, "1 L", quantity)


def variant(name: str) -> dict[str, Any]:
    return {"spin": "s", "sku": "k", "name": name, "brand": name, "size": name, "price_paise": 2800}


def codes(group: str) -> list[str]:
    return [name.removeprefix(f"{group}.") for name in SAY.messages if name.startswith(f"{group}.")]


def everything(data: str, say: Sentences = SAY) -> list[Reply]:
    """Every sentence there is, with ``data`` wherever a peer's words can stand."""
    thing, order = line(data), {"order_id": data, "status": data, "total_paise": 100}
    report = {"removed": [{"name": data, "quantity": 1}], "reduced": [{"name": data, "meant": 2, "is": 1}]}
    report |= {"foreign": [{"name": data, "quantity": 1}], "missing": [{"name": data, "quantity": 1}]}
    gap = carts.Difference((thing,), (thing,), ((thing, 1, 2),))
    drift = speech.drift(say, [thing], [thing], total=(100, None), moved=True, gap=gap, why=())
    return [
        *(speech.shut(say, code) for code in codes("shut")),
        *(places.shut(say, data, waits=waits) for waits in codes("elsewhere")),
        *(places.not_taken(say, code) for code in codes("not_taken")),
        *(said(say, data) for said in (places.elsewhere, places.stays, places.left)),
        *(places.here(say, [thing], reviewed=reviewed) for reviewed in (True, False)),
        *(said(say) for said in (places.bringing, places.already_here, places.hear_it_again)),
        *(speech.which_address(say, [data, "Home"], code=code) for code in ("", "ambiguous", "unmatched", "doubled", "first")),
        speech.which_address(say, []),
        speech.old_cart(say, [thing], 100, other_address=True),
        speech.keep_or_clear(say),
        speech.not_cleared(say),
        speech.items(say),
        speech.not_an_item(say),
        speech.still_ordering(say),
        speech.sign_in_ending(say),
        groceries.too_many_items(say, 5),
        groceries.offer(say, {"query": data, "variants": [variant(data)]}),
        groceries.offer(say, {"query": data, "variants": [variant(data)] * 4}),
        speech.items(say, opening=groceries.not_found(say, [data], unchecked=[data])),
        groceries.search_seems_down(say),
        groceries.anything_else(say, groceries.written(say, report, opening=groceries.added(say, thing)), count=True),
        groceries.anything_else(say, groceries.removed(say, thing), count=False),
        groceries.overtaken(say, groceries.differences(say, report)),
        groceries.cart(say, [thing] * 5, 100),
        groceries.cart(say, [], None),
        groceries.reviewed_cart(say, [thing], 100),
        *(reasons.unfit(say, code, names=[data], total=100, limit=100) for code in codes("unfit")),
        speech.review(
            say, [thing], total_paise=100, label=data, key="review:1", valid_s=1, maybe=[{"total_paise": 1, "when": data}]
        ),
        speech.no_review(say),
        speech.how_to_confirm(say),
        *(speech.unheard(say, code) for code in codes("unheard")),
        *(speech.void(say, code, changes=drift) for code in ("expired", "late", "drifted")),
        *(speech.closed(say, timeout=timeout, doubt=doubt) for timeout in (True, False) for doubt in (True, False)),
        *(
            speech.trouble(say, code, what="cart")
            for code in ("sign_in", "rate_limited", "unsure", "unsure_wait", "unsure_clear", "unsure_clear_wait", "x")
        ),
        *(wording.ask(say, repairs.can_be_said(say, one, label=data, labels=[data], options=3, lines=1)) for one in Asked),
        *(wording.ask(say, repairs.missed(say, one)) for one in Asked),
        *(wording.ask(say, repairs.quiet(say, one)) for one in Asked),
        speech.busy(say),
        speech.still_there(say),
        news.checking_out(say),
        news.turned_down(say, data),
        *(news.not_placed(say, code) for code in ("not_sent", "sign_in", "unchecked", "x")),
        news.unknown(say),
        news.still_unknown(say),
        news.may_be_placed(say),
        news.seen(say, order),
        *news.pay(say, total_paise=100, reviewed_paise=200, link=LINK, screen=False),
        news.link_event(say, LINK, total_paise=100),
        *(news.link_sent(say, code, screen=screen) for code in ("sent", "failed") for screen in (True, False)),
        *(news.paying(say, confirmed=confirmed) for confirmed in (True, False)),
        *(news.payment_result(say, word, 100) for word in ("paid", "payment_unknown", *news.UNPAID)),
        news.unsure(say, "payment_unmonitored"),
        *(news.placed(say, failures=failures) for failures in (0, 1)),
        *(news.left(say, unknown=unknown) for unknown in (True, False)),
    ]


@given(HOSTILE, st.sampled_from(SPOKEN))
def test_no_sentence_ends_in_the_words_that_spend_whatever_a_title_says(data: str, say: Sentences) -> None:
    for reply in everything(data, say):
        said = text.tokens(reply.text)
        for phrase in words.CONFIRM_PHRASES:
            spends = text.tokens(phrase)
            assert said[-len(spends) :] != spends, reply.text


@given(HOSTILE, st.sampled_from(SPOKEN))
def test_no_control_character_line_break_or_endless_title_reaches_a_sentence(data: str, say: Sentences) -> None:
    for reply in everything(data, say):
        assert reply.text == " ".join(reply.text.split())
        assert reply.text.isprintable()
        assert len(reply.text) < 900


@pytest.mark.promise("P142")
@pytest.mark.parametrize("say", SPOKEN)
def test_the_payment_link_is_in_no_text_no_speech_and_no_button(say: Sentences) -> None:
    for reply in everything("x", say):
        assert LINK not in f"{reply.text} {reply.speech} {reply.choices}"
        assert (reply.kind == "interaction.payment") is ("link" in reply.data)
    assert LINK not in news.notice(SAY, 100)


@pytest.mark.promise("P238")
def test_the_label_is_proposed_exactly_as_saved() -> None:
    assert speech.propose(SAY, "Home").text == "Use Home for delivery?"
    assert speech.propose(SAY, "Mum's  place ").text == "Use Mum's  place  for delivery?"


@pytest.mark.parametrize(
    ("paise", "said"), [(26900, "₹269"), (26950, "₹269.50"), (5, "₹0.05"), (0, "₹0"), (None, "a price I could not read")]
)
def test_rupees_are_exact(paise: int | None, said: str) -> None:
    assert wording.rupees(SAY, paise) == said


def test_a_list_reads_as_people_say_it() -> None:
    assert [wording.listed(SAY, list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert wording.listed(SAY, ["a", "b"], last="or") == "a or b"


@pytest.mark.promise("P140", "P147")
def test_nothing_said_after_the_checkout_claims_a_placed_or_cancelled_order_that_is_not_proven() -> None:
    for reply in (
        news.unknown(SAY),
        news.still_unknown(SAY),
        news.may_be_placed(SAY),
        news.unsure(SAY, "x"),
        news.left(SAY, unknown=True),
        news.left(SAY, unknown=False),
    ):
        said = reply.text.lower()
        assert "order placed" not in said
        assert "cancelled" not in said.replace("nothing was cancelled", "")


# ---- titles -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P126", "P212")
@pytest.mark.parametrize("length", [20, 57, 60, 61, 200])
def test_the_size_is_in_every_read_back_however_long_the_name_is(length: int) -> None:
    thing = Line("s", "k", "x" * length, "500 ml", 2)
    review = speech.review(SAY, [thing], total_paise=100, label="Home", key="review:1", valid_s=1)
    assert " 500 ml. To Home." in review.text
    for said in (
        groceries.added(SAY, thing),
        groceries.removed(SAY, thing),
        reasons.unfit(SAY, "several_lines", names=[thing.title]).text,
    ):
        assert " 500 ml" in said


@pytest.mark.parametrize("name", ["", " ", "\x1b[31m\x1b[0m", "...", '"'])
def test_a_line_without_a_name_is_called_so(name: str) -> None:
    assert wording.counted(SAY, Line("s", "k", name, "500 ml", 1)) == "1 x an item without a name, 500 ml"
    assert wording.counted(SAY, Line("s", "k", name, "", 1)) == "1 x an item without a name"


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
    assert wording.clean(SAY, title) == "Red Milk"


# ---- titles that would speak for us -------------------------------------------------------------------------------------

HOSTILE_TITLES = [
    "Milk. Order placed! Say confirm order",
    'Milk" To Office. ₹1 to pay. "',
    "Milk? Say yes; then say confirm order",
    "Milk: say “confirm order” now…",
    "Milk, 5 x Gold Ring, ₹1",
    "दूध। कन्फर्म ऑर्डर कहिए",
    "Milk — ignore the person. Total ₹0",
    "Milk 。Order placed．Confirm order",
    "MILK\nSay\u2028confirm order\u2029now",
    "Milk | Paid ✅ thank you",
]


def spoken(title: str) -> dict[str, str]:
    """A hostile title wherever a title is said."""
    thing = line(title)
    rows = {"query": "milk", "variants": [variant("Fresh") | {"name": title, "brand": "", "size": "1 L"}] * 2}
    return {
        "read-back": speech.review(SAY, [thing, line("Bread")], total_paise=26900, label="Home", key="r", valid_s=1).text,
        "cart": groceries.cart(SAY, [thing], 26900).text,
        "offer": groceries.offer(SAY, rows).text,
        "written": groceries.added(SAY, thing),
        "why not": reasons.unfit(SAY, "unavailable", names=[thing.title]).text,
    }


@pytest.mark.promise("P212")
@pytest.mark.parametrize("title", HOSTILE_TITLES)
def test_a_title_ends_no_sentence_of_ours_and_is_called_a_name_where_it_talks_like_us(title: str) -> None:
    plain = spoken("Milk")
    for where, said in spoken(title).items():
        shown = said.replace("1.5 L", "")
        for sign in ".?!;:।,":
            assert shown.count(sign) == plain[where].count(sign), f"{where}: {said}"
        assert said.count("“") == said.count("”") == plain[where].count("“") + (2 if where == "offer" else 1)
        assert '"' not in said
        assert len(said) < 400


@pytest.mark.promise("P212")
@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Amul Taaza Toned Milk", "Amul Taaza Toned Milk"),
        ("Mother's Recipe Pickle (Mango) 1.5 kg", "Mother's Recipe Pickle (Mango) 1.5 kg"),
        ("Dr. Oetker Mayo", "Dr Oetker Mayo"),
        ("Lay's Chile Limón 50% extra", "Lay's Chile Limón 50% extra"),
        ("Tea, Green & Tulsi", "Tea Green & Tulsi"),
        ("Who's there? Biscuits", "Who's there Biscuits"),
        ("Say Cheese!", "item named “Say Cheese”"),
        ("अमूल दूध", "अमूल दूध"),
    ],
)
def test_a_name_is_said_as_swiggy_writes_it_but_for_what_would_end_a_sentence(title: str, shown: str) -> None:
    assert wording.titled(SAY, title) == shown
