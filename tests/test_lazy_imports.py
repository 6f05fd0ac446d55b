"""Packages and modules that are imported on demand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ALONE: Final = """
import sys
from stablemate.lazy_imports import import_alone
part = import_alone("slow", "part")
again = import_alone("slow", "part")
other = import_alone("slow", "other")
print("slow.rest" in sys.modules, part is again, part.NUMBER, other.NUMBER)
import slow.later
print("slow.rest" in sys.modules, slow.part is part, slow.other is other, slow.NUMBERS)
print(import_alone("slow", "rest") is slow.rest)
"""
MISSING: Final = """
from stablemate.lazy_imports import import_alone
for package, name in (("slow", "nothing"), ("slow", "broken"), ("nowhere", "part")):
    try:
        import_alone(package, name)
    except ImportError as error:
        print(error)
import slow
print(slow.NUMBERS)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package whose own import imports more than one of its modules needs."""
    folder = tmp_path / "slow"
    folder.mkdir()
    first = (
        "from slow import rest, part\nfrom slow.part import NUMBER\nNUMBERS = [NUMBER, rest.TWO]"
    )
    (folder / "__init__.py").write_text(first)
    (folder / "part.py").write_text("NUMBER = 1")
    (folder / "other.py").write_text("NUMBER = 3")
    (folder / "rest.py").write_text("from slow.part import NUMBER\nTWO = NUMBER + 1")
    (folder / "later.py").write_text("import slow\nassert slow.NUMBERS")
    (folder / "broken.py").write_text("import nothing_of_the_kind")
    return tmp_path


def lines_of(program: str, folder: Path) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{program}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_module_is_imported_without_its_package(package: Path) -> None:
    assert lines_of(ALONE, package) == ["False True 1 3", "True True True [1, 2]", "True"]


def test_a_module_that_is_missing_or_broken(package: Path) -> None:
    assert lines_of(MISSING, package) == [
        "No module named 'slow.nothing'",
        "No module named 'nothing_of_the_kind'",
        "No module named 'nowhere'",
        "[1, 2]",
    ]
