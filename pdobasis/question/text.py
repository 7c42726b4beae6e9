r"""Text to groups, representations, field types and questions: ``2xregular + vector + irrep(1,2)``.

Each name of the grammar is a *builder* in :mod:`.builders`; a file of one's own may stand wherever a name may.
"""

from __future__ import annotations

from pdobasis.bounds.caches import remembered
from pdobasis.errors import SpecError
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import DEFAULT_LIMIT
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.question import builders as builders  # fills the register of names
from pdobasis.question.field_type import FieldType
from pdobasis.question.grammar import whole_text
from pdobasis.question.problem import Problem
from pdobasis.question.reader import Reader
from pdobasis.question.yaml_files import is_file_name, names_file

MAX_TEXT = 10_000


def parse_problem(
    group: str | Group,
    in_spec: str | FieldType,
    out_spec: str | FieldType,
    order: int,
    dim: int | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Problem:
    """The question that the command line and :func:`pdobasis.solve` ask."""
    g = resolve_group(group, dim, limit)
    in_type = parse_field_type(in_spec, g)
    out_type = parse_field_type(out_spec, g)
    return Problem(g, in_type, out_type, order)


def resolve_group(
    group: str | Group,
    dim: int | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Group:
    """A name of the catalogue, a YAML file, or a group that somebody made."""
    if isinstance(group, Group):
        from pdobasis.question.own_group import marked

        return marked(group)
    if not isinstance(group, str):
        raise SpecError(
            f"a group is a name such as D8, a file or a Group, got {group!r:.60}"
        )
    if is_file_name(group):
        from pathlib import Path

        from pdobasis.question.own_group import load_group

        return load_group(Path(group.strip()), dim, limit)
    return parse_group(group, dim, limit)


def parse_field_type(
    text: str | FieldType,
    group: str | Group,
    *,
    files: bool = True,
) -> FieldType:
    """A sum of representations of the group; files are not read where ``files`` is false.

    >>> parse_field_type("2xregular + vector", "D8").size
    34

    Parameters
    ----------
    text : str or FieldType
        A sum of terms with counts.
    group : str or Group
        Whose representations these are.
    files : bool
        Whether a name that ends in ``.yaml`` is read as a file.

    Returns
    -------
    FieldType
        The representations in the order of the channels.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    RepresentationError
        The group has no such representation.
    """
    if isinstance(text, FieldType):
        return text
    if isinstance(group, str):
        group = resolve_group(group) if files else parse_group(group)
    if not isinstance(text, str):
        raise SpecError(
            f"a field type is a text such as 2xregular + vector, or a FieldType, got {text!r:.60}"
        )
    if not isinstance(group, Group):
        raise SpecError(
            f"a field type belongs to a group, as in field_type('vector', 'D8'), got {group!r:.60}"
        )
    # before it is read: the grammar would go through all of it
    if len(text) > MAX_TEXT:
        raise SpecError(
            f"a representation of {len(text)} characters is too long (at most {MAX_TEXT})"
        )
    if not text.strip():
        raise SpecError(
            "the representation is empty: write for example trivial, vector or 2xregular + trivial"
        )
    # a file may change from one call to the next: it is read every time
    if names_file(text):
        return _field_type(text, group, files)
    return _known_field_type(
        text,
        group,
        group.name,
        group.labels,
        group.term,
    )


@remembered
def _known_field_type(
    text: str,
    group: Group,
    name: str,
    labels: tuple[str, ...],
    term: CatalogueTerm | None,
) -> FieldType:
    """Without files the text alone decides; with the labels that its words use, and the names that messages show."""
    return _field_type(text, group, files=False)


def _field_type(text: str, group: Group, files: bool) -> FieldType:
    terms = Reader(group, files).sum(whole_text(text))
    result = FieldType(tuple(terms))
    return result
