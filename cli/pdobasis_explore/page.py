"""The page: what is asked on the left, what was found on the right. The only file that arranges NiceGUI's parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

from nicegui import run, ui

from pdobasis.errors import PdoBasisError
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.point import HERMANN_MAUGUIN
from pdobasis.solvers.registry import methods
from pdobasis_explore import exports, sections
from pdobasis_explore.answer import Answer, Limits, answer, series, stencils
from pdobasis_explore.question import LARGEST_ORDER, Asked
from pdobasis_explore.symmetry_picture import picture
from pdobasis_explore.view import View

PLANE = (
    "C2",
    "C3",
    "C4",
    "C6",
    "C8",
    "D1",
    "D2",
    "D3",
    "D4",
    "D6",
    "D8",
    "SO(2)",
    "O(2)",
)
SPACE = ("SO(3)", "O(3)", "T", "Td", "Th", "O", "Oh", "I", "Ih", "C4v", "D4h", "D3d")
FURTHER = ("SO(1,1)", "SO(1,3)", "SL(2)", "GL(2)", "Sp(4)")
REPRESENTATIONS = (
    "trivial", "vector", "regular", "det", "2xregular + vector", "sym(2, vector)", "alt(2, vector)",
    "tensor(vector, vector)", "quotient(C2)", "irrep(1,1)", "irrep(2)",
)  # fmt: skip


class Page:
    """One browser window: its question, its answer, and the parts that show them."""

    def __init__(self, asked: Asked, limits: Limits, wrong: str = "") -> None:
        self.asked = asked
        self.limits = limits
        self.answer: Answer | None = None
        # later questions, and later stencils, overtake earlier ones
        self.number = self.stencil_number = 0
        _style()
        ui.html(
            "<h1>pdobasis: all equivariant differential operators</h1>", sanitize=False
        )
        with ui.element("main").classes("explorer"):
            with ui.element("section").classes("asked").props('aria-label="question"'):
                self._ask()
            with ui.element("section").classes("found").props('aria-label="answer"'):
                self.said = (
                    ui.element("p")
                    .classes("said")
                    .props('role="status" aria-live="polite"')
                )
                self.view = View(self)
        if wrong:
            self.say(wrong, "wrong")
        else:
            ui.timer(0.05, self.solve, once=True)

    def say(self, text: str, kind: str = "") -> None:
        self.said.classes(replace=f"said {kind}")
        self.said.clear()
        with self.said:
            ui.label(text)

    async def solve(self) -> None:
        """Answer the question as it stands; a later one overtakes an earlier."""
        self.number += 1
        number, asked = self.number, self.asked
        self.say("solving …")
        self._remember()
        try:
            found = await run.io_bound(answer, asked, self.limits)
        except PdoBasisError as error:
            if number == self.number:
                self.answer = None
                self.say(in_words(error), "wrong")
                self.view.clear()
            return
        if number != self.number or found is None:
            return
        self.answer = found
        self.say(sections.summary(found), "right")
        await self.view.show(found)
        told = await run.io_bound(series, asked, self.limits)
        if number == self.number:
            self.view.tell_series(str(told))

    async def stencil(self, **changed: Any) -> None:
        """Another stencil for the same operators."""
        self.asked = replace(self.asked, **changed)
        self._remember()
        if self.answer is None:
            return
        self.stencil_number += 1
        number = self.stencil_number
        try:
            sampled = await run.io_bound(stencils, self.answer, self.asked, self.limits)
        except PdoBasisError as error:
            self.view.no_stencils(in_words(error))
            return
        if number == self.stencil_number and sampled is not None:
            self.view.show_stencils(sampled)

    def _remember(self) -> None:
        """The question in the address, refused ones too: a page that is loaded anew asks the same."""
        ui.run_javascript(f"history.replaceState(null, '', {self.asked.link()!r})")

    def _ask(self) -> None:
        asked = self.asked
        names = (*PLANE, *SPACE, *FURTHER, *HERMANN_MAUGUIN)
        _datalist("groups", names)
        _datalist("representations", REPRESENTATIONS)
        self.group = self._text("Group", "group", "groups", asked.group)
        with ui.expansion("Catalogue, with pictures").props("dense") as catalogue:
            place = ui.element("div").classes("catalogue")
        catalogue.on_value_change(lambda: self._fill(place, names))
        with ui.expansion("Own matrices", value=bool(asked.own)).props("dense"):
            own = ui.textarea("One generator a line: r = 0 -1; 1 0", value=asked.own)
            own.props('outlined dense autogrow aria-label="own matrices"')
            own.on("change", lambda: self._change(own=own.value or ""))
            ui.label(
                "Entries are exact: 1/2, sqrt(3)/2, cos(2*pi/7). A line that begins with lie "
                "is an element of the Lie algebra."
            ).classes("small-print")
        self.in_rep = self._text("Input", "in_rep", "representations", asked.in_rep)
        self.out_rep = self._text("Output", "out_rep", "representations", asked.out_rep)
        with ui.element("div").classes("pair"):
            order = ui.number(
                "Order",
                value=asked.order,
                min=0,
                max=LARGEST_ORDER,
                step=1,
                format="%d",
            )
            order.props("outlined dense").on_value_change(
                lambda: self._change_order(order.value)
            )
            method = ui.select(list(methods()), value=asked.method, label="Method")
            method.props("outlined dense").on_value_change(
                lambda: self._change(method=method.value)
            )
        ui.button("Solve", on_click=self.solve).props("unelevated no-caps")

    def _text(self, label: str, name: str, suggestions: str, value: str) -> ui.input:
        field = ui.input(label, value=value)
        field.props(
            f'outlined dense list="{suggestions}" spellcheck=false autocapitalize=off name="{name}"'
        )
        # as soon as a field is left, or Enter is pressed: not at every letter
        field.on("change", lambda: self._change(**{name: field.value or ""}))
        return field

    async def _change(self, **changed: Any) -> None:
        self.asked = replace(self.asked, **changed)
        await self.solve()

    async def _change_order(self, value: float | None) -> None:
        if value is not None:
            await self._change(order=int(value))

    def _fill(self, place: ui.element, names: tuple[str, ...]) -> None:
        """The pictures, when they are asked for."""
        if place.default_slot.children:
            return
        with place:
            for name in names:
                with ui.element("button").props(
                    f'type="button" aria-label="group {name}"'
                ) as button:
                    ui.html(picture(parse_group(name)), sanitize=False)
                    ui.label(name)
                button.on("click", self._chooser(name))

    def _chooser(self, name: str) -> Callable[[], Any]:
        async def choose() -> None:
            self.group.value = name
            await self._change(group=name, own="")

        return choose

    def code(self) -> str:
        return exports.python(self.asked, self.asked.read_group())


def in_words(error: PdoBasisError) -> str:
    """The message in the words of the page, whose limits are those that it was started with.

    >>> in_words(PdoBasisError("too large: lower order=, or lift it with max_unknowns=9"))
    'too large: lower the order'
    >>> in_words(PdoBasisError("stopped: allow more with max_seconds=9, or ask for less"))
    'stopped: allow more with pdobasis explore --max-seconds 9, or ask for less'
    """
    text = re.sub(r", or lift it with max_unknowns=\d+", "", str(error))
    text = re.sub(r"max_(seconds|memory)=", r"pdobasis explore --max-\1 ", text)
    text = text.replace("max_elements= raises", "pdobasis solve --max-elements raises")
    return text.replace("order=", "the order")


def _style() -> None:
    ui.add_css(
        files("pdobasis_explore").joinpath("explore.css").read_text(encoding="utf-8")
    )


def _datalist(name: str, values: tuple[str, ...]) -> None:
    ui.html(
        f'<datalist id="{name}">{sections.options(values)}</datalist>', sanitize=False
    )
