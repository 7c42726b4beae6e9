"""Who may see the page: whoever has the token, on this machine, under this machine's name.

The token is in the address that is printed; a browser that was there keeps it as a cookie that no other site is sent.
The names of the host and of the origin are looked at, too, so that a page elsewhere whose name is pointed at
127.0.0.1 gets nothing.
"""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

HOSTS = ("127.0.0.1", "localhost", "[::1]")
COOKIE = "pdobasis_explore"


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: Any, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            name.lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        is_new = self._is_token(given)
        if not _is_here(headers) or not (is_new or self._is_token(_kept(headers))):
            await _refuse(scope, send)
            return

        async def with_cookie(message: Any) -> None:
            if message["type"] == "http.response.start" and is_new:
                cookie = f"{COOKIE}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                message["headers"] = [
                    *message["headers"],
                    (b"set-cookie", cookie.encode()),
                ]
            await send(message)

        await self.app(scope, receive, with_cookie)

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())


def _is_here(headers: dict[bytes, str]) -> bool:
    if headers.get(b"host", "").rpartition(":")[0] not in HOSTS:
        return False
    origin = headers.get(b"origin")
    return origin is None or urlsplit(origin).netloc == headers[b"host"]


def _kept(headers: dict[bytes, str]) -> str:
    found = SimpleCookie(headers.get(b"cookie", "")).get(COOKIE)
    return found.value if found else ""


async def _refuse(scope: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = b"Not for you: open the address that pdobasis explore printed, with its token.\n"
    await send(
        {
            "type": "http.response.start",
            "status": 403,
            "headers": [(b"content-type", b"text/plain")],
        }
    )
    await send({"type": "http.response.body", "body": body})
