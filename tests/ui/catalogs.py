"""The catalogs as files, and the keys that the code asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from gettext import c2py
from itertools import combinations
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from handlers.ui.languages import DOMAIN, LANGUAGES, LOCALES

ROOT = Path(__file__).parents[2]
CODE = ("handlers", "infra")


@dataclass(frozen=True, slots=True)
class Entry:
    """One message: its forms, one without plurals."""

    key: str
    forms: tuple[str, ...]
    plural: bool

    @property
    def placeholders(self) -> set[str]:
        """The names of the values that any form puts in."""
        return {name for form in self.forms for name in placeholders(form)}


def placeholders(sentence: str) -> set[str]:
    """The names of the values that a sentence puts in."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def source(language: str, locales: Path = LOCALES) -> Catalog:
    """The catalog of a language as it is written."""
    with (locales / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def catalog(language: str, locales: Path = LOCALES) -> dict[str, Entry]:
    """All messages of a language by key."""
    messages = source(language, locales)
    entries = {}
    for message in messages:
        if not message.id:
            continue
        plural = isinstance(message.id, (list, tuple))
        key = str(message.id[0] if plural else message.id)
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        assert not message.fuzzy, key
        entries[key] = Entry(key, tuple(map(str, forms)), plural)
    assert not messages.obsolete
    return entries


CATALOGS = {language: catalog(language) for language in LANGUAGES}

NUMBERS = range(1000)
"""Whatever is counted here is less; larger numbers have forms of their own in some languages."""


def plural_flaws(language: str, locales: Path = LOCALES) -> list[str]:
    """What is wrong with the plural forms of a catalog, in a few words each."""
    messages = source(language, locales)
    form = c2py(messages.plural_expr)
    expected = Locale.parse(language).plural_form
    flaws = [
        f"{number} and {other} are counted in {'one form' if form(number) == form(other) else 'different forms'}"
        for number, other in _first_of_their_kind(form, expected)
    ]
    flaws += [f"no number has form {index}" for index in set(range(messages.num_plurals)) - set(map(form, NUMBERS))]
    for entry in catalog(language, locales).values():
        wanted = messages.num_plurals if entry.plural else 1
        if len(entry.forms) != wanted or not all(entry.forms):
            flaws.append(f"{entry.key} has {len(list(filter(None, entry.forms)))} of {wanted} forms")
    return flaws


def _first_of_their_kind(form: Callable[[int], int], expected: Callable[[int], str]) -> Iterator[tuple[int, int]]:
    """Numbers that a catalog counts alike and its language does not, or the other way: each with the first of its kind.

    A language's own forms are Unicode's (CLDR), as Babel has them.
    """
    kinds: dict[tuple[int, str], int] = {}
    for number in NUMBERS:
        kinds.setdefault((form(number), expected(number)), number)
    pairs = combinations(kinds.items(), 2)
    return ((other, number) for (one, other), (two, number) in pairs if (one[0] == two[0]) is not (one[1] == two[1]))


def _trees() -> Iterator[ast.AST]:
    for room in CODE:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


def _pattern(text: ast.JoinedStr) -> str:
    parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in text.values)
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the code asks for: keys as literals, with `plural` or without, and patterns of keys put together."""

    sentences: frozenset[str]
    plurals: frozenset[str]
    patterns: frozenset[str]
    literals: frozenset[str]


def asked() -> Asked:
    """Every first argument of `words(…)`, `….words(…)` and `….plural(…)`, and every text that stands in the code."""
    sentences: set[str] = set()
    plurals: set[str] = set()
    patterns: set[str] = set()
    literals: set[str] = set()
    for tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
            if isinstance(node, ast.JoinedStr):
                patterns.add(_pattern(node))
            if not isinstance(node, ast.Call) or not node.args or not _speaks(node.func):
                continue
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value not in LANGUAGES:
                is_plural = isinstance(node.func, ast.Attribute) and node.func.attr == "plural"
                (plurals if is_plural else sentences).add(first.value)
    return Asked(frozenset(sentences), frozenset(plurals), frozenset(patterns), frozenset(literals))


def _speaks(function: ast.expr) -> bool:
    match function:
        case ast.Name(id="words" | "tell"):
            return True
        case ast.Attribute(attr="words" | "plural"):
            return True
        case _:
            return False
