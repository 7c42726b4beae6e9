"""The answer: a question goes through a solver and through the proof, and comes out as a basis.

Here solvers and proof meet. It may call both and everything below.
"""
