import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.app.presses import NO_MATCH, Data, maker, parse

IDS = st.from_regex(re.compile(r"[A-Za-z0-9_-]{1,16}"), fullmatch=True)
NUMBERS = st.integers(0, 36**8 - 1)
VERBS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=24)


@given(st.builds(Data, IDS, NUMBERS, NUMBERS, VERBS))
def test_what_is_written_is_read_back(data: Data) -> None:
    """Any data of ours fits into a button and comes back as it was."""
    text = str(data)
    assert len(text.encode()) <= 64
    assert parse(text) == data


@given(st.text(max_size=70))
def test_what_is_read_was_written(text: str) -> None:
    """Whatever text is taken for data is the text of some data, but for zeros in front of its numbers."""
    data = parse(text)
    if data is not None:
        assert parse(str(data)) == data


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", ":::", "a:b:c", "a:1:1:", ":1:1:join", "a::1:join", "a:1::join", "a:1:1:join\n", "\na:1:1:join"),
        *("a:1:1:b\N{LATIN SMALL LETTER E WITH ACUTE}", "a:-1:1:join", "a:A:1:join", "a b:1:1:join", "a:1:1:\0"),
        *("a:123456789:1:join", f"{'a' * 17}:1:1:join", f"a:1:1:{'x' * 25}", "é:1:1:join", "a:١:1:join"),
    ],
)
def test_what_we_never_write_is_not_read(text: str) -> None:
    """Forged data of any other shape is no data."""
    assert parse(text) is None


def test_a_screen_makes_the_data_of_its_buttons() -> None:
    """The match, the moment, the look, then what the button is for."""
    assert maker("abc", 36, 35)("flip a1") == "abc:10:z:flip a1"
    assert maker(NO_MATCH, 0, 0)("rules dekal") == "-:0:0:rules dekal"
