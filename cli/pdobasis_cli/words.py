"""Errors name arguments as Python does, ``order=2``; on the command line the same is ``--order 2``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

_ARGUMENT = re.compile(r"(?<![\w./=-])([a-z_]+)=((?:'[^']*'|[\w.-]*\w)?)")


def as_options(text: str, params: Sequence[click.Parameter]) -> str:
    """With every argument that is an option of the command written as one.

    >>> params = [click.Option(["--max-unknowns"]), click.Option(["--method"])]
    >>> as_options("lift it with max_unknowns=7 (method='direct'), not with size=3", params)
    'lift it with --max-unknowns 7 (--method direct), not with size=3'
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

    return _ARGUMENT.sub(option, text)
