"""The answer: a question goes through a solver and the proof, and comes out as
a basis.

============ =============================================================
``solve``    ask, choose a solver, prove ``basis``    the answer as a whole:
blocks, dimensions, coefficients ``element``  one PDO of it, as text, LaTeX or a
SymPy matrix ``check``    is a PDO that somebody wrote down equivariant?
``kernels``  polynomial kernels, from the same engine
============ =============================================================

Here solvers and proof meet. It may call both and everything below.
"""
