"""Frozen classes of fields: what :func:`dataclasses.dataclass` makes, made in a tenth of the time.

The standard decorator writes six methods of every class as text and compiles them, half a millisecond a class, which
for the values of this package was a quarter of a short command. Here the methods that can be shared are closures, and
``__init__`` is written when it is asked for, or when the class has had a few values. The classes are dataclasses to
everybody: ``fields``, ``replace``, ``asdict``, pickle, ``match`` and type checkers see no difference. What is asked for
seldom (classes that are not frozen, ``InitVar``, keyword-only fields) is left to the standard library.
"""

from __future__ import annotations

import abc
import dataclasses
import sys
from collections.abc import Callable
from functools import partial
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        *, frozen=False, slots=False, eq=True, repr=True, order=False, **others
    ):
        """As :func:`dataclasses.dataclass`, for frozen classes in a tenth of the time.

        >>> @dataclass(frozen=True, slots=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, 0), dataclasses.replace(Point(1), y=2)
        (Point(x=1, y=0), True, Point(x=1, y=2))
        """

        def made(cls):
            if frozen and not others and _is_plain(cls):
                return _frozen(cls, slots, eq, repr, order)
            return dataclasses.dataclass(
                cls,
                frozen=frozen,
                slots=slots,
                eq=eq,
                repr=repr,
                order=order,
                **others,
            )

        return made


__all__ = ["dataclass"]

_FIELDS = "__dataclass_fields__"


class _Factory:
    """The default of an argument whose value a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


class _Params:
    """What :mod:`dataclasses` asks of a base class."""

    init, unsafe_hash, frozen = True, False, True
    match_args, kw_only, weakref_slot = True, False, False

    def __init__(self, slots: bool, eq: bool, repr: bool, order: bool) -> None:
        self.slots, self.eq, self.repr, self.order = slots, eq, repr, order


def _is_plain(cls: type) -> bool:
    """Whether there is nothing in the class that only the standard decorator knows (or refuses)."""
    if sys.version_info >= (3, 14):
        # annotations are made in another way there (PEP 649), which nobody has tried with this
        return False
    own = cls.__dict__
    if "__slots__" in own or "__setattr__" in own or "__delattr__" in own:
        return False
    for base in cls.__mro__[1:]:
        params = base.__dict__.get("__dataclass_params__")
        if params is not None and not params.frozen:
            return False
    for name, text in _annotations(cls).items():
        if not isinstance(text, str) or "InitVar" in text or "KW_ONLY" in text:
            return False
        default = own.get(name)
        if isinstance(default, dataclasses.Field):
            if default.kw_only is True:
                return False
        elif type(default).__hash__ is None:
            # a list that all instances would share
            return False
    return True


def _annotations(cls: type) -> dict[str, Any]:
    """Its own, not those of a base."""
    # inspect is slow to load
    found: dict[str, Any] = cls.__dict__.get("__annotations__", {})  # noqa: RUF063
    return found


def _frozen(cls: type, slots: bool, eq: bool, repr: bool, order: bool) -> type:
    fields = _fields(cls)
    _require_defaults_last(cls, fields)
    made: dict[str, Any] = {
        _FIELDS: fields,
        "__dataclass_params__": _Params(slots, eq, repr, order),
        "__match_args__": tuple(f.name for f in fields.values() if f.init),
    }
    if repr:
        made["__repr__"] = _repr([f.name for f in fields.values() if f.repr])
    if eq:
        made["__eq__"] = _eq([f.name for f in fields.values() if f.compare])
        if _is_hashed_by_fields(cls):
            made["__hash__"] = _hash([f.name for f in fields.values() if _counts(f)])
    if order:
        made |= _orders([f.name for f in fields.values() if f.compare])
    for name, method in made.items():
        # what the class says itself stays
        if name in (_FIELDS, "__dataclass_params__", "__hash__") or (
            name not in cls.__dict__
        ):
            if callable(method):
                method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    if cls.__doc__ is None:
        cls.__doc__ = f"{cls.__name__}({', '.join(map(_argument, _arguments(fields)))})"
    if slots:
        cls = _with_slots(cls, fields)
    _forbid_assignments(cls, frozenset(fields))
    if "__init__" not in cls.__dict__:
        cls.__init__ = _Init(cls, slots)  # type: ignore[misc]
    abc.update_abstractmethods(cls)
    return cls


def _fields(cls: type) -> dict[str, Any]:
    """Those of the bases, then its own; as the standard library keeps them."""
    fields: dict[str, Any] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= base.__dict__.get(_FIELDS, {})
    for name, text in _annotations(cls).items():
        if text.startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = cls.__dict__.get(name, dataclasses.MISSING)
        if isinstance(default, dataclasses.Field):
            field: Any = default
            if field.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        else:
            field = dataclasses.field(default=default)
        field.name, field.type, field.kw_only = name, text, False
        field._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        fields[name] = field
    return fields


def _require_defaults_last(cls: type, fields: dict[str, Any]) -> None:
    has_default = ""
    for field in _arguments(fields):
        if _has_default(field):
            has_default = field.name
        elif has_default:
            raise TypeError(
                f"{cls.__name__}: {field.name} without a default follows {has_default}"
            )


def _arguments(fields: dict[str, Any]) -> list[Any]:
    return [field for field in fields.values() if field.init]


def _has_default(field: Any) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _argument(field: Any) -> str:
    text = f"{field.name}: {field.type!r}"
    if field.default is not dataclasses.MISSING:
        return f"{text} = {field.default!r}"
    if field.default_factory is not dataclasses.MISSING:
        return f"{text} = <factory>"
    return text


def _counts(field: Any) -> bool:
    """Whether it is part of the hash."""
    if field.hash is None:
        return bool(field.compare)
    return bool(field.hash)


def _is_hashed_by_fields(cls: type) -> bool:
    """Unless the class has a hash of its own; Python writes None where it has only an ``__eq__``."""
    if "__hash__" not in cls.__dict__:
        return True
    return cls.__dict__["__hash__"] is None and "__eq__" in cls.__dict__


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """All of them as a tuple, read in C."""
    if not names:
        return lambda self: ()
    if len(names) == 1:
        one = attrgetter(names[0])
        return lambda self: (one(self),)
    return attrgetter(*names)


def _repr(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({inside})"

    return __repr__


def _eq(names: list[str]) -> Callable[[Any, object], bool]:
    values = _values(names)

    def __eq__(self: Any, other: object) -> bool:
        if type(other) is type(self):
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _orders(names: list[str]) -> dict[str, Callable[[Any, object], Any]]:
    """Compared as the tuples of their fields are."""
    values = _values(names)

    def method(compare: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
        def compared(self: Any, other: object) -> Any:
            if type(other) is type(self):
                return compare(values(self), values(other))
            return NotImplemented

        return compared

    return {f"__{c.__name__}__": method(c) for c in (lt, le, gt, ge)}


def _hash(names: list[str]) -> Callable[[Any], int]:
    values = _values(names)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _with_slots(cls: type, fields: dict[str, Any]) -> type:
    """The same class again: slots can only be given when a class is made."""
    inherited = {
        name
        for base in cls.__mro__[1:-1]
        for name in base.__dict__.get("__slots__", ())
    }
    body = {name: value for name, value in cls.__dict__.items() if name not in fields}
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body["__slots__"] = tuple(name for name in fields if name not in inherited)
    body.setdefault("__getstate__", _get_state)
    body.setdefault("__setstate__", _set_state)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=False):
        object.__setattr__(self, name, value)


def _forbid_assignments(cls: Any, names: frozenset[str]) -> None:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
        setattr(cls, method.__name__, method)


FEW = 16
"""Values of a class that are made without a function of its own: to write one takes as long."""


class _Init:
    """``__init__`` before it is worth writing: whoever asks for it gets the real one, which then stands in its place.

    Most classes of a short command have but a few values, which are made field by field.
    """

    __slots__ = ("cls", "made", "slots")

    def __init__(self, cls: type, slots: bool) -> None:
        self.cls, self.slots = cls, slots
        self.made = 0

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is not None and self.made < FEW:
            self.made += 1
            return partial(self._make, instance)
        init: Any = self._written()
        if instance is None:
            return init
        return init.__get__(instance, owner)

    def _written(self) -> Any:
        init: Any = _written_init(self.cls, self.slots)
        self.cls.__init__ = init  # type: ignore[misc]
        return init

    def _make(self, instance: Any, /, *args: Any, **named: Any) -> None:
        """What the function would do; where arguments do not fit it is written, and says why."""
        values = self._values(args, named)
        if values is None:
            self._written()(instance, *args, **named)
            return
        for name, value in values.items():
            object.__setattr__(instance, name, value)
        if hasattr(self.cls, "__post_init__"):
            instance.__post_init__()

    def _values(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Of the fields by their names; None where an argument is missing, unknown or given twice."""
        fields: dict[str, Any] = getattr(self.cls, _FIELDS)
        arguments = [name for name, field in fields.items() if field.init]
        given = dict(zip(arguments, args, strict=False)) | named
        if len(given) < len(args) + len(named):
            return None
        values = {}
        for name, field in fields.items():
            kind = _kind(field, self.slots)
            if field.init and name in given:
                values[name] = given.pop(name)
            elif kind in (_ARGUMENT_OR_MADE, _MADE):
                values[name] = field.default_factory()
            elif kind and field.default is dataclasses.MISSING:
                return None
            elif kind:
                values[name] = field.default
        return None if given else values


def _written_init(cls: type, slots: bool) -> Callable[..., None]:
    """A function of its own, so that arguments have their names and defaults.

    What it does depends on the kinds of the fields alone, which many classes share: it is compiled once for each row of
    kinds with numbers for names, in whose place the names of the fields are put.
    """
    fields = list(getattr(cls, _FIELDS).values())
    kept = [(field, kind) for field in fields if (kind := _kind(field, slots))]
    template = _template(
        "".join(kind for _, kind in kept), hasattr(cls, "__post_init__")
    )
    names: dict[Any, Any] = {}
    known: dict[str, Any] = {"_object": object, "_factory": _FACTORY}
    for number, (field, kind) in enumerate(kept):
        names[f"_{number}"] = field.name
        known[f"_given_{number}"] = field.default_factory
        if kind == _SET:
            known[f"_given_{number}"] = field.default
    code = template.replace(
        co_varnames=tuple(names.get(name, name) for name in template.co_varnames),
        co_consts=tuple(names.get(const, const) for const in template.co_consts),
    )
    module = sys.modules.get(cls.__module__)
    init: Any = FunctionType(
        code,
        vars(module) if module else {},
        argdefs=tuple(_default(f) for f in fields if f.init and _has_default(f)),
        closure=tuple(CellType(known[name]) for name in code.co_freevars),
    )
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {f.name: f.type for f in fields if f.init} | {"return": None}
    written: Callable[..., None] = init
    return written


_ARGUMENT, _ARGUMENT_OR_MADE, _MADE, _SET = "aomd"
"""Where the value of a field is from: the caller, the caller or a factory, always a factory, always the default."""


def _kind(field: Any, slots: bool) -> str:
    """Empty where there is nothing to set, or the class has it."""
    if field.default_factory is not dataclasses.MISSING:
        return _ARGUMENT_OR_MADE if field.init else _MADE
    if field.init:
        return _ARGUMENT
    if field.default is not dataclasses.MISSING and slots:
        return _SET
    return ""


def _default(field: Any) -> Any:
    """Of an argument that has one."""
    if field.default_factory is not dataclasses.MISSING:
        return _FACTORY
    return field.default


_TEMPLATES: dict[tuple[str, bool], CodeType] = {}
"""One for each row of kinds that there is: no more than there are classes."""


def _template(kinds: str, has_post_init: bool) -> CodeType:
    """The code of an ``__init__`` whose fields are called _0, _1, …"""
    known = _TEMPLATES.get((kinds, has_post_init))
    if known is None:
        known = _TEMPLATES[kinds, has_post_init] = _compiled(kinds, has_post_init)
    return known


def _compiled(kinds: str, has_post_init: bool) -> CodeType:
    arguments, lines = ["self"], []
    for number, kind in enumerate(kinds):
        name, given = f"_{number}", f"_given_{number}"
        value = {
            _ARGUMENT: name,
            _ARGUMENT_OR_MADE: f"{given}() if {name} is _factory else {name}",
            _MADE: f"{given}()",
            _SET: given,
        }[kind]
        if kind in (_ARGUMENT, _ARGUMENT_OR_MADE):
            arguments.append(name)
        # in the words of the standard library, which torch.compile knows
        lines.append(f"  _object.__setattr__(self, {name!r}, {value})")
    if has_post_init:
        lines.append("  self.__post_init__()")
    known = ["_object", "_factory", *(f"_given_{n}" for n in range(len(kinds)))]
    head = f"def __make__({', '.join(known)}):\n def __init__({', '.join(arguments)}):"
    text = "\n".join([head, *(lines or ["  pass"]), " return __init__"])
    namespace: dict[str, Any] = {}
    # the text is made of numbers and nothing else
    exec(text, {}, namespace)  # noqa: S102
    code: CodeType = namespace["__make__"](*known).__code__
    return code
