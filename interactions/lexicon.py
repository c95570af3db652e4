"""The words that hearing goes by whatever mode is open, read once from ``languages``: one file per language, data only.

``text`` compares by them; a plugin has lists of its own. No word here can widen what counts as a confirmation.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

Words = frozenset[str]
Phrases = tuple[tuple[str, ...], ...]  # the longest first

Language = Mapping[str, Mapping[str, str]]


def files(package: str) -> Mapping[str, Language]:
    """The language files beside the module ``package`` (its ``__file__``), by their name without the ending."""
    # libyaml where PyYAML was built with it: ten times as fast, and every process reads them at its start.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted((Path(package).parent / "languages").glob("*.yml"))
    return {path.stem: yaml.load(path.read_text(encoding="utf-8"), Loader=loader) for path in paths}


_LANGUAGES = tuple(files(__file__).values())


def _all(kind: str, key: str) -> Iterator[str]:
    found = [language[kind][key] for language in _LANGUAGES if key in language.get(kind, {})]
    if not found:
        raise KeyError(f"{kind}.{key} is in no file of interactions/languages")
    yield from (unicodedata.normalize("NFKC", listed) for listed in found)  # as ``text.normalise`` folds what is said


def words(key: str) -> Words:
    return frozenset(" ".join(_all("words", key)).split())


def phrases(key: str) -> Phrases:
    found = {tuple(phrase.split()) for listed in _all("phrases", key) for phrase in listed.split("|")}
    return tuple(sorted(found - {()}, key=lambda phrase: (-len(phrase), phrase)))
