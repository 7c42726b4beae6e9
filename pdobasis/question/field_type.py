"""Field types: direct sums of representations, in the order of the channels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain, repeat
from typing import overload

from pdobasis.errors import RepresentationError, SizeError, SpecError
from pdobasis.groups.group import Group
from pdobasis.representations.decomposition import decompose
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

Terms = tuple[tuple[Representation, int], ...]
MAX_CHANNELS = 1_000_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FieldType:
    """A direct sum: (representation, how often) in the order of the channels.

    Invariants: there is at least one term, all of one group, each at least once. Sums of the same fields in the same
    order are equal, however they are written: ``regular + regular`` is ``2xregular``.

    >>> from pdobasis import field_type, group
    >>> two = field_type("regular + vector", group("C4"))
    >>> (2 * two).spec, len(2 * two), (2 * two)[1:3].spec, two.slices
    ('regular + vector + regular + vector', 4, 'vector + regular', (slice(0, 4, None), slice(4, 6, None)))

    Attributes
    ----------
    terms : tuple of (Representation, int)
        Neighbours that are equal stand together.
    """

    terms: Terms
    _distinct: tuple[Representation, ...] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not self.terms or any(n < 1 for _, n in self.terms):
            raise SpecError(
                "a field type has at least one field: write for example trivial, vector or 2xregular"
            )
        if self.size > MAX_CHANNELS:
            raise SizeError(
                f"the field type has {self.size} channels, beyond the limit of {MAX_CHANNELS}"
            )
        for rep, _ in self.terms:
            if rep.group != self.group:
                raise RepresentationError(
                    f"a field type has one group: {self.terms[0][0].spec} belongs to {self.group.name}, "
                    f"{rep.spec} to {rep.group.name}"
                )

    @classmethod
    def of(cls, fields: Iterable[Representation]) -> FieldType:
        """One field after the other.

        Parameters
        ----------
        fields : iterable of Representation
            In the order of the channels.

        Returns
        -------
        FieldType
            Their sum.

        Raises
        ------
        SpecError
            There are none, or they are of different groups.

        Examples
        --------
        >>> from pdobasis import FieldType, field_type
        >>> vector, = field_type("vector", "C4")
        >>> FieldType.of([vector, vector])
        field_type('2xvector', group('C4'))
        """
        return cls(_runs((rep, 1) for rep in fields))

    @property
    def group(self) -> Group:
        """The group whose representations these are."""
        return self.terms[0][0].group

    @property
    def spec(self) -> str:
        """The text that parses back, as long as no term is one's own."""
        return " + ".join(counted(rep.spec, n) for rep, n in self.terms)

    @property
    def own(self) -> bool:
        """Whether some representation is given by matrices, and the text is not enough."""
        return any(rep.own for rep, _ in self.terms)

    @property
    def size(self) -> int:
        """The number of channels."""
        return sum(rep.size * n for rep, n in self.terms)

    @property
    def distinct(self) -> tuple[Representation, ...]:
        """The different representations, in order of appearance."""
        # asked dozens of times a question, and every time all representations would be compared
        if self._distinct is None:
            found = tuple(dict.fromkeys(rep for rep, _ in self.terms))
            object.__setattr__(self, "_distinct", found)
            return found
        return self._distinct

    @property
    def slices(self) -> tuple[slice, ...]:
        """The channels of every field."""
        out = []
        at = 0
        for rep in self:
            out.append(slice(at, at + rep.size))
            at += rep.size
        return tuple(out)

    @property
    def irreps(self) -> dict[str, int]:
        """The multiplicity of every irrep that occurs.

        >>> from pdobasis import field_type, group
        >>> field_type("2xregular + vector", group("D4")).irreps
        {'irrep(0,0)': 2, 'irrep(1,0)': 2, 'irrep(1,1)': 5, 'irrep(0,2)': 2, 'irrep(1,2)': 2}
        """
        out: dict[str, int] = {}
        for rep, n in self.terms:
            for name, multiplicity in decompose(rep):
                out[name] = out.get(name, 0) + n * multiplicity
        return out

    def copies(self, rep: Representation) -> int:
        """How often a representation occurs.

        Parameters
        ----------
        rep : Representation
            What is counted.

        Returns
        -------
        int
            0, if it does not occur.

        Examples
        --------
        >>> from pdobasis import field_type
        >>> fields = field_type("vector + trivial + vector", "C4")
        >>> fields.copies(fields[0])
        2
        """
        return sum(n for term, n in self.terms if term == rep)

    def offsets(self, rep: Representation) -> list[int]:
        """The first channel of every copy of a representation.

        Parameters
        ----------
        rep : Representation
            What is looked for.

        Returns
        -------
        list of int
            Channels, from 0.

        Examples
        --------
        >>> from pdobasis import field_type
        >>> fields = field_type("vector + trivial + vector", "C4")
        >>> fields.offsets(fields[0])
        [0, 3]
        """
        out: list[int] = []
        at = 0
        for term, n in self.terms:
            if term == rep:
                out.extend(at + k * term.size for k in range(n))
            at += term.size * n
        return out

    def __len__(self) -> int:
        """The number of fields."""
        return sum(n for _, n in self.terms)

    def __iter__(self) -> Iterator[Representation]:
        """The fields, one by one."""
        return chain.from_iterable(repeat(rep, n) for rep, n in self.terms)

    @overload
    def __getitem__(self, index: int) -> Representation: ...

    @overload
    def __getitem__(self, index: slice) -> FieldType: ...

    def __getitem__(self, index: int | slice) -> Representation | FieldType:
        """A field, or the sum of some of them."""
        fields = list(self)
        # an empty slice is refused: a field type has at least one field
        if isinstance(index, slice):
            return FieldType.of(fields[index])
        return fields[index]

    def __add__(self, other: FieldType) -> FieldType:
        if not isinstance(other, FieldType):
            return NotImplemented
        return FieldType((*self.terms, *other.terms))

    def __mul__(self, count: int) -> FieldType:
        """The whole sum so many times."""
        # true is an int, and not meant
        if isinstance(count, bool) or not isinstance(count, int):
            return NotImplemented
        # 3 * (2xvector) is 6xvector; longer sums are repeated
        if len(self.terms) == 1:
            ((rep, n),) = self.terms
            return FieldType(((rep, n * count),))
        return FieldType(self.terms * count)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldType):
            return NotImplemented
        return self is other or _runs(self.terms) == _runs(other.terms)

    def __hash__(self) -> int:
        return hash(_runs(self.terms))

    def __str__(self) -> str:
        return self.spec

    def _repr_html_(self) -> str:
        from pdobasis.notebook.groups import field_type_html

        return field_type_html(self)

    def __repr__(self) -> str:
        """What makes it again, where its text does."""
        if self.own:
            return f"<FieldType {self.spec} of {self.group.name}, size {self.size}>"
        return f"field_type({self.spec!r}, {self.group!r})"


def counted(spec: str, times: int) -> str:
    """
    >>> counted("vector", 1), counted("vector", 3)
    ('vector', '3xvector')
    """
    if times == 1:
        return spec
    return f"{times}x{spec}"


def _runs(terms: Iterable[tuple[Representation, int]]) -> Terms:
    """Equal neighbours counted together."""
    out: list[tuple[Representation, int]] = []
    for rep, n in terms:
        if out and out[-1][0] == rep:
            # the first one stays: it may be written in another way
            first, times = out[-1]
            out[-1] = (first, times + n)
        else:
            out.append((rep, n))
    return tuple(out)
