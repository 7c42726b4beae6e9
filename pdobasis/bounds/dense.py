"""Dense matrices that FLINT is asked for: it ends the whole process where it gets no memory, so we look first."""

from __future__ import annotations

from pdobasis.errors import SizeError

MAX_MEGABYTES = 2_000


def require_room(rows: int, columns: int) -> None:
    """Refuse a matrix of residues that is too large to be held.

    >>> require_room(10**5, 10**5)
    Traceback (most recent call last):
    pdobasis.errors.SizeError: this needs a matrix of 100,000 x 100,000 residues (80,000 MB, at most 2,000): ...
    """
    megabytes = 8 * rows * columns // 1_000_000
    if megabytes > MAX_MEGABYTES:
        raise SizeError(
            f"this needs a matrix of {rows:,} x {columns:,} residues ({megabytes:,} MB, at most {MAX_MEGABYTES:,}): "
            "ask for a lower order= or smaller representations"
        )
