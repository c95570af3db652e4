"""Shopping talk that comes the long way round, as the plain command it is: "I'm out of soap, so order some", "is milk on my
list, if not add it", "get the eggs removed", "add bread if it's not there yet". Pure: words in, fewer words out.

Nothing is decided here: what comes out is read by the grammar as if it had been said so. What is wanted only on a condition is
searched for like anything else, and a search changes nothing.
"""

from __future__ import annotations

from interactions import text
from swiggy_instamart import turning, wishes, words
from swiggy_instamart.words import Phrases, Tokens

ADD, REMOVE = "add", "remove"
THE_LIST = ("my", "list")


def straight(marked: Tokens) -> Tokens | None:
    """The command that ``marked`` says the long way round; None where it says none, or says it straight."""
    said = _bared(_named_list(marked))
    found = _fetched(said) or _done(said) or turning.straight(said)
    # An "and" in front says that something goes on: "aur ek daal do" is one more.
    return found if found and found not in (marked, _stripped(marked)) else None


# ---- what stands around a command -----------------------------------------------------------------------------------------


def _bared(marked: Tokens) -> Tokens:
    """Without the place it begins with, and the reasons and conditions at either end."""
    while True:
        cut = _stripped(marked)
        place = wishes.starting(cut, 0, words.CART_PLACES, words.FOR_CART)
        reason = wishes.starting(cut, 0, words.REASONS)
        begun = place or (reason if _next(cut, reason) == wishes.COMMA or wishes.starting(cut, len(reason), words.ADD) else ())
        cut = _stripped(cut[len(begun) :]) or cut
        cut = _unconditional(text.strip_farewell(cut))
        cut = _stripped(cut[: len(cut) - len(wishes.ending(cut, words.REASONS))])
        if cut == marked:
            return cut
        marked = cut


def _named_list(marked: Tokens) -> Tokens:
    """ "The party shopping list" and "a new grocery list" are the list; "the list of contacts" and "my work list" are not."""
    for end, word in enumerate(marked):
        start = end
        while word in words.LIST and start and marked[start - 1] in words.LIST_KINDS:
            start -= 1
        if start < end and start and marked[start - 1] in words.WHICH_LIST:
            return marked[: start - 1] + THE_LIST + marked[end + 1 :]
    return marked


def _next(said: Tokens, begun: Tokens) -> str:
    return said[len(begun)] if len(begun) < len(said) else ""


def _unconditional(said: Tokens) -> Tokens:
    """Without "if it isn't there already" behind it. A condition about anything else stays, and is not understood."""
    at = next((at for at, word in enumerate(said) if word in words.CART_IF and at), 0)
    return said[:at] if at and set(said[at + 1 :]) <= words.THERE_YET | {wishes.COMMA} else said


def _stripped(said: Tokens) -> Tokens:
    while said and (said[0] == wishes.COMMA or said[0] in words.AND):
        said = said[1:]
    while said and said[-1] == wishes.COMMA:
        said = said[:-1]
    return said


# ---- named first, and asked for afterwards ----------------------------------------------------------------------------------


def _fetched(said: Tokens) -> Tokens | None:
    """ "I'm out of apples, add that to my list": the thing is named by its lack, or by a question for it."""
    for at in range(1, len(said)):
        verb = wishes.starting(said, at, words.ADD, words.ORDERING)
        if not verb or not _is_it(said[at + len(verb) :]):
            continue
        named = _lacked(_unlinked(said[:at]))
        if named:
            return (ADD, *named)
    return None


def _is_it(rest: Tokens) -> bool:
    """Whether what is asked for is only "it", "some more", "them on the list"."""
    return _within(tuple(word for word in wishes.trimmed(rest) if word != wishes.COMMA), words.IT_ALL)


def _within(said: Tokens, phrases: Phrases) -> bool:
    while said:
        found = wishes.starting(said, 0, phrases)
        if not found:
            return False
        said = said[len(found) :]
    return True


def _unlinked(said: Tokens) -> Tokens:
    """Without what joins it to the command: "so", "if not please", "can you go ahead and"."""
    while True:
        cut = _stripped(said)
        link = wishes.ending(("", *cut), words.LINKS)
        cut = cut[: len(cut) - len(link)]
        if cut == said:
            return cut
        said = cut


def _lacked(said: Tokens) -> Tokens:
    opening = wishes.starting(said, 0, words.LACKING)
    named = wishes.trimmed(_unconditional(said[len(opening) :])) if opening else ()
    while named and named[-1] in words.THERE_YET:
        named = named[:-1]
    return named if wishes.COMMA not in named else ()


# ---- asked to be done -------------------------------------------------------------------------------------------------------


def _done(said: Tokens) -> Tokens | None:
    """ "I need soda added to my list and carrots removed", "make sure oranges are on my list"."""
    opening = wishes.starting(said, 0, words.HAVE_DONE)
    if not opening:
        return None
    out: list[str] = []
    for clause in _clauses(_stripped(said[len(opening) :])):
        command = _undone(wishes.trimmed(clause)) or (clause if out and wishes.starting(clause, 0, words.ADD) else None)
        if command is None:
            return None
        out += [*(("and",) if out else ()), *command]
    return tuple(out) or None


def _clauses(said: Tokens) -> list[Tokens]:
    cuts = [at for at, word in enumerate(said) if word in words.AND]
    return [said[start + (start > 0) : end] for start, end in zip([0, *cuts], [*cuts, len(said)], strict=True)]


def _undone(clause: Tokens) -> Tokens | None:
    for verb, ways in ((ADD, words.ADDED), (REMOVE, words.REMOVED)):
        if done := wishes.ending(clause, ways):
            return (verb, *clause[: -len(done)])
    return None
