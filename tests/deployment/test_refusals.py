"""What needs Python at run time is refused by name; so are places and systems that cannot work."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

import stablemate as sm
from stablemate.cli import main
from stablemate.compiler.config.target import host
from tests.deployment.native_libraries import needs_cc

NO_PROCESSOR: Final = f"no processor of {host().triple.split('-')[0]} is called"
REFUSED: Final = {
    "custom call": (
        """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        "the call of my_kernel needs Python at run time",
    ),
    "collective": (
        """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }) : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        "stablehlo.all_reduce: the operation needs Python at run time",
    ),
    "host transfer": (
        """func.func @main(%t: !stablehlo.token) -> !stablehlo.token {
          %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
          %1 = "stablehlo.outfeed"(%0#0, %0#1) : (tensor<4xf32>, !stablehlo.token)
            -> !stablehlo.token
          return %1 : !stablehlo.token
        }""",
        "stablehlo.infeed: the operation needs Python at run time",
    ),
    "random numbers of the run": (
        """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<4xf32> {
          %shape = stablehlo.constant dense<4> : tensor<1xi64>
          %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
            : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        "stablehlo.rng: the operation needs Python at run time",
    ),
    "LAPACK": (
        """func.func @main(%x: tensor<100x100xbf16>) -> tensor<100x100xbf16> {
          %0 = stablehlo.cholesky %x, lower = true : tensor<100x100xbf16>
          return %0 : tensor<100x100xbf16>
        }""",
        "stablehlo.cholesky: the operation needs Python at run time",
    ),
    "LAPACK in native code": (
        """func.func @main(
            %a: tensor<90x90xcomplex<f64>>, %b: tensor<90x90xcomplex<f64>>
          ) -> tensor<90x90xcomplex<f64>> {
          %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
            unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
            : (tensor<90x90xcomplex<f64>>, tensor<90x90xcomplex<f64>>)
            -> tensor<90x90xcomplex<f64>>
          return %0 : tensor<90x90xcomplex<f64>>
        }""",
        "main calls LAPACK (ztrsm), whose code is part of SciPy and not of a library",
    ),
    "dynamic shape": (
        """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.add %x, %x : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""",
        "the sizes of a library have bounds, but main takes (%arg0: tensor<?xf32>); --batch=8 "
        "builds it for up to 8 rows, and --types='tensor<1xf32>' for static types",
    ),
}
DOUBLE: Final = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_python_is_refused_by_name(what: str, tmp_path: Path) -> None:
    text, message = REFUSED[what]
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.build(text, tmp_path / "library")
    assert message in str(caught.value)
    assert not (tmp_path / "library").exists()


def test_each_operation_in_python_is_listed(tmp_path: Path) -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.build(REFUSED["host transfer"][0], tmp_path / "library")
    names = [diagnostic.rule for diagnostic in caught.value.diagnostics]
    assert names == ["stablehlo.infeed", "stablehlo.outfeed"]
    assert all(diagnostic.span is not None for diagnostic in caught.value.diagnostics)


def test_a_registered_custom_call_is_refused(tmp_path: Path) -> None:
    """It would work with ``sm.run``; in a library nobody could call it."""
    text = REFUSED["custom call"][0].replace("my_kernel", "of_python")

    def double(call: Any, x: Any) -> Any:
        return x + x

    sm.custom_call("of_python")(double)
    with pytest.raises(sm.UnsupportedError, match="the call of of_python needs Python"):
        sm.build(text, tmp_path / "library")


def test_an_invalid_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sm.VerifyError):
        sm.build(DOUBLE.replace("-> tensor<3xf32> {", "-> tensor<4xf32> {"), tmp_path / "library")


def test_without_a_c_compiler_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.build(DOUBLE, tmp_path / "library")
    assert str(caught.value) == (
        "a library is linked by a C compiler, but there is no 'no-such-compiler'; install one, set "
        "CC to its command, `pip install ziglang`, or build a static library, which needs none"
    )


def test_an_error_of_the_linker_is_shown_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "broken-cc"
    script.write_text("#!/bin/sh\necho 'undefined reference to everything' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    with pytest.raises(sm.CompileError, match=r"cannot link liblibrary\.so: undefined reference"):
        sm.build(DOUBLE, tmp_path / "library")
    assert list((tmp_path / "library").iterdir()) == []


def invoke(*arguments: str | Path) -> Result:
    """Runs the command line in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@needs_cc
def test_the_command_lists_the_files(tmp_path: Path) -> None:
    """The name of the directory becomes an identifier; other files in it stay."""
    program = tmp_path / "double.mlir"
    program.write_text(DOUBLE)
    directory = tmp_path / "my-model.2"
    directory.mkdir()
    (directory / "notes").write_text("kept")
    done = invoke("build", program, "-o", directory)
    assert (done.exit_code, done.stderr) == (0, "")
    names = [Path(line.partition(": ")[0]).name for line in done.stdout.splitlines()]
    examples = ["example.c", "example.cpp", "example.rs", "example.py", "Cargo.toml", "build.rs"]
    assert names == ["libmy_model_2.so", "my_model_2.h", *examples]
    assert {path.name for path in directory.iterdir()} == {*names, "notes"}


@needs_cc
def test_a_name_for_the_functions(tmp_path: Path) -> None:
    program = tmp_path / "double.mlir"
    program.write_text(DOUBLE)
    done = invoke("build", program, "-o", tmp_path / "out", "--name=net")
    assert done.exit_code == 0
    assert "net_create(const char *weights, int threads)" in (tmp_path / "out/net.h").read_text()
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", str(tmp_path / "out/libnet.so")],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert "net_call" in symbols
    assert all(name.startswith("net_") for name in symbols[2::3])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{}/missing.mlir", "-o", "{}/out"], 2, "cannot read"),
        (["{}/double.mlir", "-o", "{}/double.mlir"], 2, "cannot write"),
        (["{}/double.mlir", "-o", "{}/out", "--entry=other"], 2, "other"),
        (["{}/double.mlir", "-o", "{}/out", "--target=mips-linux-gnu"], 2, "'mips-linux-gnu'"),
        (["{}/double.mlir", "-o", "{}/out", "--cpu=8086"], 2, NO_PROCESSOR),
        (["{}/double.mlir"], 2, "Missing option"),
        (["{}/call.mlir", "-o", "{}/out"], 4, "the call of my_kernel needs Python"),
    ],
)
def test_bad_command_lines(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "double.mlir").write_text(DOUBLE)
    (tmp_path / "call.mlir").write_text(REFUSED["custom call"][0])
    done = invoke("build", *(argument.format(tmp_path) for argument in arguments))
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr
