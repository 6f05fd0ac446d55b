"""``stablemate check``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from stablemate.cli.verbs.inspect.check_report import escape_command

Invoke = Callable[..., Result]

INVALID = """\
func.func @main(%a: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.fixture
def invalid(program: Callable[..., Path]) -> Path:
    return program(INVALID, "invalid.mlir")


def test_a_valid_program(add: Path, stablemate: Invoke) -> None:
    done = stablemate("check", add)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "1 file: 1 valid\n")


def test_an_invalid_program(invalid: Path, stablemate: Invoke) -> None:
    done = stablemate("check", invalid)
    assert done.exit_code == 3
    assert done.stdout == (
        f"{invalid}:2:8: error: stablehlo.concatenate C4: 0 <= dimension < rank(inputs[0])\n"
        f" 2 | {INVALID.splitlines()[1]}\n"
        "   |        ^^^^^^^^^^^^^^^^^^^^^ dimension = 3, rank = 1\n"
    )
    assert done.stderr == (
        "see: stablemate explain stablehlo.concatenate/C4\n"
        "1 file: 0 valid, 1 invalid with 1 error\n"
    )


def test_text_that_is_no_program(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program("func.func @main(\n")
    done = stablemate("check", path)
    assert done.exit_code == 3
    assert done.stdout.startswith(f"{path}:")


def test_several_files(add: Path, invalid: Path, tmp_path: Path, stablemate: Invoke) -> None:
    missing = tmp_path / "missing.mlir"
    done = stablemate("check", invalid, missing, add)
    assert done.exit_code == 3
    assert f"error: cannot read {missing}: no such file or directory\n" in done.stdout
    assert done.stderr == (
        "see: stablemate explain stablehlo.concatenate/C4\n"
        "3 files: 1 valid, 1 invalid with 1 error, 1 unreadable\n"
    )
    assert stablemate("check", add, missing).exit_code == 2


def test_quiet(add: Path, invalid: Path, stablemate: Invoke) -> None:
    assert stablemate("check", "--quiet", add).output == ""
    done = stablemate("check", "-q", invalid)
    assert "C4" in done.stdout
    assert done.stderr == ""


def test_stdin(stablemate: Invoke) -> None:
    done = stablemate("check", "-", stdin=INVALID)
    assert done.exit_code == 3
    assert done.stdout.startswith("<stdin>:2:8: error: stablehlo.concatenate C4")


def test_json(invalid: Path, add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    missing = tmp_path / "missing.mlir"
    done = stablemate("check", "--format=json", invalid, add, missing)
    assert json.loads(done.stdout) == [
        {
            "file": str(invalid),
            "line": 2,
            "column": 8,
            "severity": "error",
            "rule": "stablehlo.concatenate C4",
            "message": "0 <= dimension < rank(inputs[0])",
            "values": {"dimension": "3", "rank": "1"},
            "notes": [],
            "code": "stablehlo.concatenate/C4",
        },
        {
            "file": str(missing),
            "line": None,
            "column": None,
            "severity": "error",
            "rule": "",
            "message": f"cannot read {missing}: no such file or directory",
            "values": {},
            "notes": [],
            "code": "argument",
        },
    ]
    assert json.loads(stablemate("check", "--format=json", add).stdout) == []


def test_github(invalid: Path, stablemate: Invoke) -> None:
    done = stablemate("check", "--format=github", invalid)
    assert done.stdout == (
        f"::error file={invalid},line=2,col=8,title=stablehlo.concatenate C4"
        "::0 <= dimension < rank(inputs[0]) (dimension = 3, rank = 1)"
        "%0Asee: stablemate explain stablehlo.concatenate/C4\n"
    )


def test_what_workflow_commands_escape() -> None:
    assert escape_command("100%\na:b,c") == "100%25%0Aa:b,c"
    assert escape_command("100%\r\na:b,c", ":,") == "100%25%0D%0Aa%3Ab%2Cc"


BITCAST = """func.func @main(%a: tensor<f32>) -> tensor<3xi32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""


@pytest.mark.parametrize("options", [[], ["--strict"]], ids=["lenient", "strict"])
def test_what_only_the_specification_forbids_is_a_warning(
    options: list[str], program: Callable[[str], Path], stablemate: Invoke
) -> None:
    file = program(BITCAST)
    level, code = ("error", 3) if options else ("warning", 0)
    plain = stablemate("check", file, *options)
    github = stablemate("check", "--format=github", file, *options)
    as_json = stablemate("check", "--format=json", "-q", file, *options)
    assert plain.exit_code == github.exit_code == as_json.exit_code == code
    assert f"{file}:2:8: {level}: stablehlo.bitcast_convert C1" in plain.stdout
    assert ("1 valid, 1 warning" in plain.stderr) == (not options)
    assert ("1 invalid with 1 error" in plain.stderr) == bool(options)
    assert github.stdout.startswith(f"::{level} file={file},line=2,col=8,")
    assert [finding["severity"] for finding in json.loads(as_json.stdout)] == [level]


BROKEN = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.foo %a : tensor<4xf32>
  %2 = stablehlo.concatenate %a, %a, dim = 3
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.multiply %a %a : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""


def test_all_errors_of_a_text_are_reported(
    program: Callable[..., Path], stablemate: Invoke
) -> None:
    """As the language server reports them: an error costs one statement."""
    file = program(BROKEN, "broken.mlir")
    done = stablemate("check", file)
    assert done.exit_code == 3
    heads = [line for line in done.stdout.splitlines() if line.startswith(str(file))]
    assert heads == [
        f"{file}:2:26: error: no value is called %b here",
        f"{file}:3:8: error: unknown operation 'stablehlo.foo'",
        f"{file}:4:8: error: stablehlo.concatenate C4: 0 <= dimension < rank(inputs[0])",
        f"{file}:6:30: error: expected ',', found '%a'",
    ]
    assert done.stderr.endswith("1 file: 0 valid, 1 invalid with 4 errors\n")


def test_an_error_in_the_head_of_a_function_is_reported_beside_others(
    program: Callable[..., Path], stablemate: Invoke
) -> None:
    file = program(
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = stablehlo.foo %a : tensor<f32>\n"
        "  return %a : tensor<f32>\n}\n"
        "func.func @f(%a: tensor<4xf32) -> tensor<4xf32> { return %a : tensor<4xf32> }\n",
        "broken.mlir",
    )
    done = stablemate("check", file)
    heads = [line for line in done.stdout.splitlines() if line.startswith(str(file))]
    assert heads == [
        f"{file}:2:8: error: unknown operation 'stablehlo.foo'",
        f"{file}:5:30: error: expected '>', found ')'",
    ]
