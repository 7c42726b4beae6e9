"""The question: which PDOs map one field type to another?"""

from __future__ import annotations

import dataclasses
from functools import reduce

from pdobasis.errors import RepresentationError, SizeError, SpecError, require_type
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group
from pdobasis.question.cost import estimate
from pdobasis.question.field_type import FieldType
from pdobasis.question.truncating import require_defined
from pdobasis.question.truncation import Truncation
from pdobasis.values import dataclass

DEFAULT_MAX_UNKNOWNS = 5_000_000
MAX_ORDER = 64


@dataclass(frozen=True, slots=True)
class Problem:
    """All PDOs from ``in_type`` to ``out_type`` of order at most ``order``.

    ``partial_order`` limits the order in each variable too. With ``kernel`` the question is about the angular parts
    of convolution kernels: harmonic polynomials, to be read as functions of x/|x|. A ``truncation`` asks for a subspace
    of the solutions that has a name.

    Invariants: both field types are of the group; the truncation is defined for them.

    Parameters
    ----------
    group : Group
        G.
    in_type, out_type : FieldType
        Of this group.
    order : int
        The highest order.
    partial_order : int, optional
        The highest order in each variable.
    kernel : bool
        Whether angular parts of kernels are meant.
    truncation : Truncation, optional
        A subspace with a name.

    Examples
    --------
    >>> from pdobasis import Problem, field_type, group, solve_problem
    >>> g = group("SO(2)")
    >>> problem = Problem(g, field_type("vector", g), field_type("trivial", g), 1)
    >>> solve_problem(problem).dimension
    2
    """

    group: Group
    in_type: FieldType
    out_type: FieldType
    order: int
    partial_order: int | None = None
    kernel: bool = False
    truncation: Truncation | None = None
    _field: Field | None = dataclasses.field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if isinstance(self.order, bool) or not isinstance(self.order, int):
            raise SpecError(f"the order is a whole number, got {self.order!r:.40}")
        for what in (self.in_type, self.out_type):
            if not isinstance(what, FieldType):
                raise SpecError(
                    f"a question needs field types, as field_type('vector', group) makes them, got {what!r:.60}"
                )
        require_type(self.group, Group, "group", "a Group, as group('D8') makes it")
        if self.truncation is not None:
            require_type(self.truncation, Truncation, "truncation", "a Truncation")
        for fields in (self.in_type, self.out_type):
            # the same matrices are enough, whatever the groups are called
            if fields.group != self.group:
                raise RepresentationError(
                    f"the field type {fields} belongs to {fields.group.name}, the question to {self.group.name}"
                )
        require_defined(self)

    def __str__(self) -> str:
        """The question in one line."""
        from pdobasis.answer.told import question_text

        return question_text(self)

    def _repr_html_(self) -> str:
        from pdobasis.notebook.groups import problem_html

        return problem_html(self)

    @property
    def field(self) -> Field:
        """The smallest field that holds the group and both sides."""
        if self._field is None:
            object.__setattr__(self, "_field", self._joined_field())
        return self._field or RATIONALS

    def _joined_field(self) -> Field:
        reps = (*self.in_type.distinct, *self.out_type.distinct)
        own = join(self.group.field, RATIONALS)
        if self.truncation is not None and self.truncation.frame is not None:
            own = join(own, self.truncation.frame.field)
        return reduce(join, (rep.field for rep in reps), own)

    @property
    def unknowns(self) -> int:
        """Coefficients of one block of every kind, over all orders."""
        monomials = sum(count(self.group.dim, n) for n in range(self.order + 1))
        return self._entries * monomials

    @property
    def megabytes(self) -> float:
        """An estimate of the answer: about every |G|-th unknown is free, and a free one fills |G| entries."""
        monomials = [count(self.group.dim, n) for n in range(self.order + 1)]
        numbers = self._entries * sum(k**2 for k in monomials)
        # eight bytes for each rational coordinate of a number
        return numbers * self.field.degree * 8 / 1e6

    @property
    def _entries(self) -> int:
        # copies of a representation have the same blocks, which are found once
        columns = sum(a.size for a in self.in_type.distinct)
        rows = sum(b.size for b in self.out_type.distinct)
        return rows * columns

    def require(self, max_unknowns: int) -> None:
        """Refuse a question that is too large, before any work.

        Parameters
        ----------
        max_unknowns : int
            How many coefficients may be unknown.

        Raises
        ------
        SizeError
            There are more.

        Examples
        --------
        >>> from pdobasis import solve
        >>> problem = solve("C4", "vector", "trivial", order=1).problem
        >>> problem.unknowns, problem.require(100)
        (6, None)
        """
        self.require_unknowns(max_unknowns)
        estimate(self).require("this question", "lower order= or take fewer fields")

    def require_unknowns(self, max_unknowns: int) -> None:
        """Refuse a question by its order and the number of its coefficients alone.

        Parameters
        ----------
        max_unknowns : int
            How many coefficients may be unknown.

        Raises
        ------
        SizeError
            There are more, or the order is below 0 or above 64.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("C4", "vector", "trivial", order=1).problem.require_unknowns(100)
        """
        if self.order < 0 or self.order > MAX_ORDER:
            raise SizeError(
                f"the order has to be from 0 to {MAX_ORDER}, got {self.order}"
            )
        require_type(max_unknowns, int, "max_unknowns", "a whole number")
        if self.unknowns > max_unknowns:
            raise SizeError(
                f"this question has {self.unknowns:,} unknowns (an answer of about {self.megabytes:,.0f} MB), beyond "
                f"the limit of {max_unknowns:,}: lower order=, or lift it with max_unknowns={self.unknowns}"
            )
