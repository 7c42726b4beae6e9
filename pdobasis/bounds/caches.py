"""Caches of pure functions, with one bound in bytes for all of them together.

A server that asks ever new questions must not grow with their number. Every cache of the package is made by
:func:`remembered`: a hit costs what functools asks for it, a miss is charged with the size of its arguments and of its
value. Between two questions, in :func:`trim`, all caches are emptied when they hold more than :data:`LIMIT`. Inside a
question nothing is thrown away, since what was computed is often asked for again; there the budget is the bound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from pdobasis.bounds.sizes import size_of, size_of_arguments

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    from typing import Generic

    R_co = TypeVar("R_co", covariant=True)

    class Cached(Generic[P, R_co]):
        """What :func:`remembered` returns, as types see it: functools' own wrapper."""

        __wrapped__: Callable[P, R_co]

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
            raise NotImplementedError

        def cache_clear(self) -> None:
            raise NotImplementedError


LIMIT = 256_000_000
"""Bytes that all caches may hold between two questions."""
ENTRY = 200
"""Bytes of the bookkeeping of one entry."""


class _Account:
    """What all caches hold, and how they are emptied."""

    def __init__(self) -> None:
        self.caches: list[Cached[Any, Any]] = []
        self.held = 0
        self.lock = Lock()

    def charge(self, size: int) -> None:
        with self.lock:
            self.held += size

    def clear(self) -> None:
        with self.lock:
            for cache in self.caches:
                cache.cache_clear()
            self.held = 0


_ACCOUNT = _Account()


def remembered(function: Callable[P, R]) -> Cached[P, R]:
    """A cache for a pure function of frozen values.

    >>> @remembered
    ... def square(n: int) -> int:
    ...     print("computed")
    ...     return n * n
    >>> square(3), square(3)
    computed
    (9, 9)
    """

    @wraps(function)
    def missed(*args: P.args, **kwargs: P.kwargs) -> R:
        value = function(*args, **kwargs)
        arguments = size_of_arguments((*args, *kwargs.values()))
        _ACCOUNT.charge(ENTRY + arguments + size_of(value))
        return value

    cached = cast("Cached[P, R]", lru_cache(maxsize=None)(missed))
    # tests put other functions in the place of the one that was decorated
    cached.__wrapped__ = function
    _ACCOUNT.caches.append(cached)
    return cached


def held() -> int:
    """Bytes that the caches were charged with."""
    return _ACCOUNT.held


def trim(limit: int = LIMIT) -> None:
    """Empty the caches if they hold more; called between two questions."""
    if _ACCOUNT.held > limit:
        _ACCOUNT.clear()
