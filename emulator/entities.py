"""Text with entities: HTML as `parse_mode` takes it, and what Telegram finds in plain text by itself.

Offsets and lengths are in UTF-16 units, byte offsets in error texts in UTF-8, both as Telegram counts.
"""

import html
import re
from dataclasses import dataclass

from emulator.errors import bad_request
from emulator.model import Json

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_SPACE = " \t\r\n\v\0"
_REFERENCE = re.compile(r"&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));?", re.IGNORECASE)
_NAME = re.compile(r"[^ \t\r\n\v\0=>/\"']*")
_PLAIN = re.compile(r"[^<&]+")
_TOKEN = re.compile(r"[a-zA-Z0-9.-]*")
_MENTION_LINK = re.compile(r"tg://user/?\?id=(\d+)$")
_FOUND = re.compile(
    r"(?P<bot_command>(?<![\w/<>@])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z]\w{2,31})?(?![\w/]))"
    r"|(?P<mention>(?<![\w@])@[A-Za-z]\w{3,31}\b)"
    r"|(?P<url>https?://[^\s<>\"]+[^\s<>\".,;:!?)\]])"
    r"|(?P<hashtag>(?<!\w)#\w*[^\W\d]\w*)"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its entities as the Bot API sends them."""

    text: str
    entities: list[Json]


def utf16(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _offset(text: str, position: int) -> int:
    return len(text[:position].encode("utf-8"))


def _refuse(reason: str) -> Exception:
    return bad_request(f"can't parse entities: {reason}", violation=True)


@dataclass(slots=True)
class _Open:
    tag: str
    argument: str
    start: int


class _Html:
    """One pass over a text in HTML; `position` walks through it, `plain` collects what remains."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.plain: list[str] = []
        self.length = 0
        self.open: list[_Open] = []
        self.entities: list[Json] = []

    def parse(self) -> Text:
        while self.position < len(self.source):
            char = self.source[self.position]
            if char == "&":
                self._keep(self._reference() or self._next())
            elif char != "<":
                self._keep(self._plain())
            elif self._peek(1) == "/":
                self._end_tag()
            else:
                self._start_tag()
        if self.open:
            tag = self.open[-1].tag
            raise _refuse(f'Can\'t find end tag corresponding to start tag "{tag}"')
        return Text("".join(self.plain), self.entities)

    def _peek(self, ahead: int = 0) -> str:
        at = self.position + ahead
        return self.source[at] if at < len(self.source) else "\0"

    def _plain(self) -> str:
        found = _PLAIN.match(self.source, self.position)
        assert found is not None
        self.position = found.end()
        return found[0]

    def _next(self) -> str:
        self.position += 1
        return self.source[self.position - 1]

    def _keep(self, text: str) -> None:
        self.plain.append(text)
        self.length += utf16(text)

    def _ended(self) -> bool:
        return self.position >= len(self.source)

    def _skip(self) -> None:
        while not self._ended() and self._peek() in _SPACE:
            self.position += 1

    def _reference(self) -> str | None:
        found = _REFERENCE.match(self.source, self.position)
        if not found:
            return None
        decimal, hexadecimal, name = found.groups()
        if name is not None:
            char = _NAMED.get(name)
        else:
            code = int(decimal) if decimal else int(hexadecimal, 16)
            char = html.unescape(f"&#{code};") if 0 < code <= 0x10FFFF else None  # noqa: PLR2004 - Unicode's end
        if char is not None:
            self.position = found.end()
        return char

    def _start_tag(self) -> None:
        begin = _offset(self.source, self.position)
        self.position += 1
        start = self.position
        while self._peek() not in _SPACE and self._peek() != ">":
            self.position += 1
        if self._ended():
            raise _refuse(f"Unclosed start tag at byte offset {begin}")
        tag = self.source[start : self.position].lower()
        if tag not in _KINDS:
            raise _refuse(f'Unsupported start tag "{tag}" at byte offset {begin}')
        attributes: dict[str, str] = {}
        while True:
            self._skip()
            if self._peek() == ">":
                break
            name, value = self._attribute(tag, begin)
            attributes[name] = value
        self.position += 1
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            raise _refuse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(_Open(tag, _argument(tag, attributes), self.length))

    def _attribute(self, tag: str, begin: int) -> tuple[str, str]:
        found = _NAME.match(self.source, self.position)
        name = found[0] if found else ""
        if not name:
            raise _refuse(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self.position += len(name)
        self._skip()
        if self._peek() != "=":
            if self._ended():
                raise _refuse(f'Unclosed start tag "{tag}" at byte offset {begin}')
            return name, ""
        self.position += 1
        self._skip()
        if self._ended():
            raise _refuse(f"Unclosed start tag at byte offset {begin}")
        value = self._quoted() if self._peek() in "'\"" else self._token()
        if self._ended():
            raise _refuse(f"Unclosed start tag at byte offset {begin}")
        return name, value

    def _token(self) -> str:
        start = self.position
        found = _TOKEN.match(self.source, start)
        self.position += len(found[0]) if found else 0
        if self._peek() not in _SPACE and self._peek() != ">":
            raise _refuse(f"Unexpected end of name token at byte offset {_offset(self.source, start)}")
        return self.source[start : self.position].lower()

    def _quoted(self) -> str:
        quote = self._next()
        value = []
        while not self._ended() and self._peek() != quote:
            value.append((self._peek() == "&" and self._reference()) or self._next())
        if not self._ended():
            self.position += 1
        return "".join(value)

    def _end_tag(self) -> None:
        begin = _offset(self.source, self.position)
        if not self.open:
            raise _refuse(f"Unexpected end tag at byte offset {begin}")
        self.position += 2
        start = self.position
        while self._peek() not in _SPACE and self._peek() != ">":
            self.position += 1
        tag = self.source[start : self.position].lower()
        self._skip()
        if self._peek() != ">":
            raise _refuse(f"Unclosed end tag at byte offset {begin}")
        self.position += 1
        opened = self.open.pop()
        if tag and tag != opened.tag:
            raise _refuse(f'Unmatched end tag at byte offset {begin}, expected "</{opened.tag}>", found "</{tag}>"')
        self._close(opened)

    def _close(self, opened: _Open) -> None:
        if self.length == opened.start:
            return
        inside = "".join(self.plain).encode("utf-16-le")[opened.start * 2 :].decode("utf-16-le")
        entity = {"type": _KINDS[opened.tag], "offset": opened.start, "length": self.length - opened.start}
        if opened.tag == "code" and self.open and self.open[-1].tag == "pre":
            # Code right inside a block of code only tells the block's language.
            self.open[-1].argument = opened.argument
            return
        more = _details(opened, inside)
        if more is not None:
            self.entities.append(entity | more)


def _details(opened: _Open, inside: str) -> Json | None:
    """What an entity says beside its place; None where Telegram drops it."""
    argument = opened.argument
    match opened.tag:
        case "a":
            # A link without an address links to what it says, or to nothing.
            return link(argument or inside)
        case "blockquote" if argument:
            return {"type": "expandable_blockquote"}
        case "pre" if argument:
            return {"language": argument}
        case "tg-emoji":
            if not argument.isdecimal():
                raise _refuse("Invalid custom emoji identifier specified")
            return {"custom_emoji_id": argument}
        case "tg-time":
            if not argument.isdecimal():
                raise _refuse("Invalid date specified")
            return {"unix_time": int(argument)}
        case _:
            return {}


def _argument(tag: str, attributes: dict[str, str]) -> str:
    match tag:
        case "a":
            return attributes.get("href", "")
        case "code":
            language = attributes.get("class", "")
            return language.removeprefix("language-") if language.startswith("language-") else ""
        case "tg-emoji":
            return attributes.get("emoji-id", "")
        case "tg-time":
            return attributes.get("unix", "")
        case "blockquote":
            return "1" if "expandable" in attributes else ""
        case _:
            return ""


def link(address: str) -> Json | None:
    """What a link to an address says beside its place; None where Telegram drops it."""
    if found := _MENTION_LINK.match(address):
        return {"type": "text_mention", "user": {"id": int(found[1])}}
    if address.startswith("tg://"):
        return {"url": address}
    if not re.match(r"[a-z]+://", address, re.IGNORECASE):
        address = f"http://{address}"
    if not re.match(r"https?://", address, re.IGNORECASE):
        return None
    host, slash, path = address.partition("://")[2].partition("/")
    if " " in host or not ("." in host or host.startswith("localhost")):
        return None
    return {"url": address if slash or path else f"{address}/"}


def parse_html(source: str) -> Text:
    """The text and entities of HTML.

    Raises:
        ApiError: in Telegram's words, where the HTML does not parse.
    """
    parsed = _Html(source).parse()
    return Text(parsed.text, sorted(parsed.entities, key=lambda e: (e["offset"], -e["length"])))


def trimmed(text: Text) -> Text:
    """Without white space around it, as Telegram keeps texts; entities move along."""
    cut = utf16(text.text) - utf16(text.text.lstrip())
    plain = text.text.strip()
    length = utf16(plain)
    kept = []
    for entity in text.entities:
        start = max(entity["offset"] - cut, 0)
        end = min(entity["offset"] + entity["length"] - cut, length)
        if end > start:
            kept.append(entity | {"offset": start, "length": end - start})
    return Text(plain, kept)


def found_in(text: str) -> list[Json]:
    """Commands, mentions, addresses and hashtags that Telegram marks without being told."""
    return [
        {
            "type": match.lastgroup,
            "offset": utf16(text[: match.start()]),
            "length": utf16(match[0]),
        }
        for match in _FOUND.finditer(text)
    ]


def with_found(text: Text) -> Text:
    """The text with what Telegram finds by itself where no entity stands yet."""
    taken = [(e["offset"], e["offset"] + e["length"]) for e in text.entities if e["type"] in _OPAQUE]
    found = [
        entity
        for entity in found_in(text.text)
        if not any(start < entity["offset"] + entity["length"] and entity["offset"] < end for start, end in taken)
    ]
    whole = sorted([*text.entities, *found], key=lambda e: (e["offset"], -e["length"]))
    return Text(text.text, whole)


_OPAQUE = {"code", "pre", "text_link", "text_mention", "custom_emoji"}
