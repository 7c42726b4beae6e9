"""What was found, on the page: operators, proof, dimensions, stencils, their error, a turned image, files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from html import escape
from math import degrees, radians
from typing import TYPE_CHECKING, Any

from nicegui import run, ui
from nicegui.events import GenericEventArguments

from pdobasis.question.problem import Problem
from pdobasis.stencils.sampled import Sampled
from pdobasis_explore import exports, sections
from pdobasis_explore.answer import Answer
from pdobasis_explore.polar import Turn, turn_by, turns
from pdobasis_explore.question import stencil_names
from pdobasis_explore.turning import turned

if TYPE_CHECKING:
    from pdobasis_explore.page import Page


class View:
    """The right side of the page; its parts are made once, and filled by every answer."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sampled: Sampled | None = None
        self.turns: list[Turn] = []
        with ui.element("div") as self.whole:
            self.operators = _section("Operators")
            with ui.element("div").classes("two"):
                with ui.element("div"):
                    self.certificate = _section("Certificate")
                with ui.element("div"):
                    self.dimensions = _section("Elements of each order")
                    self.series = ui.html("", sanitize=False).classes("small-print")
            self._stencils()
            self._export()
        self.clear()

    def clear(self) -> None:
        self.sampled = None
        self.whole.set_visibility(False)

    async def show(self, found: Answer) -> None:
        self.whole.set_visibility(True)
        self.operators.set_content(sections.operators(found))
        self.certificate.set_content(sections.certificate(found))
        self.dimensions.set_content(sections.dimensions(found))
        self.series.set_content("Hilbert series: …")
        named = {
            k: f"{k}. order {e.order}{f', {e.name}' if e.name else ''}"
            for k, e in enumerate(found.basis.elements[: sections.SHOWN])
        }
        self.element.set_options(named, value=0 if named else None)
        self.link.set_value(found.asked.link())
        self.code.set_content(
            f'<pre tabindex="0" role="region" aria-label="program">{escape(self.page.code())}</pre>'
        )
        self.drawn.set_visibility(bool(named))
        if named:
            await self.page.stencil()

    def tell_series(self, text: str) -> None:
        self.series.set_content(f"Hilbert series: {escape(text)}")

    def no_stencils(self, why: str) -> None:
        self.sampled = None
        self.pictures.set_content(f'<p class="said wrong">{escape(why)}</p>')
        self.polar.set_content("")
        self.turned.set_content("")

    def show_stencils(self, sampled: Sampled) -> None:
        self.sampled = sampled
        problem = sampled.problem
        self.turns = turns(problem)
        is_continuous = bool(problem.group.lie)
        last = 359 if is_continuous else max(0, len(self.turns) - 1)
        self.angle.limit(last)
        self.polar.set_content(sections.polar(sampled))
        self.link.set_value(self.page.asked.link())
        self.code.set_content(
            f'<pre tabindex="0" role="region" aria-label="program">{escape(self.page.code())}</pre>'
        )
        self.draw()
        self.turn()

    def draw(self) -> None:
        """The stencils of the chosen operator."""
        if (
            self.sampled is None
            or self.page.answer is None
            or self.element.value is None
        ):
            return
        picture = sections.stencil_pictures(
            self.page.answer, self.sampled, int(self.element.value)
        )
        self.pictures.set_content(picture)

    def turn(self) -> None:
        """The image, turned as the slider says."""
        sampled, element = self.sampled, self.element.value
        if sampled is None or element is None:
            return
        problem = sampled.problem
        if problem.group.dim != 2:
            self.turned.set_content(
                "<p>An image has two dimensions; this group acts on another space.</p>"
            )
            return
        turn = self._chosen(problem)
        if turn is None:
            self.turned.set_content("<p>This group has no rotations.</p>")
            return
        done = turned(sampled, int(element), turn)
        figures = [
            ("the image, turned", done.image),
            ("operator after turning", done.of_turned),
            ("turned after the operator", done.turned_of),
        ]
        body = "".join(
            f'<figure><div class="frame">{image}</div><figcaption>{words}</figcaption></figure>'
            for words, image in figures
        )
        words = f"turned by {degrees(turn.angle):.4g}°: the last two differ by {done.error:.2g} of their size"
        self.turned.set_content(
            f'<p role="status">{words}</p><div class="turned">{body}</div>'
        )

    def _chosen(self, problem: Problem) -> Turn | None:
        if problem.group.lie:
            return turn_by(problem, radians(float(self.angle.value)))
        if not self.turns:
            return None
        return self.turns[min(int(self.angle.value), len(self.turns) - 1)]

    def _stencils(self) -> None:
        asked = self.page.asked
        with ui.element("div") as self.drawn:
            _heading("Stencils")
            with ui.element("div").classes("pair"):
                self.element = ui.select({}, label="Operator")
                self.element.props("outlined dense").on_value_change(
                    self._other_element
                )
                method = ui.select(
                    stencil_names(), value=asked.stencil, label="Stencil"
                )
                method.props("outlined dense")
                method.on_value_change(lambda: self._sample(stencil=method.value))
            with ui.element("div").classes("pair"):
                Slider("size", 3, 9, 2, asked.size, lambda v: self._sample(size=int(v)))
                Slider(
                    "σ",
                    0.3,
                    2.5,
                    0.05,
                    asked.sigma,
                    lambda v: self._sample(sigma=round(float(v), 2)),
                )
            self.pictures = ui.html("", sanitize=False)
            self.polar = _section("Equivariance error against the angle")
            _heading("An image, turned by hand")
            self.angle = Slider("turn", 0, 359, 1, 1, lambda v: self.turn())
            self.turned = ui.html("", sanitize=False)

    async def _sample(self, **changed: Any) -> None:
        await self.page.stencil(**changed)

    def _other_element(self) -> None:
        self.draw()
        self.turn()

    def _export(self) -> None:
        _heading("Take it with you")
        with ui.element("div").classes("exports"):
            for words, work in (
                ("Stencils (.npz)", self._npz),
                ("LaTeX (.tex)", self._latex),
                ("Python (.py)", self._python),
            ):
                ui.button(words, on_click=work).props("outline no-caps")
        self.link = ui.input("Link: paste it behind pdobasis explore").props(
            'outlined dense readonly name="link"'
        )
        self.code = ui.html("", sanitize=False)

    async def _npz(self) -> None:
        found, sampled = self.page.answer, self.sampled
        if found is not None and sampled is not None:
            data = await run.io_bound(exports.npz, found.basis, sampled)
            ui.download.content(data or b"", "pdobasis.npz")

    def _latex(self) -> None:
        if self.page.answer is not None:
            ui.download.content(
                exports.latex(self.page.answer.basis, self.page.asked.link()),
                "pdobasis.tex",
            )

    def _python(self) -> None:
        ui.download.content(self.page.code(), "pdobasis_question.py")


def _heading(words: str) -> None:
    ui.html(f"<h2>{words}</h2>", sanitize=False)


def _section(words: str) -> ui.html:
    _heading(words)
    return ui.html("", sanitize=False)


class Slider:
    """A range input of the browser itself: it has a name and a value for those who do not see it."""

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        step: float,
        value: float,
        change: Callable[[float], Any],
    ) -> None:
        self.label = label
        self.value = value
        self.change = change
        with ui.element("div").classes("slider"):
            self.told = ui.label(f"{label}: {value:g}").classes("small-print")
            self.range = ui.element("input")
        self.range.props(
            f'type="range" min={low} max={high} step={step} value={value} aria-label="{label}"'
        )
        # while it is moved, but not more often than answers come
        self.range.on(
            "input",
            self._moved,
            throttle=0.08,
            js_handler="(e) => emit(e.target.value)",
        )

    def limit(self, last: float) -> None:
        self.range.props(f"max={last}")

    async def _moved(self, event: GenericEventArguments) -> None:
        self.value = float(event.args)
        self.told.set_text(f"{self.label}: {self.value:g}")
        done = self.change(self.value)
        if inspect.isawaitable(done):
            await done
