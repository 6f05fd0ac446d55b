"""``stablemate run``."""

import json
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from click.testing import Result

from stablemate.api.backends import BACKENDS
from stablemate.cli.verbs.execute import run

Invoke = Callable[..., Result]

MATRIX = "--input=[1 2 3][4 5 6]"


def npy(array: Any) -> bytes:
    stream = BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def test_the_backends_are_those_of_the_api() -> None:
    assert run.BACKENDS == BACKENDS


# ---- inputs


@pytest.mark.parametrize(
    ("type", "value", "printed"),
    [
        ("2x3xf32", "[1 2 3][4 5 6]", "2x3xf32=[1 2 3][4 5 6]"),
        ("2x3xf32", "2x3xf32=[1 2 3][4 5 6]", "2x3xf32=[1 2 3][4 5 6]"),
        ("2x3xf32", "1.5", "2x3xf32=[1.5 1.5 1.5][1.5 1.5 1.5]"),
        ("4xi32", "4xi32", "4xi32=0 0 0 0"),
        ("f32", "f32=-0.1", "f32=-0.1"),
        ("?xf32", "2xf32=1 2", "2xf32=1 2"),
        ("?xf32", "[1 2]", "2xf32=1 2"),
        ("3xi1", "true false 1", "3xi1=true false true"),
        ("2xcomplex<f32>", "(1,2) 3", "2xcomplex<f32>=(1,2) (3,0)"),
        ("2xf8E4M3FN", "0.3 nan", "2xf8E4M3FN=0.3 nan"),
        ("2xi4", "-8 7", "2xi4=-8 7"),
        ("2x!quant.uniform<i8:f32, 0.5>", "2xi8=3 -4", "2xi8=3 -4"),
    ],
)
def test_values_go_in_and_out(
    type: str, value: str, printed: str, identity: Callable[..., Path], stablemate: Invoke
) -> None:
    done = stablemate("run", identity(f"tensor<{type}>"), f"--input={value}")
    assert done.stderr == ""
    assert done.stdout == f"{printed}\n"


def test_random_seed_fills_in_what_is_not_given(add: Path, stablemate: Invoke) -> None:
    one = stablemate("run", add, "--input=0", "--random-seed=4").stdout
    assert one == stablemate("run", add, "--input=0", "--input=random:5").stdout
    both = stablemate("run", add, "--random-seed=4").stdout
    assert both == stablemate("run", add, "--input=random:4", "--input=random:5").stdout
    assert one != both


def test_random_seed_is_that_of_rng(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "draws.mlir"
    path.write_text(
        """func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    )
    default, zero, one = (
        stablemate("run", path, *seed).stdout
        for seed in ([], ["--random-seed=0"], ["--random-seed=1"])
    )
    assert default == zero != one


def test_arrays_and_programs_come_from_stdin(add: Path, stablemate: Invoke) -> None:
    ones, twos = (npy(np.full((2, 3), value, np.float32)) for value in (1, 2))
    done = stablemate("run", add, "--input=-", "--input=2x3xf32=-", stdin=ones + twos)
    assert done.stdout == "2x3xf32=[3 3 3][3 3 3]\n"
    done = stablemate("run", "-", "--input=1", "--input=2", stdin=add.read_text())
    assert done.stdout == "2x3xf32=[3 3 3][3 3 3]\n"
    done = stablemate("run", "-", "--input=-", "--input=2", stdin=add.read_text())
    assert done.exit_code == 2
    assert "stdin is the program" in done.stderr


def test_files_go_in(add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "a.npz", a=array, b=array)
    array.tofile(tmp_path / "raw.bin")
    for name in ("a.npy", "a.npz:a", "raw.bin"):
        done = stablemate("run", add, f"--input=@{tmp_path}/{name}", "--input=1")
        assert done.stdout == "2x3xf32=[1 2 3][4 5 6]\n"


def test_a_missing_argument_is_named(add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", add, MATRIX)
    assert done.exit_code == 2
    assert done.stderr == (
        "error: argument 1 (%arg1) of main is missing: tensor<2x3xf32>\n"
        "note: give it as --input=2x3xf32=VALUE or --input=@FILE.npy; "
        "--random-seed=0 makes up all that are missing\n"
    )


def test_random_numbers_do_not_stand_in_for_a_dynamic_argument(
    identity: Callable[..., Path], stablemate: Invoke
) -> None:
    done = stablemate("run", identity("tensor<?xf32>"), "--random-seed=0")
    assert done.exit_code == 2
    assert "its sizes are not known: --input=4xf32=random:0, --input=4xf32=VALUE" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([MATRIX] * 3, "main takes 2 arguments, not 3"),
        ([MATRIX, "--input=2x3xf64=1"], "argument 1 (%arg1) of main is tensor<2x3xf32>, but"),
        ([MATRIX, "--input=3x2xf32=1"], "argument 1 (%arg1) of main is tensor<2x3xf32>, but"),
        ([MATRIX, "--input=[1 2]"], "<input 1>:1:1: error: expected numbers for 2x3xf32"),
        ([MATRIX, MATRIX, "--entry=other"], "no function is called 'other'"),
        ([MATRIX, MATRIX, "--expected=1", "--expected=1"], "2 --expected for 1 result"),
        ([MATRIX, MATRIX, "--expected=2xf32=1"], "<expected 0>:1:1: error: result 0 of main is"),
        ([MATRIX, MATRIX, "--output=y.npy"], "note: write @y.npy for the file y.npy"),
        ([MATRIX, MATRIX, "--output=@y.npz"], "under which name? Write @y.npz:NAME"),
        ([MATRIX, MATRIX, "--output=@no/such/y.npy"], "cannot write no/such/y.npy: there is no"),
        ([MATRIX, MATRIX, "--output=@."], "cannot write .: is a directory"),
        ([MATRIX, MATRIX, "--output=-", "--format=json"], "stdout is the JSON"),
        ([MATRIX, MATRIX, "--limit-tensor-bytes=1 GB"], "expected a number of bytes such as"),
        ([MATRIX, MATRIX, "--backend=other"], "'other' is not one of 'cpu', 'interpreter'"),
    ],
    ids=lambda item: item[-1] if isinstance(item, list) else "",
)
def test_wrong_usage(arguments: list[str], message: str, add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", add, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_unreadable_programs(tmp_path: Path, add: Path, stablemate: Invoke) -> None:
    missing = tmp_path / "missing.mlir"
    done = stablemate("run", missing)
    assert done.stderr == f"error: cannot read {missing}: no such file or directory\n"
    folder = tmp_path / "folder"
    folder.mkdir()
    done = stablemate("run", folder)
    assert done.stderr.startswith(
        f"error: {folder} holds no program and no file of a compiler\nnote: "
    )
    truncated = tmp_path / "truncated.mlir"
    truncated.write_text(add.read_text()[:60])
    done = stablemate("run", truncated)
    assert done.exit_code == 3
    assert f"{truncated}:1:" in done.stderr
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    assert stablemate("run", tmp_path / "binary").exit_code == 3
    (tmp_path / "empty").write_bytes(b"")
    assert stablemate("run", tmp_path / "empty").exit_code == 3


def test_an_entry_by_name(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program("""
        func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
        func.func @double(%a: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.add %a, %a : tensor<f32>
          return %0 : tensor<f32>
        }
    """)
    assert stablemate("run", path, "--input=2").stdout == "f32=2\n"
    assert stablemate("run", path, "--input=2", "--entry=double").stdout == "f32=4\n"


def test_arguments_that_no_array_holds(identity: Callable[..., Path], stablemate: Invoke) -> None:
    done = stablemate("run", identity("tensor<2xtf32>"), "--random-seed=0")
    assert done.exit_code in (2, 3)
    assert "internal error" not in done.stderr


def test_arguments_that_are_too_large(identity: Callable[..., Path], stablemate: Invoke) -> None:
    large = "tensor<99999999999999999x99999999999999999x0xf32>"
    for text in ("1", "[]", "random:0", f"@{os.devnull}"):
        done = stablemate("run", identity(large), f"--input={text}")
        assert done.exit_code == 2
        assert f"has type {large}, which no array holds" in done.stderr


def test_tokens_need_no_input(identity: Callable[..., Path], stablemate: Invoke) -> None:
    done = stablemate("run", identity("!stablehlo.token", "tensor<f32>"), "--input=3")
    assert done.stdout == "f32=3\n"


# ---- outputs


def test_results_are_written(
    identity: Callable[..., Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path = identity(*["tensor<2xf32>"] * 4)
    done = stablemate(
        "run",
        path,
        *(f"--input={i}" for i in range(4)),
        f"--output=@{tmp_path}/y.npy",
        f"--output=@{tmp_path}/y.npz:a",
        f"--output=@{tmp_path}/./y.npz:b",
    )
    assert done.stdout == "2xf32=3 3\n"
    assert np.load(tmp_path / "y.npy").tolist() == [0, 0]
    with np.load(tmp_path / "y.npz") as archive:
        assert {name: array.tolist() for name, array in archive.items()} == {
            "a": [1, 1],
            "b": [2, 2],
        }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.mlir", "y.npy", "y.npz"]


@pytest.mark.parametrize("type", ["bf16", "f8E5M2", "i4", "f32", "i1", "complex<f64>"])
@pytest.mark.parametrize("name", ["y.npy", "y.npz:y", "y.bin"])
def test_what_is_written_can_be_read(
    type: str, name: str, identity: Callable[..., Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path = identity(f"tensor<2x3x{type}>")
    first = stablemate("run", path, "--random-seed=0").stdout
    stablemate("run", path, "--random-seed=0", f"--output=@{tmp_path}/{name}")
    assert stablemate("run", path, f"--input=@{tmp_path}/{name}").stdout == first
    done = stablemate("run", path, "--random-seed=0", f"--expected=@{tmp_path}/{name}")
    assert done.stdout == "result 0: matches\n"


def test_bf16_is_stored_as_numpy_would(
    identity: Callable[..., Path], tmp_path: Path, stablemate: Invoke
) -> None:
    stablemate("run", identity("tensor<2xbf16>"), "--input=1.5 2", f"--output=@{tmp_path}/y.npy")
    array = np.array([1.5, 2], ml_dtypes.bfloat16)
    assert np.load(tmp_path / "y.npy").view(ml_dtypes.bfloat16).tolist() == array.tolist()


def test_a_result_on_stdout(add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", add, "--input=1", "--input=2", "--output=-")
    assert np.load(BytesIO(done.stdout_bytes)).tolist() == [[3, 3, 3]] * 2
    done = stablemate("run", add, "--input=1", "--input=2", "--output=-", "--expected=4")
    assert np.load(BytesIO(done.stdout_bytes)).tolist() == [[3, 3, 3]] * 2
    assert "6 of 6 elements differ" in done.stderr


def test_two_results_do_not_share_a_file(
    identity: Callable[..., Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path = identity("tensor<f32>", "tensor<f32>")
    outputs = [f"--output=@{tmp_path}/y.npy"] * 2
    done = stablemate("run", path, "--random-seed=0", *outputs)
    assert done.exit_code == 2
    assert "cannot both be written" in done.stderr


def test_nothing_is_written_when_the_run_fails(
    program: Callable[[str], Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path = program("""
        func.func @main(%a: tensor<i32>) -> tensor<i32> {
          %0 = stablehlo.while(%i = %a) : tensor<i32>
          cond {
            %true = stablehlo.constant dense<true> : tensor<i1>
            stablehlo.return %true : tensor<i1>
          } do {
            stablehlo.return %i : tensor<i32>
          }
          return %0 : tensor<i32>
        }
    """)
    output = tmp_path / "y.npy"
    done = stablemate("run", path, "--input=1", "--max-iterations=3", f"--output=@{output}")
    assert done.exit_code == 4
    assert not output.exists()


def test_large_results_are_summarized(identity: Callable[..., Path], stablemate: Invoke) -> None:
    path = identity("tensor<40x30xf32>")
    assert "(1200 elements, minimum 2, maximum 2" in stablemate("run", path, "--input=2").stdout
    full = stablemate("run", path, "--input=2", "--print-limit=1200").stdout
    assert full.count("2") == 1200 + 1  # of the type: 40x30xf32


# ---- comparing


def test_a_match(add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", add, "--input=1", "--input=2", "--expected=3")
    assert (done.exit_code, done.stdout) == (0, "result 0: matches\n")


def test_a_mismatch(add: Path, stablemate: Invoke) -> None:
    expected = "--expected=[3 3 3][3 4 nan]"
    done = stablemate("run", add, "--input=1", "--input=2", expected)
    assert done.exit_code == 1
    assert done.stdout == (
        "result 0: 2 of 6 elements differ, at most inf ulp, inf absolute, inf relative\n"
        "   index  got  expected      ulp  absolute  relative\n"
        "  [1, 1]    3         4  4194304         1      0.25\n"
        "  [1, 2]    3       nan      inf       inf       inf\n"
    )


def test_tolerances(add: Path, stablemate: Invoke) -> None:
    almost = "--expected=3.000001"
    arguments = ["run", add, "--input=1", "--input=2", almost]
    assert stablemate(*arguments).exit_code == 1
    assert stablemate(*arguments, "--ulp=4").exit_code == 0
    assert stablemate(*arguments, "--atol=1e-5").exit_code == 0
    done = stablemate(*arguments, "--rtol=1e-5")
    assert done.exit_code == 0
    assert done.stdout == (
        "result 0: matches, at most 4 ulp, 9.54e-07 absolute, 3.18e-07 relative\n"
    )


def test_a_dynamic_result_of_another_shape(
    identity: Callable[..., Path], stablemate: Invoke
) -> None:
    path = identity("tensor<?xf32>")
    done = stablemate("run", path, "--input=[1 2]", "--expected=[1 2 3]")
    assert (done.exit_code, done.stdout) == (1, "result 0: differs: shape [2], expected [3]\n")


def test_more_mismatches_than_are_listed(identity: Callable[..., Path], stablemate: Invoke) -> None:
    done = stablemate("run", identity("tensor<25xi8>"), "--input=1", "--expected=2")
    assert done.stdout.startswith("result 0: 25 of 25 elements differ")
    assert done.stdout.endswith("  and 15 more\n")


# ---- times, JSON


def test_times_are_on_stderr(add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", add, "--random-seed=0", "--time")
    assert [part.split()[0] for part in done.stderr.split(", ")] == [
        "load",
        "verify",
        "prepare",
        "run",
    ]
    assert "median of 3" in stablemate("run", add, "--random-seed=0", "--repeat=3").stderr


def test_json(identity: Callable[..., Path], tmp_path: Path, stablemate: Invoke) -> None:
    path = identity("tensor<2xf32>", "tensor<2xf32>", "tensor<complex<f32>>")
    done = stablemate(
        "run",
        path,
        "--input=[1 nan]",
        "--input=2",
        "--input=(1,inf)",
        f"--output=@{tmp_path}/y.npy",
        "--expected=[1 1]",
        "--format=json",
        "--repeat=2",
    )
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert document["entry"] == "main"
    assert document["matches"] is False
    first, second, third = document["results"]
    assert first["file"] == f"@{tmp_path}/y.npy"
    assert first["comparison"]["mismatches"] == 1
    assert first["comparison"]["first"] == [
        {
            "index": [1],
            "got": "nan",
            "expected": "1",
            "ulp": "inf",
            "absolute": "inf",
            "relative": "inf",
        }
    ]
    assert second["value"] == "2xf32=2 2"
    assert (second["type"], second["shape"], second["data"]) == ("tensor<2xf32>", [2], [2.0, 2.0])
    assert third["data"] == [1.0, "inf"]
    assert len(document["times"]["runs"]) == 2


def test_json_leaves_out_large_data(identity: Callable[..., Path], stablemate: Invoke) -> None:
    path = identity("tensor<1001xi64>")
    done = stablemate("run", path, "--input=1", "--format=json")
    assert json.loads(done.stdout)["results"][0]["data"] is None
