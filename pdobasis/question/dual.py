r"""Kernels and PDOs are one constraint on distributions; this is the map between
the two questions.

A matrix T of distributions makes an equivariant convolution exactly if
$T \circ g = |\det g|^{-1} \rho_{out}(g)\, T\, \rho_{in}(g)^{-1}$. For $T = P(\partial)\delta$ this is
the constraint on symbols, $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$; for a function
K it is

$$K(gx) = |\det g|^{-1} \rho_{out}(g)\, K(x)\, \rho_{in}(g)^{-1}.$$

With $h = g^{-T}$, which runs over the *dual group* $H = \{g^{-T}\}$, we have $g = h^{-T}$ and

$$K(h^{-T}x) = \sigma_{out}(h)\, K(x)\, \sigma_{in}(h)^{-1}, \qquad
\sigma_{in}(g^{-T}) = \rho_{in}(g), \quad \sigma_{out}(g^{-T}) = |\det g|^{-1} \rho_{out}(g).$$

Both σ are representations of H, since $g \mapsto g^{-T}$ is an isomorphism and $|\det|$ a
homomorphism. So polynomial kernels of G are the symbols of a question about H,
with the Lie generators $-X^T$, $d\sigma_{in} = d\rho_{in}(X)$ and
$d\sigma_{out} = d\rho_{out}(X) - \mathrm{tr}(X)\,1$.
"""

from __future__ import annotations

from dataclasses import replace

from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.numbers import sign
from pdobasis.groups.group import MAX_NAME, Group
from pdobasis.groups.matrices import determinant
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation, from_matrices


def kernel_question(problem: Problem) -> Problem:
    """The question about PDOs whose symbols are the polynomial kernels of this one.

    For G <= O(d) it is the question itself: $g^{-T} = g$ and $|\\det g| = 1$.
    """
    group = problem.group
    if group.is_orthogonal:
        return problem
    dual = dual_group(group)
    source = [(_moved(rep, dual), n) for rep, n in problem.in_type.terms]
    target = [(_density(rep, dual), n) for rep, n in problem.out_type.terms]
    return replace(
        problem,
        group=dual,
        in_type=FieldType(tuple(source)),
        out_type=FieldType(tuple(target)),
    )


def dual_group(group: Group) -> Group:
    """$\\{g^{-T}\\}$: how the group moves covectors.

    >>> from pdobasis import group
    >>> dual_group(group("SL(2)"))
    <Group dual of SL(2): order infinite, dimension 2>
    """
    generators = tuple(g.inverse().T for g in group.generators)
    lie = tuple(-x.T for x in group.lie)
    name = f"dual of {group.name}"[:MAX_NAME]
    return Group(name, group.dim, generators, group.labels, lie)


def _moved(rep: Representation, dual: Group) -> Representation:
    """sigma(g^-T) = rho(g): the same matrices, at other elements."""
    name = f"{rep.spec} of {rep.group.name}"
    return from_matrices(
        dual,
        name,
        rep.size,
        rep.matrices(),
        rep.lie,
        own=True,
        hypothesis=rep.hypothesis,
    )


def _density(rep: Representation, dual: Group) -> Representation:
    """sigma(g^-T) = rho(g)/|det g|."""
    group = rep.group
    pairs = zip(rep.matrices(), group.generators, strict=True)
    generators = tuple(m * _absolute_determinant(g).inverse() for m, g in pairs)
    one = identity(rep.size)
    pairs = zip(rep.lie, group.lie, strict=True)
    lie = tuple(m - one * x.trace().reshape(1, 1) for m, x in pairs)
    name = f"{rep.spec} of {group.name} over |det|"
    return from_matrices(
        dual, name, rep.size, generators, lie, own=True, hypothesis=rep.hypothesis
    )


def _absolute_determinant(g: ExactArray) -> ExactArray:
    """As a 1x1 matrix."""
    value = determinant(g)
    return value.scale(sign(value)).reshape(1, 1)
