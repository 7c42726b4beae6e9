"""Options of the commands that work on stencils: a file or a question, and how it is discretized.

How it is discretized is read from the registry of discretizations when a command is called, so that a new method
brings its options along.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pdobasis_cli.options import (
    TRUNCATION_FLAGS,
    truncation_arguments,
    truncation_options,
)

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.stencils.options import Option

F = TypeVar("F", bound=Callable[..., Any])
Callback = Callable[[click.Context, click.Parameter, str | None], Any]


def numbers(
    what: str, read: Callable[[str], Any], *, always_many: bool = False
) -> Callback:
    """One number, or one for each axis: 5 or 5,3."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
        if value is None:
            return None
        try:
            found = tuple(read(part.strip()) for part in value.split(","))
        except (ValueError, ZeroDivisionError):
            raise click.BadParameter(
                f"{value!r}: expected one {what}, or one for each axis (x1 first): 5,3"
            ) from None
        if len(found) == 1 and not always_many:
            return found[0]
        return found

    return callback


def fraction(text: str) -> Fraction:
    """The library is imported when a command is called."""
    from pdobasis.exact.fraction_text import parse_fraction

    return parse_fraction(text)


def number_or_none(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> Any:
    """A number, or the word none, where None is a value of its own."""
    from pdobasis.stencils.options import NOT_GIVEN

    if value is None:
        return NOT_GIVEN
    if value.strip().lower() == "none":
        return None
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r}: expected a number, or none") from None


def offsets(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """One place for each component: 1/2,0;0,1/2."""
    if value is None:
        return None
    try:
        return tuple(
            tuple(fraction(s) for s in place.split(",")) for place in value.split(";")
        )
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            f"{value!r}: expected a place for each component: '1/2,0;0,1/2'"
        ) from None


def source_options(function: F) -> F:
    """FILE, or --group, --in, --out, --order."""
    for decorator in (
        click.option(
            "--max-unknowns",
            default=5_000_000,
            show_default=True,
            help="Refuse larger questions.",
        ),
        click.option(
            "--max-elements",
            default=10_000,
            show_default=True,
            help="Largest finite group that is made.",
        ),
        click.option(
            "--partial-order", type=int, help="Largest order in each variable."
        ),
        truncation_options,
        click.option(
            "--order",
            "-n",
            type=int,
            help="Largest order of a derivative.  [default: 2]",
        ),
        click.option("--out", "out_rep", help="Output representation."),
        click.option("--in", "in_rep", help="Input representation."),
        click.option(
            "--dim",
            type=click.IntRange(1, 24),
            help="Dimension, where the name leaves it open.",
        ),
        click.option("--group", "-g", help="A group, instead of FILE."),
        click.argument("file", required=False, type=click.Path(path_type=Path)),
    ):
        function = decorator(function)
    return function


GRID_OPTIONS: dict[str, dict[str, Any]] = {
    "size": {
        "callback": numbers("whole number", int),
        "help": "Points along each axis.  [default: 5]",
    },
    "spacing": {
        "callback": numbers("number", fraction),
        "help": "Distance of the points.  [1]",
    },
    "dilation": {
        "callback": numbers("whole number", int),
        "help": "Take every k-th point.  [1]",
    },
    "lattice": {
        "help": "square, hexagonal, cubic, bcc, fcc or '1,0; 1/2,sqrt(3)/2'; --window is for all methods then.",
    },
    "layout": {"help": "grid (x2 grows with the row) or image (upwards).  [grid]"},
    "in_offsets": {
        "callback": offsets,
        "help": "Staggered grid: places such as '1/2,0;0,1/2'.",
    },
    "out_offsets": {
        "callback": offsets,
        "help": "Staggered grid: places of the output.",
    },
}
"""Those that do not depend on the method."""


class StencilCommand(click.Command):
    """A command with the options of all discretizations, behind those of `source_options`."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        behind = 1 + [param.name for param in own].index("max_unknowns")
        return [*own[:behind], *stencil_options(), *own[behind:]]


def stencil_options() -> list[click.Option]:
    """--stencil, the options of the grid, and behind them those of the methods that want to be listed there."""
    from pdobasis.errors import listed
    from pdobasis.stencils.registry import discretizations, names

    found = [click.Option(["--stencil"], help=f"{listed(names())}.  [default: gauss]")]
    for name, settings in GRID_OPTIONS.items():
        found.append(click.Option([_flag(name), name], **settings))
        for method in discretizations():
            if method.listed_after == name:
                shown = [option for option in method.options if not option.is_hidden]
                found += [_method_option(method.name, option) for option in shown]
    return found


def _method_option(method: str, option: Option) -> click.Option:
    from pdobasis.stencils.options import Kind

    flags = [_flag(option.name), option.name]
    if option.none_means:
        text = f"{method}: {option.help}  none: {option.none_means}."
        return click.Option(flags, help=text, metavar="FLOAT", callback=number_or_none)
    settings: dict[Kind, dict[str, Any]] = {
        Kind.NAME: {},
        Kind.GROUP: {"metavar": "GROUP"},
        Kind.NUMBER: {"type": float},
        Kind.WHOLE: {"type": int},
        Kind.NUMBERS: {"callback": numbers("number", float)},
        Kind.LIST: {"callback": numbers("number", float, always_many=True)},
    }
    return click.Option(flags, help=f"{method}: {option.help}", **settings[option.kind])


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def stencils_from(
    file: Path | None, given: dict[str, Any], report: Callable[[str], None]
) -> StencilFile:
    """The stencils that FILE or the question, with the options, stand for."""
    from pdobasis.files.formats import open_file
    from pdobasis.files.stencil_file import StencilFile, contents
    from pdobasis.stencils.sampled import sample

    options = {
        name: given[name]
        for option in stencil_options()
        if (name := option.name) is not None
    }
    if file is None:
        basis = _asked(given, report)
    else:
        _refuse_question(given)
        found = open_file(file)
        if isinstance(found, StencilFile) and not _is_any_given(options):
            return found
        basis = _proved(file, found, report, given["max_unknowns"])
    report("sampling")
    # Options that were not given are None or NOT_GIVEN, and the library has its own defaults for them.
    method, size = options.pop("stencil") or "gauss", options.pop("size")
    if size is None:
        size = 5
    return contents(basis, sample(basis, method, size, **options))


def _is_any_given(options: dict[str, Any]) -> bool:
    from pdobasis.stencils.options import only_given
    from pdobasis.stencils.registry import option_of

    return bool(only_given(options, [option_of(name) for name in options]))


def _asked(given: dict[str, Any], report: Callable[[str], None]) -> Basis:
    """The answer to the question."""
    from pdobasis.answer.solve import ask, solve_problem
    from pdobasis.stencils.registry import samples_kernels

    if missing := [flag for flag, name in _REQUIRED.items() if given.get(name) is None]:
        raise click.UsageError(
            f"give FILE, or a question: {', '.join(missing)} {_verb(missing)} missing"
        )
    problem = ask(
        given["group"],
        given["in_rep"],
        given["out_rep"],
        given["order"],
        partial_order=given["partial_order"],
        kernel=samples_kernels(given["stencil"]),
        dim=given["dim"],
        limit=given["max_elements"],
        **truncation_arguments(given),
    )
    return solve_problem(problem, max_unknowns=given["max_unknowns"], progress=report)


def _proved(
    file: Path,
    found: StencilFile | dict[str, Any],
    report: Callable[[str], None],
    max_unknowns: int,
) -> Basis:
    """The basis in FILE, proved again."""
    from pdobasis.errors import ProofError
    from pdobasis.files.json_file import basis_from_json, prove_basis

    if isinstance(found, dict):
        basis = prove_basis(file, found, report, max_unknowns)
    else:
        basis = basis_from_json(found.meta, report, max_unknowns)
    if not basis.certificate.holds:
        raise ProofError(f"{file}: " + "; ".join(basis.certificate.failures()))
    return basis


_REQUIRED = {"--group": "group", "--in": "in_rep", "--out": "out_rep"}


def _refuse_question(given: dict[str, Any]) -> None:
    names = {
        **_REQUIRED,
        "--order": "order",
        "--partial-order": "partial_order",
        **TRUNCATION_FLAGS,
        "--dim": "dim",
    }
    if extra := [flag for flag, name in names.items() if given.get(name) is not None]:
        raise click.UsageError(
            f"the question is in FILE already: leave out {', '.join(extra)}, or FILE"
        )


def _verb(items: list[str]) -> str:
    if len(items) == 1:
        return "is"
    return "are"
