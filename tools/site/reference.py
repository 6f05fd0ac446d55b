"""Writes the reference: ``docs/reference``, which is generated as a whole."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from tools.site import commands, library, measurements, models, operations
from tools.spec_labels import ROOT

REFERENCE: Final = ROOT / "docs" / "reference"
PARTS: Final = (operations, commands, library, measurements, models)


def write(home: Path = REFERENCE) -> int:
    """Writes all pages, and removes those of before that are none any more.

    Returns:
        How many there are.
    """
    files = {home / name: text for part in PARTS for name, text in part.files()}
    for path in home.rglob("*.md") if home.exists() else ():
        if path not in files:
            path.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:  # what stays is not built again
            path.write_text(text)
    return len(files)


def remove(home: Path = REFERENCE) -> None:
    """Removes all pages."""
    shutil.rmtree(home, ignore_errors=True)
