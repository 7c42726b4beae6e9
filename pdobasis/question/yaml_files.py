"""Reading YAML that somebody else wrote: bounded, plain, no aliases, matrices of exact numbers."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from pdobasis.bounds.caches import remembered
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, matrix
from pdobasis.groups.matrices import simplest

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000
MAX_MATRICES = 64
MAX_DEPTH = 50
MAX_SIDE = 500
SUFFIXES = (".yaml", ".yml")


def is_file_name(text: str) -> bool:
    """Whether a text asks for a file rather than for a name of the catalogue."""
    return text.strip().endswith(SUFFIXES)


def names_file(text: str) -> bool:
    """Whether a file name stands somewhere in a text."""
    return any(suffix in text for suffix in SUFFIXES)


def read_mapping(path: Path, allowed: tuple[str, ...]) -> dict[str, Any]:
    """The top-level mapping of a file, with known keys only."""
    text = _read_text(path)
    data = _parsed(path, text)
    if not isinstance(data, dict) or not data:
        raise SpecError(
            f"{path}: expected a mapping with the keys {', '.join(allowed)}"
        )
    unknown = [str(k) for k in data if k not in allowed]
    if unknown:
        raise SpecError(
            f"{path}: unknown key {unknown[0][:60]!r}; known are {', '.join(allowed)}"
        )
    return data


def _read_text(path: Path) -> str:
    from pdobasis.question.regular_file import open_regular

    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise SpecError(
                f"{path}: larger than {MAX_BYTES} bytes, which no group or representation needs"
            )
        return data.decode("utf-8")
    except FileNotFoundError:
        raise SpecError(f"{path}: there is no such file") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise SpecError(f"{path}: cannot be read ({error.strerror})") from None


def _parsed(path: Path, text: str) -> Any:
    import yaml

    try:
        _require_plain(path, text)
        return yaml.load(text, Loader=strict_loader())
    except yaml.YAMLError as error:
        place = ""
        if mark := getattr(error, "problem_mark", None):
            place = f" at line {mark.line + 1}"
        problem = getattr(error, "problem", None) or "bad text"
        raise SpecError(f"{path}: not readable as YAML{place}: {problem}") from None
    # it is a ValueError too
    except SpecError:
        raise
    # PyYAML's own constructors, of numbers and dates that are none
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise SpecError(
            f"{path}: not readable as YAML (numbers have at most a few thousand digits)"
        ) from None


def _require_plain(path: Path, text: str) -> None:
    """Its events, one after the other, before anything is built of them."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=strict_loader()):
        # aliases of aliases can blow a short text up to any size
        if isinstance(event, yaml.AliasEvent):
            raise SpecError(
                f"{path}: aliases (*{event.anchor!s:.40}) are not accepted; write the matrices out"
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise SpecError(
                f"{path}: brackets nested more than {MAX_DEPTH} deep, which no group or representation needs"
            )


@remembered
def strict_loader() -> Any:
    """The safe loader, in C where there is one, with an error where a key stands twice in a mapping."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[str] = set()
            for key, _ in node.value:
                # a key that is a list or a mapping is refused when it is built
                if isinstance(key.value, str) and key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None,
                        None,
                        f"the key {str(key.value)[:40]!r} stands twice",
                        key.start_mark,
                    )
                if isinstance(key.value, str):
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader


def read_matrices(
    where: str,
    value: Any,
    prefix: str,
) -> dict[str, ExactArray]:
    """Named matrices from a mapping, or from a list (then named by number)."""
    if value is None:
        return {}
    if isinstance(value, list):
        value = {f"{prefix}{k + 1}": m for k, m in enumerate(value)}
    if not isinstance(value, dict):
        raise SpecError(
            f"{where}: expected a list of matrices or a mapping from names to matrices"
        )
    if len(value) > MAX_MATRICES:
        raise SpecError(f"{where}: {len(value)} matrices, at most {MAX_MATRICES}")
    out = {}
    for key, rows in value.items():
        # YAML reads 1 and true as what they are; a name is a text
        name = str(key)
        out[name] = read_matrix(f"{where}: {name[:40]}", rows)
    return out


def read_matrix(where: str, rows: Any) -> ExactArray:
    """A square matrix of numbers such as 1, 1/2, sqrt(3)/2, cos(2*pi/7)."""
    if (
        not isinstance(rows, list)
        or not rows
        or not all(isinstance(r, list) for r in rows)
    ):
        raise SpecError(
            f"{where}: expected a matrix as a list of rows, such as [[0, -1], [1, 0]]"
        )
    if len(rows) > MAX_SIDE:
        raise SpecError(f"{where}: {len(rows)} rows, at most {MAX_SIDE} from a file")
    lengths = [len(r) for r in rows]
    if any(length != len(rows) for length in lengths):
        listed = ", ".join(map(str, lengths))
        raise SpecError(
            f"{where}: the matrix is not square ({len(rows)} rows of {listed})"
        )
    entries = []
    for i, row in enumerate(rows, start=1):
        numbers = []
        for j, value in enumerate(row, start=1):
            place = f"{where}, row {i}, column {j}"
            numbers.append(_entry(place, value))
        entries.append(numbers)
    return simplest(matrix(entries))


def _entry(where: str, value: Any) -> ExactArray:
    # loaded where a file is read: this module is also asked whether a text is one
    from pdobasis.exact.text import MAX_BITS, parse_number

    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise SpecError(f"{where}: {value!r:.40} is not a number")
    if isinstance(value, float) and not isfinite(value):
        raise SpecError(f"{where}: {value} is not a finite number")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise SpecError(f"{where}: a number of more than {MAX_BITS} bits")
    text = str(value)
    # 1e+16 is written out, where seventeen digits are enough
    if isinstance(value, float) and "e" in text:
        text = f"{value:.17g}"
    try:
        return parse_number(text)
    except SpecError as error:
        raise SpecError(f"{where}: {error}") from None
