"""Formulas as MathML, which browsers draw without a script: no page asks a server for MathJax."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

TAG = re.compile(r"\\tag\{([^}]*)\}")
KNOWN = {r"\dots": r"\ldots", r"\big": "", r"\Big": ""}
"""Commands that docutils calls by another name, or does without: parentheses grow by themselves."""


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    text = node.astext()
    tag = TAG.search(text)
    number = ""
    if tag:
        number = f'<span class="equation-number">({tag[1]})</span>'
    formula = mathml(TAG.sub("", text), as_block=True)
    writer.body.append(f'<div class="equation" tabindex="0">{formula}{number}</div>\n')
    raise nodes.SkipNode


def mathml(text: str, as_block: bool) -> str:
    """What cannot be written as MathML stops the build: a page never shows TeX."""
    # words in subscripts are upright: rho_{out}
    text = re.sub(r"_\{(in|out)\}", r"_{\\mathrm{\1}}", text)
    text = re.sub(r"\\[A-Za-z]+", lambda found: KNOWN.get(found[0], found[0]), text)
    try:
        return str(latex2mathml.tex2mathml(text, as_block=as_block))
    except Exception as error:
        raise ExtensionError(f"a formula that is no MathML: {text!r}: {error}") from error
