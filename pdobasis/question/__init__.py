"""The question as a value: field types and problems, from text, YAML and JSON, and back.

Text of strangers comes in here and nowhere else; values whose parts have been checked go out. It may call
representations and everything below.
"""
