"""Every representation is, after an exact change of basis, a sum of real irreps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pdobasis.answer.solve import solve
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import identity, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.primes import split_prime
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.question.own_group import build_group
from pdobasis.representations.characters import BELOW, inner_product
from pdobasis.representations.decomposition import _meets, _occurring, decompose, decomposition, irrep_name, split
from pdobasis.representations.finite import regular
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation, from_matrices, from_term
from pdobasis.representations.terms import Term, Trivial, Vector

Rep = Callable[[Group | str, str], Representation]

# By hand: characters of low-order tensors and the tables of test_irreps.
KNOWN = [
    ("Oh", "tensor(vector, vector)", {"irrep(A1g)": 1, "irrep(Eg)": 1, "irrep(T1g)": 1, "irrep(T2g)": 1}),
    ("Td", "sym(2, vector)", {"irrep(A1)": 1, "irrep(E)": 1, "irrep(T2)": 1}),
    ("I", "sym(2, vector)", {"irrep(A)": 1, "irrep(H)": 1}),
    ("I", "tensor(irrep(T1), irrep(T2))", {"irrep(G)": 1, "irrep(H)": 1}),
    ("D3h", "vector", {"irrep(E')": 1, "irrep(A2'')": 1}),
    ("C4v", "vector", {"irrep(A1)": 1, "irrep(E)": 1}),
    ("2/m", "vector", {"irrep(Au)": 1, "irrep(Bu)": 2}),
    ("SO(3)", "tensor(vector, vector)", {"irrep(0)": 1, "irrep(1)": 1, "irrep(2)": 1}),
    ("O(3)", "sym(3, vector)", {"1o": 1, "3o": 1}),
    ("O(3)", "alt(2, vector)", {"1e": 1}),
    ("SO(2)", "tensor(vector, vector)", {"irrep(0)": 2, "irrep(2)": 1}),
    ("O(2)", "tensor(vector, vector)", {"irrep(0,0)": 1, "irrep(1,0)": 1, "irrep(1,2)": 1}),
    ("C4", "regular", {"irrep(0)": 1, "irrep(1)": 1, "irrep(2)": 1}),
    ("D4", "regular", {"irrep(0,0)": 1, "irrep(1,0)": 1, "irrep(1,1)": 2, "irrep(0,2)": 1, "irrep(1,2)": 1}),
    ("D6", "quotient(C2)", {"irrep(0,0)": 1, "irrep(1,0)": 1, "irrep(1,2)": 2}),
    ("S4", "regular", {"irrep(A)": 1, "irrep(B)": 1, "irrep(E)": 1}),
    ("flip(normal=1,1,0)", "vector", {"irrep(0)": 2, "irrep(1)": 1}),
    ("inversion(4)", "vector + trivial", {"irrep(Au)": 4}),
    ("trivial(3)", "vector", {"trivial": 3}),
]


@pytest.mark.parametrize(("name", "spec", "expected"), KNOWN)
def test_multiplicities(name: str, spec: str, expected: dict[str, int], rep: Rep) -> None:
    assert dict(decompose(rep(parse_group(name), spec))) == expected


BLOCKS = [*((name, spec) for name, spec, _ in KNOWN), ("O(3)", "tensor(sym(2, vector), vector)"), ("D5", "regular"),
          ("Th", "regular"), ("C7", "regular"), ("D8(pi/8)", "regular"), ("I", "quotient(T)")]  # fmt: skip


@pytest.mark.parametrize(("name", "spec"), BLOCKS)
def test_the_change_of_basis_makes_blocks(name: str, spec: str, rep: Rep) -> None:
    r = rep(parse_group(name), spec)
    found = decomposition(r)
    assert found is not None
    assert (found.change @ found.inverse).equals(identity(r.size))
    parts = [s.irrep for s in found.summands for _ in range(s.multiplicity)]
    for i, m in enumerate(r.matrices()):
        assert (found.change @ m @ found.inverse).equals(block_diagonal([p.matrices()[i] for p in parts]))
    for i, x in enumerate(r.lie):
        assert (found.change @ x @ found.inverse).equals(block_diagonal([p.lie[i] for p in parts]))


def test_quaternionic_type() -> None:
    """The quaternion group acts on H by left multiplication: commutant of dimension 4, multiplicity one in the regular."""
    i = integers([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]])
    j = integers([[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]])
    group = build_group("Q8", {"i": i, "j": j}, {})
    vector = from_term(group, Vector(), "vector")
    assert len(intertwiners(vector, vector)) == 4
    signs = [from_matrices(group, f"{a}{b}", 1, (integers([[a]]), integers([[b]]))) for a in (1, -1) for b in (1, -1)]
    found = split(regular(group), iter([(r.spec, r) for r in (*signs, vector)]))
    assert found is not None
    assert [(s.multiplicity, s.type) for s in found.summands] == [(1, 1)] * 4 + [(1, 4)]
    assert sum(s.irrep.size**2 // s.type for s in found.summands) == 8
    for k, m in enumerate(regular(group).matrices()):
        blocks = block_diagonal([s.irrep.matrices()[k] for s in found.summands])
        assert (found.change @ m @ found.inverse).equals(blocks)


def test_unknown_irreps_are_refused() -> None:
    group = parse_group("SO(4)")
    with pytest.raises(RepresentationError, match="not known by name"):
        decompose(from_term(group, Vector(), "vector"))


def test_names_are_given_in_the_basis_of_the_catalogue_only(rep: Rep) -> None:
    group = parse_group("SO(3)")
    assert irrep_name(rep(group, "vector")) == "irrep(1)"
    assert irrep_name(rep(group, "irrep(2,standard)")) == "irrep(2)"
    assert irrep_name(rep(group, "sym(2, vector)")) == ""
    assert irrep_name(from_term(parse_group("D4"), Trivial(), "trivial")) == "irrep(0,0)"


def test_elements_know_the_irreps_they_connect() -> None:
    basis = solve("Oh", "tensor(vector, vector)", "vector", order=1)
    structures = [e.structure for e in basis.elements]
    assert [(s.in_irrep, s.out_irrep) for s in structures if s is not None] == [
        (f"irrep({k})", "irrep(T1u)") for k in ("A1g", "Eg", "T1g", "T2g")
    ]


ALONE = [("C4v", "tensor(vector, vector)"), ("T", "sym(2, vector)"), ("Th", "tensor(vector, vector)"), ("D4", "regular"),
         ("D2", "tensor(vector, vector)"), ("C8", "sym(3, vector)"), ("I", "sym(2, vector)")]  # fmt: skip


@pytest.mark.parametrize(("name", "spec"), ALONE)
def test_maps_that_are_found_together_are_those_that_are_found_alone(name: str, spec: str, rep: Rep) -> None:
    found = decomposition(rep(name, spec))
    assert found is not None
    for kind in (found.inclusions, found.projections):
        for summand, together in zip(found.summands, kind(*found.summands), strict=True):
            (alone,) = kind(summand)
            # over the same field, too: it is that of the answer
            assert [(m.field, m.key()) for m in together] == [(m.field, m.key()) for m in alone]


@pytest.mark.parametrize("name", ["T", "Th", "O", "I", "D3"])
def test_blocks_that_are_solved_together_are_those_that_are_solved_alone(name: str) -> None:
    """Bytes and fields: irreps with roots must not bring them into the other blocks."""
    both = solve(name, "vector + trivial", "sym(2, vector) + det", order=2, method="transfer")
    for block in both.blocks:
        source, target = ("vector", "trivial")[block.in_index], ("sym(2, vector)", "det")[block.out_index]
        (alone,) = solve(name, source, target, order=2, method="transfer").blocks
        for own, other in zip(block.orders, alone.orders, strict=True):
            assert own.coefficients.field == other.coefficients.field
            assert own.coefficients.key() == other.coefficients.key()


def test_multiplicities_modulo_a_prime_that_divides_a_denominator() -> None:
    group = parse_group("D4")
    plain = from_term(group, Vector(), "vector")
    p = split_prime(RATIONALS, 0, BELOW).prime
    change = integers([[1, 0], [0, p]])
    images = tuple(change @ m @ change.inverse() for m in plain.matrices())
    assert any(m.denominator % p == 0 for m in images)
    stretched = from_matrices(group, "stretched", 2, images)
    assert inner_product(stretched, plain) == inner_product(stretched, stretched) == 1
    assert inner_product(stretched, from_term(group, Trivial(), "trivial")) == 0


def test_what_is_no_representation_has_no_whole_number_of_maps() -> None:
    group = parse_group("D4")
    wrong = from_matrices(group, "wrong", 1, (integers([[2]]), integers([[1]])))
    with pytest.raises(RepresentationError, match="not both representations"):
        inner_product(wrong, from_term(group, Trivial(), "trivial"))


@pytest.mark.parametrize(
    ("group", "spec", "asked", "found"),
    [
        ("O", "vector", {"A1", "T1"}, ["T1"]),
        ("O", "tensor(vector, vector)", {"A1", "T1", "E", "T2"}, ["A1", "E", "T1", "T2"]),
        ("I", "tensor(vector, vector)", {"A", "T1", "H"}, ["A", "T1", "H"]),
        ("Td", "det", {"A1", "A2"}, ["A2"]),
    ],
)
def test_irreps_that_are_much_work_are_asked_last_and_listed_in_their_place(
    rep: Rep, group: str, spec: str, asked: set[str], found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of low orders often leave no dimension for the others: A2 of O needs harmonics of order 3."""
    names = []

    def recorded(of: Group, term: Term, name: str) -> Representation:
        names.append(name.removeprefix("irrep(").removesuffix(")"))
        return made(of, term, name)

    monkeypatch.setattr("pdobasis.representations.decomposition.made", recorded)
    summands = list(_occurring(rep(group, spec)))
    assert set(names) <= asked
    assert [s.name for s in summands] == [f"irrep({name})" for name in found]


@pytest.mark.parametrize("group", ["C1", "C5", "D3", "D8", "C4v", "3m", "-3m", "Td", "Th", "I", "Ih", "inversion(2)"])
@pytest.mark.parametrize("spec", ["vector", "regular", "tensor(vector, vector)", "alt(2, tensor(vector, vector))"])
def test_as_many_maps_as_characters_count(rep: Rep, group: str, spec: str) -> None:
    own = rep(group, spec)
    for name, term in irreps_of(own.group, 0).items():
        psi = made(own.group, term, name)
        assert _meets(psi, own) == inner_product(psi, own)
        assert _meets(psi, psi) == inner_product(psi, psi)
