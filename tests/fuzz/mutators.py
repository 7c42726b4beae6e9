"""Damage to files: bytes, values of JSON, entries of a zip. The same seed makes the same damage."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

from pdobasis.files.zips import BAD_ZIP
from tests.fuzz.hostile import NAMES, VALUES

Mutator = Callable[[random.Random, bytes], bytes]


def delete(rng: random.Random, data: bytes) -> bytes:
    at, size = rng.randrange(len(data)), _size(rng, data)
    return data[:at] + data[at + size :]


def insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(_size(rng, data)) + data[at:]


def flip(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def repeat(rng: random.Random, data: bytes) -> bytes:
    at, size = rng.randrange(len(data)), _size(rng, data)
    return data[:at] + data[at : at + size] * rng.randint(2, 5) + data[at + size :]


def truncate(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def fill(rng: random.Random, data: bytes) -> bytes:
    """A field of four or eight bytes, as lengths and offsets are, with an extreme value."""
    at = rng.randrange(max(1, len(data) - 8))
    value = rng.choice([b"\xff" * 4, b"\x00" * 4, b"\xff" * 8, b"\xff\xff\xff\x7f", b"\x01\x00\x00\x00"])
    return data[:at] + value + data[at + len(value) :]


def number(rng: random.Random, data: bytes) -> bytes:
    """A digit becomes another, or very many."""
    places = [k for k, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return flip(rng, data)
    at = rng.choice(places)
    other = rng.choice(
        [b"0", b"9", b"-1", b"1e999", b"9" * 30, b"9" * 5000, b"0.5", b"1/0", b"1e-999999999", b"\xd9\xa3"]
    )
    return data[:at] + other + data[at + 1 :]


def value(rng: random.Random, data: bytes) -> bytes:
    """Of JSON: one value at any depth replaced, dropped, or doubled."""
    try:
        whole = json.loads(data)
    except ValueError:
        return flip(rng, data)
    return json.dumps(changed(rng, whole)).encode()


def changed(rng: random.Random, whole: Any) -> Any:
    out = copy.deepcopy(whole)
    places = list(_places(out))
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    what = rng.random()
    if what < 0.15:
        del holder[key]
    elif what < 0.35 and isinstance(holder[key], str):
        holder[key] = rng.choice(NAMES)
    elif what < 0.45 and isinstance(holder, dict):
        holder[rng.choice(NAMES)] = holder.pop(key)
    elif what < 0.55 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    return out


def entry(rng: random.Random, data: bytes) -> bytes:
    """Of a zip: one entry damaged, dropped, doubled, renamed or packed; everything else whole, sums of bytes too."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [(e.filename, archive.read(e)) for e in archive.infolist()]
    except BAD_ZIP:
        return flip(rng, data)
    k = rng.randrange(len(entries))
    name, body = entries[k]
    what = rng.randrange(5)
    if what == 0:
        entries.pop(k)
    elif what == 1:
        entries.append((rng.choice(["a.npy", "../x.npy", "meta.npy", *NAMES[:4]]), body))
    elif what == 2:
        # the first bytes are a header, where damage goes deepest
        head, rest = body[:200], body[200:]
        entries[k] = name, rng.choice([flip, number, delete, insert, repeat, fill])(rng, head or b"0") + rest
    else:
        entries[k] = name, rng.choice([flip, truncate, delete, repeat])(rng, body or b"0")
    stream = io.BytesIO()
    packing = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(stream, "w", packing) as archive:
        for name, body in entries:
            # a name that stands twice is meant here
            info = zipfile.ZipInfo(name.replace("\0", "_") or "_")
            info.compress_type = packing
            archive.NameToInfo.pop(info.filename, None)
            archive.writestr(info, body)
    return stream.getvalue()


MUTATORS: tuple[Mutator, ...] = (delete, insert, flip, repeat, truncate, fill, number, value, entry)


def mutated(rng: random.Random, data: bytes) -> bytes:
    """One to three kinds of damage."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        data = rng.choice(MUTATORS)(rng, data or b"\0")
    return data


def _size(rng: random.Random, data: bytes) -> int:
    return rng.choice([1, 1, 2, 4, 8, 64, max(1, len(data) // 4)])


def _places(value: Any) -> Any:
    """(holder, key) of every value inside."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from _places(value[key])
