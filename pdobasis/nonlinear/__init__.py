"""Nonlinear terms: every equivariant polynomial in the derivatives of fields.

In: a group, fields with their representations, an output representation, bounds. Out: :class:`~.result.Terms`, all
terms by multidegree, each multidegree with its certificate. Finders (contractions, orbit sums, the engine) propose;
:mod:`.proof` judges by its own action on polynomials and by characters.
"""
