"""The answer: a question goes through solver and proof, and becomes a basis.

============ =============================================================
``solve``    ask, choose a solver, prove
``basis``    the answer as a whole: blocks, dimensions, coefficients
``element``  one PDO of it, as text, LaTeX or a SymPy matrix
``check``    is a PDO that somebody wrote down equivariant?
``kernels``  polynomial kernels, from the same engine
``fourier``  the multipliers P(ik) of a basis
``forms``    quadratic forms that a group keeps, and a positive one
``gaussian_kernels``, ``homogeneous_kernels``: where it keeps a length
============ =============================================================

Here solvers and proof meet. It may call both and everything below.
"""
