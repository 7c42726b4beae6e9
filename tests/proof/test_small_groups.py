"""Answers of transfer for the groups of crystals, changed in many ways: what the proof says is what floats say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.polynomials import exponents
from pdobasis.operators.block import Block
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Symbols, dense, from_dense, join_symbols, renumber
from pdobasis.proof.certificate import prove
from pdobasis.question.problem import Problem
from pdobasis.solvers.registry import choose

QUESTIONS = [
    ("Td", "vector", "tensor(vector, vector)", 4),
    ("T", "sym(2, vector)", "vector", 4),
    ("-42m", "sym(2, vector)", "vector", 4),
    ("S4", "vector", "vector", 4),
    ("D4h", "vector", "vector", 4),
    ("Oh", "sym(2, vector)", "sym(2, vector)", 2),
    ("C3v", "vector", "vector", 4),
    ("D6h", "vector", "vector", 4),
]
Question = tuple[str, str, str, int]
Floats = NDArray[np.float64]


@cache
def answer(question: Question) -> tuple[Problem, Block]:
    group, source, target, order = question
    problem = ask(group, source, target, order, dim=3)
    (block,) = choose(problem, "transfer").solve(problem, lambda message: None).blocks
    return problem, block


def floats(values: ExactArray) -> Floats:
    field = values.field
    basis = np.sqrt(np.array(field.radicands, dtype=float))
    if field.conductor > 1:
        basis = 2 * np.cos(2 * np.pi * np.arange(field.degree) / field.conductor)
        basis[0] = 1
    return np.asarray(values.numerators.astype(float) @ basis / values.denominator)


def triples(problem: Problem) -> list[tuple[Floats, ...]]:
    """g, rho_in(g) and rho_out(g) of the generators."""
    (rep_in,), (rep_out,) = problem.in_type.distinct, problem.out_type.distinct
    every = (problem.group.generators, rep_in.matrices(), rep_out.matrices())
    return [tuple(map(floats, own)) for own in zip(*every, strict=True)]


@cache
def count(question: Question) -> list[int]:
    """The mean over all elements of the traces times the coefficients of 1/det(1 - tg)."""
    problem, _ = answer(question)
    generators = triples(problem)
    found = [tuple(np.eye(len(m)) for m in generators[0])]
    for own in found:
        for s in generators:
            new = tuple(a @ b for a, b in zip(s, own, strict=True))
            if not any(all(map(np.allclose, new, old)) for old in found):
                found.append(new)
    total = np.zeros(problem.order + 1)
    for g, a, b in found:
        powers = [1.0]
        f = -np.poly(g)[1:]  # det(1 - tg) = 1 - f_1 t - f_2 t^2 - ...
        for n in range(1, problem.order + 1):
            powers.append(sum(f[k - 1] * powers[n - k] for k in range(1, min(n, len(f)) + 1)))
        total += np.trace(a) * np.trace(b) * np.array(powers)
    return [round(v) for v in (total / len(found)).tolist()]


def is_equivariant(problem: Problem, part: Symbols) -> bool:
    """P(y) rho_in(g) = rho_out(g) P(g^T y) at some points."""
    points = np.random.default_rng(3).uniform(-1, 1, (30, 3))
    alphas, numbers = exponents(3, part.order, part.order), floats(dense(part))

    def at(y: Floats) -> Floats:
        return np.asarray(np.einsum("ercm,pm->eprc", numbers, np.prod(y[:, None] ** alphas, axis=2)))

    return all(np.allclose(at(points) @ a, b @ at(points @ g), atol=1e-9) for g, a, b in triples(problem))


def rank(part: Symbols) -> int:
    return int(np.linalg.matrix_rank(floats(dense(part)).reshape(part.size, -1))) if part.size else 0


def pieces(part: Symbols) -> list[Symbols]:
    every = np.arange(part.size)
    return [renumber(part, np.where(every == k, 0, -1), 1) for k in range(part.size)]


def plus(a: Symbols, b: Symbols) -> Symbols:
    return from_dense(dense(a) + dense(b), a.dim, a.order)


def one_more(own: Symbols, entry: int, monomial: int) -> Symbols:
    numbers = own.coefficients.numerators.copy()
    numbers[entry % len(numbers), monomial % numbers.shape[1], 0] += 1
    return replace(own, coefficients=exact(numbers, own.coefficients.denominator, own.coefficients.field))


def times(own: Symbols, factor: int) -> Symbols:
    return replace(own, coefficients=own.coefficients.scale(factor))


def put(block: Block, n: int, k: int, other: Symbols) -> Block:
    parts = pieces(block.orders[n])
    parts[k] = other
    return replace(block, orders=(*block.orders[:n], join_symbols(parts), *block.orders[n + 1 :]))


def put_with_multiples(block: Block, n: int, k: int, other: Symbols) -> Block:
    """Wherever r^2 times an element stands, r^2 times the other."""
    own = pieces(block.orders[n])[k]
    block = put(block, n, k, other)
    if n + 2 >= len(block.orders):
        return block
    raised = times_radius(own)
    above = next(j for j, p in enumerate(pieces(block.orders[n + 2])) if p.equals(raised))
    return put_with_multiples(block, n + 2, above, times_radius(other))


def changes(block: Block, seed: int) -> Iterator[tuple[str, Block]]:
    """One element of every order, changed by itself, and with its multiples."""
    rng = np.random.default_rng(seed)
    for n, part in enumerate(block.orders):
        if not part.size:
            continue
        every = pieces(part)
        k, j, entry, monomial = (int(rng.integers(bound)) for bound in (part.size, part.size, 99, 99))
        ways = {
            "one more": one_more(every[k], entry, monomial),
            "twice": times(every[k], 2),
            "another one": every[j],
            "the sum of two": plus(every[k], every[j]),
        }
        for name, other in ways.items():
            yield name, put(block, n, k, other)
            yield f"{name}, with multiples", put_with_multiples(block, n, k, other)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_proof_says_what_floats_say(question: Question) -> None:
    problem, block = answer(question)
    assert prove(problem, [block]).holds
    assert prove(problem, [block]).counted == tuple(count(question))
    seen = set()
    for seed in range(3):
        for name, changed in changes(block, seed):
            certificate = prove(problem, [changed])
            is_right = all(is_equivariant(problem, part) for part in changed.orders)
            ranks = [rank(part) for part in changed.orders]
            assert certificate.equivariant == is_right, name
            assert certificate.ranks == tuple(ranks), name
            if certificate.holds:
                assert is_right, name
                assert ranks == count(question), name
            seen.add((is_right, ranks == count(question), certificate.holds))
    # bases, bases whose multiples of r^2 are none, and what is no basis
    assert {(True, True, True), (True, True, False), (True, False, False)} <= seen
    assert any(not is_right for is_right, _, _ in seen)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_an_element_that_is_missing_is_missed(question: Question) -> None:
    problem, block = answer(question)
    assert block.structure is not None
    for n, part in enumerate(block.orders):
        for k in range(part.size):
            kept = [p for i, p in enumerate(pieces(part)) if i != k]
            if not kept:
                continue
            structure = list(block.structure)
            structure[n] = tuple(s for i, s in enumerate(structure[n]) if i != k)
            orders = (*block.orders[:n], join_symbols(kept), *block.orders[n + 1 :])
            certificate = prove(problem, [replace(block, orders=orders, structure=tuple(structure))])
            assert certificate.independent
            assert not certificate.complete


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_labels_that_change_places_are_refused(question: Question) -> None:
    """An angular element is called a multiple of r^2, and a multiple angular: the rest of the proof stands."""
    problem, block = answer(question)
    assert block.structure is not None
    structure = list(block.structure)
    n = problem.order
    powers = [s.laplacian_power for s in structure[n]]
    own = list(structure[n])
    i, j = powers.index(0), next(k for k, power in enumerate(powers) if power)
    own[i], own[j] = own[j], own[i]
    structure[n] = tuple(own)
    certificate = prove(problem, [replace(block, structure=tuple(structure))])
    assert certificate.complete
    assert certificate.equivariant
    assert not certificate.holds
