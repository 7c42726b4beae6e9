"""Runs the notebooks of the tutorials and saves them with their outputs: ``python docs/notebooks.py [NAME …]``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent / "tutorials"


def main(names: list[str]) -> None:
    with TemporaryDirectory() as folder:
        # a kernel of this very Python, whatever kernels the machine has
        words = [sys.executable, "-m", "ipykernel", "install", "--prefix", folder, "--name", "here"]
        subprocess.run(words, check=True, capture_output=True)
        os.environ["JUPYTER_PATH"] = f"{folder}/share/jupyter"
        for path in sorted(FOLDER.glob("*.ipynb")):
            if not names or path.stem in names:
                run(path)


def run(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=600, kernel_name="here").execute()
    # the name of the kernel and when a cell ran are no part of what a notebook says
    book.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book.metadata.language_info = {"name": "python"}
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(book, path)


if __name__ == "__main__":
    main(sys.argv[1:])
