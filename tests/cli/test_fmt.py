"""``stablemate fmt``."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

CANONICAL = """\
module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
"""


def test_the_canonical_form(add: Path, stablemate: Invoke) -> None:
    assert stablemate("fmt", add).stdout == CANONICAL
    assert stablemate("fmt", "-", stdin=add.read_text()).stdout == CANONICAL


def test_the_generic_form(add: Path, stablemate: Invoke) -> None:
    assert '"stablehlo.add"(%arg0, %arg1) : (' in stablemate("fmt", "--generic", add).stdout


def test_locations(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(
        'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32> loc("x")\n}\n'
    )
    assert "loc(" not in stablemate("fmt", path).stdout
    assert '"x"' in stablemate("fmt", "--debug-info", path).stdout


def test_long_literals_are_left_out(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(
        "func.func @main() -> tensor<3xi8> {\n"
        "  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>\n"
        "  return %0 : tensor<3xi8>\n"
        "}\n"
    )
    assert "__elided__" in stablemate("fmt", path, "--elide=2").stdout
    assert "[1, 2, 3]" in stablemate("fmt", path, "--elide=3").stdout


def test_check(add: Path, program: Callable[..., Path], stablemate: Invoke) -> None:
    done = stablemate("fmt", "--check", add)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"{add} is not in the canonical form\n"
    done = stablemate("fmt", "--check", program(CANONICAL, "canonical.mlir"))
    assert (done.exit_code, done.output) == (0, "")


def test_in_place(add: Path, stablemate: Invoke) -> None:
    done = stablemate("fmt", "-i", add)
    assert (done.exit_code, done.output) == (0, "")
    assert add.read_text() == CANONICAL
    before = add.stat().st_ino
    assert stablemate("fmt", "--in-place", add).exit_code == 0
    assert add.stat().st_ino == before  # not written again


def test_to_a_file(add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    done = stablemate("fmt", add, "-o", tmp_path / "out.mlir")
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "out.mlir").read_text() == CANONICAL


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{add}", "--check", "-i"], "exclude each other"),
        (["{add}", "-o", "x", "-i"], "exclude each other"),
        (["-", "-i"], "stdin cannot be written back to"),
        (["{add}", "-i", "--elide=1"], "would destroy the program"),
        (["{add}", "-o", "no/such/file"], "cannot write no/such/file"),
    ],
    ids=str,
)
def test_wrong_usage(arguments: list[str], message: str, add: Path, stablemate: Invoke) -> None:
    before = add.read_text()
    done = stablemate("fmt", *(argument.replace("{add}", str(add)) for argument in arguments))
    assert done.exit_code == 2
    assert message in done.stderr
    assert add.read_text() == before


def test_an_invalid_program_has_a_generic_form(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    path = program(
        "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n"
        "  %0 = stablehlo.slice %a [0:3] : (tensor<2xf32>) -> tensor<3xf32>\n"
        "  return %0 : tensor<3xf32>\n"
        "}\n"
    )
    assert stablemate("fmt", path).exit_code == 3
    assert '"stablehlo.slice"' in stablemate("fmt", path, "--generic").stdout


def test_several_files_are_checked_or_written_back(
    program: Callable[..., Path], stablemate: Callable[..., Result]
) -> None:
    """As a pre-commit hook calls it."""
    crooked = [program("module {  }\n", f"{name}.mlir") for name in "ab"]
    checked = stablemate("fmt", "--check", *crooked)
    assert checked.exit_code == 1
    assert checked.stderr == "".join(f"{path} is not in the canonical form\n" for path in crooked)
    assert stablemate("fmt", "--in-place", *crooked).exit_code == 0
    assert stablemate("fmt", "--check", *crooked).exit_code == 0
    refused = stablemate("fmt", *crooked)
    assert refused.exit_code == 2
    assert "several files need --check or --in-place" in refused.stderr
