"""Damaged command lines and files of arrays: what people and scripts hand over."""

from __future__ import annotations

import contextlib
import io
import tempfile
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.cli.exit_codes import FAILED, FINDING, INVALID, MISUSED
from stablemate.cli.input.arguments import InputReader
from stablemate.formats.mlir.parser import parse_type
from stablemate.ir.types import TensorType
from tests.fuzzing.survival import LIMITS

EXIT_STATUSES: Final = frozenset({0, FINDING, MISUSED, INVALID, FAILED})
PROGRAM: Final = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func private @other(%n: tensor<?xi8>) -> tensor<?xi8> {
  return %n : tensor<?xi8>
}
"""
LINES: Final = (
    "run a.mlir --input=2x3xf32=[[1,2,3],[4,5,6]] --input=2x3xf32=random:7",
    "run a.mlir --input=2x3xf32=0x1p3 --input=[[1e400,-inf,nan],[-0,.5,1e-46]] --ulp=4",
    "run a.mlir --input=@x.npy --input=@x.npz:y --expected=2x3xf32=[[0,0,0],[0,0,0]] --rtol=1e-5",
    "run a.mlir --input=@x.raw --input=random:0 --backend=interpreter --threads=1",
    "run a.mlir --entry=other --input=4xi8=[1,2,3,4] --limit-tensor-bytes=1000000 --print-limit=5",
    "run - --random-seed=3 --max-iterations=10 --print-limit=0", "check a.mlir --format=json",
    "check a.mlir --color=always", "fmt a.mlir --check", "fmt - --generic --elide=2",
    "info a.mlir --constants=2 --format=json", "cost a.mlir --network=5us:2GB/s --grid=2x4",
    "cost a.mlir --machine=100:20 --format=json --list=3", "explain stablehlo.add C1",
    "explain limits.nesting", "convert a.mlir - --to=hlo", "convert a.mlir - --target=1.0.0",
    "convert a.mlir - --to=bytecode --bytecode-version=3",
    "refine a.mlir --types=tensor<2x3xf32>,tensor<2x3xf32>",
    "compare a.mlir --input=random:1 --input=random:2 --atol=0.1 --against=interpreter",
    "profile a.mlir --list=4 --random-seed=0", "--version", "opt a.mlir --canonicalize --cse",
    "opt a.mlir --pass-pipeline=builtin.module(func.func(cse,canonicalize),inline)",
    "nan a.mlir --input=random:0 --input=2x3xf32=nan --format=json",
)  # fmt: skip
# Types of the files of arrays, by number.
TYPES: Final = (
    "tensor<2x3xf32>", "tensor<4xi8>", "tensor<0x5xbf16>", "tensor<complex<f64>>", "tensor<?xi1>",
)  # fmt: skip


@cache
def lines() -> Sequence[str]:
    """Command lines, an argument on each line."""
    return [line.replace(" ", "\n") for line in LINES]


@cache
def arrays() -> Sequence[bytes]:
    """Files of NumPy: of several versions of the format, one array and several."""
    collected: list[bytes] = []
    for item in (
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.asfortranarray(np.ones((2, 3), ">f4")),
        np.array([1, -2, 3, 4], np.int8),
        np.array(1 - 2j),
        np.zeros((0, 5), "V2"),
        np.array([True, False]),
    ):
        for version in ((1, 0), (2, 0), (3, 0)):
            stream = io.BytesIO()
            np.lib.format.write_array(stream, item, version=version, allow_pickle=False)
            collected.append(stream.getvalue())
        for save in (np.savez, np.savez_compressed):
            stream = io.BytesIO()
            save(stream, x=item, y=np.arange(3))
            collected.append(stream.getvalue())
    return collected


def read_arrays(data: bytes, number: int) -> str:
    """A file of an array, or of several, as the value of an argument."""
    expected = parse_type(TYPES[number % len(TYPES)])
    assert isinstance(expected, TensorType)
    is_archive = zipfile.is_zipfile(io.BytesIO(data))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / ("x.npz" if is_archive else ("x.npy", "x.raw")[number % 7 == 0])
        path.write_bytes(data)
        name = f"@{path}:x" if is_archive else f"@{path}"
        try:
            InputReader(LIMITS).read(name, expected, name="--input", what="the argument")
        except sm.StablemateError as error:
            error.render()
            return "refused"
    return "read"


def run_line(data: bytes, number: int) -> str:
    """A command line, in a directory with files of its own; it answers or says what is wrong."""
    arguments = data.decode("utf-8", "replace").split("\n")
    if any("\0" in argument for argument in arguments):
        arguments = [argument.replace("\0", "") for argument in arguments]  # no process gets one
    runner = CliRunner()
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        Path("a.mlir").write_text(PROGRAM)
        np.save("x.npy", np.ones((2, 3), np.float32))
        np.savez("x.npz", y=np.ones((2, 3), np.float32))
        Path("x.raw").write_bytes(bytes(24))
        result = runner.invoke(main, arguments, input=PROGRAM, prog_name="stablemate")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "internal error" not in result.output, result.output
    assert "Traceback" not in result.output, result.output
    assert result.exit_code in EXIT_STATUSES, result.output
    return "run" if result.exit_code in (0, FINDING) else "refused"
