"""What can be written for a given group, for listings."""

from __future__ import annotations

from fractions import Fraction

from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.representations.named import irreps_of
from pdobasis.representations.representation import (
    Representation,
    all_matrices,
    from_term,
)

DEGREES = 4
"""Orders l of SO(3) and O(3) that are listed."""
CONSTRUCTIONS = (
    ("a + b, 3xa", "direct sums"),
    ("dual(a)", "the inverse transpose"),
    (
        "tensor(a, b), sym(n, a), alt(n, a)",
        "tensor, symmetric and alternating products",
    ),
    ("density(w)", "|det g|^w"),
    (
        "quotient(H), induced(H, a)",
        "finite groups; H a group of the catalogue or words in the generators: <r^2; f>",
    ),
    ("restrict(G, a)", "a representation a of a larger group G"),
    ("my.yaml", "a matrix for each generator"),
)


def listed(group: Group) -> list[tuple[str, str]]:
    """(text, what it is) of the basic representations."""
    rows = [
        ("trivial", "scalars"),
        ("det", "pseudoscalars"),
        ("vector", "g itself"),
        ("dual(vector)", "covectors"),
    ]
    if group.is_finite:
        rows.append(("regular", "e_h -> e_gh"))
    space = turns_space(group)
    if space is None:
        rows += [(name, "irreducible") for name in irreps_of(group)]
        return rows
    for degree in range(DEGREES):
        if space == "O":
            rows.append((f"irrep(0,{degree})", f"{degree}e in e3nn's notation"))
            rows.append((f"irrep(1,{degree})", f"{degree}o in e3nn's notation"))
        else:
            rows.append((f"irrep({degree})", f"l = {degree}"))
    return rows


def regular_decomposition(group: Group) -> list[tuple[str, int]] | None:
    """(irrep, multiplicity) in the regular representation; None where the irreps have no names here."""
    irreps = irreps_of(group)
    if not group.is_finite or not irreps:
        return None
    out = []
    for name, term in irreps.items():
        rep = from_term(group, term, name)
        out.append((name, multiplicity_in_regular(rep)))
    return out


def multiplicity_in_regular(rep: Representation) -> int:
    r"""$\dim \psi / \dim \mathrm{End}_G(\psi)$, the latter being $\langle \chi_\psi, \chi_\psi \rangle$."""
    # Wedderburn: R[G] is the sum of the algebras of n x n matrices over D = End(psi), which are n copies of psi = D^n
    return int(rep.size / _endomorphisms(rep))


def _endomorphisms(rep: Representation) -> Fraction:
    """The mean of chi(g)^2: of the character of End, and a mean over the group counts what is invariant."""
    matrices = all_matrices(rep)
    traces = [matrices[k].trace() for k in range(len(matrices))]
    total = traces[0] * traces[0]
    for t in traces[1:]:
        total = total + t * t
    return total.fraction() / len(matrices)
