"""HTML as strictly as Telegram reads it."""

from __future__ import annotations

from html.parser import HTMLParser

ALLOWED = {"b": (), "i": (), "code": (), "a": ("href",)}
"""Of Telegram's tags, those that our sentences use."""

REFERENCES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tuple(name for name, _ in attrs) == ALLOWED[tag], tag
        self.open.append(tag)
        self.links += [value for _, value in attrs if value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert not set(data) & set("<>&"), data
        self.text.append(data)

    def handle_entityref(self, name: str) -> None:
        self.text.append(REFERENCES[name])

    def handle_charref(self, name: str) -> None:
        raise AssertionError(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def read(source: str) -> tuple[str, list[str]]:
    """The text and the links of HTML. Raises AssertionError or KeyError where it would not parse."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    assert not reader.open, f"<{reader.open}> stays open"
    return "".join(reader.text), reader.links


def length(source: str) -> int:
    """The length of HTML once it is parsed, in UTF-16 units."""
    return len(read(source)[0].encode("utf-16-le")) // 2
