"""Representations: matrices for generators, formulas for any element, irreps, decompositions, checks.

Groups come in. It may call everything below: groups, linear algebra, numbers.
"""
