"""Libraries called from C, C++, Rust and Python give the bits of ``sm.compile``."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import Argument
from stablemate.ir.types import TensorType
from stablemate.numerics.random_elements import random_elements
from tests.deployment.native_libraries import (
    EXAMPLES,
    check_examples,
    compiled,
    digit_classifier,
    expected_results,
    needs_cc,
    output,
    results_of,
    write_both,
    written_results,
)

PROGRAMS: Final = Path(__file__).parents[1] / "programs"
# What a program is made of, and what may differ in a library.
TEXTS: Final = {
    "collatz": """
        func.func @main(%n: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
          %zero = stablehlo.constant dense<0> : tensor<i64>
          %one = stablehlo.constant dense<1> : tensor<i64>
          %two = stablehlo.constant dense<2> : tensor<i64>
          %three = stablehlo.constant dense<3> : tensor<i64>
          %r:2 = stablehlo.while(%a = %n, %i = %zero) : tensor<i64>, tensor<i64>
          cond {
            %c = stablehlo.compare NE, %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %half = stablehlo.divide %a, %two : tensor<i64>
            %rest = stablehlo.remainder %a, %two : tensor<i64>
            %odd = stablehlo.compare EQ, %rest, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
            %t = stablehlo.multiply %a, %three : tensor<i64>
            %up = stablehlo.add %t, %one : tensor<i64>
            %next = stablehlo.select %odd, %up, %half : tensor<i1>, tensor<i64>
            %i1 = stablehlo.add %i, %one : tensor<i64>
            stablehlo.return %next, %i1 : tensor<i64>, tensor<i64>
          }
          return %r#0, %r#1 : tensor<i64>, tensor<i64>
        }""",
    "no_arguments": """
        func.func @main() -> tensor<3xi32> {
          %0 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi32>
          return %0 : tensor<3xi32>
        }""",
    "no_results": "func.func @main(%x: tensor<2xf32>) { return }",
    "empty_tensor": """
        func.func @main(%x: tensor<0x3xf32>, %y: tensor<2xf32>) -> (tensor<0x3xf32>, tensor<2xf32>)
        {
          %0 = stablehlo.add %x, %x : tensor<0x3xf32>
          return %0, %y : tensor<0x3xf32>, tensor<2xf32>
        }""",
    "tuples": """
        func.func @main(%t: tuple<tensor<2xf32>, tuple<tensor<i8>>>)
            -> tuple<tensor<i8>, tensor<2xf32>> {
          %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tuple<tensor<i8>>>)
            -> tensor<2xf32>
          %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tuple<tensor<i8>>>)
            -> tuple<tensor<i8>>
          %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i8>>) -> tensor<i8>
          %3 = stablehlo.tuple %2, %0 : tuple<tensor<i8>, tensor<2xf32>>
          return %3 : tuple<tensor<i8>, tensor<2xf32>>
        }""",
    "element_types": """
        func.func @main(%a: tensor<5xbf16>, %b: tensor<5xi4>, %c: tensor<5xcomplex<f64>>,
            %d: tensor<5xi1>) -> (tensor<5xbf16>, tensor<5xi4>, tensor<5xcomplex<f64>>,
            tensor<5xi1>) {
          %0 = stablehlo.exponential %a : tensor<5xbf16>
          %1 = stablehlo.multiply %b, %b : tensor<5xi4>
          %2 = stablehlo.multiply %c, %c : tensor<5xcomplex<f64>>
          %3 = stablehlo.not %d : tensor<5xi1>
          return %0, %1, %2, %3 : tensor<5xbf16>, tensor<5xi4>, tensor<5xcomplex<f64>>, tensor<5xi1>
        }""",
    "case": """
        func.func @main(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = "stablehlo.case"(%i) ({
            %1 = stablehlo.tanh %x : tensor<4xf32>
            stablehlo.return %1 : tensor<4xf32>
          }, {
            %1 = stablehlo.sine %x : tensor<4xf32>
            stablehlo.return %1 : tensor<4xf32>
          }) : (tensor<i32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
    "large_matrix": """
      func.func @main(%a: tensor<90x90xf64>, %b: tensor<90x40xf64>) -> tensor<90x40xf64> {
        %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
          unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
          : (tensor<90x90xf64>, tensor<90x40xf64>) -> tensor<90x40xf64>
        return %0 : tensor<90x40xf64>
      }""",
    "small_matrices": """
        func.func @main(%a: tensor<500x4x4xf32>) -> tensor<500x4x4xf32> {
          %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {
            mhlo.backend_config = {uplo = 76 : ui8},
            operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>],
            result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>],
            api_version = 4 : i32
          } : (tensor<500x4x4xf32>) -> (tensor<500x4x4xf32>, tensor<500xi32>)
          %row = stablehlo.iota dim = 1 : tensor<500x4x4xi32>
          %column = stablehlo.iota dim = 2 : tensor<500x4x4xi32>
          %lower = stablehlo.compare GE, %row, %column
            : (tensor<500x4x4xi32>, tensor<500x4x4xi32>) -> tensor<500x4x4xi1>
          %zero = stablehlo.constant dense<0.0> : tensor<500x4x4xf32>
          %1 = stablehlo.select %lower, %0#0, %zero : tensor<500x4x4xi1>, tensor<500x4x4xf32>
          return %1 : tensor<500x4x4xf32>
        }""",
    "parallel": """
        func.func @main(%x: tensor<600x700xf32>, %y: tensor<700x500xf32>) -> tensor<600x500xf32> {
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
            : (tensor<600x700xf32>, tensor<700x500xf32>) -> tensor<600x500xf32>
          %1 = stablehlo.tanh %0 : tensor<600x500xf32>
          return %1 : tensor<600x500xf32>
        }""",
}
ONE_OF_EACH: Final = ("smallwhile", "threefry")
OTHERS: Final = sorted({path.stem for path in PROGRAMS.glob("*.mlir")} - set(ONE_OF_EACH))


def arguments_of(module: sm.Module) -> list[np.ndarray]:
    """Random arguments of a program."""
    return [
        random_argument(argument, seed)
        for seed, argument in enumerate(sm.compile(module).signature.arguments)
    ]


def random_argument(argument: Argument, seed: int) -> np.ndarray:
    """A random array of the type of an argument."""
    assert isinstance(argument.type, TensorType)
    return random_elements(argument.type.shape, argument.type.element_type, seed)


def check_in_c(module: sm.Module, directory: Path, arguments: list[np.ndarray]) -> list[bytes]:
    """Calls a program from C; returns the bits that C and ``sm.compile`` agree on."""
    library = sm.build(module, directory / "library")
    program = compiled(library.examples[0], library)
    results_of([program], directory, arguments)
    expected = expected_results(module, arguments)
    assert written_results(directory, len(expected)) == expected
    return expected


@needs_cc
@pytest.mark.parametrize("name", [*ONE_OF_EACH, *(pytest.param(n, marks=pytest.mark.standard)
                                                  for n in OTHERS)])  # fmt: skip
def test_programs_have_the_same_bits_in_c(name: str, tmp_path: Path) -> None:
    """Convolution nets, transformers, loops, sorts, scatters, random bits, all as of JAX."""
    module = sm.load(PROGRAMS / f"{name}.mlir")
    check_in_c(module, tmp_path, arguments_of(module))


@needs_cc
@pytest.mark.parametrize("name", ["empty_tensor", "element_types", "parallel"])
def test_types_and_sizes_have_the_same_bits_in_c(name: str, tmp_path: Path) -> None:
    module = sm.load(TEXTS[name])
    check_in_c(module, tmp_path, arguments_of(module))


@needs_cc
@pytest.mark.parametrize(("start", "steps"), [(1, 0), (6, 8), (27, 111)])  # OEIS A006577
def test_a_loop_counts_the_steps_of_collatz(start: int, steps: int, tmp_path: Path) -> None:
    module = sm.load(TEXTS["collatz"])
    bits = check_in_c(module, tmp_path, [np.array(start, np.int64)])
    assert [struct.unpack("<q", result) for result in bits] == [(1,), (steps,)]


@needs_cc
def test_programs_without_arguments_or_results(tmp_path: Path) -> None:
    bits = check_in_c(sm.load(TEXTS["no_arguments"]), tmp_path, [])
    assert struct.unpack("<3i", bits[0]) == (1, -2, 3)
    library = sm.build(sm.load(TEXTS["no_results"]), tmp_path / "none")
    assert output([compiled(library.examples[0], library)], tmp_path) == ""


@needs_cc
def test_tuples_are_passed_as_their_elements(tmp_path: Path) -> None:
    library = sm.build(sm.load(TEXTS["tuples"]), tmp_path / "library")
    program = compiled(library.examples[0], library)
    results_of([program], tmp_path, [np.array([1.5, -2.0], np.float32), np.array(7, np.int8)])
    first, second = written_results(tmp_path, 2)
    assert (struct.unpack("<b", first), struct.unpack("<2f", second)) == ((7,), (1.5, -2.0))


@needs_cc
@pytest.mark.parametrize("index", [-1, 0, 1, 2])
def test_branches_are_chosen_as_compiled_programs_choose(index: int, tmp_path: Path) -> None:
    arguments = [np.array(index, np.int32), np.linspace(-2, 2, 4, dtype=np.float32)]
    check_in_c(sm.load(TEXTS["case"]), tmp_path, arguments)


@needs_cc
def test_batches_of_small_matrices_need_no_lapack(tmp_path: Path) -> None:
    """The factors of A = L L^T, in vector lanes; powers of two are exact."""
    module = sm.load(TEXTS["small_matrices"])
    lower = np.tril(np.exp2(np.random.default_rng(1).integers(-2, 3, (500, 4, 4)))).astype("f4")
    check_in_c(module, tmp_path, [lower @ lower.transpose(0, 2, 1)])
    factors = np.frombuffer(written_results(tmp_path, 1)[0], np.float32).reshape(lower.shape)
    assert np.allclose(factors, lower, rtol=1e-3, atol=1e-3)


@needs_cc
def test_triangular_solves_of_large_matrices_need_no_lapack(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    module = sm.load(TEXTS["large_matrix"])
    a = np.tril(rng.standard_normal((90, 90))) + 20 * np.eye(90)
    b = rng.standard_normal((90, 40))
    check_in_c(module, tmp_path, [a, b])
    solution = np.frombuffer(written_results(tmp_path, 1)[0]).reshape(b.shape)
    assert np.allclose(a @ solution, b)


@pytest.mark.standard
@needs_cc
def test_every_example_classifies_the_digit(tmp_path: Path) -> None:
    """The library has weights in a file, and needs no Python."""
    module, arguments = digit_classifier()
    library = sm.build(module, tmp_path / "mlp")
    assert library.weights is not None
    commands: dict[str, list[str | Path]] = {
        "example.c": [compiled(library.examples[0], library)],
        "example.py": [sys.executable, "-I", "-S", library.examples[3]],
    }
    if shutil.which("c++"):
        commands["example.cpp"] = [compiled(library.examples[1], library, compiler="c++")]
    if rustc := shutil.which("rustc"):
        program, place = tmp_path / "rust.out", library.library.parent
        output([rustc, library.examples[2], "-o", program, "-L", place,
                "-C", f"link-arg=-Wl,-rpath,{place}"], tmp_path)  # fmt: skip
        commands["example.rs"] = [program]
    check_examples(commands, tmp_path, module, arguments)


@pytest.mark.standard
@needs_cc
@pytest.mark.parametrize("written_as", ["mlir", "bytecode", "artifact", "hlo", "hlo_proto"])
def test_every_format_gives_the_same_library(written_as: str, tmp_path: Path) -> None:
    module, arguments = digit_classifier()
    contents = {
        "mlir": lambda: module.to_text(),
        "bytecode": lambda: module.to_bytecode(),
        "artifact": lambda: module.to_artifact(),
        "hlo": lambda: module.to_hlo().to_text(),
        "hlo_proto": lambda: module.to_hlo().to_proto(),
    }
    library = sm.build(sm.load(contents[written_as]()), tmp_path / "mlp")
    check_examples({"C": [compiled(library.examples[0], library)]}, tmp_path, module, arguments)


@needs_cc
def test_the_header_describes_arguments_and_results(tmp_path: Path) -> None:
    library = sm.build(EXAMPLES / "mlp.mlir", tmp_path / "mlp")
    header = library.header.read_text()
    assert "argument 0 (arg0): tensor<1x784xf32>: float" in header
    assert "result 0: tensor<1x10xf32>: float" in header
    source = tmp_path / "describe.c"
    source.write_text(r"""
        #include "mlp.h"
        #include <stdio.h>
        int main(void) {
          const mlp_value *x = mlp_argument(0), *y = mlp_result(0);
          printf("%zu %zu %d %d\n", mlp_argument_count(), mlp_result_count(),
                 mlp_argument(1) == NULL, mlp_result(1) == NULL);
          printf("%s %s %zu %d %d %zu %zu\n", x->name, x->element_type, x->rank, (int)x->shape[0],
                 (int)x->shape[1], x->bytes, x->alignment);
          printf("%s %zu %d\n", y->element_type, y->bytes, (int)y->shape[1]);
          return 0;
        }""")
    assert output([compiled(source, library)], tmp_path) == (
        "1 1 1 1\narg0 f32 2 1 784 3136 4\nf32 40 10\n"
    )


@needs_cc
def test_only_the_functions_of_the_header_are_visible(tmp_path: Path) -> None:
    """Two libraries in one process keep their kernels apart: both compute their own results."""
    plus, minus = (
        sm.build(
            f"func.func @main(%a: tensor<9xf32>, %b: tensor<9xf32>) -> tensor<9xf32> {{"
            f" %0 = stablehlo.{operation} %a, %b : tensor<9xf32> return %0 : tensor<9xf32> }}",
            tmp_path / operation,
        )
        for operation in ("add", "subtract")
    )
    source = write_both(tmp_path)
    assert output([compiled(source, plus, minus)], tmp_path) == "8 2\n"


@pytest.mark.standard
@needs_cc
def test_examples_say_why_a_file_is_not_read(tmp_path: Path) -> None:
    module, _ = digit_classifier()
    library = sm.build(module, tmp_path / "mlp")
    (tmp_path / "short.bin").write_bytes(b"123")
    (tmp_path / "long.bin").write_bytes(b"1" * 3137)
    programs = [compiled(library.examples[0], library)]
    if shutil.which("c++"):
        programs.append(compiled(library.examples[1], library, compiler="c++"))
    for program in programs:
        for file, reason in {
            "no.bin": "No such file or directory",
            "short.bin": "it has 3 bytes, but the argument has 3136",
            "long.bin": "it has",
        }.items():
            done = subprocess.run(
                [program, file], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 1
            assert done.stderr.startswith(f"{file}: {reason}")
