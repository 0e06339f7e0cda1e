"""Texts that are no JSON object: each is told in one line what it is instead."""

from __future__ import annotations

import json

import pytest

from engine.core import NotUnderstoodError
from engine.reading import read_object
from engine.record import parse

GOOD = '{"game":"skyjo","seats":2,"seed":"%s","match":"single","moves":[]}' % ("0" * 64)

NO_OBJECT: dict[str, tuple[str, str]] = {
    "empty": ("", "there is no record: the text is empty"),
    "blank": (" \n\t", "there is no record: the text is empty"),
    "a byte order mark": ("\ufeff" + GOOD, "the record begins with a byte order mark, not with {"),
    "a list": ("[]", "a record is one JSON object, not []"),
    "a text": ('"record"', "a record is one JSON object, not 'record'"),
    "nothing": ("null", "a record is one JSON object, not None"),
    "words": ("skyjo", "the record is no JSON: Expecting value (line 1, column 1)"),
    "Python": ("{'game': 'skyjo'}", "the record is no JSON: Expecting property name enclosed in double quotes"),
    "a control character": ('{"a\n":1}', "the record is no JSON: Invalid control character at (line 1, column 4)"),
    "no comma": ('{"a":1 "b":2}', "the record is no JSON: Expecting ',' delimiter (line 1, column 8)"),
    "two records": (f"{GOOD}\n{GOOD}\n", "something stands behind the record (line 2, column 1)"),
    "something behind": (GOOD + "]", "something stands behind the record (line 1, column "),
    "a NUL behind": (GOOD + "\0", "something stands behind the record (line 1, column "),
    "no number": ('{"a":NaN}', "the record is no JSON: NaN is no number there"),
    "a number without end": ('{"a":[-Infinity]}', "the record is no JSON: -Infinity is no number there"),
    "a long number": ('{"seats":%s}' % ("9" * 5000), "a number of 5000 digits is in no record"),
    "a key twice": ('{"game":"skyjo","game":"dekal"}', "duplicate key: 'game' stands twice, and only one can be meant"),
    "a key twice deep down": ('{"a":[{"b":1,"c":2,"b":1}]}', "duplicate key: 'b' stands twice"),
    "a key twice, spelled otherwise": ('{"seed":1,"\\u0073eed":2}', "duplicate key: 'seed' stands twice"),
    "too deep": ("[" * 100_000, "the record is no JSON object of ours: it nests too deep"),
    "too deep in a key": ('{"a":' * 100_000, "the record is no JSON object of ours: it nests too deep"),
}


@pytest.mark.parametrize(("text", "why"), NO_OBJECT.values(), ids=NO_OBJECT)
def test_what_is_no_object(text: str, why: str) -> None:
    """One line that begins so, and no other error."""
    with pytest.raises(NotUnderstoodError) as caught:
        read_object(text)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(why)


@pytest.mark.parametrize("key", ["game", "seats", "seed", "match", "moves"])
def test_a_missing_key_is_named(key: str) -> None:
    """Each of a record's five."""
    fields = {name: value for name, value in json.loads(GOOD).items() if name != key}
    with pytest.raises(NotUnderstoodError, match=f"the record has no {key}"):
        parse(json.dumps(fields))


@pytest.mark.parametrize("key", ["game", "seats", "seed", "match", "moves"])
@pytest.mark.parametrize("deep", [False, True])
def test_a_value_of_any_other_kind_is_quoted_in_one_line(key: str, deep: bool) -> None:
    """And never at length, however deep it nests."""
    nested = "[" * 900 + "]" * 900
    values = [f'{{"a":{nested}}}'] if deep else ["null", "true", "1e999", "-1", "1.5", '"\\ud800"', "{}", '"\\n"']
    for value in values:
        rest = {name: text for name, text in json.loads(GOOD).items() if name != key}
        text = json.dumps(rest)[:-1] + f',"{key}":{value}}}'
        with pytest.raises(NotUnderstoodError) as caught:
            parse(text)
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 150


def test_a_deep_move_is_a_bad_move() -> None:
    """The moves before it can still be played."""
    record = parse(GOOD.replace("[]", '["0 flip a1",' + "[" * 900 + "]" * 900 + "]"))
    assert record.moves == ((0, "flip a1"),)
    assert str(record.flaw).startswith("move 2 (")
