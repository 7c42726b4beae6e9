"""The solution tables of the paper, read with a pencil: which frequencies an entry has for each offset t.

Nothing of the library is used. An irrep is (frequency, sign): sign None for the ones of size two, 0 or 1 for the ones of
size one (1: the mirror changes the sign; for C_N always 0).
"""

from __future__ import annotations

from collections.abc import Sequence

Irrep = tuple[int, int | None]


def irreps(turns: int, mirrored: bool) -> list[Irrep]:
    """All real irreps of C_N or D_N."""
    signs = (0, 1) if mirrored else (0,)
    found: list[Irrep] = [(0, s) for s in signs]
    found += [(m, None) for m in range(1, (turns + 1) // 2)]
    if turns % 2 == 0:
        found += [(turns // 2, s) for s in signs]
    return found


def regular(turns: int, mirrored: bool) -> dict[Irrep, int]:
    """Every real irrep of real type as often as its size, of complex type (C_N, size two) once."""
    return {psi: 2 if mirrored and psi[1] is None else 1 for psi in irreps(turns, mirrored)}


def quotient(turns: int, by: int) -> dict[Irrep, int]:
    """C_N / C_M: the functions on the cosets, so the irreps that C_M acts on by 1, those with M | frequency."""
    return {psi: 1 for psi in irreps(turns, False) if psi[0] % by == 0}


def entry(out: Irrep, source: Irrep, turns: int, mirrored: bool, offsets: Sequence[int]) -> list[int]:
    """One frequency for each element of the entry of the table, with the t (or t-hat) that are given.

    ``offsets`` run over the integers; a t-hat runs over those of them that are not negative.
    """
    (m, row), (n, column) = out, source
    pair = 1 if mirrored else 2
    if row is None and column is None:
        return [abs(k) for t in offsets for k in (m - n + t * turns, m + n + t * turns) for _ in range(pair)]
    if row is None or column is None:
        # psi_0: m + tN or n + tN; psi_(N/2): m + (t + 1/2) N or n + (t + 1/2) N, which is m + n + tN
        return [abs(m + n + t * turns) for t in offsets for _ in range(pair)]
    # T and U of t-hat N, or of (t-hat + 1/2) N; U_0 = 0; a mirror leaves T or U
    found = []
    for t in offsets:
        if t < 0:
            continue
        k = t * turns + abs(m - n)
        is_even = row == column
        if not mirrored:
            found += [k] if k == 0 else [k, k]
        elif is_even or k:
            found.append(k)
    return found


def count(
    source: dict[Irrep, int],
    out: dict[Irrep, int],
    turns: int,
    order: int,
    limit: int,
    mirrored: bool = False,
) -> list[int]:
    """Elements of every order: those of the table times the powers of the Laplacian."""
    numbers = [0] * (order + 1)
    offsets = range(-limit, limit + 1)
    for a, times_in in source.items():
        for b, times_out in out.items():
            for frequency in entry(b, a, turns, mirrored, offsets):
                for n in range(frequency, order + 1, 2):
                    numbers[n] += times_in * times_out
    return numbers
