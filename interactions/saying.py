"""What the host itself says: that something came too late, went wrong or went on elsewhere. Pure.

A mode's own sentences are the mode's; these are for when it cannot be asked, is gone, or has broken.
"""

from __future__ import annotations

from interactions import languages, sentences
from interactions.contracts import Reply
from interactions.sentences import Sentences

LANGUAGES = sentences.load(languages)
ENGLISH = LANGUAGES[sentences.DEFAULT]


def of(lang: str) -> Sentences:
    """In ``lang``, or in English where the host does not speak it."""
    return sentences.pick(LANGUAGES, lang)


def ask(lang: str, name: str, **values: object) -> Reply:
    """Said, and answered: what was said is to be said again."""
    say = of(lang)
    return Reply(say(name, **values), lang=say.lang)


def tell(lang: str, *names: str, **values: object) -> Reply:
    """Said, and nothing is expected in return."""
    say = of(lang)
    return Reply(" ".join(say(name, **values) for name in names), expects_reply=False, lang=say.lang)
