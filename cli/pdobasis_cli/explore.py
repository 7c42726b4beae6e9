"""pdobasis explore: questions and answers on a page in the browser."""

from __future__ import annotations

import click


@click.command("explore")
@click.argument("link", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Where to listen, on 127.0.0.1.  [any free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open nothing.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="What one question may take.",
)
@click.option(
    "--max-memory",
    metavar="SIZE",
    default="500MB",
    show_default=True,
    help="What one question may need.",
)
def command(
    link: str | None, port: int, no_browser: bool, max_seconds: float, max_memory: str
) -> None:
    """Open a page on which questions are asked and answers looked at; LINK is one that such a page gave.

    \b
    pdobasis explore
    pdobasis explore "?group=SO%283%29&in=vector&out=vector"
    pdobasis explore --port 8080 --no-browser

    The page is served on 127.0.0.1, to whoever has the token in its address; it loads nothing from elsewhere.
    """
    from pdobasis.bounds.amounts import read_bytes
    from pdobasis.errors import MissingExtraError

    try:
        from pdobasis_explore.serve import serve
    except ModuleNotFoundError as error:
        if error.name not in ("nicegui", "fastapi", "uvicorn"):
            raise
        raise MissingExtraError("nicegui", "explore", "pdobasis explore") from None
    from pdobasis_explore.answer import Limits
    from pdobasis_explore.question import from_link

    limits = Limits(max_seconds, read_bytes(max_memory, "max_memory"))
    serve(from_link(link or ""), port, limits, not no_browser, click.echo)
