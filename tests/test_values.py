"""Frozen classes are what the standard library's dataclasses are, made sooner."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from abc import ABC, abstractmethod
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import pytest

from pdobasis.values import FEW, dataclass


class Plain:
    """What every pair of classes below says."""

    x: int
    y: tuple[int, ...] = (1, 2)
    kind: ClassVar[str] = "a"
    made: list[int] = field(default_factory=list, compare=False)
    hidden: int = field(default=7, repr=False, hash=False)
    later: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("negative")
        object.__setattr__(self, "later", self.x + 1)


def both(**options: Any) -> tuple[Any, Any]:
    """The same body by the standard decorator and by ours."""
    body = {k: v for k, v in vars(Plain).items() if k not in ("__dict__", "__weakref__")}

    def fresh() -> type:
        return type("Pair", (), body | {n: copy.copy(v) for n, v in body.items()})

    return dataclasses.dataclass(**options)(fresh()), dataclass(**options)(fresh())


OPTIONS = [
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "repr": False},
    {"frozen": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"slots": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_signature_fields_and_documentation_are_those_of_a_dataclass(options: Any) -> None:
    theirs, ours = both(**options)
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert ours.__init__.__annotations__ == theirs.__init__.__annotations__
    assert ours.__match_args__ == theirs.__match_args__
    assert dataclasses.is_dataclass(ours)

    def told(cls: Any) -> list[tuple[Any, ...]]:
        names = ("name", "type", "default", "init", "repr", "hash", "compare", "kw_only")
        return [tuple(getattr(f, n) for n in names) for f in dataclasses.fields(cls)]

    assert told(ours) == told(theirs)
    assert hasattr(ours, "__slots__") == hasattr(theirs, "__slots__")
    assert getattr(ours, "__slots__", ()) == getattr(theirs, "__slots__", ())
    assert ours.__doc__ == theirs.__doc__


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values_behave_as_those_of_a_dataclass(options: Any) -> None:
    theirs, ours = both(**options)
    for arguments in ((1,), (1, (3,)), (1, (3,), [4], 5)):
        a, b = theirs(*arguments), ours(*arguments)
        assert dataclasses.astuple(a) == dataclasses.astuple(b)
        if options.get("repr", True):
            assert repr(a) == repr(b)
        if options.get("eq", True):
            assert (b == ours(*arguments), b == ours(9), b == a) == (True, False, False)
            assert b == ours(arguments[0], *arguments[1:2], made=[0], hidden=b.hidden)
        if options.get("order"):
            assert (b < ours(2), b <= b, b > ours(0), b >= ours(2)) == (True, True, True, False)
            with pytest.raises(TypeError):
                b < a  # noqa: B015
        if options.get("frozen"):
            if options.get("eq", True):
                assert hash(a) == hash(b)
            with pytest.raises(dataclasses.FrozenInstanceError, match="field 'x'"):
                b.x = 2
            with pytest.raises(dataclasses.FrozenInstanceError, match="field 'x'"):
                del b.x
        assert dataclasses.replace(b, x=5).later == 6
    assert ours(1).made is not ours(1).made
    for wrong in ((), (1, 2, 3, 4, 5)):
        with pytest.raises(TypeError):
            ours(*wrong)
    with pytest.raises(ValueError, match="negative"):
        ours(x=-1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_first_values_are_made_as_the_later_ones(options: Any) -> None:
    """Without a function of their own, until there are enough of them."""
    theirs, ours = both(**options)
    for _ in range(FEW + 3):
        for given, named in (((1,), {}), ((2, (3,)), {"hidden": 4}), ((), {"made": [5], "x": 6})):
            assert dataclasses.astuple(ours(*given, **named)) == dataclasses.astuple(theirs(*given, **named))
            assert getattr(ours(*given, **named), "__dict__", None) == getattr(
                theirs(*given, **named), "__dict__", None
            )


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3, 4, 5), {}), ((1,), {"x": 1}), ((1,), {"z": 1}),
                                          ((1,), {"later": 1})])  # fmt: skip
def test_arguments_that_do_not_fit_are_refused_in_the_same_words(given: Any, named: Any) -> None:
    texts = []
    for cls in both(frozen=True, slots=True):
        with pytest.raises(TypeError) as said:
            cls(*given, **named)
        texts.append(str(said.value).replace("__main__.", ""))
    assert texts[0] == texts[1]


def test_a_function_is_written_for_a_class_with_many_values_or_when_asked_for() -> None:
    _, ours = both(frozen=True, slots=True)
    _, asked = both(frozen=True, slots=True)
    for _ in range(FEW):
        ours(1)
    assert not inspect.isfunction(vars(ours)["__init__"])
    ours(1)
    assert inspect.isfunction(vars(ours)["__init__"])
    assert inspect.isfunction(asked.__init__)
    assert asked.__init__.__code__.co_varnames == ("self", "x", "y", "made", "hidden")
    assert (asked.__init__.__defaults__ or ())[0] == (1, 2)


@dataclass(frozen=True, slots=True)
class Base:
    """Of a module, so that pickle finds it."""

    a: int
    b: str = "b"


@dataclass(frozen=True, slots=True)
class Derived(Base):
    c: int = 3

    @property
    def sum(self) -> int:
        return self.a + self.c


@dataclass(frozen=True, slots=True)
class Own:
    """What a class says itself stays."""

    a: int

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "a", len(text))

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 4


def test_inheritance_pickle_and_matching() -> None:
    value = Derived(1, c=5)
    assert list(Derived.__slots__) == ["c"]
    assert (value.sum, str(value)) == (6, "Derived(a=1, b='b', c=5)")
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301
    assert copy.deepcopy(value) == value
    assert value != Base(1)
    match value:
        case Derived(a, b, c):
            assert (a, b, c) == (1, "b", 5)
    assert Derived.__init__ is Derived.__init__
    assert Base.__doc__ == "Of a module, so that pickle finds it."
    assert (repr(Own("abc")), Own("abc").a, hash(Own("a"))) == ("own", 3, 4)
    assert Own("a") == Own("bc")


def test_a_plain_subclass_may_have_attributes_of_its_own() -> None:
    class Loose(Base):
        pass

    loose = Loose(1)
    loose.extra = 2  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        loose.a = 2  # type: ignore[misc]


def test_abstract_methods_and_cached_properties() -> None:
    class Shape(ABC):
        @abstractmethod
        def area(self) -> int: ...

    @dataclass(frozen=True, slots=True)
    class Square(Shape):
        side: int

        def area(self) -> int:
            return self.side**2

    @dataclass(frozen=True)
    class Kept:
        side: int

        @cached_property
        def area(self) -> int:
            return self.side**2

    assert (Square(3).area(), Kept(3).area) == (9, 9)
    with pytest.raises(TypeError):

        @dataclass(frozen=True, slots=True)
        class Wrong:
            a: int = 1
            b: int  # type: ignore[misc]

    with pytest.raises(ValueError, match="mutable default"):

        @dataclass(frozen=True, slots=True)
        class Shared:
            a: list[int] = []  # noqa: RUF012


def test_most_classes_of_the_way_of_a_question_are_made_here() -> None:
    """Otherwise the time that this module saves would come back unseen."""
    from pdobasis.groups.group import Group
    from pdobasis.operators.symbols import Symbols
    from pdobasis.values import _Params

    for cls in (Group, Symbols):
        assert isinstance(vars(cls)["__dataclass_params__"], _Params)
