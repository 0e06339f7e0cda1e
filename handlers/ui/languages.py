"""The words: gettext catalogs, one a language, looked up by key.

A language is one file, `locales/xx/LC_MESSAGES/tablee.po`, where xx is its code as Telegram sends it (ISO 639-1);
nothing else lists the languages. Keys stand in the code; every language has every key (a test compares them). Values
are put in by name, `{name}`, so that a translator may order them as the language wants.
"""

from __future__ import annotations

import gettext
import struct
from functools import cache
from pathlib import Path

LOCALES = Path(__file__).parent / "locales"
DOMAIN = "tablee"
DEFAULT = "en"
"""The language for whoever speaks none of ours."""


class CatalogError(Exception):
    """A language's words are missing or cannot be read; the message is one line that says what to do."""


def spoken(locales: Path = LOCALES) -> tuple[str, ...]:
    """The codes of the languages whose catalogs are there, compiled."""
    return tuple(sorted(path.parents[1].name for path in locales.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


LANGUAGES = spoken()


class Words:
    """The sentences of one language. Raises FileNotFoundError where its catalog is not there, compiled."""

    def __init__(self, language: str, locales: Path = LOCALES) -> None:
        self.language = language
        self._catalog = gettext.translation(DOMAIN, locales, languages=[language])

    def __contains__(self, key: str) -> bool:
        """Whether there is a sentence of `key`, one without plural forms."""
        return self._catalog.gettext(key) != key

    def __call__(self, key: str, **values: object) -> str:
        """The sentence of `key` with `values` put in."""
        return self._catalog.gettext(key).format(**values)

    def plural(self, key: str, count: int, **values: object) -> str:
        """The sentence of `key` in the form that `count` things want; the count is put in as `{count}`."""
        return self._catalog.ngettext(key, key, count).format(count=count, **values)


def load_all(locales: Path = LOCALES) -> tuple[str, ...]:
    """Read every language's catalog once; the codes of the languages.

    Raises:
        CatalogError: a catalog is not compiled, or cannot be read.
    """
    languages = tuple(sorted(path.parents[1].name for path in locales.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))
    if set(languages) - set(spoken(locales)):
        raise CatalogError("compile the catalogs first: run make catalogs")
    for language in languages:
        try:
            Words(language, locales)
        except (OSError, ValueError, LookupError, struct.error) as error:
            raise CatalogError(f"the catalog of {language} cannot be read: run make -B catalogs") from error
    return languages


@cache
def words(language: str) -> Words:
    """The sentences of `language`, which is one of `LANGUAGES`. Raises FileNotFoundError before they are compiled."""
    return Words(language)


def nearest(language_code: str | None) -> str:
    """The language of ours closest to an IETF tag as Telegram sends it (`fr-CA`), or the default."""
    primary = (language_code or "").lower().partition("-")[0]
    return primary if primary in LANGUAGES else DEFAULT
