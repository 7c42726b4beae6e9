"""Polynomial matrices as PDOs: symbols, names, printing, and the algebra of the Laplacian.

Exact coefficients come in. It knows neither solvers nor proofs, and may call the question and everything below.
"""
