"""Caches of pure functions, with one bound in bytes for all of them together.

A server that asks ever new questions must not grow with their number. Every cache of the package is made by
:func:`remembered`: a hit costs what functools asks for it, a miss is noted with its arguments and its value. Between
two questions, in :func:`trim`, all caches are emptied when they hold more than :data:`LIMIT`. Inside a question nothing
is thrown away, since what was computed is often asked for again; there the budget is the bound.

What is noted is measured when somebody has to know: a process that is smaller than the bound as a whole has smaller
caches, and measuring every value would be a twentieth of a small question.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from pdobasis.bounds.memory import peak, resident

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


Entry = tuple[tuple[object, ...], object]
"""Arguments and value."""


class _Account:
    """What all caches hold, and how they are emptied; ``noted`` has for each of them what was not measured yet."""

    def __init__(self) -> None:
        self.caches: list[Cached[Any, Any]] = []
        self.noted: list[list[Entry]] = []
        self.measured = 0
        self.lock = Lock()

    def held(self) -> int:
        # loaded where somebody has to know
        from pdobasis.bounds.sizes import size_of, size_of_arguments

        with self.lock:
            for entries in self.noted:
                while entries:
                    arguments, value = entries.pop()
                    own = size_of_arguments(arguments) + size_of(value)
                    self.measured += ENTRY + own
            return self.measured

    def clear(self) -> None:
        with self.lock:
            for cache in self.caches:
                cache.cache_clear()
            self.measured = 0


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

    noted: list[Entry] = []

    @wraps(function)
    def missed(*args: P.args, **kwargs: P.kwargs) -> R:
        value = function(*args, **kwargs)
        noted.append(((*args, *kwargs.values()), value))
        return value

    cached = cast("Cached[P, R]", lru_cache(maxsize=None)(missed))
    # tests put other functions in the place of the one that was decorated
    cached.__wrapped__ = function
    forget = cached.cache_clear

    def cache_clear() -> None:
        noted.clear()
        forget()

    cached.cache_clear = cache_clear  # type: ignore[method-assign]
    _ACCOUNT.caches.append(cached)
    _ACCOUNT.noted.append(noted)
    return cached


def held() -> int:
    """Bytes that the caches hold, roughly."""
    return _ACCOUNT.held()


def trim(limit: int = LIMIT) -> None:
    """Empty the caches if they hold more; called between two questions."""
    # zero where the system does not tell; the most that the process ever had is known without reading a file
    if 0 < peak() <= limit or 0 < resident() <= limit:
        return
    if _ACCOUNT.held() > limit:
        _ACCOUNT.clear()
