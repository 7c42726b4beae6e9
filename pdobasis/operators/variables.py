r"""The same polynomial with other letters: in x a kernel, in k a multiplier.

Texts of :mod:`pdobasis.operators.printing` are written in derivatives; nothing
else in them is a d followed by a number, a ∂ or a ``\partial``.
"""

from __future__ import annotations

import re


def plain_in(letter: str, text: str) -> str:
    """
    >>> plain_in("k", "sqrt(2)*d1/2 - d2**2")
    'sqrt(2)*k1/2 - k2**2'
    """
    return re.sub(r"\bd(?=\d)", letter, text)


def pretty_in(letter: str, text: str) -> str:
    return text.replace("∂", letter)


def latex_in(letter: str, text: str) -> str:
    return text.replace(r"\partial_", f"{letter}_")
