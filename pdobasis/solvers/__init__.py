"""Solvers: each turns a question into symbols; what they find is proved.

============== ===========================================================
``solver``     what a solver is: :class:`~pdobasis.solvers.solver.Solver`
``registry``   the list of them, and the choice
``direct``     the null space of the constraint, for every group
``transfer``   angular elements times powers of the Laplacian, in O(d)
``both``       one as the answer, the other as its witness
``reference``  the paper in SymPy, asked by its name
============== ===========================================================

The direct solver stands on ``constraint`` (equations), ``batch`` and
``together`` (many blocks at once), ``orbits`` (permuted rows and columns) and
``through_irreps`` (large blocks of SO(3) and O(3));
the transfer solver on ``planar`` and ``spherical`` (closed forms),
``known_irreps`` (for other formulas of the same matrices), ``icosahedral`` (I
and Ih), ``restricted`` (finite groups that ask for what all rotations do),
``planar_sums``, ``small_sums`` and ``small_rotations`` (sums of irreps in
integers: of the plane, of point groups, of SO(3)), ``small_chis`` (between
irreps of crystals), ``reducible`` (through irreps), ``projection`` (everything
else), ``module`` and ``textbook`` (named operators), ``few_elements`` (both in
integers).

A question comes in, blocks of symbols go out. It may call operators and
everything below, and never the proof.
"""
