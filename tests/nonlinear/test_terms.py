"""What terms are: proved, independent of who finds them, in a basis that one reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

import pdobasis
from pdobasis.errors import FileFormatError, PdoBasisError, SpecError
from pdobasis.nonlinear.counting import counter
from pdobasis.nonlinear.engine import engine_terms, problem
from pdobasis.nonlinear.file import dump_terms, open_terms, verify_terms
from pdobasis.nonlinear.independent import rank
from pdobasis.nonlinear.proof import Judge, prove_terms
from pdobasis.nonlinear.question import ask_terms
from pdobasis.nonlinear.structure.variation import euler


@pytest.mark.parametrize(
    ("group", "fields", "out", "degree", "order", "total"),
    [
        ("O(2)", {"u": "vector", "p": "trivial"}, "vector", 3, 2, 2),
        ("SO(2)", {"u": "irrep(2)"}, "irrep(1)", 2, 2, 3),
        ("SO(3)", {"u": "vector", "Q": "irrep(2)"}, "irrep(2)", 2, 1, 1),
        ("O(3)", {"u": "1e"}, "sym(2, vector)", 2, 1, 2),
        ("SO(1,2)", {"u": "vector"}, "dual(vector)", 2, 1, 2),
        ("SL(2)", {"u": "vector"}, "sym(2, vector)", 3, 1, 2),
        ("Sp(4)", {"u": "dual(vector)"}, "vector", 2, 1, 1),
        ("GL(2)", {"u": "vector", "a": "alt(2, dual(vector))"}, "vector", 2, 1, 2),
        ("O(4)", {"u": "vector"}, "alt(2, vector)", 2, 1, 2),
        ("D4", {"u": "vector", "s": "regular"}, "vector", 2, 1, 1),
        ("Oh", {"u": "vector"}, "sym(2, vector)", 2, 1, 2),
    ],
)
def test_the_engine_finds_the_same_terms(
    group: str, fields: dict[str, str], out: str, degree: int, order: int, total: int
) -> None:
    found = pdobasis.terms(group, fields, out, degree, order, max_total=total)
    assert found.holds
    for block in found.blocks:
        own = [term.components for term in block.terms]
        others, certificate = engine_terms(found.question, block.multidegree)
        assert certificate.holds
        assert rank(own) == rank(others) == rank([*own, *others]) == len(own)


def test_irreps_are_written_as_tensors() -> None:
    found = pdobasis.terms("SO(2)", {"Q": "irrep(2)"}, "irrep(2)", 2, 1)
    assert "tracefree(Q_ij)" in [term.text for term in found]
    assert {block.method for block in found.blocks} <= {"contractions", "count"}
    plane = pdobasis.terms("O(2)", {"Q": "irrep(1,2)"}, "trivial", 2, 1)
    # in the plane (∂Q)² has two terms, and ∂_i Q_jk ∂_k Q_ij is one of those or their sum
    assert plane.dimensions == {"Q²": 1, "(∂Q)²": 2}


def test_a_wrong_term_is_refused() -> None:
    found = pdobasis.terms("O(3)", {"u": "vector"}, "vector", 2, 1)
    block = found.blocks[-2]
    assert len(block.terms) == 3
    judge, count = Judge.of(found.question), counter(found.question)
    assert count is not None
    own = [dict(p) for p in block.terms[0].components]
    first = next(iter(own[0]))
    own[0][first] = own[0][first] + fmpq(1)
    good = [term.components for term in block.terms]
    cases = [
        ("equivariant", [tuple(own), *good[1:]]),
        ("complete", good[1:]),
        ("independent", [good[0], good[0], good[1]]),
    ]
    for claim, terms in cases:
        proof = prove_terms(judge, block.multidegree, terms, count)
        assert not proof.holds
        assert not getattr(proof, claim)


def test_no_basis_of_contractions_is_sparser() -> None:
    # (∂u)² → trivial of O(2): tr², tr A², tr A Aᵀ have 3, 3 and 4 monomials
    found = pdobasis.terms("O(2)", {"u": "vector"}, "trivial", 2, 1)
    sizes = [term.size for term in found if term.multidegree.total == 2]
    assert sizes == [3, 3, 4]


def test_the_laplacian_is_one_element_of_the_textbook_form_and_two_of_the_echelon_form() -> None:
    textbook = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 2)
    echelon = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 2, form="echelon")
    laplacian = next(t for t in textbook if t.name == "Laplacian").components
    assert echelon.dimension == textbook.dimension == 3
    second = [t.components for t in echelon if t.multidegree.total == 2]
    assert rank([laplacian, *second]) == 2
    assert all(rank([laplacian, other]) == 2 for other in second)


def test_what_is_too_large_is_refused_before_any_matrix_is_made() -> None:
    question = ask_terms("C3", {"u": "tensor(vector, vector)"}, "vector", 4, 3)
    *_, largest = question.multidegrees()
    with pytest.raises(PdoBasisError, match="3876 monomials"):
        problem(question, largest)


def test_orbit_sums_have_small_integers() -> None:
    found = pdobasis.terms("D4", {"u": "vector"}, "vector", 3, 1)
    values = {v for t in found for p in t.components for v in p.values()}
    assert values <= {fmpq(1), fmpq(-1)}
    assert {block.method for block in found.blocks} <= {"orbit sums", "count"}


def test_time_and_constants() -> None:
    found = pdobasis.terms("O(3)", {"u": "vector"}, "vector", 2, 1, time=True, constants={"g": "vector"})
    texts = [term.text for term in found]
    assert "∂_t u_i" in texts
    assert "g_i" in texts
    assert not any("∂_j g" in text or "∂_t g" in text for text in texts)


def test_weights_keep_one_physical_dimension() -> None:
    # Navier-Stokes: [u] = L/T, [p] = L²/T², the output L/T²
    found = pdobasis.terms("O(3)", {"u": "vector", "p": "trivial"}, "vector", 2, 2, weights="u=1,p=2,x=-1,out=3")
    assert {t.text for t in found} == {
        "u_i p", "∂_i p", "∂_j ∂_j u_i", "∂_i ∂_j u_j", "u_j ∂_j u_i", "u_i ∂_j u_j", "u_j ∂_i u_j",
    }  # fmt: skip


def test_what_is_conserved_is_found_by_euler_operators() -> None:
    # the Jacobian ∂_i n_i ∂_j n_j - ∂_i n_j ∂_j n_i is a divergence: two of Frank's three constants remain
    left = pdobasis.terms("O(3)", {"n": "vector"}, "trivial", 2, 1, structure="lagrangian")
    assert [t.text for t in left] == ["n_i n_i", "∂_i n_i ∂_j n_j", "∂_i n_j ∂_i n_j"]
    conserved = pdobasis.terms("O(3)", {"n": "vector"}, "trivial", 2, 1, structure="divergence")
    assert [t.text for t in conserved] == ["div[n_i]", "∂_i n_i ∂_j n_j - ∂_i n_j ∂_j n_i"]
    for term in conserved:
        assert not any(euler(conserved.question, term.components))
    burgers = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1, structure="divergence")
    assert [t.text for t in burgers] == ["div[δ_ij u_k u_k]", "div[u_i u_j]"]


def test_galilean_invariance_finds_the_material_derivative() -> None:
    found = pdobasis.terms(
        "O(2)", {"u": "vector", "p": "trivial"}, "vector", 2, 2, max_total=2, time=True, galilean="u"
    )
    texts = [t.text for t in found]
    assert "∂_t u_i + u_j ∂_j u_i" in texts
    assert "u_j ∂_j u_i" not in texts
    assert "∂_j ∂_j u_i" in texts


@pytest.mark.parametrize("group", ["O(2)", "C3", "O(1,3)", "D4"])
def test_a_file_is_proved_again(group: str, tmp_path: Path) -> None:
    found = pdobasis.terms(group, {"u": "vector"}, "trivial", 2, 1)
    path = tmp_path / "terms.json"
    found.save(str(path))
    data = open_terms(path)
    assert data is not None
    assert data["dimension"] == found.dimension == len(data["terms"])
    verified = verify_terms(data)
    assert verified.holds
    assert not verified.remarks
    assert dump_terms(pdobasis.load_terms(path)) == path.read_text()


def _less(data: dict[str, Any]) -> None:
    data["terms"].pop()


def _other_coefficient(data: dict[str, Any]) -> None:
    data["terms"][-1]["components"][0][0][0] = "3"


def _other_count(data: dict[str, Any]) -> None:
    data["dimensions"]["u²"] = 2


def _other_text(data: dict[str, Any]) -> None:
    data["terms"][0]["text"] = "u_j ∂_j u_i"


def _twice(data: dict[str, Any]) -> None:
    data["terms"].append(data["terms"][-1])


@pytest.mark.parametrize("change", [_less, _other_coefficient, _other_count, _other_text, _twice])
def test_a_changed_file_is_refused(change: Any) -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "trivial", 2, 1)
    data = json.loads(dump_terms(found))
    change(data)
    assert not verify_terms(data).holds


def test_another_basis_is_accepted() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "trivial", 2, 1)
    data = json.loads(dump_terms(found))
    for entry in data["terms"][-1]["components"][0]:
        entry[0] = str(2 * int(entry[0]))
    verified = verify_terms(data)
    assert verified.holds
    assert verified.remarks


@pytest.mark.parametrize(
    "damage", [{"terms": 3}, {"fields": []}, {"degree": "x"}, {"version": True}, {"weights": {"u": "1"}}]
)
def test_a_damaged_file_is_no_traceback(damage: dict[str, Any]) -> None:
    data = json.loads(dump_terms(pdobasis.terms("O(2)", {"u": "vector"}, "trivial", 1, 1)))
    with pytest.raises((FileFormatError, PdoBasisError)):
        verify_terms({**data, **damage})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"fields": {"u_1": "vector"}}, "letters"),
        ({"fields": {}}, "needs a field"),
        ({"degree": 0}, "degree"),
        ({"weights": "u=1"}, "output"),
        ({"weights": "q=1,out=1"}, "unknown name"),
        ({"structure": "divergenc"}, "structure"),
        ({"form": "text"}, "form"),
        ({"galilean": "v"}, "velocity"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        pdobasis.terms(**{"group": "O(2)", "fields": {"u": "vector"}, "out": "vector", **arguments})


def _fields(n: int) -> tuple[Any, Any, Any]:
    import sympy

    x1, x2 = sympy.symbols("x1 x2", real=True)
    u = [sympy.sin(x1) * sympy.cos(x2), sympy.cos(2 * x1) + sympy.sin(x2)]
    p = sympy.sin(x1 + x2)
    return (x1, x2), u, p


def test_evaluation_is_that_of_sympy() -> None:
    import sympy

    found = pdobasis.terms("SO(2)", {"u": "vector", "p": "trivial"}, "vector", 2, 2, max_total=3)
    (x1, x2), u, p = _fields(2)
    n = 24
    x = 2 * np.pi * np.arange(n) / n
    grid = np.meshgrid(x, x, indexing="ij")
    values = {x1: grid[1], x2: grid[0]}  # the last axis is x1
    arrays = {
        "u": np.stack([sympy.lambdify((x1, x2), c)(values[x1], values[x2]) for c in u]),
        "p": sympy.lambdify((x1, x2), p)(values[x1], values[x2]),
    }
    spectral = found.evaluate(arrays, spacing=x[1], block=100)
    for k, term in enumerate(found):
        for c, expression in enumerate(term.sympy(u=u, p=p)):
            exact = sympy.lambdify((x1, x2), expression)(values[x1], values[x2])
            np.testing.assert_allclose(spectral[k, c], exact + 0 * x, atol=1e-10)
    differences = found.evaluate(arrays, spacing=x[1], stencil="fd", size=7)
    assert np.abs(differences - spectral).max() < 0.02
    namespace: dict[str, Any] = {}
    exec(found.python_source(), namespace)  # noqa: S102 - our own text, which has to run
    jets = namespace["derivatives"]({"u": arrays["u"], "p": arrays["p"][None]}, (x[1], x[1]))
    np.testing.assert_allclose(np.array(namespace["terms"](jets)), spectral, atol=1e-12)
    np.testing.assert_allclose(np.array(found.function()(jets)), spectral, atol=1e-12)


def test_evaluation_commutes_with_rotations_of_a_cloud() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 2, max_total=2)
    rng = np.random.default_rng(3)
    points = rng.uniform(-1, 1, (150, 2))
    u = np.stack([np.sin(points @ [1.0, 0.5]), np.cos(points @ [0.3, -1.0])])
    t = 0.7
    g = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    here = found.evaluate({"u": u}, points=points, neighbours=16)
    there = found.evaluate({"u": g @ u}, points=points @ g.T, neighbours=16)
    turned = np.einsum("ij,tjn->tin", g, here)
    assert np.abs(there - turned).max() < 1e-6 * np.abs(turned).max()


def test_a_few_hundred_terms() -> None:
    found = pdobasis.terms("O(3)", {"u": "vector", "p": "trivial"}, "vector", 3, 2, max_total=4)
    assert found.dimension > 150
    assert found.holds


def test_linear_parts() -> None:
    plus = pdobasis.terms("SO(2)", {"u": "vector"}, "vector", 1, 2, structure="self-adjoint")
    minus = pdobasis.terms("SO(2)", {"u": "vector"}, "vector", 1, 2, structure="skew")
    both = pdobasis.solve("SO(2)", "vector", "vector", 2)
    assert len(plus) == both.self_adjoint().dimension == 4
    assert len(minus) == both.skew().dimension == 2


def test_the_phase_of_a_complex_field() -> None:
    # ψ = a + ib as one field with two components that mirrors alone change: of D1 = {1, f}, and of nothing continuous
    phase = "internal:psi=0,-1;1,0"
    pair = pdobasis.terms("trivial(1)", {"psi": "2xtrivial"}, "trivial", 2, 1)
    kept = pdobasis.terms("trivial(1)", {"psi": "2xtrivial"}, "trivial", 2, 1, structure=phase)
    assert len(pair) == 14  # 4 coordinates: 4 linear, 10 quadratic
    # |ψ|², |ψ'|², and the real and imaginary parts of ψ̄ψ'
    assert len(kept) == 4
    with pytest.raises(SpecError, match="components"):
        pdobasis.terms("O(2)", {"a": "trivial"}, "trivial", 2, 1, structure="internal:a=0,1;1,0")


def test_harmonic_maps() -> None:
    """Maps φ to space with its rotations: |∂φ|², and two terms of fourth order (one of them is Skyrme's)."""
    turns = "internal:phi=0,-1,0;1,0,0;0,0,0&phi=0,0,0;0,0,-1;0,1,0"
    fields = {"phi": "3xtrivial"}
    energy = pdobasis.terms("O(2)", fields, "trivial", 2, 1, structure=turns)
    assert {question_label(t): t.size for t in energy} == {"phi²": 3, "(∂phi)²": 6}
    found = pdobasis.terms("O(2)", fields, "trivial", 4, 1, structure=turns)
    assert sum(question_label(t) == "(∂phi)⁴" for t in found) == 2


def question_label(term: pdobasis.Term) -> str:
    return term.question.label(term.multidegree)


def test_a_field_that_changes_its_sign() -> None:
    # Swift-Hohenberg with u -> -u: no quadratic terms
    found = pdobasis.terms("O(2)", {"u": "trivial"}, "trivial", 3, 2, max_total=2, structure="flip:u,out")
    assert {t.multidegree.degree for t in found} == {1, 3}


def test_torch_gives_the_same_and_gradients() -> None:
    torch = pytest.importorskip("torch")
    from pdobasis.nn import TermsFunction

    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 2, max_total=2, constants={"g": "vector"})
    u = np.random.default_rng(0).normal(size=(2, 8, 8))
    g = np.array([0.3, -1.0])
    expected = found.evaluate({"u": u, "g": g}, spacing=0.5)
    tensor = torch.tensor(u, requires_grad=True)
    values = TermsFunction(found, 0.5)({"u": tensor, "g": torch.tensor(g)})
    np.testing.assert_allclose(values.detach().numpy(), expected, atol=1e-10)
    torch.autograd.backward(values.square().sum())
    assert bool(torch.isfinite(tensor.grad).all())


def test_memory_is_that_of_the_answer() -> None:
    import tracemalloc

    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 3, 2, max_total=2)
    u = np.random.default_rng(0).normal(size=(2, 200, 200))
    tracemalloc.start()
    values = found.evaluate({"u": u}, stencil="fd", block=4096)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2.5 * values.nbytes


def test_the_example_finds_the_five_true_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.syspath_prepend(str(root / "examples"))
    import importlib

    example = importlib.import_module("discover_terms")
    found, weights, error = example.discover("textbook")
    chosen = {t.text: w for t, w in zip(found, weights, strict=True) if w}
    assert chosen.keys() == example.TRUTH.keys()
    assert all(abs(chosen[k] - v) < 0.005 for k, v in example.TRUTH.items())
    assert error < 0.001
    assert np.count_nonzero(example.discover("echelon")[1]) > 5
