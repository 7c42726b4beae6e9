r"""Names of fields in LaTeX: ρ and rho are ``\rho``, one letter is itself, words stand upright."""

from __future__ import annotations

import unicodedata

_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
"""
"""The letters that LaTeX has commands for; the others look like Latin ones."""


def latex_name(name: str) -> str:
    r"""What LaTeX's own fonts have, in ASCII.

    >>> [latex_name(name) for name in ("u", "rho", "λ", "B2", "é")]
    ['u', '\\rho', '\\lambda', '\\mathrm{B2}', '\\mathrm{e}']
    """
    greek = _greek(name)
    if greek is not None:
        return rf"\{greek}"
    if len(name) == 1 and name.isascii():
        return name
    # marks are left out, and letters of other alphabets become a question mark
    parts = unicodedata.normalize("NFKD", name)
    kept = "".join(c for c in parts if not unicodedata.combining(c))
    return rf"\mathrm{{{kept.encode('ascii', 'replace').decode()}}}"


def _greek(name: str) -> str | None:
    """The command of a Greek letter, given by itself or by its name."""
    if len(name) == 1:
        words = unicodedata.name(name, "").split()
        if len(words) == 4 and words[0] == "GREEK" and words[2] == "LETTER":
            spelled = words[3].replace("LAMDA", "LAMBDA").lower()
            name = spelled.capitalize() if words[1] == "CAPITAL" else spelled
    return name if name in _GREEK.split() else None
