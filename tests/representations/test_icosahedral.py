"""Irreps of I and Ih in tensors: counted by weights, and mapped from what signed permutations leave."""

from __future__ import annotations

import pytest

from pdobasis import field_type
from pdobasis.exact.array import ExactArray
from pdobasis.groups.point import polyhedral, polyhedral_group
from pdobasis.linear.sparse import to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.representations.characters import inner_product
from pdobasis.representations.decomposition import decompose
from pdobasis.representations.finite import quotient
from pdobasis.representations.icosahedral import icosahedral
from pdobasis.representations.intertwiners import _system
from pdobasis.representations.named import named_irreps
from pdobasis.representations.polyhedral_irreps import _PERMUTED, FiveTetrahedra
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.signed_maps import maps_to_signed, signed, signed_maps

TENSORS = [
    (group, text)
    for group in ("I", "Ih")
    for text in (
        "det",
        "dual(vector)",
        "tensor(vector, vector)",
        "sym(3, vector)",
        "tensor(vector, sym(2, vector))",
        "sym(2, sym(2, vector))",
    )
]
PRODUCTS = [
    ("I", "sym(8, vector)"),
    ("I", "tensor(irrep(T2), sym(2, irrep(G)))"),
    ("Ih", "alt(2, tensor(irrep(T2u), irrep(Gg)))"),
]


def eliminated(a: Representation, b: Representation) -> ExactArray:
    systems = [_system(x, y) for x, y in zip(a.matrices(), b.matrices(), strict=True)]
    return to_dense(null_space_in_stages(systems)).reshape(-1, b.size, a.size)


@pytest.mark.parametrize(("group", "text"), [*TENSORS, *PRODUCTS])
def test_weights_count_what_characters_count(group: str, text: str) -> None:
    (rep,) = field_type(text, group)
    irreps = named_irreps(rep.group)
    counted = {f"irrep({name})": n for name, n in (icosahedral(rep) or {}).items()}
    assert counted == {name: inner_product(psi, rep) for name, psi in irreps.items()}
    assert decompose(rep) == [(name, counted[name]) for name in irreps if counted[name]]


@pytest.mark.parametrize(("group", "text"), [*TENSORS[1:], ("Ih", "sym(2, vector + trivial)"), PRODUCTS[1]])
def test_traces_count_what_weights_count(group: str, text: str) -> None:
    """Without its formula a representation has the traces of its generators."""
    (rep,) = field_type(text, group)
    own = from_matrices(rep.group, "mine", rep.size, rep.matrices())
    assert own.term is None
    assert icosahedral(own) == icosahedral(rep) is not None


def test_traces_of_no_representation_count_nothing() -> None:
    group = polyhedral_group("I")
    turned = (*group.generators[:2], -group.generators[2])
    assert icosahedral(from_matrices(group, "wrong", 3, turned)) is None


def test_what_has_no_formula_is_counted_by_characters() -> None:
    (rep,) = field_type("quotient(T)", "I")
    assert icosahedral(rep) is None
    assert decompose(rep) == [("irrep(A)", 1), ("irrep(G)", 1)]


@pytest.mark.parametrize(("group", "text"), TENSORS)
def test_maps_start_from_the_generators_that_are_signed(group: str, text: str) -> None:
    (rep,) = field_type(text, group)
    for psi in named_irreps(rep.group).values():
        maps = maps_to_signed(psi, rep)
        if maps is None:
            # over Q nothing has to be left out
            assert rep.field.is_rational
            assert psi.field.is_rational
            continue
        assert (signed(rep) is None) == (rep.size > 1)
        assert maps.equals(eliminated(psi, rep))
        assert maps.field == eliminated(psi, rep).field
        assert len(maps) == inner_product(psi, rep)


def test_one_signed_generator_is_not_enough_to_start_from() -> None:
    (vector,) = field_type("vector", "3m")
    assert signed_maps(vector, vector) is None
    assert maps_to_signed(vector, vector) is None


def test_tetrahedra_are_permuted_as_cosets_are() -> None:
    group = polyhedral_group("I")
    of_t = [g for _, g in polyhedral()["T"]]
    assert quotient(group, of_t, "tetrahedra").permutations == _PERMUTED


def test_the_irrep_of_tetrahedra_multiplies() -> None:
    term = FiveTetrahedra(0)
    u, c, p = polyhedral_group("I").generators
    for g, h in ((u, c), (c, p), (p, u), (u, u)):
        assert term.at(g @ h).equals(term.at(g) @ term.at(h))


def test_a_known_dimension_leaves_the_same_maps() -> None:
    (rep,) = field_type("sym(2, sym(2, vector))", "I")
    for psi in named_irreps(rep.group).values():
        maps = maps_to_signed(psi, rep)
        # with none known all equations are looked at
        every = maps_to_signed(psi, rep, 0)
        assert maps is not None
        assert every is not None
        assert maps.equals(every)
