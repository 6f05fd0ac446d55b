"""Tables in terminals of any width: words are folded, digits never left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from stablemate.cli.output.tables import GAP, NARROW, grid_lines
from tests.cli.terminal import in_terminal

NAMES = ("where", "number", "operation")
ARE_WORDS = (True, False, True)
ROWS = [
    ("@main", "5242880", "stablehlo.multiply (double.mlir:3:10)"),
    ("@main > while body[3]", "-1.9763e-05", "stablehlo.add"),
]
PROGRAM = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.OPERATION %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


@pytest.fixture(autouse=True)
def command() -> Iterator[None]:
    """A command that is running, whose options say whether there are colors."""
    with click.Context(click.Command("test")):
        yield


@pytest.mark.parametrize("width", [1, 20, 40, 60, 200])
def test_nothing_is_left_out(width: int) -> None:
    lines = list(grid_lines(NAMES, ARE_WORDS, ROWS, width))
    text = "\n".join(lines)
    for name, row in zip(NAMES, zip(*ROWS, strict=True), strict=True):
        assert name in lines[0]
        if name == "number":
            assert all(item in text for item in row)
    least = 2 * NARROW + len("-1.9763e-05") + GAP * len(NAMES)
    assert max(map(len, lines)) <= max(width, least)
    # The words are there in pieces, in their order.
    start = lines[0].index("operation")
    folded = "".join(line[start:].strip() for line in lines[1:])
    assert folded.replace(" ", "") == "".join(row[2] for row in ROWS).replace(" ", "")


def test_a_wide_terminal_folds_nothing() -> None:
    lines = list(grid_lines(NAMES, ARE_WORDS, ROWS, 200))
    assert len(lines) == 1 + len(ROWS)


def test_long_names_are_folded_at_blanks() -> None:
    names = ("read and written", "x")
    lines = list(grid_lines(names, (False, True), [("72 bytes", "add")], 10))
    collected = [line.split() for line in lines]
    assert collected == [["read"], ["and"], ["written", "x"], ["72", "bytes", "add"]]


def test_no_rows() -> None:
    assert list(grid_lines(NAMES, ARE_WORDS, [], 10)) == ["where  number  operation"]


@pytest.mark.standard
@pytest.mark.parametrize("columns", ["40", "9"])
def test_a_comparison_in_a_narrow_terminal(columns: str, tmp_path: Path) -> None:
    paths = [tmp_path / "a.mlir", tmp_path / "b.mlir"]
    for path, operation in zip(paths, ("add", "multiply"), strict=True):
        path.write_text(PROGRAM.replace("OPERATION", operation))
    code, text = in_terminal(
        "compare", *map(str, paths), "--input=3", environment={"COLUMNS": columns, "NO_COLOR": "1"}
    )
    assert code == 1, text
    lines = [line.split() for line in text.splitlines()]
    assert ["index", "got", "expected", "ulp", "absolute", "relative"] in lines
    assert ["[2]", "6", "9", "5242880", "3", "0.333"] in lines
