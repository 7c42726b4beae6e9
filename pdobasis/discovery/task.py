"""A question about files: read, check and smooth once, then ask for one equation after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pdobasis.discovery.candidates import Candidates, candidates
from pdobasis.discovery.discover import equation, prepared
from pdobasis.discovery.forecast import Forecast, forecast
from pdobasis.discovery.reading import dimension_of, read_recording
from pdobasis.discovery.recording import Array
from pdobasis.discovery.result import Equation
from pdobasis.discovery.smoothing import Smoothed
from pdobasis.errors import SpecError, UnknownNameError
from pdobasis.groups.group import Group
from pdobasis.nonlinear.question import TermsQuestion, ask_terms
from pdobasis.question.text import resolve_group

AUTO = "auto"


@dataclass(frozen=True, eq=False)
class Task:
    """Smoothed recordings, and which terms are asked for."""

    group: Group
    fields: dict[str, str]
    constants: dict[str, str]
    values: dict[str, Array]
    ready: tuple[Smoothed, ...]
    degree: int
    derivatives: int
    max_total: int
    weights: str | None

    @classmethod
    def of(
        cls,
        files: Sequence[Path],
        group: str,
        fields: Mapping[str, str],
        constants: Mapping[str, str] | None = None,
        *,
        degree: int = 3,
        derivatives: int = 2,
        max_total: int | None = None,
        weights: str | None = None,
        periodic: bool | None = None,
        dim: int | None = None,
        max_elements: int = 10_000,
    ) -> Task:
        if (
            group == AUTO
        ):  # the smallest question that has all representations; larger groups are asked later
            group = {1: "O(1)", 2: "O(2)", 3: "O(3)"}[dimension_of(files[0], fields)]
        own = resolve_group(group, dim, max_elements)
        reps, values = _constants(constants or {})
        question = ask_terms(
            own, fields, next(iter(fields.values())), 1, 0, constants=reps
        )
        sizes = {f.name: f.rep.size for f in question.fields if not f.constant}
        known = {f.name: f.rep.size for f in question.fields if f.constant}
        asked = {name: n for name, n in known.items() if name not in values}
        recordings = [read_recording(path, sizes, asked) for path in files]
        for name in asked:
            values[name] = recordings[0].constants[name]
        _require_sizes(question, values)
        with _within_range():
            ready = tuple(prepared(r, periodic, True) for r in recordings)
        total = derivatives if max_total is None else max_total
        return cls(
            own, dict(fields), reps, values, ready, degree, derivatives, total, weights
        )

    def candidates(self, target: str) -> Candidates:
        return candidates(
            self.group,
            self.fields,
            target,
            self.degree,
            self.derivatives,
            max_total=self.max_total,
            constants=self.constants,
            values=self.values,
            weights=self.weights,
        )

    def equations(
        self,
        targets: Sequence[str] = (),
        *,
        weak: bool = True,
        samples: int = 40,
        seed: int = 0,
    ) -> list[Equation]:
        """One for each target; for all fields where none is given."""
        for name in targets:
            if name not in self.fields:
                raise UnknownNameError("field", name, self.fields)
        out = []
        for name in targets or self.fields:
            found = self.candidates(name)
            with _within_range():
                own = equation(found, self.ready, weak=weak, samples=samples, seed=seed)
            out.append(own)
        return out

    def ahead(self, part: float, weak: bool) -> tuple[Forecast, list[Equation]]:
        """Equations of the first ``part`` of the frames of the first file, and what they predict for the rest."""
        given = self.ready[0]
        first = int(part * len(given.recording.times))
        early = prepared(given.recording.between(0, first), None, True)
        early = replace(early, periodic=given.periodic)
        fitted = []
        for name in self.fields:
            found = self.candidates(name)
            with _within_range():
                own = equation(found, (early, *self.ready[1:]), weak=weak, samples=0)
            if own.is_explained:
                fitted.append((found, own))
        if not fitted:
            raise SpecError("no equation was found that could predict anything")
        return forecast(given, fitted, first - 1), [own for _, own in fitted]

    def of_group(self, group: Group) -> Task:
        """The same question for another symmetry."""
        return replace(self, group=group)


@contextmanager
def _within_range() -> Iterator[None]:
    """Numbers such as 1e300, whose powers no float holds, are refused; no answer is made of infinities."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except (FloatingPointError, np.linalg.LinAlgError) as error:
        raise SpecError(
            f"the powers and derivatives of the data leave the range of floats ({str(error)[:60]}): are there "
            "misread values among them? Otherwise give fields, times or coordinates in other units"
        ) from None


def _constants(given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Array]]:
    """g=vector:0,-1 as a representation and numbers."""
    reps, values = {}, {}
    for name, text in given.items():
        rep, sign, numbers = text.partition(":")
        reps[name] = rep.strip()
        if not sign:
            continue
        try:
            values[name] = np.array([float(x) for x in numbers.split(",")])
        except ValueError:
            raise SpecError(
                f"the values of {name} are numbers separated by commas, as vector:0,-1, got {numbers!r:.40}"
            ) from None
    return reps, values


def _require_sizes(question: TermsQuestion, values: Mapping[str, Array]) -> None:
    for f in question.fields:
        if f.constant and len(values[f.name]) != f.rep.size:
            raise SpecError(
                f"the constant {f.name} needs {f.rep.size} numbers, got {len(values[f.name])}"
            )
        if f.constant and not np.isfinite(values[f.name]).all():
            raise SpecError(f"the constant {f.name} has a value that is not finite")
