"""A feature library for PySINDy: all terms that a symmetry allows, one coefficient a term.

PySINDy fits every coordinate by itself. Components of one field share their coefficients, so they are not coordinates
here: an array has the axes (components, x1, x2, …, time, 1) where the target has several components, which are stacked
as further samples, and (x1, x2, …, time, fields) for scalars. In the weak form there is one sample a test function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.discovery.candidates import Candidates, candidates
from pdobasis.discovery.columns import Plan, columns
from pdobasis.discovery.functions import RADII, test_functions
from pdobasis.discovery.pointwise import Points
from pdobasis.discovery.recording import Array, Recording, recording
from pdobasis.discovery.smoothing import is_periodic, smoothed
from pdobasis.errors import MissingExtraError, SpecError

Method = TypeVar("Method", bound=Callable[..., Any])

if find_spec("pysindy") is None:
    raise MissingExtraError("pysindy", "discovery", "a feature library of PySINDy")

if TYPE_CHECKING:  # PySINDy has no types: what is used of it

    class BaseFeatureLibrary:
        """Of PySINDy; it inherits from scikit-learn's estimators."""

        def calc_trajectory(self, diff_method: Any, x: Any, t: Any) -> Any: ...

    def x_sequence_or_item(method: Method) -> Method: ...

    class AxesArray:
        def __init__(self, array: Array, axes: Mapping[str, Any]) -> None: ...

else:
    from pysindy.feature_library.base import BaseFeatureLibrary, x_sequence_or_item
    from pysindy.utils import AxesArray


class TermsLibrary(BaseFeatureLibrary):
    """Terms of ``fields`` that move like ``target``; ``axes`` are x1, x2, …, ``times`` those of the data.

    ``others`` holds arrays (components, x1, x2, …, time) of fields that are known, as a pressure.
    """

    def __init__(
        self,
        group: str,
        fields: Mapping[str, str],
        axes: Sequence[ArrayLike],
        times: ArrayLike,
        target: str | None = None,
        degree: int = 3,
        derivatives: int = 2,
        others: Mapping[str, ArrayLike] | None = None,
        weak: bool = False,
    ) -> None:
        # named as the arguments: scikit-learn copies an estimator by these
        self.group: str = group
        self.fields: Mapping[str, str] = fields
        self.axes: Sequence[ArrayLike] = axes
        self.times: ArrayLike = times
        self.target: str | None = target
        self.degree: int = degree
        self.derivatives: int = derivatives
        self.others: Mapping[str, ArrayLike] | None = others
        self.weak: bool = weak

    @x_sequence_or_item
    def fit(self, x_full: Any, y: Any = None) -> TermsLibrary:
        name = self.target or next(iter(self.fields))
        self.candidates_: Candidates = candidates(
            self.group,
            self.fields,
            name,
            self.degree,
            self.derivatives,
            max_total=self.derivatives,
        )
        self.n_features_in_: int = x_full[0].shape[-1]
        self.n_output_features_: int = len(self.candidates_)
        return self

    @x_sequence_or_item
    def transform(self, x_full: Any) -> list[Any]:
        return [self._features(np.asarray(x)) for x in x_full]

    def get_feature_names(self, input_features: Any = None) -> list[str]:
        return [term.text for term in self.candidates_.terms]

    def calc_trajectory(self, diff_method: Any, x: Any, t: Any) -> Any:
        """∂_t at points, or integrated against test functions."""
        if not self.weak:
            return super().calc_trajectory(diff_method, x, t)
        if not hasattr(self, "candidates_"):
            self.fit(x)
        rows = self._columns(np.asarray(x), True)[-1].reshape(-1, 1)
        return x, AxesArray(rows, {"ax_sample": 0, "ax_coord": 1})

    def _features(self, x: Array) -> Any:
        found = self._columns(x, self.weak)[:-1]
        if self.weak:
            rows = found.reshape(len(found), -1).T
            return AxesArray(rows, {"ax_sample": 0, "ax_coord": 1})
        # (terms, components, time, …, x2, x1) to (components, x1, x2, …, time, terms)
        turned = found.transpose()
        turned = np.moveaxis(turned, -2, 0)
        if not self._is_stacked:
            turned = turned[0]
        space = list(range(turned.ndim - 2))
        return AxesArray(
            turned,
            {
                "ax_spatial": space,
                "ax_time": turned.ndim - 2,
                "ax_coord": turned.ndim - 1,
            },
        )

    @property
    def _is_stacked(self) -> bool:
        return self.candidates_.question.out.size > 1

    def _recording(self, x: Array) -> Recording:
        arrays: dict[str, ArrayLike] = {
            f"x{k + 1}": axis for k, axis in enumerate(self.axes)
        }
        arrays["t"] = self.times
        known = dict(self.others or {})
        free = [name for name in self.fields if name not in known]
        if self._is_stacked:
            known[self.candidates_.target] = x[..., 0]
        elif len(free) == x.shape[-1]:
            known |= {name: x[None, ..., k] for k, name in enumerate(free)}
        else:
            raise SpecError(
                f"{len(free)} fields ({', '.join(free)}) for {x.shape[-1]} coordinates of the data"
            )
        sizes = {}
        for f in self.candidates_.question.fields:
            own = np.asarray(known[f.name])
            arrays[f.name] = np.moveaxis(own, 0, -1).transpose().swapaxes(0, 1)
            sizes[f.name] = f.rep.size
        return recording(arrays, sizes)

    def _columns(self, x: Array, weak: bool) -> Array:
        given = self._recording(x)
        wraps = is_periodic(given)
        plan = Plan(self.candidates_, weak, given.dim)
        if weak:
            ready = smoothed(given, wraps)
            time, space, _, _ = test_functions(plan, ready, RADII[0])
            return columns(plan, ready.recording, wraps, time, space).values
        every = [_everywhere(axis) for axis in given.axes]
        return columns(plan, given, wraps, _everywhere(given.times), every).values


def _everywhere(places: Array) -> Points:
    return Points(np.arange(len(places), dtype=np.float64), places, np.eye(len(places)))
