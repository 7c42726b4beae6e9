"""The hypothesis of everything else: rho_in and rho_out are representations of G, and how that is known.

What was checked when a representation was made, and what is assumed of it, it carries with it
(:mod:`pdobasis.representations.hypothesis`); formulas are representations by construction.
"""

from __future__ import annotations

from collections.abc import Iterable

from pdobasis.proof.claim import Claim
from pdobasis.representations.hypothesis import together
from pdobasis.representations.representation import Representation


def hypothesis(reps: Iterable[Representation]) -> Claim:
    """The first claim of a certificate: undecided where something is assumed."""
    known = together(rep.hypothesis for rep in reps)
    if known.assumed:
        return Claim("representation", None, known.text)
    return Claim("representation", True, known.text)
