"""Solvers: each turns a question into symbols; what they find is proved elsewhere.

It may call operators and everything below, and never the proof.
"""
