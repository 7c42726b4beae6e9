r"""The same question for a larger group: what SO(d) or O(d) allows, every group of orthogonal matrices allows.

If G lies in O(d), and the representations are formulas in g (vectors, tensors, det), then a term that is equivariant
for O(d) is equivariant for G. Such terms are contractions, which one reads; what else G allows is found besides them.
"""

from __future__ import annotations

from dataclasses import replace

from pdobasis.exact.array import identity, integers
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.tensors import is_tensor
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.representations.representation import Representation, from_term


def wider(question: TermsQuestion) -> TermsQuestion | None:
    """None where the group is no group of orthogonal matrices, or a representation is no tensor.

    >>> from pdobasis.nonlinear.question import ask_terms
    >>> [wider(ask_terms(name, {"u": "vector"}, "vector")).group.name for name in ("C3", "Ih")]
    ['SO(2)', 'O(3)']
    >>> wider(ask_terms("C3", {"u": "regular"}, "vector")) is None
    True
    """
    group = question.group
    if group.dim < 2 or not is_orthogonal(group):
        return None
    reps = [*(field.rep for field in question.fields), question.out]
    if not all(rep.term is not None and is_tensor(rep.term) for rep in reps):
        return None
    larger = parse_group(f"{_family(group)}({group.dim})")
    *own, out = (_at(larger, rep) for rep in reps)
    fields = tuple(
        replace(f, rep=rep) for f, rep in zip(question.fields, own, strict=True)
    )
    return replace(question, group=larger, fields=fields, out=out)


def is_orthogonal(group: Group) -> bool:
    """g^T g = 1 and X^T + X = 0, exactly."""
    one = identity(group.dim)
    return all((g.T @ g).equals(one) for g in on_space(group)) and all(
        x.T.equals(-x) for x in lie_on_space(group)
    )


def _family(group: Group) -> str:
    if all(determinant(g).equals(integers(1)) for g in on_space(group)):
        return "SO"
    return "O"


def _at(group: Group, rep: Representation) -> Representation:
    if rep.term is None:
        return rep
    return from_term(group, rep.term, rep.spec)
