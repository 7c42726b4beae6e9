r"""The harmonic polynomials of an order as a representation of I, in integers."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial

from pdobasis.exact.polynomials import monomials, position
from pdobasis.solvers.golden import MODULUS, Vector, exactly, measured, primitive
from pdobasis.solvers.icosahedral_irreps import IRREPS, X, Y, Z
from pdobasis.solvers.icosahedral_maps import Module


class Harmonics(Module):
    r"""The harmonic polynomials of an order, $p \mapsto p(g^Tx)$, by their coefficients.

    One is known modulo $z^2$: with $\Delta' = \partial_x^2 + \partial_y^2$ and $\varepsilon = 0$ or 1

        $q(x, y)\,z^\varepsilon$ goes on as $\sum_k (-1)^k\,z^{2k+\varepsilon}\,\Delta'^k q\,/\,(2k + \varepsilon)!$.
    """

    def __init__(self, order: int, products: Products) -> None:
        self.order = order
        self.denominator = IRREPS["T1"].denominator ** order * factorial(order)
        self.types = [_type(alpha) for alpha in monomials(3, order)]
        self._products = products
        self._place = position(3, order)
        self._known: dict[int, list[tuple[int, int]]] = {}

    def starts(self, kind: int) -> Iterator[Vector]:
        for u, (_, _, k) in enumerate(monomials(3, self.order)):
            if k < 2 and self.types[u] == kind:
                own = dict(self._continued(u))
                yield primitive(Vector(own, max(map(abs, own.values()))))

    def cycle(self, own: Vector) -> Vector:
        powers, place = monomials(3, self.order), self._place
        found = {}
        for u, v in own.values.items():
            i, j, k = powers[u]
            found[place[k, i, j]] = v
        return Vector(found, own.most)

    def turn(self, own: Vector) -> Vector:
        n, powers = self.order, monomials(3, self.order)
        # coefficients of x^(n-j) y^j, and of those with one z
        heads: dict[int, int] = {}
        for u, v in own.values.items():
            for k, w in enumerate(self._products.of(powers[u])):
                heads[k] = heads.get(k, 0) + v * w
        # the sizes of the coefficients of 4g add up to 10 in a linear form
        limit = own.most * 10**n * len(own.values)
        known = measured(exactly(heads, limit))
        found: dict[int, int] = {}
        most = 0
        for k, v in known.values.items():
            head = (n - k, k, 0) if k <= n else (2 * n - k, k - n - 1, 1)
            for place, w in self._continued(self._place[head]):
                found[place] = found.get(place, 0) + v * w
                most = max(most, w, -w)
        return exactly(found, len(known.values) * most * known.most)

    def _continued(self, place: int) -> list[tuple[int, int]]:
        """n! times the harmonic polynomial that is this monomial modulo z^2."""
        if place not in self._known:
            i, j, parity = monomials(3, self.order)[place]
            own = {(i, j): factorial(self.order)}
            out = []
            for k in range(parity, self.order + 1, 2):
                out += [(self._place[a, b, k], v) for (a, b), v in own.items()]
                own = _lowered(own, -(k + 1) * (k + 2))
            self._known[place] = out
        return self._known[place]


def _type(alpha: tuple[int, ...]) -> int:
    x, y, z = (n % 2 for n in alpha)
    return X * x ^ Y * y ^ Z * z


def _lowered(
    own: dict[tuple[int, int], int], divisor: int
) -> dict[tuple[int, int], int]:
    """The Laplacian in x and y, divided."""
    found: dict[tuple[int, int], int] = {}
    for (i, j), v in own.items():
        for place, w in (((i - 2, j), i * (i - 1)), ((i, j - 2), j * (j - 1))):
            if w:
                found[place] = found.get(place, 0) + v * w
    return {place: v // divisor for place, v in found.items()}


class Products:
    r"""Products of linear forms $4\,(g^Tx)_i$ modulo $z^2$: coefficients of $x^{n-j}y^j$, then of those with one z."""

    def __init__(self) -> None:
        self._forms = list(zip(*IRREPS["T1"].turn, strict=True))
        self._known: dict[tuple[int, ...], list[int]] = {(0, 0, 0): [1]}

    def of(self, alpha: tuple[int, ...]) -> list[int]:
        if alpha not in self._known:
            i = next(k for k, n in enumerate(alpha) if n)
            lower = self.of((*alpha[:i], alpha[i] - 1, *alpha[i + 1 :]))
            self._known[alpha] = _times_form(lower, sum(alpha), self._forms[i])
        return self._known[alpha]


def _times_form(lower: list[int], n: int, form: tuple[int, ...]) -> list[int]:
    """A product of n - 1 forms times one more."""
    x, y, z = form
    plain, once = lower[:n], lower[n:]
    out = [x * a + y * b for a, b in zip([*plain, 0], [0, *plain], strict=True)]
    if n == 1:
        return [*out, z * plain[0]]
    more = zip([*once, 0], [0, *once], plain, strict=True)
    out += [x * a + y * b + z * c for a, b, c in more]
    return [v % MODULUS for v in out]
