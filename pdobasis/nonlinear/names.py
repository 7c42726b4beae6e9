"""The usual names of terms: advection, Laplacian, vorticity, Q-criterion, …

A name belongs to a contraction, whatever its fields are called: scalars are written s1, s2, …, vectors v1, v2, … in the
order in which they come, tensors of other kinds t1, t2, …
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.contractions import Contraction, Invariants
from pdobasis.nonlinear.index_notation import written
from pdobasis.nonlinear.question import Multidegree
from pdobasis.nonlinear.tensors import TensorType

TRACE = "tr (∇{v1})²: minus twice the Q-criterion where div {v1} = 0"
NAMES = {
    "∂_i s1": "gradient",
    "∂_i v1_i": "divergence",
    "∂_i ∂_i s1": "Laplacian",
    "∂_j ∂_j v1_i": "Laplacian",
    "∂_i ∂_j v1_j": "grad∘div",
    "∂_i ∂_i ∂_j ∂_j s1": "bi-Laplacian",
    "∂_j ∂_j ∂_k ∂_k v1_i": "bi-Laplacian",
    "∂_i s1 ∂_i s1": "squared gradient",
    "v1_j ∂_j v1_i": "advection",
    "v1_i ∂_i s1": "advection",
    "s1 ∂_i v1_i": "dilatation times density",
    "v1_j ∂_j v2_i": "advection",
    "v1_j ∂_i v1_j": "gradient of ½|{v1}|²",
    "v1_i v1_j v1_j": "|{v1}|² {v1}",
    "v1_i v1_i": "|{v1}|²",
    "∂_t s1": "time derivative",
    "∂_t v1_i": "time derivative",
    "∂_i v1_j ∂_j v1_i": TRACE,
    "∂_i v1_i ∂_j v1_j": "squared divergence",
    "∂_i v1_j ∂_i v1_j": "squared velocity gradient",
    "∂_i ∂_j s1 ∂_i ∂_j s1": "squared Hessian",
    "∂_i ∂_i s1 ∂_j ∂_j s1": "squared Laplacian",
    "ε_ij ∂_i v1_j": "vorticity",
    "ε_ijk ∂_j v1_k": "vorticity (curl)",
    "ε_ijk v1_j v2_k": "cross product",
    "ε_ijk v1_i ∂_j v1_k": "helicity density",
    "sym(∂_i v1_j)": "strain rate",
    "alt(∂_i v1_j)": "rotation rate",
    "sym(∂_i ∂_j s1)": "Hessian",
    "t1_ij t1_ij": "tr {t1}²",
    "t1_ij t1_ik t1_jk": "tr {t1}³",
    "∂_i t1_jk ∂_i t1_jk": "elastic term L1",
    "∂_i t1_ij ∂_k t1_jk": "elastic term L2",
    "∂_i t1_jk ∂_k t1_ji": "elastic term L3",
    "ε_ikl t1_ij ∂_k t1_lj": "chiral elastic term",
    "v1^j ∂_j v1^i": "advection",
    "∂_i v1^i": "divergence",
    "∂_i s1 ∂^i s1": "squared gradient",
    "∂_i ∂^i s1": "d'Alembertian",
}

DIFFERENCES = {
    # ½((Δs)² - |∇∇s|²), as ½((div u)² - tr (∇u)²)
    ("squared Laplacian", "squared Hessian"): "twice the Hessian determinant",
}
"""Of combinations a - b."""


def name_of_sum(
    names: Sequence[str | None], weights: Sequence[Number], dim: int
) -> str | None:
    """In space the second invariant of a Hessian is no determinant.

    >>> name_of_sum(["squared Laplacian", "squared Hessian"], [1, -1], 2)
    'twice the Hessian determinant'
    >>> name_of_sum(["time derivative", "advection"], [1, 1], 2)
    'material derivative'
    """
    if list(names) == ["time derivative", "advection"] and list(weights) == [1, 1]:
        return "material derivative"
    if list(weights) != [1, -1]:
        return None
    first, second = (name or "" for name in names)
    if first == "squared divergence" and "Q-criterion" in second:
        return "twice the Q-criterion"
    name = DIFFERENCES.get((first, second))
    if name is not None and dim > 2:
        return name.replace("Hessian determinant", "second invariant of the Hessian")
    return name


def usual_name(
    contraction: Contraction,
    m: Multidegree,
    called: Sequence[str],
    types: Sequence[TensorType],
    out: TensorType,
    kept: Invariants,
) -> str | None:
    letters: dict[int, str] = {}
    counts = {"s": 0, "v": 0, "t": 0}
    for jet in m.jets:
        if jet.field not in letters:
            kind = (
                "sv"[len(types[jet.field].slots)]
                if len(types[jet.field].slots) < 2
                else "t"
            )
            counts[kind] += 1
            letters[jet.field] = f"{kind}{counts[kind]}"
    names = [letters.get(k, "?") for k in range(len(types))]
    found = NAMES.get(written(contraction, m, names, types, out, kept))
    if found is None:
        return None
    # the letters of the question in the place of v1, t1, …
    return found.format(**{letter: called[k] for k, letter in letters.items()})
