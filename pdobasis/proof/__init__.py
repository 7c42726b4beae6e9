"""The proof: equivariant, independent, complete; one theorem a file.

Symbols come in from anywhere. It may call operators and everything below, but no solver: what is shared is numbers,
groups and representations.
"""
