"""What can be written for a given group, for listings."""

from __future__ import annotations

from itertools import combinations

from pdobasis.bounds.watch import step
from pdobasis.exact.array import concatenate, identity, stack
from pdobasis.exact.matrices import kronecker
from pdobasis.exact.primes import rank_modulo
from pdobasis.groups.classical import turns_space
from pdobasis.groups.closure import commutes
from pdobasis.groups.group import Group
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.named import irreps_of, named_irreps
from pdobasis.representations.representation import Representation

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
    if not group.is_finite:
        return None
    irreps = named_irreps(group)
    if not irreps:
        return None
    out: list[tuple[str, int]] = []
    for name, rep in irreps.items():
        step("decomposing the regular representation", len(out), len(irreps))
        out.append((name, multiplicity_in_regular(rep)))
    return out


def multiplicity_in_regular(rep: Representation) -> int:
    r"""$\dim \psi / \dim \mathrm{End}_G(\psi)$, the latter being the commutant of $\psi$."""
    # Wedderburn: R[G] is the sum of the algebras of n x n matrices over D = End(psi), which are n copies of psi = D^n
    return rep.size // _endomorphisms(rep)


def _endomorphisms(rep: Representation) -> int:
    """The dimension of the commutant, between two bounds that meet for all but few representations."""
    images = rep.matrices()
    if rep.size == 1:
        return 1
    if rep.size == 2:
        # of an irrep: it is C where the images commute, which are turns of the plane then, and R where they do not
        if all(commutes(a, b) for a, b in combinations(images, 2)):
            return 2
        return 1
    one = identity(rep.size)
    # 1 is in the commutant, and so is what commutes with all generators: a rank modulo a prime is not too large
    members = [one]
    for m in images:
        if all(commutes(m, other) for other in images):
            members.append(m)
    least = rank_modulo(stack(members).reshape(len(members), -1))
    # T m = m T, whose nullity modulo a prime is not too small
    rows = [kronecker(one, m.T) - kronecker(m, one) for m in images]
    most = rep.size**2
    if rows:
        most -= rank_modulo(concatenate(rows))
    if least == most:
        return least
    return len(intertwiners(rep, rep))
