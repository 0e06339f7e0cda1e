"""A language is one file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo

from handlers.ui.languages import DEFAULT, DOMAIN, LANGUAGES, LOCALES, nearest, words
from tests.ui.catalogs import source

ROOT = Path(__file__).parents[2]
DUTCH = "nl"
SCRIPT = f"""
import asyncio
import json

from handlers.ui.languages import LANGUAGES, nearest
from testing.group import Group, text_of


async def play():
    group = Group(2, language="{DUTCH}-BE")
    await group.write(0, "/language")
    offered = [button["text"] for row in group.live().reply_markup["inline_keyboard"] for button in row]
    chosen = group.live()
    await group.verb(0, chosen, "language {DUTCH}")
    await group.start("skyjo")
    return offered, text_of(chosen), (await group.match()).language


print(json.dumps([LANGUAGES, nearest("{DUTCH}"), *asyncio.run(play())]))
"""


def test_a_language_is_one_file(tmp_path: Path) -> None:
    """With one more catalog, and nothing else, the bot offers and speaks one more language, and meets people in it."""
    shutil.copytree(ROOT / "handlers", tmp_path / "handlers", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "handlers" / LOCALES.relative_to(ROOT / "handlers") / DUTCH / "LC_MESSAGES" / f"{DOMAIN}.po"
    path.parent.mkdir(parents=True)
    english = (LOCALES / DEFAULT / "LC_MESSAGES" / path.name).read_text(encoding="utf-8")
    path.write_text(english.replace("English", "Nederlands"), encoding="utf-8")
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, source(DUTCH, path.parents[2]))
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    told = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, env=environ, check=True, stdout=subprocess.PIPE)  # noqa: S603 - ours
    languages, spoken, offered, chosen, of_the_match = json.loads(told.stdout.splitlines()[-1])
    assert languages == sorted([*LANGUAGES, DUTCH])
    assert (spoken, of_the_match) == (DUTCH, DUTCH)
    assert offered == ["English", "Français", "Nederlands"]
    assert chosen == "I speak Nederlands in this chat now."


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_are_met_in_their_language(language: str) -> None:
    """Whatever region their app names; whoever speaks none of ours, in the usual one."""
    assert nearest(f"{language}-XX") == nearest(language.upper()) == language
    assert nearest("xx") == nearest(None) == DEFAULT
    assert words(language).language == language
