"""The command group: commands are imported when they are called, errors are translated once."""

from __future__ import annotations

import gc
import importlib
import os
import signal
from typing import Any

import click

from pdobasis_cli.budget import with_budget
from pdobasis_cli.supervise import INTERRUPTED, supervised, told

COMMANDS = {
    "solve": "Find all equivariant PDOs of a question, and prove that they are all.",
    "terms": "Find all nonlinear terms that a symmetry allows, and prove that they are all.",
    "discover": "Find the equation that data follow, among all that a symmetry allows.",
    "check": "Is an operator equivariant? Otherwise: under which subgroup?",
    "complex": "Find operators that compose to zero: de Rham, elasticity, …",
    "verify": "Prove a saved basis again, and its stencils, from the file alone.",
    "export": "Write a basis as stencils: finite differences, RBF-FD, Gaussians, kernels.",
    "show": "Print what is in a file.",
    "plot": "Draw stencils.",
    "error": "Measure stencils: consistency, convergence, equivariance.",
    "table": "Write solution tables: of any group, or the paper's five.",
    "report": "Write one HTML page about a question: basis, proof, stencils.",
    "sweep": "Answer thousands of questions side by side, into an atlas.",
    "atlas": "Query an atlas, prove it again, write it as a page.",
    "explore": "Open a page in the browser: ask, look, turn, export.",
    "groups": "List the groups, or show one.",
    "reps": "List the representations of a group.",
}


class LazyGroup(click.Group):
    """Commands live in modules of the same name; --help needs only the line above."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        # NumPy and SymPy are slow to load: --help and completion go without
        command: click.Command = importlib.import_module(f"pdobasis_cli.{name}").command
        return with_budget(command)

    def __call__(self, *args: Any, **extra: Any) -> Any:
        """As a program: watched from outside, so that Ctrl-C and limits hold whatever the work is in the middle of."""
        try:
            is_program = not args and "args" not in extra
            return supervised(lambda: self.work(*args, **extra), is_program)
        except KeyboardInterrupt:  # before anybody listens to signals
            raise SystemExit(INTERRUPTED) from None

    def work(self, *args: Any, **extra: Any) -> Any:
        """In a process that ends with it."""
        # what is loaded stays, and exact numbers make no cycles: looking for them is a tenth of a short command
        gc.set_threshold(100_000, 50, 50)
        gc.enable()
        # the threads of NumPy's OpenBLAS wait for work in a busy loop, from its first moment on: a third of the
        # processor time of a short command, and slower on a busy machine; 2^4 turns are the least that it knows
        os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
        try:
            return self.main(*args, **extra)
        finally:
            # otherwise Python looks through everything once more, a sixth of a short command
            gc.freeze()

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Click would call an interruption here, while options are read, "Aborted!"."""
        try:
            return super().make_context(*args, **extra)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            raise SystemExit(INTERRUPTED) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            # newer versions of click suggest a name themselves
            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=0.4)
            if near and "did you mean" not in error.message.lower():
                raise click.UsageError(
                    f"{error.message.rstrip('.')}; did you mean {near[0]}?", ctx
                ) from None
            raise

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **extra: Any) -> Any:
        from pdobasis_cli.streams import standard_streams

        # called by another program, which has its own streams
        if not extra.get("standalone_mode", True):
            return super().main(*args, **extra)
        with standard_streams():
            super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._invoke(ctx)
        except KeyboardInterrupt as error:
            from pdobasis_cli.streams import Terminated

            number, word = signal.SIGINT, "interrupted"
            if isinstance(error, Terminated):
                number, word = signal.SIGTERM, "terminated"
            told()
            click.echo(word, err=True)
            ctx.exit(128 + number)

    def _invoke(self, ctx: click.Context) -> Any:
        from pdobasis.errors import PdoBasisError
        from pdobasis_cli.console import cut, shown

        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            # names of files and values of options are anybody's texts
            error.message = cut(shown(error.message))  # type: ignore[misc]  # final, as ours
            raise
        except PdoBasisError as error:
            click.echo(f"Error: {cut(shown(self._said(ctx, str(error))))}", err=True)
            ctx.exit(error.exit_code)
        except MemoryError:
            click.echo(
                "Error: out of memory: ask for a lower order or smaller representations",
                err=True,
            )
            ctx.exit(2)
        except RecursionError:
            click.echo("Error: the text is nested too deeply to be read", err=True)
            ctx.exit(2)
        except OSError as error:
            click.echo(f"Error: {cut(shown(_about(error)))}", err=True)
            ctx.exit(2)

    def _said(self, ctx: click.Context, text: str) -> str:
        """The message in the words of the command that was called."""
        from pdobasis_cli.words import as_options

        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        if command is None:
            return text
        return as_options(text, command.get_params(ctx))


def _about(error: OSError) -> str:
    """Which file it was, where the system says so: "File exists" alone helps nobody."""
    reason = error.strerror or str(error)
    if not isinstance(error.filename, (str, bytes, os.PathLike)):
        return reason
    return f"{os.fsdecode(error.filename)}: {reason}"


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from pdobasis.version import __version__

        click.echo(f"pdobasis {__version__}")
        ctx.exit()


GREETING = """\
All partial differential operators that commute with a symmetry group:
exact, and proved.

  identity and curl, and nothing else:
    pdobasis solve --group "SO(3)" --in vector --out vector --order 1
  stencils, in a file:
    pdobasis export --group D8 --in regular --out trivial -o d8.npz
  the groups that have a name:
    pdobasis groups

pdobasis --help lists the commands, pdobasis COMMAND --help their options."""
"""What pdobasis says when nothing is asked."""


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """All equivariant partial differential operators of a symmetry group: exact, and proved.

    \b
    pdobasis solve --group D8 --in regular --out trivial
    pdobasis solve --group "SO(3)" --in vector --out vector --order 3 -o curl.json
    pdobasis verify curl.json
    """
    if ctx.invoked_subcommand is None:
        click.echo(GREETING)
