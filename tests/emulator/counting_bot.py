"""A small bot behind a Lambda handler: it posts a picture with buttons that count presses."""

import json
import os
import urllib.parse
import urllib.request
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

Json = dict[str, Any]


def _call(method: str, upload: bytes | None = None, **params: Any) -> Json:
    fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
    url = f"{os.environ['TELEGRAM_API_URL']}/bot{os.environ['TELEGRAM_TOKEN']}/{method}"
    if upload is None:
        body, kind = urllib.parse.urlencode(fields).encode(), "application/x-www-form-urlencoded"
    else:
        parts = [
            f'--cut\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in fields.items()
        ]
        head = b'--cut\r\nContent-Disposition: form-data; name="board"; filename="b.png"\r\n\r\n'
        body, kind = b"".join([*parts, head, upload, b"\r\n--cut--\r\n"]), "multipart/form-data; boundary=cut"
    request = urllib.request.Request(url, body, {"content-type": kind})  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - likewise
        read: Json = json.loads(answer.read())
    return read


def _picture(count: int) -> bytes:
    image = Image.new("RGB", (720, 520), "#1d6a58")
    draw = ImageDraw.Draw(image)
    for number in range(12):
        x, y = 60 + number % 4 * 155, 40 + number // 4 * 155
        draw.rounded_rectangle((x, y, x + 130, y + 135), 16, "#f7e7c4" if number < count else "#2f8069")
        draw.text((x + 45, y + 40), str(number + 1), "#23261f", font_size=48)
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _keyboard(count: int) -> Json:
    rows = [[("Count", f"count:{count}", "primary"), ("Tell me", "tell", "success")], [("Reset", "reset", "danger")]]
    rows.append([(str(number), f"n{number}", "") for number in range(8)])
    return {
        "inline_keyboard": [
            [{"text": text, "callback_data": data} | ({"style": style} if style else {}) for text, data, style in row]
            for row in rows
        ]
    }


def _show(where: Json, count: int, player: Json) -> None:
    name = f'<a href="tg://user?id={player["id"]}">{player["first_name"].replace("<", "&lt;")}</a>'
    caption = f"<b>{count}</b> presses. It is {name}’s turn.\nLast: <i>4 pushed from the left</i>"
    method = "editMessageMedia" if "message_id" in where else "sendPhoto"
    if method == "sendPhoto":
        _call(
            method,
            _picture(count),
            photo="attach://board",
            caption=caption,
            parse_mode="HTML",
            reply_markup=_keyboard(count),
            **where,
        )
        return
    media = {"type": "photo", "media": "attach://board", "caption": caption, "parse_mode": "HTML"}
    _call(method, _picture(count), media=media, reply_markup=_keyboard(count), **where)


def handler(event: Json, _context: object) -> Json:
    """Answer one update."""
    if event["headers"].get("x-telegram-bot-api-secret-token") != os.environ["TELEGRAM_WEBHOOK_SECRET"]:
        return {"statusCode": 401}
    update = json.loads(event["body"])
    if "message" in update:
        message = update["message"]
        text = message.get("text", "")
        if text.startswith(("/dekal", "/start")):
            menu = [{"command": name, "description": name.title()} for name in ("dekal", "help", "start")]
            _call("setMyCommands", commands=menu)
            _show({"chat_id": message["chat"]["id"]}, 0, message["from"])
        elif text.startswith("/help"):
            words = "<b>Help</b> with /dekal, <code>code</code>, @ana_lima and <tg-spoiler>a secret</tg-spoiler>"
            _call("sendMessage", chat_id=message["chat"]["id"], text=words, parse_mode="HTML")
        return {"statusCode": 200}
    if "callback_query" not in update:
        return {"statusCode": 200}
    press = update["callback_query"]
    toast: Json = {"method": "answerCallbackQuery", "callback_query_id": press["id"]}
    kind, _, number = press["data"].partition(":")
    where = {"chat_id": press["message"]["chat"]["id"], "message_id": press["message"]["message_id"]}
    if kind == "count":
        _show(where, int(number) + 1, press["from"])
        toast["text"] = f"{press['from']['first_name']}, that was {int(number) + 1}."
    elif kind == "reset":
        _call("deleteMessage", **where)
        toast["text"] = "Gone."
    elif kind == "tell":
        toast |= {"text": "Your hidden cards: 4, 7, 7 and −2.", "show_alert": True}
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(toast)}
