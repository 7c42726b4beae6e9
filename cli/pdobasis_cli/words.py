"""Errors name arguments as Python does, ``order=2``; on the command line the same is ``--order 2``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

_BUDGET = re.compile(r"pdobasis\.budget\(([^()]*)\)")
_ARGUMENT = re.compile(r"(?<![\w./=-])([a-z_]+)=((?:'[^']*'|[\w.-]*\w)?)")


def as_options(text: str, params: Sequence[click.Parameter]) -> str:
    """With every argument that is an option of the command written as one.

    >>> params = [click.Option(["--max-unknowns"]), click.Option(["--method"])]
    >>> as_options("lift it with max_unknowns=7 (method='direct'), not with size=3", params)
    'lift it with --max-unknowns 7 (--method direct), not with size=3'
    >>> params = [click.Option(["--max-seconds"]), click.Option(["--max-memory"])]
    >>> as_options("allow it with pdobasis.budget(seconds=7, memory='2.4GB')", params)
    'allow it with --max-seconds 7 --max-memory 2.4GB'
    """
    names = {
        param.name: max(param.opts, key=len)
        for param in params
        if isinstance(param, click.Option)
    }

    def option(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name not in names:
            return match.group()
        return f"{names[name]} {value.strip(chr(39))}".rstrip()

    # a budget is what the options --max-seconds and --max-memory open
    text = _BUDGET.sub(
        lambda found: re.sub(r"(\w+)=", r"max_\1=", found[1]).replace(", ", " "), text
    )
    return _ARGUMENT.sub(option, text)
