"""Pictures and documents: what was uploaded, under the ids by which it can be sent again."""

import io
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from PIL import Image, UnidentifiedImageError

from emulator.errors import bad_request
from emulator.model import Json

MAX_PHOTO_BYTES = 10 * 1024 * 1024
MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
MAX_SIDES = 10_000
MAX_RATIO = 20
# The longer sides, in pixels, in which Telegram also keeps a photo.
_SIDES = (90, 320, 800, 1280)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in a request."""

    name: str
    content: bytes
    mime: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that Telegram keeps. `width` and `height` are 0 for documents."""

    id: str
    name: str
    mime: str
    content: bytes
    width: int = 0
    height: int = 0


class Files:
    """All files of one emulator; `on_new` is told of each one, for keeping.

    `most` bounds how many contents are held (None: all); older files keep their ids and sizes only.
    """

    def __init__(self, on_new: Callable[[Kept], None] = lambda _: None) -> None:
        self.by_id: dict[str, Kept] = {}
        self.on_new = on_new
        self.most: int | None = None
        self._held: deque[str] = deque()
        self._last = 0

    def add_photo(self, upload: Upload) -> Kept:
        """Keep a photo.

        Raises:
            ApiError: too big, too long in one direction, or no picture at all.
        """
        _check_size(upload, MAX_PHOTO_BYTES)
        try:
            with Image.open(io.BytesIO(upload.content)) as image:
                width, height = image.size
                mime = Image.MIME.get(image.format or "", "image/png")
        except (UnidentifiedImageError, OSError):
            raise bad_request("IMAGE_PROCESS_FAILED", violation=True) from None
        if width + height > MAX_SIDES or max(width, height) > MAX_RATIO * min(width, height):
            raise bad_request("PHOTO_INVALID_DIMENSIONS", violation=True)
        return self._add("AgACAgQAAxk", Kept("", upload.name, mime, upload.content, width, height))

    def add_document(self, upload: Upload) -> Kept:
        """Keep a document.

        Raises:
            ApiError: empty or too big.
        """
        _check_size(upload, MAX_DOCUMENT_BYTES)
        return self._add("BQACAgQAAxk", Kept("", upload.name, upload.mime, upload.content))

    def find(self, file_id: str) -> Kept:
        """The file with an id, of any of its sizes.

        Raises:
            ApiError: there is none.
        """
        kept = self.by_id.get(file_id.partition("-")[0])
        if kept is None:
            raise bad_request("wrong file identifier/HTTP URL specified", violation=True)
        return kept

    def restore(self, kept: Kept) -> None:
        """Take back a file that was kept before; later ones get higher numbers."""
        self.by_id[kept.id] = kept
        self._last = max(self._last, int(kept.id[-8:]))

    def _add(self, prefix: str, kept: Kept) -> Kept:
        self._last += 1
        named = Kept(f"{prefix}{self._last:08d}", kept.name, kept.mime, kept.content, kept.width, kept.height)
        self.by_id[named.id] = named
        self.on_new(named)
        self._held.append(named.id)
        while self.most is not None and len(self._held) > self.most:
            old = self._held.popleft()
            self.by_id[old] = replace(self.by_id[old], content=b"")
        return named


def _check_size(upload: Upload, most: int) -> None:
    if not upload.content:
        raise bad_request("file must be non-empty", violation=True)
    if len(upload.content) > most:
        raise bad_request("file is too big", violation=True)


def photo_sizes(kept: Kept) -> list[Json]:
    """The sizes of a photo, smallest first, as `Message.photo` lists them."""
    longer = max(kept.width, kept.height)
    sizes = []
    for side in [*(side for side in _SIDES if side < longer), longer]:
        suffix = "" if side == longer else f"-{side}"
        sizes.append(
            {
                "file_id": kept.id + suffix,
                "file_unique_id": f"AQAD{kept.id[-8:]}{suffix}",
                "width": max(1, kept.width * side // longer),
                "height": max(1, kept.height * side // longer),
                "file_size": max(1, len(kept.content) * side * side // (longer * longer)),
            }
        )
    return sizes


def document(kept: Kept) -> Json:
    """A document as `Message.document` shows it."""
    return {
        "file_name": kept.name,
        "mime_type": kept.mime,
        "file_id": kept.id,
        "file_unique_id": f"AgAD{kept.id[-8:]}",
        "file_size": len(kept.content),
    }


def file_path(kept: Kept) -> str:
    """Where `getFile` says the file can be fetched."""
    folder = "photos" if kept.width else "documents"
    return f"{folder}/{kept.id}"
