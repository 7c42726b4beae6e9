"""Polynomial matrices as PDOs.

======================= ================================================
``symbols``             many polynomial matrices of one order, sparse
``block``               those between two summands, of every order
``laplacian``           Laplacian, times r^2, harmonic projection
``angular``             what is harmonic in a given span
``relations``           linear relations, exactly
``textbook_operators``  gradient, curl, Hessian, … as data
``names``               which element is one of them
``printing``            text, LaTeX, SymPy
======================= ================================================

Exact coefficients come in; symbols and texts go out. It knows neither solvers
nor proofs, and may call the question and everything below.
"""
