"""``stablemate compare`` and ``bisect``: what is found, printed and written; exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
INPUT = "--input=4xf32=[0.5 -1 2 3]"


@pytest.fixture
def good(program: Callable[..., Path]) -> Path:
    return program(PROGRAM, "good.mlir")


@pytest.fixture
def bad(program: Callable[..., Path]) -> Path:
    return program(PROGRAM.replace("tanh", "sine"), "bad.mlir")


def test_executors_match(stablemate: Invoke, good: Path) -> None:
    completed = stablemate("compare", good, INPUT)
    assert completed.exit_code == 0, completed.output
    assert completed.stdout.rstrip().endswith("They match.")
    assert "stablehlo.tanh" in completed.stdout
    only = stablemate("compare", good, INPUT, "--results-only")
    assert "stablehlo.tanh" not in only.stdout


def test_programs_part(stablemate: Invoke, good: Path, bad: Path) -> None:
    completed = stablemate("compare", good, bad, INPUT)
    assert completed.exit_code == 1
    assert f"stablehlo.tanh ({good}:3:8)." in completed.stdout
    document = json.loads(stablemate("compare", good, bad, INPUT, "--format=json").stdout)
    assert document["first"]["operation"] == "stablehlo.tanh"
    assert document["first"]["line"] == 3
    assert document["results"][0]["mismatches"] == 4
    near = stablemate("compare", good, bad, INPUT, "--atol=10", "--rtol=1")
    assert near.exit_code == 0


def test_traces(stablemate: Invoke, good: Path, bad: Path, tmp_path: Path) -> None:
    for path, name in ((good, "a"), (bad, "b")):
        completed = stablemate("trace", path, INPUT, "--keep=*", "--save", tmp_path / name)
        assert completed.exit_code == 0, completed.output
    completed = stablemate("compare", tmp_path / "a", tmp_path / "b")
    assert completed.exit_code == 1
    assert "where they diverge" in completed.stdout
    assert stablemate("compare", tmp_path / "a", tmp_path / "a").exit_code == 0
    alone = stablemate("compare", tmp_path / "a")
    assert alone.exit_code == 2
    assert "with which one is it compared?" in alone.stderr


def test_bisect(stablemate: Invoke, good: Path, bad: Path, tmp_path: Path) -> None:
    assert stablemate("bisect", good, INPUT).exit_code == 0
    piece = tmp_path / "piece.mlir"
    completed = stablemate("bisect", good, bad, INPUT, "-o", piece)
    assert completed.exit_code == 1
    assert f"The difference originates at stablehlo.tanh ({good}:3:8)" in completed.stdout
    assert "[-1, 3]" in completed.stdout
    assert piece.read_text().count("stablehlo.") == 1
    again = stablemate("run", piece, f"--input=@{piece.with_suffix('.npz')}:arg0")
    assert again.exit_code == 0, again.output
    document = json.loads(stablemate("bisect", good, bad, INPUT, "--format=json").stdout)
    assert document["operations"] == [{"operation": "stablehlo.tanh", "line": 3}]


def test_bisect_ends_with_sentences_and_the_code_of_the_results(
    stablemate: Invoke, tmp_path: Path
) -> None:
    """A difference that no result shows is found, and is no failure."""
    good, bad = tmp_path / "good.mlir", tmp_path / "bad.mlir"
    good.write_text(MASKED)
    bad.write_text(MASKED.replace("stablehlo.add", "stablehlo.subtract"))
    done = stablemate("bisect", good, bad, "--input=4xf32=1")
    assert done.exit_code == 0, done.output
    assert " ".join(done.stdout.rpartition("\n\n")[2].split()) == (
        f"The difference originates at stablehlo.add ({good}:3:8). "
        "The results of the program agree within the tolerance. "
        "Found by 4 runs of parts of the program, which has 2 operations besides constants."
    )
    document = json.loads(
        stablemate("bisect", good, bad, "--input=4xf32=1", "--format=json").stdout
    )
    assert (document["masked"], document["results_differ"]) == (True, False)


MASKED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.multiply %0, %zero : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def test_compare_shows_what_differs_and_counts_what_does_not(
    stablemate: Invoke, tmp_path: Path
) -> None:
    names = [f"%r{i}" for i in range(9)]
    types = ", ".join(["tensor<4xf32>"] * 9)
    body = "\n".join(f"  {name} = stablehlo.sine %x : tensor<4xf32>" for name in names)
    text = (
        f"func.func @main(%x: tensor<4xf32>) -> ({types}) {{\n{body}\n"
        f"  return {', '.join(names)} : {types}\n}}\n"
    )
    good, bad = tmp_path / "good.mlir", tmp_path / "bad.mlir"
    good.write_text(text)
    bad.write_text(text.replace("%r7 = stablehlo.sine", "%r7 = stablehlo.cosine"))
    done = stablemate("compare", good, bad, "--input=4xf32=1")
    assert done.exit_code == 1
    lines = [" ".join(line.split()[:2]) for line in done.stdout.splitlines()]
    assert lines[2] == "result 7"
    assert done.stdout.splitlines()[3] == "8 results agree within the tolerance"
    assert "8 values agree within the tolerance" in done.stdout
    same = stablemate("compare", good, good, "--input=4xf32=1").stdout.splitlines()
    assert same[7] == "4 other results agree within the tolerance"


def test_wrong_usage(stablemate: Invoke, good: Path, tmp_path: Path) -> None:
    for verb in ("compare", "bisect"):
        missing = stablemate(verb, good)
        assert missing.exit_code == 2
        assert "argument 0 (%arg0) of main is missing" in missing.stderr
    completed = stablemate("bisect", good, INPUT, "-o", tmp_path / "none" / "x.mlir")
    assert completed.exit_code == 2
    assert stablemate("compare", good, tmp_path / "none.mlir", INPUT).exit_code in (2, 3)


def test_help_is_enough(stablemate: Invoke) -> None:
    for verb in ("compare", "bisect", "reduce"):
        completed = stablemate(verb, "--help")
        assert completed.exit_code == 0
        assert "Examples:" in completed.stdout
