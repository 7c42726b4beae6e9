"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def group_options(function: F) -> F:
    """--group, --dim, --max-elements."""
    for decorator in (
        click.option("--max-elements", default=10_000, show_default=True, help="Largest finite group that is made."),
        click.option(
            "--dim", type=click.IntRange(1, 24), help="Dimension, where the name leaves it open (C4, D4, flip)."
        ),
        click.option("--group", "-g", required=True, help="A group: D8, SO(3), Oh, 4mm, SO(1,3), my.yaml, …"),
    ):
        function = decorator(function)
    return function


def question_options(function: F) -> F:
    """--in, --out, --order and the group."""
    for decorator in (
        click.option("--order", "-n", default=2, show_default=True, help="Largest order of a derivative."),
        click.option("--out", "out_rep", required=True, help="Output representation."),
        click.option("--in", "in_rep", required=True, help="Input representation: regular, 2xvector + irrep(1,2), …"),
    ):
        function = decorator(function)
    return group_options(function)


def size_option(function: F) -> F:
    return click.option(
        "--max-unknowns", default=5_000_000, show_default=True, help="Refuse questions with more coefficients."
    )(function)
