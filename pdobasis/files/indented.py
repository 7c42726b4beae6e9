"""JSON with one space a level, as the standard library writes it, which takes a step of Python for every text."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any


def indented(data: Any, level: int = 0) -> str:
    r"""The text of ``json.dumps(data, ensure_ascii=False, indent=1)``; lists of texts are written as a whole.

    >>> print(indented({"a": ["0", "1"], "b": []}))
    {
     "a": [
      "0",
      "1"
     ],
     "b": []
    }
    """
    if not data or not isinstance(data, (list, tuple, dict)):
        return json.dumps(data, ensure_ascii=False)
    start = "\n" + " " * (level + 1)
    end = "\n" + " " * level
    if isinstance(data, dict):
        # keys that are no texts become texts in a way of their own
        if not all(isinstance(key, str) for key in data):
            raise TypeError("a key of JSON is a text")
        parts = [
            f"{encode_basestring(key)}: {indented(value, level + 1)}"
            for key, value in data.items()
        ]
        return f"{{{start}{(',' + start).join(parts)}{end}}}"
    if set(map(type, data)) == {str}:
        texts = [*map(encode_basestring, data)]
    else:
        texts = [indented(value, level + 1) for value in data]
    return f"[{start}{(',' + start).join(texts)}{end}]"
