"""``stablemate refine``."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

FLATTEN = """\
func.func @main(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %m = stablehlo.multiply %n, %c : tensor<i32>
  %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
REFINED = """\
module {
  func.func @main(%arg0: tensor<4x3xf32>) -> tensor<12xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<4x3xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
"""


@pytest.fixture
def flatten(program: Callable[[str], Path]) -> Path:
    """A program with a size that is not known."""
    return program(FLATTEN)


def test_the_refined_program(flatten: Path, stablemate: Invoke) -> None:
    done = stablemate("refine", flatten, "--types=tensor<4x3xf32>")
    assert (done.exit_code, done.stdout, done.stderr) == (0, REFINED, "")
    assert stablemate("refine", "-", "--types", "tensor<4x3xf32>", stdin=FLATTEN).stdout == REFINED


def test_the_generic_form(flatten: Path, stablemate: Invoke) -> None:
    done = stablemate("refine", flatten, "--types=tensor<4x3xf32>", "--generic")
    assert '"stablehlo.reshape"(%arg0) : (' in done.stdout


def test_to_a_file(flatten: Path, stablemate: Invoke, tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    done = stablemate("refine", flatten, "--types=tensor<4x3xf32>", "-o", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert out.read_text() == REFINED


def test_what_stays_open_is_said(flatten: Path, stablemate: Invoke) -> None:
    done = stablemate("refine", flatten)
    assert done.exit_code == 0
    assert "stablehlo.dynamic_reshape" in done.stdout
    assert done.stderr == (
        "note: stablehlo.dynamic_reshape keeps sizes that are known only at run time\n"
    )


@pytest.mark.parametrize(
    ("types", "code", "message"),
    [
        ("tensor<4x2xf32>", 2, "argument 0 of @main is tensor<?x3xf32>, not tensor<4x2xf32>"),
        ("tensor<4x3xf32>,tensor<2xf32>", 2, "types of arguments of @main: expected 1, not 2"),
        ("tensor<4", 2, "expected"),
    ],
)
def test_wrong_types(
    flatten: Path, stablemate: Invoke, types: str, code: int, message: str
) -> None:
    done = stablemate("refine", flatten, f"--types={types}")
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr


def test_a_program_that_breaks_a_rule_with_these_types(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    path = program(
        "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n"
        "}\n"
    )
    done = stablemate("refine", path, "--types=tensor<2xf32>,tensor<3xf32>")
    assert done.exit_code == 3
    assert "2:8: error: stablehlo.add C1" in done.stderr
    assert "lhs = tensor<2xf32>, rhs = tensor<3xf32>" in done.stderr
