"""What is typed on the page is read, bounded, and written back as a link or as a program; nothing of it is executed."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pdobasis_explore import exports, sections
from pdobasis_explore.answer import Limits, answer, series, stencils
from pdobasis_explore.own_group import read_own_group
from pdobasis_explore.question import Asked, from_link

import pdobasis
from pdobasis.errors import PdoBasisError, SpecError

HEXAGON = "r = 1/2 -sqrt(3)/2; sqrt(3)/2 1/2\nf = 1 0; 0 -1"


@pytest.mark.parametrize(
    "asked",
    [
        Asked(),
        Asked("SO(3)", "", "vector", "sym(2, vector)", 3, "direct", "fd", 3, 0.5),
        Asked(own=HEXAGON, in_rep="2xvector + trivial"),
        Asked(group="&=?#<>'\"", in_rep="%20+ ü"),
    ],
)
def test_a_link_says_the_same_question(asked: Asked) -> None:
    assert from_link("http://127.0.0.1:1/?token=x&" + asked.link().removeprefix("?")) == asked


@pytest.mark.parametrize("words", ["stencil=foo", "stencil=kernel", "method=foo", "order=two", "sigma=x"])
def test_a_link_that_says_what_is_not_there_is_refused(words: str) -> None:
    key, _, value = words.partition("=")
    with pytest.raises(SpecError, match=f"the link says {key}='{value}'"):
        from_link("?" + words)


def test_matrices_of_ones_own_are_the_group_of_the_catalogue() -> None:
    assert read_own_group(HEXAGON).order == 12
    turned = read_own_group("lie X = 0 -1; 1 0")
    assert [turned.lie, turned.generators] == [pdobasis.group("SO(2)").lie, ()]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Asked(group="D8x"), "unknown group"),
        (Asked(group="/etc/secret.yaml"), "reads no files"),
        (Asked(in_rep="tensor(own.yml, vector)"), "reads no files"),
        (Asked(in_rep="x" * 700), "at most 600"),
        (Asked(order=13), "between 0 and 12"),
        (Asked(order=-1), "between 0 and 12"),
        (Asked(in_rep="__import__('os').system('true')"), "cannot read"),
        (Asked(own="r = 1 0; 0"), "r"),
        (Asked(own="r = 1 0; 1 0"), "singular"),
        (Asked(own="r == 1"), "line 1"),
        (Asked(own="r = 1 0; 0 1\nr = 0 1; 1 0"), "already"),
        (Asked(method="guess"), "unknown method"),
        (Asked("Ih", "", "regular", "regular", 12), "max_"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(asked: Asked, words: str) -> None:
    with pytest.raises(PdoBasisError, match=words):
        answer(asked, Limits())


def test_a_link_with_a_number_that_is_none() -> None:
    with pytest.raises(SpecError, match="order='two'"):
        from_link("?order=two")


def test_small_questions_take_less_than_a_tenth_of_a_second() -> None:
    """Of processor time, as the machine may be busy; the first question of a process loads what it needs."""
    for asked in (Asked(), Asked(group="SO(2)", in_rep="vector", out_rep="vector")):
        answer(asked, Limits())
        started = time.process_time()
        answer(asked, Limits())
        assert time.process_time() - started < 0.1


def test_elements_of_higher_orders_are_counted_and_summed_up() -> None:
    found = answer(Asked(group="D4", in_rep="trivial", order=2), Limits())
    assert found.further == (1, 0, 1, 0, 2, 0, 2)
    assert series(found.asked, Limits()) == "1/((1−t²)(1−t⁴))"
    assert "not found here" in series(Asked(own="a = 1 1; 0 1", in_rep="vector"), Limits())


@pytest.mark.parametrize(
    "asked", [Asked("SO(2)", "", "vector", "trivial", 1, sigma=0.7), Asked(own=HEXAGON, in_rep="vector")]
)
def test_the_program_makes_the_same_stencils(asked: Asked, tmp_path: Path) -> None:
    program = exports.python(asked, asked.read_group())
    found = answer(asked, Limits())
    wanted = stencils(found, asked, Limits()).stencils
    names: dict[str, object] = {"__name__": "program"}
    exec(compile(program, "program", "exec"), names)  # noqa: S102  # our own text
    assert (names["stencils"] == wanted).all()


def test_texts_in_the_program_are_literals() -> None:
    """Whatever is typed, the program asks the library about it, and the library refuses."""
    asked = Asked(group="D4'); open('made', 'w'); ('", in_rep="vector\n")
    program = exports.python(asked, pdobasis.group("D4"))
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "unknown group" in made.stderr
    assert not Path("made").exists()


def test_files_can_be_read_again(tmp_path: Path) -> None:
    from pdobasis.files.formats import from_bytes

    asked = Asked(group="C4", in_rep="vector", out_rep="regular", order=1, stencil="fd", size=3)
    found = answer(asked, Limits())
    sampled = stencils(found, asked, Limits())
    assert (from_bytes(exports.npz(found.basis, sampled)).stencils == sampled.stencils).all()
    text = exports.latex(found.basis, asked.link())
    assert text.count(r"\[") == found.basis.dimension


class Balanced(HTMLParser):
    """Counts what is open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("group", ["D4", "SO(2)", "Oh", "SO(1,3)", "trivial(1)"])
def test_sections_are_whole(group: str) -> None:
    asked = Asked(group=group, in_rep="vector", out_rep="trivial", size=3)
    found = answer(asked, Limits())
    parts = [sections.operators(found), sections.certificate(found), sections.dimensions(found)]
    if found.basis.problem.group.dim < 4:
        sampled = stencils(found, asked, Limits())
        parts += [sections.polar(sampled), sections.stencil_pictures(found, sampled, 0)]
    for part in parts:
        reader = Balanced()
        reader.feed(part)
        assert not reader.open


def test_an_empty_answer_says_so() -> None:
    found = answer(replace(Asked(), in_rep="trivial", out_rep="det"), Limits())
    assert "no equivariant operator" in sections.operators(found)
