import pytest

from emulator.entities import Text, found_in, parse_html, trimmed
from emulator.errors import ApiError


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<br>", 'Unsupported start tag "br" at byte offset 0'),
        ("é <x>", 'Unsupported start tag "x" at byte offset 3'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("x <b", "Unclosed start tag at byte offset 2"),
        ("<a href", 'Unclosed start tag "a" at byte offset 0'),
        ('<a href="x"', "Unclosed start tag at byte offset 0"),
        ('<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<a href=x/>y</a>", "Unexpected end of name token at byte offset 8"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
    ],
)
def test_bad_html_is_refused_in_telegrams_words(source: str, reason: str) -> None:
    """HTML that does not parse is refused with the reason and the byte offset."""
    with pytest.raises(ApiError) as caught:
        parse_html(source)
    assert caught.value.description == f"Bad Request: can't parse entities: {reason}"


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("<b>a</b> &lt;&amp;&#33;", "a <&!", [{"type": "bold", "offset": 0, "length": 1}]),
        ("a & b &nope;", "a & b &nope;", []),
        (
            "🂡<b>x<i>y</i></b>",
            "🂡xy",
            [{"type": "bold", "offset": 2, "length": 2}, {"type": "italic", "offset": 3, "length": 1}],
        ),
        (
            '<a href="tg://user?id=7">Ana</a>',
            "Ana",
            [{"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 7}}],
        ),
        (
            '<a href="https://t.me/a?b=1&amp;c=2">go</a>',
            "go",
            [{"type": "text_link", "offset": 0, "length": 2, "url": "https://t.me/a?b=1&c=2"}],
        ),
        (
            '<pre><code class="language-py">x</code></pre>',
            "x",
            [{"type": "pre", "offset": 0, "length": 1, "language": "py"}],
        ),
        ("<blockquote expandable>q</blockquote>", "q", [{"type": "expandable_blockquote", "offset": 0, "length": 1}]),
        ("<b></b>x", "x", []),
        ('<a href="nowhere">x</a>', "x", []),
    ],
)
def test_html_becomes_text_and_entities(source: str, text: str, entities: list[dict[str, object]]) -> None:
    """Tags become entities whose places are counted in UTF-16 units."""
    assert parse_html(source) == Text(text, entities)


def test_white_space_around_a_text_is_cut_and_entities_move() -> None:
    """Telegram keeps texts without white space at their ends."""
    assert trimmed(parse_html("\n <b> a</b> ")) == Text("a", [{"type": "bold", "offset": 0, "length": 1}])


def test_commands_and_mentions_are_found() -> None:
    """Commands and mentions are marked without being told, words that only look alike are not."""
    found = [(e["type"], e["offset"], e["length"]) for e in found_in("/start@tablee_bot hi @ana_lima a/b 🂡 #yes")]
    assert found == [("bot_command", 0, 17), ("mention", 21, 9), ("hashtag", 38, 4)]
