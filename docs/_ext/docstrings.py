"""Docstrings as Sphinx reads them: ``$…$`` is a formula, ``|x|`` an absolute value, types lead to public names."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer

ROOMS = ("pdobasis", "pdobasis.nn", "pdobasis.nn.models", "pdobasis.stencils", "pdobasis.measure")
KEPT = re.compile(r"(``.+?``|:math:`.+?`|`.+?`)")
"""What is marked already."""
FORMULA = re.compile(r"(?<![\\$\w])\$(?!\s)([^$\n]+?(?:\n[^$\n]+?)?)(?<!\s)\$(?![\w$])")
# |x| would be a substitution, and *kernel in (a, *kernel) the beginning of an emphasis
SPECIAL = re.compile(r"\||(?<![\w*])\*(?=[\w.]+[,)\]])|(?<=\w)_(?=[\s,)]|$)")


def setup(app: Sphinx) -> dict[str, Any]:
    # before napoleon, which reads the sections
    app.connect("autodoc-process-docstring", prepare, priority=100)
    app.connect("missing-reference", public_home)
    # a reader wants one signature, that of the function itself, not one for each overload
    ModuleAnalyzer.overloads = property(lambda self: {}, lambda self, value: None)  # type: ignore[assignment]
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def prepare(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    # examples end with an empty line, and are left alone
    parts = re.split(r"(^[ ]*>>>.*?(?:\n[ ]*\n|\Z))", "\n".join(lines), flags=re.S | re.M)
    lines[:] = "".join(part if ">>>" in part else _prose(part) for part in parts).split("\n")


def _prose(text: str) -> str:
    text = FORMULA.sub(_role, text)
    parts = KEPT.split(text)
    # split keeps what was found, at odd places
    parts[::2] = [SPECIAL.sub(lambda found: "\\" + found[0], part) for part in parts[::2]]
    return "".join(parts)


def _role(found: re.Match[str]) -> str:
    words = " ".join(found[1].split())
    return f":math:`{words}`"


def public_home(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """``pdobasis.groups.group.Group`` is documented as ``pdobasis.Group``."""
    if node.get("refdomain") != "py":
        return None
    domain = env.domains.python_domain
    target = str(node["reftarget"]).removeprefix("~")
    words = target.split(".")
    # a name, or a method: pdobasis.answer.basis.Basis.coefficients
    candidates = [".".join([room, *words[-count:]]) for count in (1, 2) for room in ROOMS]
    for name in candidates:
        if name in domain.objects and name != target:
            found = domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)
            return found  # type: ignore[return-value]
    return None
