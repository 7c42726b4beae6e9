r"""Check a file of pdobasis without pdobasis: ``python check_pdobasis.py FILE``. The standard library is enough.

A file holds a question (matrices of a group, of rho_in and of rho_out: its *witness*) and elements P_1, …, P_b, which
are matrices of polynomials. It claims that they are a basis of all P of order at most N with

    P(y) rho_in(g) = rho_out(g) P(g^T y)                              for every generator g,                   (1)
    P d rho_in(X) - d rho_out(X) P - (X^T x) . grad P = 0             for every Lie generator X.               (2)

What is checked, for every pair of summands and every order:

(a) *steerable*: every element is put into (1) and (2), over Q(zeta) with zeta = exp(2 pi i / M), exactly.
(b) *independent*: the coefficients of the b elements have rank b modulo a prime p.
(c) *complete*: (1) and (2), linear in the coefficients of P, have nullity b modulo p. A file whose question has a
    ``truncation`` claims a part of the solutions: then b is at most the nullity, which the file states as "of".
(d) the sizes, dimensions and verdicts that the file states are these.

Numbers. sum_k c_k zeta^k is kept as {k: c_k}, k modulo M: an element of Q[x]/(x^M - 1), which maps onto Q(zeta). It is
zero in Q(zeta) exactly if it becomes 0 in Q[x]/(x^M - 1) after multiplication with every 1 - x^(M/q), q a prime divisor
of M: these vanish at the roots of unity of smaller order and not at zeta and its conjugates. cos(n pi/d) is
(zeta^k + zeta^-k)/2; sqrt(q) is a Gauss sum, sum_a (a/q) exp(2 pi i a/q) = sqrt(q), or i sqrt(q) when q = 3 (mod 4).

Why one prime is enough. Let p = 1 (mod M), and w of order M modulo p. Then zeta -> w is a homomorphism to F_p from the
numbers without p in their denominators (a p in a denominator is noticed). A minor that is 0 is 0 modulo p, so a rank
modulo p is at most the true rank, and a nullity modulo p at least the true nullity. Hence, for *every* p:

    b = rank of the elements modulo p <= their rank <= (by (a)) true nullity <= nullity modulo p = b,

and all are equal. "Checked" is never a matter of luck. Only a correct file could be refused by bad luck, if p divides
the norm of one certain minor. That norm is not zero, so with B bits it has less than B/61 prime divisors above 2^61;
p is drawn at random from the primes = 1 (mod M) between 2^61 and 2^62, some 2^61 / (43 phi(M)) of them. With the limits
below B < 2^32 and M <= 10000, so this happens less than once in 10^6 files; run it again, and another p is drawn.

What is not checked: that the matrices are those of the group and of the representations that the file names, that they
are representations at all (for generators and relations that is a question about the group), that the generators meet
every component of a Lie group; which part of the solutions a truncation names; names and angular orders of elements;
the arrays of a stencil file. ``pdobasis verify`` does. Exit codes: 0 checked, 1 something is false, 2 the file cannot
be read or is beyond the limits.
"""

from __future__ import annotations

import ast
import json
import re
import secrets
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import comb, lcm
from pathlib import Path
from typing import Any

MAX_BYTES, MAX_UNKNOWNS, MAX_ROOT, MAX_TEXT = 100_000_000, 20_000, 10_000, 100_000

Number = dict[int, Fraction]  # {k: c} is the sum of c zeta^k
Vector = dict[
    tuple[Any, int], Fraction
]  # {(place, k): c}: a number at every place; a polynomial's places are exponents
Matrix = list[dict[int, Number]]  # rows without zeros
Pair = tuple[int, int]  # (summand of rho_out, summand of rho_in)
Entries = tuple[tuple[int, int, str], ...]  # (row, column, text) of an element, without zeros
ONE: Number = {0: Fraction(1)}


class Refuted(Exception):
    """The file claims something that is not so."""


class Unreadable(Exception):
    """The file is not understood, or too large for this program."""


class Field:
    """Q(zeta), polynomials over it as text, and its image modulo a random prime."""

    M: int
    divisors: list[int]
    p: int
    w: int
    polynomial: Callable[[str, int], Vector]

    def __init__(self, text: str) -> None:
        """M is chosen such that every cosine and square root in the text is in Q(zeta)."""
        self.M = 1
        for denominator in set(re.findall(r"pi/(\d+)", text)):
            self.M = lcm(self.M, 2 * int(denominator))
        for radicand in set(re.findall(r"sqrt\((\d+)\)", text)):
            self.M = lcm(self.M, *(order_for_root(q) for q in prime_factors(int(radicand))))
        if self.M > MAX_ROOT:
            raise Unreadable(f"its numbers need roots of unity beyond the order {MAX_ROOT}")
        self.divisors = prime_factors(self.M)
        self.p, self.w = random_prime(self.M, self.divisors)
        self.polynomial = cache(self._polynomial)

    def add(self, total: Vector, vector: Vector, factor: Number) -> None:
        """total += factor * vector."""
        for (place, i), u in vector.items():
            for j, v in factor.items():
                key = place, (i + j) % self.M
                total[key] = total.get(key, 0) + u * v

    def is_zero(self, vector: Vector) -> bool:
        for q in self.divisors:
            product = dict(vector)
            self.add(product, vector, {self.M // q: Fraction(-1)})
            vector = product
        return not any(vector.values())

    def modulo(self, vector: Vector) -> dict[Any, int]:
        """zeta -> w, modulo p; ValueError when p is in a denominator."""
        out: dict[Any, int] = {}
        for (place, k), c in vector.items():
            out[place] = (
                out.get(place, 0) + c.numerator * pow(c.denominator, -1, self.p) * pow(self.w, k, self.p)
            ) % self.p
        return {place: value for place, value in out.items() if value}

    def product(self, a: Vector, b: Vector) -> Vector:
        out: Vector = {}
        for (alpha, k), c in a.items():
            moved = {(tuple(x + y for x, y in zip(alpha, beta, strict=True)), j): v for (beta, j), v in b.items()}
            self.add(out, moved, {k: c})
        return out

    def power(self, a: Vector, n: int, dim: int) -> Vector:
        out: Vector = {((0,) * dim, 0): Fraction(1)}
        for _ in range(n):
            out = self.product(out, a)
        return out

    def root(self, q: int) -> Number:
        """The square root of a prime."""
        if self.M % order_for_root(q):
            raise ValueError
        if q == 2:
            return {self.M // 8: Fraction(1), self.M - self.M // 8: Fraction(1)}
        back = self.M // 4 if q % 4 == 3 else 0  # divide by i
        legendre = {a: 1 if pow(a, (q - 1) // 2, q) == 1 else -1 for a in range(1, q)}
        return {(a * self.M // q - back) % self.M: Fraction(sign) for a, sign in legendre.items()}

    def _polynomial(self, text: str, dim: int) -> Vector:
        """A text such as sqrt(2)*d1/2 - (1/4 + cos(pi/5))*d2**2. Python's grammar reads it; nothing of it is run."""
        try:
            if len(text) > MAX_TEXT or not re.fullmatch(r"(?>d?[0-9]+|pi|sqrt|cos|[-+*/() ])*+", text):
                raise ValueError
            value = self._value(ast.parse(text.strip(), mode="eval").body, dim)
            return {key: c for key, c in value.items() if c}
        except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
            raise Unreadable(f"{text[:60]!r} is not a polynomial in d1 … d{dim} as pdobasis writes it") from None

    def _value(self, node: ast.expr, dim: int) -> Vector:
        one, out = (0,) * dim, Vector()
        match node:
            case ast.Constant(value=int(n)) if type(n) is int:
                return {(one, 0): Fraction(n)}
            case ast.Name(id=name) if name in (names := [f"d{k + 1}" for k in range(dim)]):
                return {(tuple(int(name == other) for other in names), 0): Fraction(1)}
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                self.add(out, self._value(inner, dim), {0: Fraction(-1)})
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                self.add(out, self._value(left, dim), ONE)
                self.add(out, self._value(right, dim), {0: Fraction(1 if isinstance(op, ast.Add) else -1)})
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.product(self._value(left, dim), self._value(right, dim))
            case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=int(n))):
                self.add(out, self._value(left, dim), {0: Fraction(1, n)})
            case ast.BinOp(left=ast.Name() as left, op=ast.Pow(), right=ast.Constant(value=int(n))) if 0 <= n <= 64:
                return self.power(self._value(left, dim), n, dim)
            case ast.Call(func=ast.Name(id="sqrt"), args=[ast.Constant(value=int(n))], keywords=[]) if n > 0:
                out = {(one, 0): Fraction(1)}
                for q in prime_factors(n):
                    while n % q == 0:
                        n, factor = (n // q**2, {0: Fraction(q)}) if n % q**2 == 0 else (n // q, self.root(q))
                        out = self.product(out, {(one, k): c for k, c in factor.items()})
            case ast.Call(func=ast.Name(id="cos"), args=[angle], keywords=[]):
                found = re.fullmatch(r"(?:(\d+) \* )?pi(?: / (\d+))?", ast.unparse(angle))
                if found is None or self.M % (2 * int(found[2] or 1)):
                    raise ValueError
                k = int(found[1] or 1) * self.M // (2 * int(found[2] or 1))
                self.add(out, {(one, k): Fraction(1, 2)}, ONE)
                self.add(out, {(one, -k): Fraction(1, 2)}, ONE)
            case _:
                raise ValueError
        return out

    def matrix(self, data: Any, size: int) -> Matrix:
        """Rows of texts, or a permutation: a list in which the i-th entry p stands for e_i -> e_p."""
        if isinstance(data, list) and all(type(k) is int for k in data) and sorted(data) == list(range(size)):
            return [{data.index(row): ONE} for row in range(size)]
        if not isinstance(data, list) or [len(row) for row in data] != [size] * size:
            raise Unreadable(f"the witness has a matrix that is not {size} x {size}, or no permutation")
        numbers = [{j: self.polynomial(text, 0) for j, text in enumerate(row) if text != "0"} for row in data]
        return [
            {j: {k: c for (_, k), c in v.items()} for j, v in row.items() if not self.is_zero(v)} for row in numbers
        ]


class Action:
    """A generator g, or a Lie generator X: its matrices on space and on the summands of both sides."""

    field: Field
    dim: int
    is_lie: bool
    columns_out: list[Matrix]
    rho_in: list[Matrix]
    forms: list[Vector]
    moved: Callable[[tuple[int, ...]], Vector]

    def __init__(self, field: Field, space: Matrix, is_lie: bool, rho_out: list[Matrix], rho_in: list[Matrix]) -> None:
        self.field, self.dim, self.is_lie = field, len(space), is_lie
        self.columns_out, self.rho_in = [transposed(m) for m in rho_out], rho_in
        units = [tuple(int(j == k) for k in range(self.dim)) for j in range(self.dim)]
        self.forms = [{(units[j], k): c for j, v in row.items() for k, c in v.items()} for row in transposed(space)]
        self.moved = cache(self._moved)

    def _moved(self, alpha: tuple[int, ...]) -> Vector:
        """(g^T y)^alpha, or (X^T x) . grad x^alpha; forms[i] is the i-th entry of g^T y, or X^T x."""
        out: Vector = {} if self.is_lie else {((0,) * self.dim, 0): Fraction(1)}
        for i, (form, n) in enumerate(zip(self.forms, alpha, strict=True)):
            if not self.is_lie:
                out = self.field.product(out, self.field.power(form, n, self.dim))
            elif n:
                lower = {((*alpha[:i], n - 1, *alpha[i + 1 :]), 0): Fraction(n)}
                self.field.add(out, self.field.product(lower, form), ONE)
        return out

    def image(self, pair: Pair, i: int, j: int, alpha: tuple[int, ...]) -> Vector:
        """The left side of (1) minus the right side, or (2), for the P with x^alpha at (i, j) and zeros elsewhere."""
        out: Vector = {((i, c, alpha), k): v for c, a in self.rho_in[pair[1]][j].items() for k, v in a.items()}
        moved = {(alpha, 0): Fraction(1)} if self.is_lie else self.moved(alpha)
        for r, b in self.columns_out[pair[0]][i].items():
            self.field.add(out, {((r, j, beta), k): -v for (beta, k), v in moved.items()}, b)
        if self.is_lie:
            self.field.add(out, {((i, j, beta), k): -v for (beta, k), v in self.moved(alpha).items()}, ONE)
        return out


class Checker:
    """The question of a file, from its witness alone, and the judgement of its elements."""

    elements: Any
    field: Field
    dim: int
    order: int
    kernel: bool
    truncated: bool
    limit: int
    out: Side
    inside: Side
    actions: list[Action]
    every: list[int]
    image: Callable[..., Vector]
    nullity: Callable[..., int]
    judge: Callable[..., None]

    def __init__(self, meta: Mapping[str, Any]) -> None:
        witness = meta.get("witness")
        if not isinstance(witness, dict):
            raise Unreadable("it holds no witness (matrices of every generator): write it again with pdobasis solve -o")
        self.elements, self.field = (
            meta["elements"],
            Field(json.dumps([witness[k] for k in ("space", "in", "out")] + meta["elements"])),
        )
        self.dim, self.order, self.kernel = whole(meta["dim"]), whole(meta["order"]), meta.get("kernel") is True
        self.truncated = "truncation" in meta
        self.limit = whole(meta["partial_order"]) if "partial_order" in meta else self.order
        self.out, self.inside = (Side(witness[side], meta[side]["size"]) for side in ("out", "in"))
        self.actions = []
        for kind in ("generators", "lie"):
            for name, space in witness["space"][kind].items():
                rho = [
                    [self.field.matrix(s[kind][name], s["size"]) for s in witness[k]["summands"]] for k in ("out", "in")
                ]
                self.actions.append(Action(self.field, self.field.matrix(space, self.dim), kind == "lie", *rho))
        self.every = [0] * (self.order + 1)  # solutions of each order
        self.image, self.nullity, self.judge = cache(self._image), cache(self._nullity), cache(self._judge)

    def check(self) -> list[int]:
        """The number of elements of each order; Refuted when a claim fails for some copy of some pair of summands."""
        blocks, found = self.blocks(), [0] * (self.order + 1)
        for row, which_out in enumerate(self.out.copies):
            for column, which_in in enumerate(self.inside.copies):
                for n in range(self.order + 1):
                    elements = tuple(blocks.get((row, column, n), ()))
                    self.judge((which_out, which_in), n, elements)  # cached: equal copies are judged once
                    found[n] += len(elements)
                    self.every[n] += self.nullity((which_out, which_in), n)
        return found

    def blocks(self) -> dict[tuple[int, int, int], list[Entries]]:
        """(copy on the out side, copy on the in side, order) to the elements there, in rows and columns of the copy."""
        out: dict[tuple[int, int, int], list[Entries]] = {}
        rows, columns = self.out.channels, self.inside.channels
        for number, element in enumerate(self.elements):
            matrix, order = element["matrix"], whole(element["order"])
            if order > self.order or [len(row) for row in matrix] != [len(columns)] * len(rows):
                raise Refuted(f"element {number} is not {len(rows)} x {len(columns)}, of order at most {self.order}")
            texts = [(rows[r], columns[c], t) for r, row in enumerate(matrix) for c, t in enumerate(row) if t != "0"]
            entries = [(r, c, t) for r, c, t in texts if self.field.polynomial(t, self.dim)]
            places = {(r[0], c[0]) for r, c, _ in entries}
            if len(places) != 1:
                raise Refuted(f"element {number} does not stand in one block of the sum")
            out.setdefault((*places.pop(), order), []).append(tuple((r[1], c[1], t) for r, c, t in entries))
        return out

    def _judge(self, pair: Pair, order: int, elements: tuple[Entries, ...]) -> None:
        where = f"order {order}, summand {pair[1]} of rho_in -> summand {pair[0]} of rho_out"
        vectors = [self.coefficients(element) for element in elements]
        if not all(self.is_solution(pair, order, vector) for vector in vectors):
            raise Refuted(f"not steerable: an element of {where}")
        rank = rank_modulo(map(self.field.modulo, vectors), self.field.p)
        if rank != len(elements):
            raise Refuted(f"not independent: {len(elements)} elements of {where} have rank {rank}")
        if self.nullity(pair, order) != len(elements) and not self.truncated:
            raise Refuted(f"not complete: {len(elements)} elements of {where}, nullity {self.nullity(pair, order)}")

    def coefficients(self, element: Entries) -> Vector:
        """Over the places (row, column, monomial)."""
        polynomials = [(r, c, self.field.polynomial(text, self.dim)) for r, c, text in element]
        return {((r, c, alpha), k): v for r, c, polynomial in polynomials for (alpha, k), v in polynomial.items()}

    def is_solution(self, pair: Pair, order: int, vector: Vector) -> bool:
        total: Vector = {}
        for ((i, j, alpha), k), c in vector.items():
            if sum(alpha) != order or max(alpha, default=0) > self.limit:
                return False
            self.field.add(total, self.image(pair, i, j, alpha), {k: c})
        return self.field.is_zero(total)

    def _image(self, pair: Pair, i: int, j: int, alpha: tuple[int, ...]) -> Vector:
        """All conditions at once: zero exactly for what is asked for. Kernels are harmonic."""
        images = [action.image(pair, i, j, alpha) for action in self.actions]
        out: Vector = {((s, place), k): c for s, image in enumerate(images) for (place, k), c in image.items()}
        for x, n in enumerate(alpha if self.kernel else ()):
            if n > 1:
                lower = (*alpha[:x], n - 2, *alpha[x + 1 :])
                self.field.add(out, {(("laplacian", i, j, lower), 0): Fraction(n * (n - 1))}, ONE)
        return out

    def _nullity(self, pair: Pair, order: int) -> int:
        """Unknowns minus the rank of their images, modulo p."""
        rows, columns = self.out.sizes[pair[0]], self.inside.sizes[pair[1]]
        if rows * columns * comb(order + self.dim - 1, order) > MAX_UNKNOWNS:
            raise Unreadable(f"order {order} has more than {MAX_UNKNOWNS:,} unknowns: too many for this plain program")
        alphas = [alpha for alpha in monomials(self.dim, order) if max(alpha, default=0) <= self.limit]
        images = [self.image(pair, i, j, alpha) for i in range(rows) for j in range(columns) for alpha in alphas]
        return len(images) - rank_modulo(map(self.field.modulo, images), self.field.p)


class Side:
    """The summands of a sum: their sizes, which one each copy is, and (copy, place in it) of each channel."""

    sizes: list[int]
    copies: list[int]
    channels: list[tuple[int, int]]

    def __init__(self, data: Any, size: int) -> None:
        self.sizes = [whole(summand["size"]) for summand in data["summands"]]
        self.copies = [whole(which) for which, times in data["layout"] for _ in range(whole(times))]
        self.channels = [(number, k) for number, which in enumerate(self.copies) for k in range(self.sizes[which])]
        if len(self.channels) != size:
            raise Refuted(f"the witness has {len(self.channels)} channels, the file says {size}")


def check(meta: Mapping[str, Any]) -> list[str]:
    """What was checked, in sentences; otherwise Refuted or Unreadable."""
    try:
        checker = Checker(meta)
        found = checker.check()
        require(meta, {"dimension": sum(found), "dimensions": {str(n): k for n, k in enumerate(found)}})
        require(meta["certificate"], dict.fromkeys(("equivariant", "independent"), True))
        require(meta["certificate"], {"complete": not checker.truncated})
        if checker.truncated:
            require(meta["certificate"], {"truncated": True, "of": checker.every})
        require(meta["certificate"], dict.fromkeys(("found", "counted", "ranks"), found))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise Unreadable(f"its form is not that of pdobasis ({type(error).__name__}: {str(error)[:80]})") from None
    field, lie = checker.field, sum(action.is_lie for action in checker.actions)
    all_of_them = f"complete: nullity {sum(found)} modulo {field.p}; {found} of orders 0 to {checker.order}"
    if checker.truncated:
        all_of_them = (
            f"truncated: {sum(found)} elements, nullity {sum(checker.every)} modulo {field.p}; {found} of orders 0 to "
            f"{checker.order}, which part of the solutions the truncation names is not checked"
        )
    over = f"Q(exp(2 pi i/{field.M}))" if field.M > 2 else "Q"
    return [
        f"steerable: {sum(found)} elements put into the constraint, exactly over {over}, for "
        f"{len(checker.actions) - lie} generators and {lie} Lie generators",
        f"independent: rank {sum(found)} modulo {field.p}",
        all_of_them,
        "stated: dimension, dimensions, sizes and certificate agree",
    ]


def read(path: str | Path) -> dict[str, Any]:
    """The JSON of a basis file, or of the meta data of a stencil file (.json, .npz, .safetensors)."""
    try:
        data = Path(path).read_bytes() if Path(path).stat().st_size <= MAX_BYTES else b""
        if data[:2] == b"PK":
            with zipfile.ZipFile(path) as archive:  # magic, version, length of the header, header, UTF-32
                array = archive.read("meta.npy") if archive.getinfo("meta.npy").file_size <= MAX_BYTES else b""
            data = array[10 + int.from_bytes(array[8:10], "little") :].decode("utf-32-le").encode()
        elif data[8:9] == b"{":
            data = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]["meta"].encode()
        contents = json.loads(data.decode(), object_pairs_hook=unique)
        meta: dict[str, Any] = contents.get("meta", contents)
        if meta["format"] not in ("pdobasis-basis", "pdobasis-stencils") or meta["version"] != 1:
            raise ValueError
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, RecursionError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        raise Unreadable(f"not a basis or stencil file of pdobasis (version 1, at most {MAX_BYTES:,} bytes)") from None
    return meta


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python check_pdobasis.py FILE", file=sys.stderr)
        return 2
    try:
        lines = check(read(arguments[0]))
    except Refuted as error:
        print(f"{arguments[0]}: FALSE: {error}", file=sys.stderr)
        return 1
    except Unreadable as error:
        print(f"{arguments[0]}: not checked: {error}", file=sys.stderr)
        return 2
    print(*lines, "checked. Not checked: names; that the matrices are representations of the group named", sep="\n")
    return 0


# Small things.


def require(stated: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if stated[key] != value:
            raise Refuted(f"{key}: the file says {str(stated[key])[:60]}, it is {value}")


def transposed(m: Matrix) -> Matrix:
    return [{i: row[j] for i, row in enumerate(m) if j in row} for j in range(len(m))]


def monomials(dim: int, order: int) -> list[tuple[int, ...]]:
    if dim == 1:
        return [(order,)]
    return [(n, *rest) for n in range(order, -1, -1) for rest in monomials(dim - 1, order - n)]


def rank_modulo(vectors: Iterable[dict[Any, int]], p: int) -> int:
    """Elimination: every vector is reduced by the pivots, which are 1 at their last places, until nothing is left."""
    pivots: dict[int, dict[int, int]] = {}
    numbers: dict[Any, int] = {}  # the places, in the order in which they are met
    for vector in vectors:
        rest = {numbers.setdefault(place, len(numbers)): value for place, value in vector.items()}
        while rest:
            last = max(rest)
            factor = rest[last]
            if last not in pivots:
                inverse = pow(factor, -1, p)
                pivots[last] = {place: value * inverse % p for place, value in rest.items()}
                break
            for place, value in pivots[last].items():
                rest[place] = (rest.get(place, 0) - factor * value) % p
                if not rest[place]:
                    del rest[place]
    return len(pivots)


def random_prime(M: int, divisors: list[int]) -> tuple[int, int]:
    """p = 1 (mod M) between 2^61 and 2^62, and a w of order M modulo p."""
    while True:
        p = (2**61 + secrets.randbelow(2**61)) // M * M + 1
        w = pow(secrets.randbelow(p - 1) + 1, (p - 1) // M, p)
        if p > 2**61 and is_prime(p) and all(pow(w, M // q, p) != 1 for q in divisors):
            return p, w


def is_prime(n: int) -> bool:
    """Miller and Rabin; with these bases it is a proof for n < 3.3 * 10^24 (Sorenson and Webster 2015)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    twos = ((n - 1) & (1 - n)).bit_length() - 1
    for b in bases:
        powers = [pow(b, (n - 1) >> k, n) for k in range(twos, 0, -1)]
        if n <= b or n % b == 0 or (powers[0] != 1 and n - 1 not in powers):
            return n in bases
    return True


def prime_factors(n: int) -> list[int]:
    if n > 10**12:
        raise Unreadable(f"{n} is too large to be factored here")
    q = next((q for q in range(2, int(n**0.5) + 2) if n % q == 0 and q < n), n)
    return sorted({q, *prime_factors(n // q)}) if n > 1 else []


def order_for_root(q: int) -> int:
    """exp(2 pi i/m) is enough for the square root of the prime q."""
    return 8 if q == 2 else q if q % 4 == 1 else 4 * q


def whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**6:
        raise ValueError(f"expected a whole number, got {str(value)[:40]!r}")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
