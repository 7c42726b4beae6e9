"""Every error that is raised on purpose: each a failure of meaning, with the facts and a next step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class PdoBasisError(Exception):
    """The root: bad input, never a bug. The command line prints it and exits with ``exit_code``."""

    exit_code = 2

    def __reduce__(self) -> tuple[object, ...]:
        """By message and facts: Python would call the class with the message alone, which breaks pools of processes."""
        return _again, (type(self), self.args, self.__dict__)


def _again(
    kind: type[PdoBasisError], args: tuple[object, ...], facts: dict[str, object]
) -> PdoBasisError:
    # Without __init__, which takes facts and makes the message of them.
    found = kind.__new__(kind, *args)
    found.__dict__.update(facts)
    return found


class SpecError(PdoBasisError, ValueError):
    """A text (group, representation, number, file) does not say anything we can build."""


class UnknownNameError(SpecError):
    """A name that is not in a catalogue; the nearest known ones are offered."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], hint: str = ""
    ) -> None:
        from difflib import get_close_matches

        near = get_close_matches(name, list(known), n=3, cutoff=0.5)
        guess = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(
            f"unknown {kind} {_cut(name)!r}{guess}{' ' + hint if hint else ''}"
        )


def _cut(text: str) -> str:
    """Enough of a text to know it again."""
    if len(text) <= 120:
        return text
    return text[:117] + "..."


class WrongTypeError(SpecError, TypeError):
    """A value of a type that means nothing here; says what would."""

    def __init__(self, name: str, expected: str, value: object) -> None:
        super().__init__(f"{name} is {expected}, got {_cut(repr(value))}")


def require_type(
    value: object, kinds: type | tuple[type, ...], name: str, expected: str
) -> None:
    """Refuse a value where it arrives.

    >>> require_type(3, str, "group", "a name such as D8")
    Traceback (most recent call last):
    pdobasis.errors.WrongTypeError: group is a name such as D8, got 3
    """
    if not isinstance(value, kinds):
        raise WrongTypeError(name, expected, value)


class ParseError(SpecError):
    """A text that does not follow its grammar; says what was expected and points at the place."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(
            f"cannot read {_cut(text)!r} at character {position + 1}: expected {expected}"
        )


class GroupError(SpecError):
    """Matrices that do not make a group we can work with (singular, not closing, wrong size)."""


class RepresentationError(SpecError):
    """Matrices that are not a representation of the group, or a construction that the group lacks."""


class SizeError(PdoBasisError, ValueError):
    """A question whose answer would not fit: refused before any work, with the estimate."""


class BudgetError(PdoBasisError):
    """Work that was ended because its time or memory was used up; ``stage`` is what was being done."""

    def __init__(self, message: str, stage: str) -> None:
        super().__init__(message)
        self.stage = stage


class OutOfMemoryError(BudgetError):
    """The system had no more memory to give."""

    def __init__(self, stage: str) -> None:
        super().__init__(
            f"out of memory while {stage}: ask for a lower order or smaller representations",
            stage,
        )


class FileFormatError(PdoBasisError, ValueError):
    """A file that is truncated, altered, foreign, or too large to be one of ours."""


class MissingExtraError(PdoBasisError, ImportError):
    """An optional package that is not installed; says how to get it."""

    def __init__(self, package: str, extra: str, what: str) -> None:
        super().__init__(
            f"{what} needs the package {package}: pip install 'pdobasis[{extra}]'"
        )


class ExactnessError(PdoBasisError, ArithmeticError):
    """Exact reconstruction failed; raised instead of returning anything unproved."""

    exit_code = 1


class ProofError(PdoBasisError):
    """A certificate could not be completed: some claim about the basis is not true."""

    exit_code = 1


def listed(items: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["npz", "json", "pt"])
    'npz, json or pt'
    """
    *others, last = items
    if not others:
        return last
    return f"{', '.join(others)} or {last}"
