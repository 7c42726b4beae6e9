"""Nothing false is certified when a function that both roads use goes wrong: every such function is broken in turn.

Which functions both use is found by watching a solver and the proof at work, over questions of every kind; each is
then broken in generic ways while the same questions are solved and proved. After that there is an exception, a refusal,
or the right answer. What cannot pass is the trusted base, which is listed.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import functools
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Container
from contextlib import suppress
from functools import partial
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import pdobasis.answer.solve as answering
from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.modules.all_orders import all_orders_of
from pdobasis.nonlinear.find import find_terms
from pdobasis.nonlinear.independent import rank
from pdobasis.nonlinear.question import ask_terms
from pdobasis.nonlinear.result import TermBlock
from pdobasis.proof.all_orders import prove_all_orders
from pdobasis.proof.certificate import prove
from pdobasis.proof.spans import same_span
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type

QUESTIONS = [
    ("SO(1,3)", "vector", "vector", 2, "direct"),
    ("Sp(4)", "vector", "vector", 2, "direct"),
    ("SL(2)", "vector", "sym(2, vector)", 1, "direct"),
    ("SO(4)", "vector", "vector", 2, "auto"),
    ("C8", "vector", "irrep(3)", 4, "auto"),
    ("C8", "regular", "vector", 1, "direct"),
    ("C8", "vector", "irrep(2)", 3, "direct"),
    ("D4", "quotient(C2)", "regular", 1, "auto"),
    ("Oh", "vector", "vector", 2, "direct"),
    ("SO(2)", "vector + trivial", "irrep(2) + vector", 2, "auto"),
    ("O(3)", "vector", "vector", 2, "auto"),
    ("O(2)", "vector", "irrep(1,2)", 3, "direct"),
    ("SO(1,3)", "vector", "tensor(vector, vector)", 2, "direct"),  # large enough to be counted generator by generator
    ("Oh", "trivial", "tensor(vector, vector, vector, vector)", 0, "auto"),  # matrices by their non-zeros
    ("SO(3)", "trivial", "tensor(vector, vector, vector, vector)", 0, "direct"),
    ("O(3)", "vector", "sym(2, sym(2, vector))", 1, "auto"),
    ("C37", "tensor(vector, vector)", "irrep(3)", 1, "auto"),  # counted modulo a prime, in a large field
    ("D4", "vector", "vector", 3, "kernel"),
    ("D4", "vector", "trivial", 3, "partial"),
    ("C8", "regular", "irrep(3)", 1, "auto"),
    ("D4", "vector", "vector", 4, "partial"),
    ("SO(1,3)", "vector", "trivial", 2, "partial"),
    ("C8", "vector", "irrep(3)", 4, "max_offset"),
    ("D4", "vector", "vector", 3, "kernel, max_offset"),
    ("D4", "vector", "irrep(1,1) + trivial", 3, "filter"),
    ("SO(3)", "vector", "vector", 3, "filter"),
    ("SO(4)", "vector", "vector", 2, "kernel, filter"),  # counted by a nullity of what is harmonic
    ("D4", "regular", "vector", 2, "frame"),
    ("D4", "vector", "quotient(C4)", 2, "frame"),
    ("C4", "regular", "trivial", 2, "turned frame"),
    ("SO(2)", "vector", "vector", 11, "auto"),  # on a grid and on the circle, modulo primes
    ("O(3)", "trivial", "vector", 11, "auto"),
    ("C8", "vector", "irrep(3)", 12, "auto"),  # at all places of primes that split
    ("D4", "2xvector + 3xregular", "vector + trivial", 2, "auto"),
    ("D4", "trivial", "vector", 0, "all orders"),
    ("C3", "vector", "vector", 0, "all orders"),
    ("O(3)", "vector", "vector", 0, "all orders"),
    ("SL(2)", "vector", "sym(2, vector)", 0, "all orders"),
    ("SO(1,3)", "vector", "vector", 0, "all orders"),
    ("D4", "vector", "vector", 2, "terms"),
    ("C4", "regular", "trivial", 2, "terms"),
    ("C3", "vector", "vector", 2, "terms"),
    ("O(2)", "vector", "vector", 2, "terms"),
    ("SO(3)", "vector", "vector", 2, "terms"),
    ("SO(1,3)", "vector", "trivial", 2, "terms"),
    ("SL(2)", "vector", "vector", 2, "terms"),
]
AS_IF_LARGE = [
    (("weights", "LARGE", 0), ("O(3)", "vector", "vector", 2, "auto")),  # parities on the vectors that an axis fixes
    (("weights", "LARGE", 0), ("O(3)", "vector", "sym(2, sym(2, vector))", 1, "auto")),
    (
        ("angle", "MANY", -1),
        ("SO(2)", "vector + trivial", "irrep(2) + vector", 2, "auto"),
    ),  # every angle by its derivative
    (("angle", "MANY", -1), ("O(2)", "vector", "irrep(1,2)", 3, "direct")),
    (("independent", "FEW", 0), ("C8", "vector", "irrep(3)", 4, "auto")),  # ranks of parts side by side
    (("independent", "FEW", 0), ("Oh", "vector", "vector", 4, "auto")),
]
"""A constant of the proof, and a small question that goes the road of large ones with it."""
SAMPLE = [QUESTIONS[k] for k in (0, 3, 4, 9)]
OPTIONS: dict[str, dict[str, Any]] = {
    "kernel": {"kernel": True},
    "partial": {"partial_order": 2},
    "max_offset": {"max_offset": 0},
    "filter": {"basis_filter": lambda order, angular, power: power != 1},
    "frame": {"frame_order": 1},
    "turned frame": {"frame_order": 1, "frame_angle": "pi/8"},
}
SHARE = 0.1
"""Of all breaks, in the default run."""
SECONDS = 1.0
"""Of the processor. An answer takes a few hundredths of one; a broken function may make a loop endless."""
PATIENCE = 60.0
"""Seconds of the clock, for what waits without working."""
WRONG = 7
"""The exit code of a process in which something false was certified."""

SHARED = (
    "bounds.", "exact.arithmetic", "exact.array", "exact.cosines", "exact.division", "exact.field", "exact.integers",
    "exact.matrices", "exact.numbers", "exact.products", "exact.roots", "exact.scattered", "exact.terms",
    "groups.closure", "groups.group", "groups.infinite", "groups.matrices", "question.field_type", "question.frames",
    "question.problem", "question.truncation", "representations.representation", "values.",
)  # fmt: skip
"""Where all shared functions live: numbers, groups and representations, the question, what work may cost, and when two
values are equal.
"""
OF_FRAMES = ("exact.echelon", "exact.polynomials", "exact.primes")
"""What ``question.frames`` asks besides, to say which side has a frame and whether its limit is kept: a part of the
question. All of these are broken with the others, and nothing false is certified."""
TRUSTED: dict[str, str] = {}
"""The functions that are believed, and why."""
Question = tuple[str, str, str, int, str]


class Broken(Exception):
    """The proof is about to start."""


# Which functions both roads reach.


def _clear() -> None:
    for thing in gc.get_objects():
        if type(thing) is functools._lru_cache_wrapper and _is_ours(thing.__module__):
            thing.cache_clear()


def _is_ours(module: str | None) -> bool:
    return module is not None and (module == "pdobasis" or module.startswith("pdobasis."))


def _watched(run: Callable[[], object]) -> set[CodeType]:
    seen: set[CodeType] = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and _is_ours(frame.f_globals.get("__name__")):
            seen.add(frame.f_code)

    _clear()
    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return seen


def _roads(problem: Problem, method: str) -> tuple[set[CodeType], set[CodeType]]:
    """What is called before the proof starts, and what by the proof, each with empty caches."""
    taken: list[Any] = []

    def stop(*arguments: Any) -> Any:
        taken.extend(arguments)
        raise Broken

    def solving() -> None:
        with suppress(Broken):
            solve_problem(problem, method=method)

    with patch.object(answering, "prove", stop):
        before = _watched(solving)
    return before, _watched(lambda: prove(*taken))


@dataclasses.dataclass(frozen=True)
class Target:
    """A function of ours, and every (holder, attribute) that it is reached by."""

    name: str
    original: Any
    places: tuple[tuple[Any, str], ...]

    def put(self, value: Any) -> None:
        for holder, attribute in self.places:
            setattr(holder, attribute, value)


def _code(thing: Any) -> CodeType | None:
    if isinstance(thing, property):
        thing = thing.fget
    thing = getattr(thing, "__wrapped__", thing)
    return thing.__code__ if isinstance(thing, FunctionType) else None


def _targets(codes: set[CodeType]) -> list[Target]:
    """Functions, methods and properties with these codes; what dataclasses write for themselves is not ours."""
    places: dict[CodeType, list[tuple[Any, str]]] = {}
    things: dict[CodeType, Any] = {}
    for holder in (*_modules(), *sorted(_classes(), key=lambda c: c.__qualname__)):
        for attribute, thing in list(vars(holder).items()):
            code = _code(thing)
            if code is None or code not in codes or code.co_filename == "<string>":
                continue
            places.setdefault(code, []).append((holder, attribute))
            things[code] = thing
    out = [Target(_name(code), things[code], tuple(where)) for code, where in places.items()]
    return sorted(out, key=lambda t: t.name)


def _modules() -> list[Any]:
    return [m for name, m in sorted(sys.modules.items()) if _is_ours(name)]


def _classes() -> set[type]:
    return {c for m in _modules() for c in vars(m).values() if isinstance(c, type) and _is_ours(c.__module__)}


def _name(code: CodeType) -> str:
    module = code.co_filename.replace("\\", "/").rpartition("pdobasis/")[2].removesuffix(".py").replace("/", ".")
    return f"{module}.{code.co_qualname}"


# Ways to break a value.

Break = Callable[[tuple[Any, ...], Any], Any]


@dataclasses.dataclass(frozen=True)
class Wrong:
    """What becomes of arrays, of sequences (tuples, lists, texts) and of whole numbers; the rest follows."""

    array: Callable[[Any], Any]
    sequence: Callable[[Any], Any]
    number: Callable[[int], int]

    def __call__(self, arguments: tuple[Any, ...], value: Any) -> Any:
        return self.of(value)

    def of(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, ExactArray):  # the last axis is that of the field's basis
            numerators = np.asarray(self.array(np.moveaxis(value.numerators, -1, 0)[0]))
            rest = np.zeros((*numerators.shape, value.field.degree - 1), dtype=numerators.dtype)
            whole = np.concatenate([numerators[..., None], rest], axis=-1)
            return ExactArray(whole, value.denominator, value.field)
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self.number(value)
        if isinstance(value, tuple | list | str | bytes):
            return self.sequence(value)
        if isinstance(value, dict):
            return dict(self.sequence(list(value.items())))
        if isinstance(value, Field):
            return RATIONALS
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = [f.name for f in dataclasses.fields(value) if f.init]
            return dataclasses.replace(value, **{name: self.of(getattr(value, name)) for name in fields})
        return value


def _counted(array: Any) -> Any:
    return np.arange(array.size).reshape(array.shape).astype(array.dtype)


BREAKS: dict[str, Break] = {
    "its first argument": lambda arguments, value: arguments[0] if arguments else None,
    "its last argument": lambda arguments, value: arguments[-1] if arguments else None,
    "nothing": Wrong(np.zeros_like, lambda s: s[:0], lambda n: 0),
    "0, 1, 2": Wrong(_counted, lambda s: s, lambda n: n + 1),
    "all but the last": Wrong(lambda a: a[:-1], lambda s: s[:-1], lambda n: n - 1),
    "only the first": Wrong(lambda a: a[:1], lambda s: s[:1], lambda n: 1),
    "turned": Wrong(lambda a: a.T if a.ndim > 1 else a[::-1], lambda s: s[::-1], lambda n: -n),
    "negated": Wrong(lambda a: ~a if a.dtype == bool else -a, lambda s: s[1:], lambda n: 2 * n),
    "doubled": Wrong(lambda a: a + a, lambda s: s + s[-1:], lambda n: n * n),
}


def _wrapped(original: Any, how: Break) -> Any:
    function: Any = original.fget if isinstance(original, property) else original

    @functools.wraps(getattr(function, "__wrapped__", function))
    def wrong(*arguments: Any, **named: Any) -> Any:
        return how(arguments, function(*arguments, **named))

    del wrong.__wrapped__
    return property(wrong) if isinstance(original, property) else wrong


def _verdict(run: Callable[[], bool]) -> bool:
    """What a run says, in a process of its own: whatever kills it, or takes too long, certifies nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside the threads of linear algebra
        child = os.fork()
    if child == 0:
        faulthandler.disable()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # a busy machine is no excuse for what is false
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        right = False
        try:
            right = run()
        finally:  # whatever is raised, this process ends here: it has the tests of its parent, and must not go on with them
            os._exit(0 if right else WRONG)
    _, status = os.waitpid(child, 0)
    return not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == WRONG)


@dataclasses.dataclass(frozen=True)
class Road:
    """From a question to its answer: how it is gone, whether an answer says that it is proved, when it is right, and the
    functions that are broken.
    """

    answer: Callable[[], Any]
    is_certified: Callable[[Any], bool]
    is_right: Callable[[Any], bool]
    targets: list[Target]


def _stands(road: Road, target: Target, how: Break) -> bool:
    """Whether the broken function leads to an exception, a refusal or the right answer."""
    kept = [(c, "__init__", vars(c)["__init__"]) for c in _classes() if "__init__" in vars(c)]
    target.put(_wrapped(target.original, how))
    try:
        answer = road.answer()
        # an answer that cannot even be asked certifies nothing: broken values may have no fields
        if not road.is_certified(answer):
            return True
    except BaseException:
        return True
    target.put(target.original)
    # what values.py wrote with a broken function stays in the classes, and would fail whoever judges
    for holder, attribute, value in kept:
        setattr(holder, attribute, value)
    _clear()
    return road.is_right(answer)


def _is_right(basis: Basis, truth: Basis) -> bool:
    try:
        blocks = zip(basis.blocks, truth.blocks, strict=True)
        return all(same_span(x, y) for b, t in blocks for x, y in zip(b.orders, t.orders, strict=True))
    except ValueError:  # of different lengths
        return False


def _road(question: Question) -> Road:
    *_, kind = question
    special = {"all orders": _road_to_all_orders, "terms": _road_to_terms}
    road = special.get(kind, _road_to_a_basis)(question)
    _clear()  # every process starts with empty caches
    return road


def _road_to_a_basis(question: Question) -> Road:
    group, in_rep, out_rep, order, method = question
    options: dict[str, Any] = {}
    if method.split(", ")[0] in OPTIONS:
        for name in method.split(", "):
            options |= OPTIONS[name]
        method = "auto"
    problem = ask(group, in_rep, out_rep, order, **options)
    truth = solve_problem(problem, method=method)
    before, proof = _roads(problem, method)
    return Road(
        lambda: solve_problem(problem, method=method),
        lambda basis: basis.certificate.holds,
        lambda basis: _is_right(basis, truth),
        _targets(before & proof),
    )


def _road_to_all_orders(question: Question) -> Road:
    """The finder asks the counts of the proof for where to look, so that what is broken is what lies below both."""
    group, in_rep, out_rep, _, _ = question
    problem = ask(group, in_rep, out_rep, 0)

    def answer() -> Any:
        return all_orders_of(problem)

    truth = answer()
    trivial = parse_field_type("trivial", problem.group).distinct[0]

    def is_right(module: Any) -> bool:
        # generators are not unique: with everything mended they are proved again, for the question that was asked
        own = dataclasses.replace(problem, order=module.problem.order)
        with suppress(PdoBasisError):
            proved = prove_all_orders(own, module.primary, module.blocks, trivial)
            return proved.holds and str(module.hilbert) == str(truth.hilbert)
        return False

    return Road(answer, lambda module: module.certificate.holds, is_right, _below(_watched(answer)))


def _road_to_terms(question: Question) -> Road:
    group, in_rep, out_rep, degree, _ = question
    asked = ask_terms(group, {"u": in_rep}, out_rep, degree, derivatives=1)

    def answer() -> Any:
        return find_terms(asked)

    truth = answer()

    def is_right(found: Any) -> bool:
        if [block.multidegree for block in found.blocks] != [block.multidegree for block in truth.blocks]:
            return False
        return all(
            _rank_of(own) == _rank_of(true) == _rank_of(own, true)
            for own, true in zip(found.blocks, truth.blocks, strict=True)
        )

    return Road(answer, lambda found: found.holds, is_right, _below(_watched(answer)))


def _rank_of(*blocks: TermBlock) -> int:
    return rank([term.components for block in blocks for term in block.terms])


def _below(codes: set[CodeType]) -> list[Target]:
    return [target for target in _targets(codes) if target.name.startswith(SHARED)]


def _false(questions: list[Question], share: float = 1.0, only: Container[str] | None = None) -> dict[str, list[str]]:
    """The functions that get something false certified when they are broken, and how."""
    random = Random(1)
    out: dict[str, list[str]] = {}
    for question in questions:
        road = _road(question)
        for target in road.targets:
            if only is not None and target.name not in only:
                continue
            for how, change in BREAKS.items():
                if random.random() > share:
                    continue
                if not _verdict(partial(_stands, road, target, change)):
                    out.setdefault(target.name, []).append(f"{how}: {question}")
    return out


def test_both_roads_meet_in_numbers_groups_and_representations_only() -> None:
    for question in QUESTIONS:
        allowed: tuple[str, ...] = SHARED
        if question[-1].endswith("frame"):
            allowed += OF_FRAMES
        assert [t.name for t in _road(question).targets if not t.name.startswith(allowed)] == []


def test_nothing_false_is_certified_when_a_shared_function_is_broken() -> None:
    found = _false(SAMPLE, SHARE)
    assert {name: how for name, how in found.items() if name not in TRUSTED} == {}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_every_break_of_every_shared_function(question: Question) -> None:
    found = _false([question])
    assert {name: how for name, how in found.items() if name not in TRUSTED} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("constant", "question"), AS_IF_LARGE, ids=str)
def test_every_break_on_the_roads_of_large_questions(
    constant: tuple[str, str, int], question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, value = constant
    monkeypatch.setattr(f"pdobasis.proof.{module}.{name}", value)
    found = _false([question])
    assert {name: how for name, how in found.items() if name not in TRUSTED} == {}


@pytest.mark.slow
def test_the_trusted_base_is_no_larger_than_it_has_to_be() -> None:
    assert set(_false(QUESTIONS, only=TRUSTED)) == set(TRUSTED)


def test_a_verdict_that_fails_is_no_verdict() -> None:
    assert not _verdict(lambda: 1 // 0 == 0)
    assert _verdict(lambda: True)


LABELLED = [("SO(1,3)", "vector"), ("SL(2)", "sym(2, vector)"), ("Sp(4)", "vector"), ("GL(3)", "vector"),
            ("SO(1,1)", "vector"), ("SO(4)", "vector")]  # fmt: skip


def _no_components(rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    return np.arange(shape[1])


def _one_turn_only(rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    """The components of a solver with its loop forgotten."""
    height, width = shape
    least = np.full(height, width)
    np.minimum.at(least, rows, columns)
    label = np.arange(width)
    np.minimum.at(label, columns, least[rows])
    return label[label]


@pytest.mark.parametrize("labels", [_no_components, _one_turn_only])
@pytest.mark.parametrize(("group", "rep"), LABELLED)
def test_wrong_components_of_the_solver_are_found_out(
    group: str, rep: str, labels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = solve_problem(ask(group, rep, rep, 2))
    for module in [m for name, m in sys.modules.items() if _is_ours(name) and hasattr(m, "component_labels")]:
        monkeypatch.setattr(module, "component_labels", labels)
    try:
        basis = solve_problem(ask(group, rep, rep, 2))
    except (PdoBasisError, IndexError):
        return
    assert _is_right(basis, truth)
