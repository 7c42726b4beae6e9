r"""The nullity of the constraint modulo a prime, set up on its own: unit by unit, in $\mathbb{F}_p$ from the start.

Reduction modulo p can only lose rank, so the nullity here is at least the dimension over K.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from flint import nmod_mat

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import join
from pdobasis.exact.modular import residues, split_prime
from pdobasis.exact.nullspace import component_labels
from pdobasis.exact.polynomials import monomials, position
from pdobasis.groups.lie import generating_indices
from pdobasis.representations.representation import Representation

Dense = list[list[int]]
Poly = dict[tuple[int, ...], int]
Triples = list[tuple[int, int, int]]


def nullity(rep_in: Representation, rep_out: Representation, order: int, partial_order: int | None = None) -> int:
    """The dimension modulo p of the solutions of exactly this order (and of at most that order in each variable)."""
    group = rep_in.group
    field = join(group.field, join(rep_in.field, rep_out.field))
    prime = split_prime(field, 0)
    p, place = prime.prime, prime.places[0]

    def image(m: ExactArray) -> Dense:
        wide = m.over(field)
        flat = residues(wide.numerators.reshape(-1, field.degree), wide.denominator, place, p)
        return [flat[i * m.shape[1] : (i + 1) * m.shape[1]] for i in range(m.shape[0])]

    entries: Triples = []
    height = 0
    for g, a, b in zip(group.generators, rep_in.matrices(), rep_out.matrices(), strict=True):
        height = _group_rows(entries, height, image(g), image(a), image(b), order, p)
    for k in generating_indices(group):
        x, a, b = group.lie[k], rep_in.lie[k], rep_out.lie[k]
        height = _lie_rows(entries, height, image(x), image(a), image(b), order, p)
    basis = monomials(group.dim, order)
    width = rep_in.size * rep_out.size * len(basis)
    allowed = [partial_order is None or max(alpha) <= partial_order for alpha in basis]
    kept = [e for e in entries if allowed[e[1] % len(basis)]]
    return rep_in.size * rep_out.size * sum(allowed) - _rank(kept, height, width, p)


def _group_rows(entries: Triples, height: int, g: Dense, rho_in: Dense, rho_out: Dense, order: int, p: int) -> int:
    """Column (r, i, alpha): the coefficients of E_ri x^alpha rho_in - rho_out E_ri (g^T x)^alpha."""
    dim = len(g)
    basis, where = monomials(dim, order), position(dim, order)
    m, c_out, c_in = len(basis), len(rho_out), len(rho_in)
    moved = [_moved(alpha, g, p) for alpha in basis]
    for r, i, a in product(range(c_out), range(c_in), range(m)):
        unknown = (r * c_in + i) * m + a
        for j in range(c_in):
            if rho_in[i][j]:
                entries.append((height + (r * c_in + j) * m + a, unknown, rho_in[i][j]))
        for k in range(c_out):
            if rho_out[k][r]:
                for beta, v in moved[a].items():
                    entries.append((height + (k * c_in + i) * m + where[beta], unknown, -v * rho_out[k][r] % p))
    return height + c_out * c_in * m


def _lie_rows(entries: Triples, height: int, x: Dense, rho_in: Dense, rho_out: Dense, order: int, p: int) -> int:
    """Column (r, i, alpha): E_ri x^alpha drho_in - drho_out E_ri x^alpha - E_ri (X^T x).grad x^alpha."""
    dim = len(x)
    basis, where = monomials(dim, order), position(dim, order)
    m, c_out, c_in = len(basis), len(rho_out), len(rho_in)
    drift = [_drift(alpha, x, p) for alpha in basis]
    for r, i, a in product(range(c_out), range(c_in), range(m)):
        unknown = (r * c_in + i) * m + a
        for j in range(c_in):
            if rho_in[i][j]:
                entries.append((height + (r * c_in + j) * m + a, unknown, rho_in[i][j]))
        for k in range(c_out):
            if rho_out[k][r]:
                entries.append((height + (k * c_in + i) * m + a, unknown, -rho_out[k][r] % p))
        for beta, v in drift[a].items():
            entries.append((height + (r * c_in + i) * m + where[beta], unknown, -v % p))
    return height + c_out * c_in * m


def _moved(alpha: tuple[int, ...], g: Dense, p: int) -> Poly:
    """(g^T x)^alpha: variable i becomes sum_j g[j][i] x_j."""
    dim = len(g)
    value: Poly = {(0,) * dim: 1}
    for i, power in enumerate(alpha):
        for _ in range(power):
            larger: Poly = {}
            for exponents, v in value.items():
                for j in range(dim):
                    if g[j][i]:
                        key = tuple(e + (k == j) for k, e in enumerate(exponents))
                        larger[key] = (larger.get(key, 0) + v * g[j][i]) % p
            value = larger
    return value


def _drift(alpha: tuple[int, ...], x: Dense, p: int) -> Poly:
    """sum_i (X^T x)_i alpha_i x^(alpha - e_i)."""
    out: Poly = {}
    for i, power in enumerate(alpha):
        for j in range(len(x)):
            if power and x[j][i]:
                key = tuple(e - (k == i) + (k == j) for k, e in enumerate(alpha))
                out[key] = (out.get(key, 0) + power * x[j][i]) % p
    return out


def _rank(entries: Triples, height: int, width: int, p: int) -> int:
    """Component by component."""
    if not entries:
        return 0
    rows = np.array([e[0] for e in entries])
    columns = np.array([e[1] for e in entries])
    label = component_labels(rows, columns, (height, width))
    groups: dict[int, Triples] = {}
    for entry, root in zip(entries, label[columns].tolist(), strict=True):
        groups.setdefault(root, []).append(entry)
    return sum(_dense_rank(part, p) for part in groups.values())


def _dense_rank(part: Triples, p: int) -> int:
    row = {r: k for k, r in enumerate(dict.fromkeys(e[0] for e in part))}
    column = {c: k for k, c in enumerate(dict.fromkeys(e[1] for e in part))}
    flat = [0] * (len(row) * len(column))
    for r, c, v in part:
        k = row[r] * len(column) + column[c]
        flat[k] = (flat[k] + v) % p
    return int(nmod_mat(len(row), len(column), flat, p).rank())
