r"""Matrices of signs among the elements of a group, besides its generators: powers of these, and conjugates.

Such an element forbids coefficients, as a generator does (:mod:`.signs`), and that spares all walks round orbits that
end in nothing. Where t permutes a basis up to signs, $t e_j = \sigma_j e_{p(j)}$, nothing has to be multiplied:
$t\,\mathrm{diag}(\beta)\,t^{-1}$ has the sign $\beta_j$ at $p(j)$.
"""

from __future__ import annotations

from pdobasis.solvers.small_actions import Side, Whole

Odd = list[int]
"""The numbers k, 0 or 1, of the signs $(-1)^k$ of a diagonal matrix."""
Word = tuple[int, int]
"""(s, -n) is power n of generator s; (t, k) is word k conjugated by generator t."""
POWERS = (1, 2, 3)
"""Crystals have turns of order 2, 3, 4 and 6, alone or with inversion: higher powers are no new matrices of signs."""


def words(space: Side) -> list[Word]:
    """The elements that change signs of coordinates, each once."""
    out: list[Word] = []
    found: list[Odd] = []

    def take(word: Word, odd: Odd | None) -> None:
        if odd is not None and any(odd) and odd not in found:
            out.append(word)
            found.append(odd)

    for s, m in enumerate(space.generators):
        for n in POWERS:
            take((s, -n), _power(m, n))
    # the list grows while it is read; there are no more than 2^d matrices of signs
    for k, odd in enumerate(found):
        for t, m in enumerate(space.generators):
            take((t, k), _conjugated(odd, m))
    return out


def with_words(own: Side, every: list[Word]) -> Side:
    """What these elements of a finite group do on space or a fibre, as further bits behind those of the generators."""
    masks, others = list(own.masks), own.others
    bit = 1 << len(own.generators)
    found: list[Odd | None] = []
    for s, k in every:
        m = own.generators[s]
        if k < 0:
            odd = _power(m, -k)
        else:
            before = found[k]
            odd = None if before is None else _conjugated(before, m)
        found.append(odd)
        if odd is None:
            others |= bit
        else:
            for j, is_odd in enumerate(odd):
                if is_odd:
                    masks[j] |= bit
        bit <<= 1
    return Side(
        own.generators, [], masks, others, own.positive, own.negative, own.signed
    )


def _power(m: Whole, n: int) -> Odd | None:
    """None where it is no matrix of signs."""
    if n == 1:
        return m.signs
    if m.is_signed_permutation:
        return _signed_power(m, n)
    out = []
    for i in range(len(m.rows)):
        row = {i: 1}
        for _ in range(n):
            more: dict[int, int] = {}
            for j, v in row.items():
                for k, w in m.rows[j]:
                    more[k] = more.get(k, 0) + v * w
            row = more
        diagonal = row.pop(i, 0)
        if any(row.values()) or abs(diagonal) != m.denominator**n:
            return None
        out.append(int(diagonal < 0))
    return out


def _signed_power(m: Whole, n: int) -> Odd | None:
    """The same of a matrix with one entry in every row."""
    out = []
    for i in range(len(m.rows)):
        j, sign = i, 1
        for _ in range(n):
            ((j, v),) = m.rows[j]
            sign *= v
        if j != i:
            return None
        out.append(int(sign < 0))
    return out


def _conjugated(odd: Odd, m: Whole) -> Odd | None:
    """By a matrix that permutes a basis up to signs; 1 and -1 commute with every matrix."""
    if all(k == odd[0] for k in odd):
        return odd
    if not m.is_signed_permutation:
        return None
    out = [0] * len(odd)
    for column, k in zip(m.columns, odd, strict=True):
        out[column[0][0]] = k
    return out
