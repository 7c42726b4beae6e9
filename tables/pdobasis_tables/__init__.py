"""Solution tables and reports: solved and proved by pdobasis, laid out once, written as LaTeX, Markdown or HTML.

The data flow: closed forms or proved bases -> Table (formulas in a grid) -> text of one style.
"""

from __future__ import annotations
