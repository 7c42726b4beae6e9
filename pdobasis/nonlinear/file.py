"""Terms in a file, and the proof of a file: nothing in it is believed but the question and the terms."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdobasis.errors import FileFormatError, PdoBasisError, ProofError
from pdobasis.exact.scalars import Number, number, text_of
from pdobasis.exact.text import parse_number
from pdobasis.files.atomic import write_atomically
from pdobasis.files.limits import MAX_BASIS, START
from pdobasis.files.read import read_bytes, unique_keys
from pdobasis.nonlinear.counting import Counter
from pdobasis.nonlinear.degrees import multidegrees_of
from pdobasis.nonlinear.engine import engine_terms
from pdobasis.nonlinear.find import Finder, find_terms
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Coordinate, Polynomial, is_same
from pdobasis.nonlinear.proof import prove_terms
from pdobasis.nonlinear.question import (
    Field,
    Jet,
    Multidegree,
    TermsQuestion,
    ask_terms,
    factors_json,
    one_representation,
)
from pdobasis.nonlinear.result import Term, Terms
from pdobasis.proof.certificate import Certificate
from pdobasis.question.as_json import CONVENTIONS, question_from_json, question_to_json
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem

FORMAT = "pdobasis-terms"
VERSION = 1
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class VerifiedTerms:
    """What a file says, what is false in it, and what is worth knowing."""

    question: TermsQuestion
    dimension: int
    failures: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.failures


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """Question, counts, certificates and terms; the same question gives the same bytes."""
    question = terms.question
    first = _sides(question, question.out)
    out: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    for key in ("group", "group_order", "dim", "group_definition"):
        if key in first:
            out[key] = first[key]
    out["fields"] = []
    for field in question.fields:
        own: dict[str, Any] = {"name": field.name, **_sides(question, field.rep)["in"]}
        if field.constant:
            own["constant"] = True
        out["fields"].append(own)
    out |= {
        "out": first["in"],
        "degree": question.degree,
        "derivatives": question.derivatives,
        "max_total": question.max_total,
        "time": question.time,
        "weights": question.scaling.to_json() if question.scaling else None,
        "form": terms.form,
        "structure": terms.structure,
        "dimension": terms.dimension,
        "dimensions": terms.dimensions,
        "proved": terms.holds,
        "conventions": CONVENTIONS,
        "multidegrees": [
            {
                "multidegree": factors_json(question, block.multidegree),
                "label": question.label(block.multidegree),
                "dimension": len(block.terms),
                "method": block.method,
                "certificate": block.certificate.to_json(),
            }
            for block in terms.blocks
        ],
        "terms": [_term(term) for term in terms],
    }
    return out


def dump_terms(terms: Terms) -> str:
    return json.dumps(terms_to_json(terms), ensure_ascii=False, indent=1) + "\n"


def save_terms(terms: Terms, path: str | Path) -> None:
    write_atomically(Path(path), dump_terms(terms).encode())


def open_terms(path: Path) -> dict[str, Any] | None:
    """The mapping in a file of terms; None where it is something else, for others to read."""
    try:
        raw = read_bytes(path, lambda start: MAX_BASIS)
        # at its beginning, as every file of ours says what it is
        if f'"{FORMAT}"'.encode() not in raw[:START]:
            return None
        data = json.loads(raw.decode("utf-8"), object_pairs_hook=unique_keys)
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path}: not complete JSON (truncated?)") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return None
    return data


def load_terms(path: str | Path) -> Terms:
    """The terms of a file, found and proved again; FileFormatError or ProofError where it says something else.

    Parameters
    ----------
    path : str or Path
        A file of ``pdobasis terms -o``.

    Returns
    -------
    Terms
        The terms, proved again.

    Raises
    ------
    FileFormatError
        The file is truncated, altered, or none of ours.
    ProofError
        The answer could not be proved; nothing unproved is ever returned.

    Examples
    --------
    >>> import tempfile
    >>> from pdobasis import terms
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     terms("O(2)", {"u": "vector"}, "trivial", 1, 1).save(f"{folder}/terms.json")
    ...     [term.text for term in load_terms(f"{folder}/terms.json")]
    ['∂_i u_i']
    """
    data = open_terms(Path(path))
    if data is None:
        raise FileFormatError(f"{path}: not a file of terms (of pdobasis terms -o)")
    verified = verify_terms(data)
    if not verified.holds:
        raise ProofError(f"{path}: not proved: {verified.failures[0]}")
    question = _question(data)
    return _again(
        question, str(data["form"]), data.get("structure"), lambda message: None
    )


def verify_terms(
    data: dict[str, Any], progress: Progress = lambda message: None
) -> VerifiedTerms:
    """Prove the terms of a file again, multidegree by multidegree, and compare everything else."""
    if data.get("version") != VERSION or type(data["version"]) is not int:
        raise FileFormatError(
            f"version {data.get('version')!r:.20}, this program reads version {VERSION}"
        )
    try:
        return _verified(data, progress)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        if isinstance(error, PdoBasisError):
            raise
        raise FileFormatError(f"the file of terms is damaged: {error!r:.80}") from None


def _verified(data: dict[str, Any], progress: Progress) -> VerifiedTerms:
    question = _question(data)
    listed = [_read_term(question, item) for item in data["terms"]]
    structure = data.get("structure")
    progress("finding the terms again")
    form = str(data.get("form", "textbook"))
    answer = _again(question, form, structure, progress)
    failures = []
    remarks: list[str] = []
    if structure is None:
        progress("proving the terms of the file")
        failures += _proved(question, listed)
    own = [components for _, components in listed]
    if _same(own, [term.components for term in answer]):
        expected = json.loads(dump_terms(answer))
        failures += [
            f"{key} is not what it should be"
            for key in sorted({*expected, *data})
            if data.get(key) != expected.get(key)
        ]
    elif structure is not None:
        failures.append(f"the terms are not those with the structure {structure}")
    else:
        remarks.append("another basis of the same terms than ours")
        failures += _figures(data, answer)
    return VerifiedTerms(question, len(listed), tuple(failures), tuple(remarks))


def _figures(data: dict[str, Any], answer: Terms) -> list[str]:
    """What does not depend on the basis."""
    expected = json.loads(dump_terms(answer))
    keys = set(expected) - {"terms", "form", "multidegrees"}
    return [
        f"{key} is not what it should be"
        for key in sorted(keys)
        if data.get(key) != expected[key]
    ]


def _again(
    question: TermsQuestion, form: str, structure: str | None, progress: Progress
) -> Terms:
    return find_terms(question, form=form, structure=structure, progress=progress)


def _proved(
    question: TermsQuestion, listed: list[tuple[Multidegree, Components]]
) -> list[str]:
    finder = Finder.of(question)
    failures = []
    known = list(question.multidegrees())
    for m, _ in listed:
        if m not in known:
            failures.append(f"{question.label(m)} is not asked for")
    for m in known:
        own = [components for multidegree, components in listed if multidegree == m]
        for text in _certificate(finder, m, own).failures():
            failures.append(f"{question.label(m)}: {text}")
    return failures


def _certificate(finder: Finder, m: Multidegree, own: list[Components]) -> Certificate:
    counter = finder.counter
    if counter is None:
        counter = Counter(
            lambda m: len(engine_terms(finder.question, m)[0]),
            "the null space of order 0, proved by the engine",
        )
    return prove_terms(finder.judge, m, own, counter, finder.twisted(m))


def _same(a: list[Components], b: list[Components]) -> bool:
    return len(a) == len(b) and all(
        len(x) == len(y) and all(map(is_same, x, y)) for x, y in zip(a, b, strict=True)
    )


def _sides(question: TermsQuestion, rep: Any) -> dict[str, Any]:
    fields = FieldType.of([rep])
    return question_to_json(Problem(question.group, fields, fields, 0))


def _question(data: dict[str, Any]) -> TermsQuestion:
    fields = []
    group = None
    for item in (*data["fields"], {**data["out"], "name": "out"}):
        side = {key: item[key] for key in item if key not in ("name", "constant")}
        about: dict[str, Any] = {
            key: data[key]
            for key in ("group", "dim", "group_definition")
            if key in data
        }
        problem = question_from_json({**about, "in": side, "out": side, "order": 0})
        group = problem.group
        constant = item.get("constant", False)
        rep = one_representation(problem.in_type, item["name"])
        fields.append(Field(item["name"], rep, constant is True))
    if group is None:
        raise FileFormatError("the file of terms has no fields")
    *own, out = fields
    return ask_terms(
        group,
        {f.name: f.rep for f in own if not f.constant},
        out.rep,
        data["degree"],
        data["derivatives"],
        max_total=data["max_total"],
        time=data["time"] is True,
        constants={f.name: f.rep for f in own if f.constant},
        weights=data["weights"],
    )


def _term(term: Term) -> dict[str, Any]:
    fields = term.question.fields
    question = term.question
    out: dict[str, Any] = {"multidegree": factors_json(question, term.multidegree)}
    every = multidegrees_of(term.components)
    if len(every) > 1:  # a sum such as ∂_t u + u·∇u
        out["multidegrees"] = [factors_json(question, m) for m in every]
    out |= {"text": term.text, "latex": term.latex()}
    if term.name is not None:
        out["name"] = term.name
    out["strings"] = term.strings()
    out["components"] = [
        [[text_of(v), [_coordinate(fields, c) for c in m]] for m, v in p.items()]
        for p in term.components
    ]
    return out


def _coordinate(fields: tuple[Field, ...], c: Coordinate) -> list[Any]:
    return [fields[c.field].name, c.component + 1, list(c.alpha), c.time]


def _read_term(
    question: TermsQuestion, item: dict[str, Any]
) -> tuple[Multidegree, Components]:
    names = [field.name for field in question.fields]
    if len(item["components"]) != question.out.size:
        raise FileFormatError(
            f"a term has {len(item['components'])} components, expected {question.out.size}"
        )
    components = []
    for listed in item["components"]:
        polynomial: Polynomial = {}
        for value, word in listed:
            monomial = tuple(sorted(_read_coordinate(question, names, c) for c in word))
            if monomial in polynomial:
                raise FileFormatError("a monomial stands twice in a component")
            polynomial[monomial] = _read_number(value)
        components.append(polynomial)
    factors = [
        (Jet(names.index(f["field"]), f["order"], f.get("time", 0)), f["power"])
        for f in item["multidegree"]
    ]
    return Multidegree(tuple(factors)), tuple(components)


def _read_coordinate(
    question: TermsQuestion, names: list[str], item: list[Any]
) -> Coordinate:
    name, component, alpha, time = item
    field = names.index(name)
    size = question.fields[field].rep.size
    whole = all(type(v) is int and v >= 0 for v in (component, time, *alpha))
    if not whole or not 1 <= component <= size or len(alpha) != question.group.dim:
        raise FileFormatError(f"{item!r:.80} is no derivative of a component of {name}")
    return Coordinate(field, component - 1, tuple(alpha), time)


def _read_number(text: Any) -> Number:
    if not isinstance(text, str):
        raise FileFormatError(f"a coefficient is a text such as 1/2, got {text!r:.40}")
    return number(parse_number(text))
