"""What a run depends on, as frozen values: read from YAML, checked, written to run folders.

`schema` makes dataclasses of mappings and refuses unknown keys, `values` are the dataclasses, `files` reads rows and
tables and merges what they say for a scale.
"""
