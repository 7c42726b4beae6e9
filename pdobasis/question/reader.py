"""From the pieces of a text to representations of one group: sums, files, names with a builder, subgroups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pdobasis.errors import (
    RepresentationError,
    SizeError,
    UnknownNameError,
)
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.matrices import block_diagonal
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.classical import turns_space
from pdobasis.groups.closure import MAX_ELEMENTS
from pdobasis.groups.group import MAX_NAME, Group
from pdobasis.groups.matrices import power
from pdobasis.question.grammar import Call, Piece, call, number, summands
from pdobasis.question.yaml_files import is_file_name
from pdobasis.representations import terms
from pdobasis.representations.hypothesis import together
from pdobasis.representations.irreps import spherical
from pdobasis.representations.representation import (
    Representation,
    from_matrices,
    from_term,
)
from pdobasis.values import dataclass

MAX_DENSE = 3_000
"""Size of a representation that is held as dense matrices."""

_E3NN = r"(\d+)([eo])$"
_FACTOR = r"\s*([A-Za-z]\w*)\s*(?:\^\s*(\d{1,6}))?\s*"
"""A generator of a word, and its power."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Builds representations of one group; files are opened only where ``files`` allows it."""

    group: Group
    files: bool

    def sum(self, piece: Piece) -> Iterator[tuple[Representation, int]]:
        for part, count in summands(piece):
            yield self.term(part), count

    def term(self, piece: Piece) -> Representation:
        if is_file_name(piece.text):
            self.require_files(piece)
            from pathlib import Path

            from pdobasis.question.own_representation import load_representation

            return load_representation(Path(piece.text), self.group)
        # a name begins with a letter: only what does not is looked at
        if piece.text[:1].isdigit() and (match := re.match(_E3NN, piece.text)):
            return self._e3nn(piece, match)
        found = call(piece)
        # by name alone: what the arguments mean is the builder's business
        if found.name not in BUILDERS:
            hint = f"at character {piece.start + 1} of {piece.whole!r:.120} (pdobasis reps lists them)"
            raise UnknownNameError("representation", found.name, BUILDERS, hint)
        return BUILDERS[found.name](self, found)

    def single(self, piece: Piece) -> Representation:
        """A sum as one representation."""
        parts = [rep for rep, n in self.sum(piece) for _ in range(n)]
        if len(parts) == 1:
            return parts[0]
        spec = " + ".join(p.spec for p in parts)
        size = sum(p.size for p in parts)
        require_size(size, spec)
        formulas = [p.term for p in parts if p.term is not None]
        # a sum of formulas is a formula, known at every element of the group
        if len(formulas) == len(parts):
            return from_term(self.group, terms.Sum(tuple(formulas)), spec)
        generators = _blocks([p.matrices() for p in parts])
        lie = _blocks([p.lie for p in parts])
        return from_matrices(
            self.group,
            spec,
            size,
            generators,
            lie,
            own=any(p.own for p in parts),
            hypothesis=together(p.hypothesis for p in parts),
        )

    def subgroup(self, piece: Piece) -> Group:
        """A group of the catalogue in the same dimension, or of words in the generators, as in <r^2; f>."""
        if piece.text.startswith("<"):
            return self._words(piece)
        dim = None
        # names of groups in several dimensions mean the one at hand
        if re.fullmatch(r"[CD]_?\d+|flip|trivial|inversion", piece.text.strip()):
            dim = self.group.dim
        if is_file_name(piece.text):
            self.require_files(piece)
            from pathlib import Path

            from pdobasis.question.own_group import load_group

            return load_group(Path(piece.text), dim, MAX_ELEMENTS)
        return parse_group(piece.text, dim, MAX_ELEMENTS)

    def require_files(self, piece: Piece) -> None:
        if not self.files:
            raise RepresentationError(
                f"{piece.text!r} is a file of its own, and its matrices are missing here"
            )

    def _words(self, piece: Piece) -> Group:
        if not piece.text.endswith(">"):
            raise piece.fail("'>' after the words of the subgroup", len(piece.text))
        parts = [w.strip() for w in piece.text[1:-1].split(";")]
        # each once: they are the labels of the subgroup's generators
        words = tuple(dict.fromkeys(w for w in parts if w))
        matrices = tuple(self._word(piece, w) for w in words)
        return Group(piece.text[:MAX_NAME], self.group.dim, matrices, words)

    def _word(self, piece: Piece, word: str) -> ExactArray:
        group = self.group
        result = identity(group.dim, group.field)
        for factor in word.split("*"):
            match = re.fullmatch(_FACTOR, factor)
            if match is None or match.group(1) not in group.labels:
                known = group.labels or ("none",)
                raise piece.fail(
                    f"words in the generators ({', '.join(known)}), such as <{known[0]}^2>"
                )
            label, exponent = match.groups(default="1")
            generator = group.generators[group.labels.index(label)]
            result = result @ power(generator, int(exponent))
        return result

    def _e3nn(self, piece: Piece, match: re.Match[str]) -> Representation:
        if not turns_space(self.group):
            raise RepresentationError(
                f"{piece.text!r} is e3nn's notation, for SO(3) and O(3), not for {self.group.name}"
            )
        degree = number(piece, match.group(1), 0, 64)
        parity = "eo".index(match.group(2))
        return spherical(self.group, degree, parity, piece.text)


Builder = Callable[[Reader, Call], Representation]

BUILDERS: dict[str, Builder] = {}
"""By name; in the order in which misspelt names are compared."""


def builder(*names: str) -> Callable[[Builder], Builder]:
    """Register what a name means."""

    def keep(build: Builder) -> Builder:
        BUILDERS.update(dict.fromkeys(names, build))
        return build

    return keep


def require_size(size: int, what: str) -> None:
    if size > MAX_DENSE:
        raise SizeError(
            f"{what} has size {size}, beyond the limit of {MAX_DENSE} for a representation by matrices"
        )


def _blocks(images: list[tuple[ExactArray, ...]]) -> tuple[ExactArray, ...]:
    """Direct sums: one block matrix for each generator."""
    return tuple(block_diagonal(list(blocks)) for blocks in zip(*images, strict=True))
