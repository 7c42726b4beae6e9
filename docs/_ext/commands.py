"""``{command} solve`` in a page: usage, text, examples and options of a command, as click knows them."""

from __future__ import annotations

import inspect
import re
from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from pdobasis_cli import main
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("command", CommandPage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class CommandPage(Directive):
    """A command, and those below it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        top = click.Context(main, info_name="pdobasis")
        command = main.get_command(top, name)
        if command is None:
            raise self.error(f"there is no command {name}")
        return _described(command, top, name)


def _described(command: click.Command, parent: click.Context, name: str) -> list[nodes.Node]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = context.command_path + " " + " ".join(command.collect_usage_pieces(context))
    out: list[nodes.Node] = [_shell(usage), *_help(command.help or "")]
    rows = [row for param in command.get_params(context) if (row := param.get_help_record(context))]
    if rows:
        out.append(_options(rows))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            child = command.get_command(context, below)
            if child is not None:
                out.append(nodes.rubric("", f"{context.command_path} {below}"))
                out += _described(child, context, below)
    return out


def _help(text: str) -> list[nodes.Node]:
    """Paragraphs; what stands behind click's ``\\b`` is printed as it is."""
    out: list[nodes.Node] = []
    for part in re.split(r"\n[ ]*\n", inspect.cleandoc(text)):
        if part.startswith("\b"):
            out.append(_shell(part.removeprefix("\b").strip()))
        elif part.strip():
            out.append(nodes.paragraph("", " ".join(part.split())))
    return out


def _shell(text: str) -> nodes.literal_block:
    block = nodes.literal_block(text, text)
    block["language"] = "text"
    return block


def _options(rows: list[tuple[str, str]]) -> nodes.definition_list:
    listed = nodes.definition_list(classes=["options"])
    for flags, words in rows:
        term = nodes.term("", "", nodes.literal("", flags))
        text = nodes.definition("", nodes.paragraph("", words))
        listed += nodes.definition_list_item("", term, text)
    return listed
