"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


class FilePath(click.Path):
    """The name of a file as a :class:`~pathlib.Path`, which is slow to load: it is loaded when there is a name."""

    def coerce_path_result(self, value: str | PathLike[str]) -> Path:
        from pathlib import Path

        return Path(value)


def group_options(function: F) -> F:
    """--group, --dim, --max-elements."""
    # from the last to the first: decorators put their option before those that are there
    for decorator in (
        click.option(
            "--max-elements",
            default=10_000,
            show_default=True,
            help="Largest finite group that is made.",
        ),
        click.option(
            "--dim",
            type=click.IntRange(1, 24),
            help="Dimension, where the name leaves it open (C4, D4, flip).",
        ),
        click.option(
            "--group",
            "-g",
            required=True,
            help="A group: D8, SO(3), Oh, 4mm, SO(1,3), my.yaml, …",
        ),
    ):
        function = decorator(function)
    return function


def question_options(function: F) -> F:
    """--in, --out, --order and the group."""
    for decorator in (
        click.option(
            "--order",
            "-n",
            default=2,
            show_default=True,
            help="Largest order of a derivative.",
        ),
        click.option(
            "--out",
            "out_rep",
            required=True,
            help="Output representation.",
        ),
        # "in" is a word of Python
        click.option(
            "--in",
            "in_rep",
            required=True,
            help="Input representation: regular, 2xvector + irrep(1,2), …",
        ),
    ):
        function = decorator(function)
    return group_options(function)


def size_option(function: F) -> F:
    decorator = click.option(
        "--max-unknowns",
        default=5_000_000,
        show_default=True,
        help="Refuse questions with more coefficients.",
    )
    return decorator(function)


def read_choice(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Conditions, or a fact: what cannot be read is refused before any work."""
    if not value:
        return value
    from pdobasis.answer.choose import condition, fact
    from pdobasis.errors import SpecError

    try:
        if isinstance(value, tuple):
            return tuple(condition(text) for text in value)
        return fact(value)
    except SpecError as error:
        raise click.BadParameter(str(error)) from None


def choice_options(function: F) -> F:
    """--only, --sort, --full: what is printed of an answer."""
    for decorator in (
        click.option(
            "--full",
            is_flag=True,
            help="All entries of wide operators, where one of every orbit would do.",
        ),
        click.option(
            "--sort",
            metavar="FACT",
            callback=read_choice,
            help="Print elements by order, angular, laplacian, name or entries.",
        ),
        click.option(
            "--only",
            multiple=True,
            metavar="FACT=VALUE",
            callback=read_choice,
            help="Print only such elements: order=2, name=curl, angular=0,2; several times.",
        ),
    ):
        function = decorator(function)
    return function


def filter_options(function: F) -> F:
    """--max-offset, --max-angular, --max-laplacian-power."""
    for decorator in (
        click.option(
            "--max-laplacian-power",
            type=click.IntRange(0),
            help="Largest k of the elements Δ^k × (angular of order l).",
        ),
        click.option(
            "--max-angular",
            type=click.IntRange(0),
            help="Largest angular order l of an element, for G ≤ O(d).",
        ),
        click.option(
            "--max-offset",
            type=click.IntRange(0),
            help="Of C_N, D_N only the frequencies m ± n + tN with |t| up to this.",
        ),
    ):
        function = decorator(function)
    return function


def truncation_options(function: F) -> F:
    """Those, and --frame-order, --frame-angle."""
    for decorator in (
        click.option(
            "--frame-angle",
            help="Turn that frame by an angle such as pi/8.",
        ),
        click.option(
            "--frame-order",
            type=click.IntRange(0),
            help="Largest order in each variable of a frame that turns with a regular field (PDO-eConvs: 2).",
        ),
    ):
        function = decorator(function)
    return filter_options(function)


TRUNCATION_FLAGS = {
    "--max-offset": "max_offset",
    "--max-angular": "max_angular",
    "--max-laplacian-power": "max_laplacian_power",
    "--frame-order": "frame_order",
    "--frame-angle": "frame_angle",
}


def truncation_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """What these options mean to :func:`pdobasis.solve`."""
    from pdobasis.question.truncating import at_most

    return {
        "max_offset": given["max_offset"],
        "basis_filter": at_most(given["max_angular"], given["max_laplacian_power"]),
        "frame_order": given.get("frame_order"),
        "frame_angle": given.get("frame_angle"),
    }


def asked_order(order: int) -> int | None:
    """None where the order was not given: a limit in each variable says by itself how far it goes."""
    source = click.get_current_context().get_parameter_source("order")
    if source is click.core.ParameterSource.DEFAULT:
        return None
    return order


class SolverName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    """One of the registered solvers. They are asked for when a command line is read: the library is slow to load."""

    name = "choice"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        return self._choice().convert(value, param, ctx)

    def get_metavar(
        self, param: click.Parameter, ctx: click.Context | None = None
    ) -> str:
        return "[" + "|".join(self._choice().choices) + "]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return self._choice().shell_complete(ctx, param, incomplete)

    def _choice(self) -> click.Choice[str]:
        from pdobasis.solvers.registry import methods

        return click.Choice(methods())
