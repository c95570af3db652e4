"""Public faults of others that this product must not have: id -> what went wrong there, and what is right here, in our words.

A test names the cases whose whole kind it shows mended with ``@pytest.mark.case("D10")``. ``NOT_YET`` says of each case without
one what it waits for; ``test_cases.py`` holds both lists to the tests.
"""

from __future__ import annotations

CASES: dict[str, str] = {
    # Speech in
    "A01": "A comma in a command makes a thing of what follows it: the comma is the recogniser's whim.",
    "A02": "A comma decides which rule a sentence matches: the same words mean the same with any punctuation.",
    "A03": "A full stop hides a yes: an answer is one in any case and with any punctuation.",
    "A04": "The wake name is off by a letter: it is for us all the same, and after a wake nothing is dropped in silence.",
    "A05": "The wake name stands in the transcript: it is taken off, whether it is there or not.",
    "A06": "The wake name ends the sentence: it is no part of the thing, unless it is its name.",
    "A07": "Silence becomes a thank-you: alone it is dropped with its reason, at the end of a sentence it is ignored.",
    "A10": "Our own speech comes back as the speaker's: dropped as echo, and nothing is answered.",
    "A11": "Our own question answers itself: an echo in the tail of its playback is none the less an echo.",
    "A13": "A word that sounds like two is taken for two everywhere: only where a number was asked for.",
    "A14": "Two and a half comes out as one and a half: every number and part is their exact sum.",
    "A15": "The Hindi number list says that no is nine: no is a refusal everywhere, and nau is nine.",
    "A16": "Hindi comes in Devanagari, Roman or translated: each is read alike, and an English do is no two.",
    "A19": "Fillers stay in the text, or real words go with them: fillers are skipped, and a murmur is no yes.",
    "A20": "A brand comes in pieces or misspelt: after a wake it opens, and other words do not.",
    "A08": "One utterance is acted on as often as it is reported: once, however it comes again.",
    "A09": "One sentence comes as several finals and the last one wins: nothing of it is lost, and no part becomes a thing.",
    "A12": "To and two cannot be told apart: two where a number is wanted, and never part of a product.",
    "A17": "The words that take back vanish and the mistake stays: what was taken back is gone, in one sentence or two.",
    "A18": "Bread and butter is stored as one thing: two are two, one is one, and where it stays open it is asked.",
    # Data files
    "B02": "Public number words: whole numbers to a hundred, halves and quarters are right, the rest is right or refused.",
    "B03": "Public measures and counts: kilos, grams, litres and counts are equal, what is less than nothing is refused.",
    "B01": "Public yes and no: never yes where the file says no, and unclear rather than wrong.",
    "B04": "Public dialog acts: yes, no and maybe keep their sense, and talk of other things changes nothing.",
    "B05": "Public list talk: what is to be added, removed or asked is, and another wake name opens nothing.",
    "B06": "Code-mixed talk of alarms, music and weather: none opens or changes an order.",
    "B07": "A yes with more is no bare yes, and a denial is never one.",
    # Dialog
    "C01": "A dialog that closed itself is opened again by the next words: it stays closed until it is asked for.",
    "C02": "One wake is heard by several devices and the far ones speak up as well: one acts, the others are silent.",
    "C03": "The answer is played at another device first: it comes to the device that asked, and to no other.",
    "C04": "What was said before a cancel comes back later: what is in the cart is told as found there, not as ordered now.",
    "C05": "The dialog expires between question and answer: the answer counts, or the end is told with the basket kept.",
    "C06": "A long answer ends its own session: every wait begins when the device has played to the end.",
    "C07": "A moment of thinking ends the dialog: one short reminder, one look in, then quiet; the question stays open.",
    "C08": "Stop is argued about: in every phase, in each language, it ends the dialog at once and calls nobody.",
    "C09": "Whatever is said while a dialog is open is taken for a wish: what is for others changes nothing.",
    "C10": "An order is called placed that was not: no sentence says so without a result that proves it.",
    "C11": "After a restart the next words belong to nothing: the same basket goes on, and an old review is asked again.",
    "C12": "The answer that comes another way than its question went is taken for a new request: it answers.",
    "C13": "A yes or a no comes where none was asked: the question is repeated, nothing is chosen.",
    "C14": "An answer that was not heard is met with an error and no way out: asked twice at most, then waited for.",
    # Money
    "D01": "The bill rose between quote and checkout: stop, say the new total and what changed, ask again.",
    "D02": "The cart that was written is not there when it is read: read once more, say so, order nothing.",
    "D03": "Every search is empty with success: where a staple is missing too, the search is called down, and is not repeated.",
    "D04": "The sign-in ends and cannot be refreshed: said before an order is taken, the basket is kept.",
    "D05": "A cart made here may not show in the phone app: no sentence promises that it does.",
    "D06": "The shop asks to wait, with or without saying how long: nothing more is called, what is in the cart stays.",
    "D07": "A documented tool is not served: learnt from the list of tools, said, and the dialog goes on.",
    "D08": "Every checkout fails over the address: told in the shop's words, no other address is tried, nothing loops.",
    "D09": "A throttled search looks like an empty shelf: searches are bounded, and what was not searched is called unchecked.",
    "D10": "The answer of a checkout is lost: unknown, looked up, and a second one only after a new review.",
    "D11": "A write was done in part and called a success: read back, the missing item named and it alone set again.",
    "D12": "Two finish one payment at once: one confirm, one order, one announcement.",
    "D13": "A timer gives up the moment the money comes: the status is read once more, and paid wins.",
    "D14": "Another address in mid-order: a yes first, then the basket is built again for it, and every change is said.",
    "D15": "The money left at once and success came much later: never another order, never called failed, reported when seen.",
    "D16": "A unit price was taken for the item's price: the server's amounts are said, never our arithmetic.",
    "D17": "Only the last step says that the store is closed: nothing placed, basket kept, no retry by itself.",
    "D18": "A write replaces the whole cart, a checkout may split, a limit exists: foreign lines stay, each order is told.",
    "D19": "The cart is shared, may expire and belongs to one address: read before the checkout, told, rebuilt on a yes.",
    "D20": "A UPI payment has more ends than paid and failed: each has its own sentence, and at most one confirm.",
    "D21": "A dropped connection repeats a call: only reads are repeated, a write is read first, a checkout is unknown.",
    # Operations
    "E01": "Many processes refresh one sign-in: one does, the others read the file again.",
    "E02": "A damaged sign-in file is used: it is set aside and named, and nothing is sent with it.",
    "E03": "A message is delivered again before it is due: the row decides, so there is one effect.",
    "E04": "A worker is deaf after the broker's restart: what was said is answered, or health is red.",
    "E05": "Many writers on SQLite: everything is stored and answered within bounds.",
    "E06": "A proxy holds back the event stream: it is told not to, and a reply is there within a second.",
    "E07": "A browser's event stream cannot send a bearer: the documented way works, anything else is a clear 401.",
    "E08": "A fresh connection gets the whole past: only new events come, or with a cursor what was missed, once.",
    "E09": "A clock that is wrong by seconds refuses: order and time limits go by the server's receipt.",
    "E10": "A misspelt key is ignored: the start is refused, naming file, key and the nearest one.",
    "E11": "Two messages of one session at once: handled one after the other, in the order they came.",
    "E12": "A doubled key is taken without a word: the start is refused, naming both places.",
}

# Not yet shown, and what each waits for. An entry goes when its first test comes; the suite fails while both are there.
_WAITING: dict[str, str] = {}
NOT_YET: dict[str, str] = {case: reason for cases, reason in _WAITING.items() for case in cases.split()}
