"""Start the page on 127.0.0.1, and say where it is."""

from __future__ import annotations

import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI, Request
from nicegui import ui

from pdobasis.errors import PdoBasisError, SpecError
from pdobasis_explore.answer import Limits
from pdobasis_explore.guard import Guard
from pdobasis_explore.page import Page
from pdobasis_explore.question import Asked, from_link

HOST = "127.0.0.1"
PATIENCE = 60.0
"""Seconds for which a page is kept that does not answer: a busy machine is no reason to begin anew."""


def serve(
    asked: Asked, port: int, limits: Limits, is_shown: bool, tell: Callable[[str], None]
) -> None:
    """Until it is interrupted; port 0 takes one that is free."""
    token = secrets.token_urlsafe(24)
    listening = _listen(port)
    port = listening.getsockname()[1]
    link = asked.link().removeprefix("?")
    address = f"http://{HOST}:{port}/?token={token}"
    if link:
        address += f"&{link}"
    # a browser that goes away in the middle of an answer is no news
    logging.getLogger("nicegui").setLevel(logging.ERROR)
    config = uvicorn.Config(
        Guard(application(limits), token),
        log_level="error",
        timeout_graceful_shutdown=1,
    )

    tell(f"pdobasis explore: {address}\nOnly this machine can open it. Ctrl-C ends it.")
    if is_shown:
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listening])


def application(limits: Limits) -> FastAPI:
    """The page without its guard."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @ui.page("/", title="pdobasis explore")
    def page(request: Request) -> None:
        try:
            Page(from_link(str(request.url)), limits)
        except PdoBasisError as error:
            Page(Asked(), limits, wrong=str(error))

    ui.run_with(
        app,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=PATIENCE,
    )
    return app


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        raise SpecError(
            f"port {port} cannot be used ({error.strerror}): choose another with --port, or 0 for any that is free"
        ) from None
    # whoever comes before all is loaded waits, and is not refused
    listening.listen()
    return listening
