"""Operators as values, and what one computes with them: sums, compositions, adjoints, coordinates in a basis.

In: elements of bases, or matrices of polynomials that somebody wrote down. Out: :class:`~.operator.Operator`; relations
between compositions, factorisations, complexes, and the symmetries of an operator. All exact.
"""
