"""The plugin of pytest: the fixture ``golden``, and ``--update-golden``.

::

    def test_lowering(golden):
        golden(sm.from_jax(f, x))  # golden/test_lowering.mlir beside the test file
        golden(f(x), "values")  # golden/test_lowering.values.npz

Programs are compared by structure, arrays with half of the digits of a float unless ``ulp``,
``atol`` or ``rtol`` say otherwise. A file that is missing fails the test, and ``--update-golden``
writes it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

OPTION: Final = "--update-golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that writes golden files."""
    group = parser.getgroup("stablemate")
    group.addoption(OPTION, action="store_true", help="write the golden files of stablemate")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares programs and arrays with files beside the test."""
    name = re.sub(r"[^\w.=-]+", "-", request.node.name).strip("-")
    directory = Path(request.node.path).parent / "golden"
    return Golden(directory, name, update=bool(request.config.getoption(OPTION)))


class Golden:
    """The golden files of a test.

    Attributes:
        directory: Where they stand.
        name: What their names begin with.
        update: Whether they are written.
    """

    def __init__(self, directory: Path, name: str, *, update: bool) -> None:
        self.directory = directory
        self.name = name
        self.update = update

    def __call__(
        self, value: Any, name: str | None = None, *, ulp: int | None = None,
        atol: float | None = None, rtol: float | None = None,
    ) -> None:  # fmt: skip
        """Compares a value with its file, or writes that.

        Args:
            value: A ``Module``, or an array, or a tuple or list of arrays.
            name: What tells the file from the others of the test.
            ulp: How far arrays may be apart, as for ``stablemate.testing.assert_results_match``.
            atol: See ``ulp``.
            rtol: See ``ulp``.

        Raises:
            AssertionError: They differ, or there is no file.
        """
        __tracebackhide__ = True
        # Here and not above, because pytest loads the plugin for tests of other things, too.
        from stablemate.analysis.tolerance import Tolerance
        from stablemate.api.module import Module
        from stablemate.testing.files import ArraysFile, ProgramFile

        stem = self.name if name is None else f"{self.name}.{name}"
        is_program = isinstance(value, Module)
        path = self.directory / f"{stem}{'.mlir' if is_program else '.npz'}"
        file = (
            ProgramFile(path)
            if is_program
            else ArraysFile(path, Tolerance.from_options(ulp, atol, rtol))
        )
        if self.update:
            self.directory.mkdir(parents=True, exist_ok=True)
            file.write(value)
        elif not path.exists():
            raise AssertionError(f"there is no {path}; pytest {OPTION} writes it")
        else:
            file.check(value)
