"""``stablemate opt``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from stablemate.cli.verbs.transform import opt
from stablemate.transforms.passes import TABLE

Invoke = Callable[..., Result]

TWICE = """\
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
"""
ONCE = """\
module {
  func.func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = stablehlo.tan %arg0 : tensor<2xf32>
    return %0, %0 : tensor<2xf32>, tensor<2xf32>
  }
}
"""


@pytest.fixture
def twice(program: Callable[[str], Path]) -> Path:
    return program(TWICE)


@pytest.mark.parametrize(
    "passes",
    [
        ["--chlo-legalize-to-stablehlo", "--cse"],
        ["--pass", "cse", "--pass=chlo-legalize-to-stablehlo"],
        ["--pass-pipeline=builtin.module(func.func(chlo-legalize-to-stablehlo),cse)"],
    ],
)
def test_passes_in_order(twice: Path, stablemate: Invoke, passes: list[str]) -> None:
    done = stablemate("opt", twice, *passes)
    assert (done.exit_code, done.stdout, done.stderr) == (0, ONCE, "")


def test_what_each_pass_has_changed(twice: Path, stablemate: Invoke) -> None:
    done = stablemate("opt", twice, "--symbol-dce", "--cse", "--print-changed")
    assert done.exit_code == 0
    assert "// ----- symbol-dce -----\nno change\n// ----- cse -----\n" in done.stderr
    assert "\n-    %1 = chlo.tan %arg0 : tensor<2xf32> -> tensor<2xf32>\n" in done.stderr
    assert "\n+    return %0, %0 : tensor<2xf32>, tensor<2xf32>\n" in done.stderr


def test_programs_between_passes(twice: Path, stablemate: Invoke) -> None:
    passes = ("--cse", "--chlo-legalize-to-stablehlo")
    done = stablemate("opt", twice, *passes, "--print-after=cse")
    assert done.stderr.startswith("// ----- cse -----\nmodule {\n")
    assert "chlo-legalize" not in done.stderr
    done = stablemate("opt", twice, *passes, "--print-after-all")
    assert done.stderr.endswith("// ----- chlo-legalize-to-stablehlo -----\n" + ONCE)
    done = stablemate("opt", twice, *passes, "--stop-after=cse")
    assert "chlo.tan" in done.stdout


def test_options_of_a_pass(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.abs %x : tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n"
        "}\n"
    )
    passes = ("--stablehlo-refine-arguments=types='tensor<4xf32>'", "--stablehlo-refine-shapes")
    done = stablemate("opt", path, *passes)
    assert done.exit_code == 0
    assert "stablehlo.abs %arg0 : tensor<4xf32>" in done.stdout


def test_the_list_of_passes(stablemate: Invoke) -> None:
    done = stablemate("opt", "--list-passes")
    assert done.exit_code == 0
    assert "--chlo-recompose-ops, --stablehlo-ext-chlo-recompose-ops\n" in done.stdout
    assert "      target=<version>: the version, such as 1.9.0, needed\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--csee"], 2, "error: no pass is called 'csee'; did you mean cse?"),
        (["--cse=quick"], 2, "error: cse has no option 'quick'; it has: none"),
        (["--cse", "--print-after=inlin"], 2, "did you mean inline?"),
        (["--stablehlo-legalize-deprecated-ops=fail-on-unused", "--stop-after=x"], 2, "stop"),
    ],
)
def test_wrong_usage(
    twice: Path, stablemate: Invoke, arguments: list[str], code: int, message: str
) -> None:
    done = stablemate("opt", twice, *arguments)
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr


def test_an_invalid_program(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(TWICE.replace("tensor<2xf32> -> tensor<2xf32>", "tensor<2xi1> -> tensor<2xi1>"))
    assert stablemate("opt", path, "--cse").exit_code == 3
    assert stablemate("opt", path.with_name("absent.mlir"), "--cse").exit_code == 2
    assert stablemate("opt").exit_code == 2


def test_help_names_all_passes(stablemate: Invoke) -> None:
    assert tuple(row.name for row in TABLE) == opt.NAMES
    text = stablemate("opt", "--help").stdout
    for row in TABLE:
        assert f"  --{row.name}\n" in text


@pytest.mark.parametrize("name", [row.name for row in TABLE])
def test_every_pass_is_explained(stablemate: Invoke, name: str) -> None:
    completed = stablemate("explain", name)
    assert completed.exit_code == 0, completed.stderr
    assert completed.stdout.startswith(f"{name} (pass)\n")
    assert f"stablemate opt model.mlir --{name}" in completed.stdout
    assert stablemate("explain", "--", f"--{name}").stdout == completed.stdout
