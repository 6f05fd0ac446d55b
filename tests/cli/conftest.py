"""Fixtures for the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stablemate.cli import main

Invoke = Callable[..., Result]


@pytest.fixture
def stablemate() -> Invoke:
    """Runs a command in this process."""

    def invoke(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)

    return invoke


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a function to a file, whose path it returns."""

    def write(text: str, name: str = "program.mlir") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def identity(program: Callable[[str], Path]) -> Callable[..., Path]:
    """Makes a program that returns its arguments, which have the given types."""

    def make(*types: str) -> Path:
        parameters = ", ".join(f"%a{i}: {value_type}" for i, value_type in enumerate(types))
        values = ", ".join(f"%a{i}" for i, _ in enumerate(types))
        return program(
            f"func.func @main({parameters}) -> ({', '.join(types)}) {{\n"
            f"  return {values} : {', '.join(types)}\n"
            "}\n"
        )

    return make


@pytest.fixture
def add(program: Callable[[str], Path]) -> Path:
    """A program that adds two matrices."""
    return program(
        "func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
        "  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n"
        "  return %0 : tensor<2x3xf32>\n"
        "}\n"
    )
