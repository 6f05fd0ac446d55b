"""Dots as kernels: equal to the interpreter, exactly for integers, else within a stated bound."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.target import Target, host, machine_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.kernels.contraction.multiply_accumulate import (
    BFLOAT_PAIRS,
    I8_QUADS,
    I16_PAIRS,
    SIGNED_I8_QUADS,
    UNSIGNED_I8_QUADS,
)
from stablemate.compiler.kernels.contraction.register_tiles import MOST_PRODUCTS
from stablemate.compiler.plan.plan import LaunchStep, Request
from stablemate.deployment.processors import named_target
from tests.compiler.plans import compilation, planned
from tests.compiler.variants import OLDER, RUNNABLE
from tests.machines import MACHINES

EPSILON = {"f32": 2.0**-24, "f64": 2.0**-53, "bf16": 2.0**-8}
SIZES = st.sampled_from([1, 2, 3, 5, 7, 8, 11, 16, 17, 24, 31, 33, 40, 66])
FLOATS = [("f32", "f32"), ("f64", "f64"), ("bf16", "bf16"), ("bf16", "f32"), ("f32", "f64")]
INTEGERS = [("i8", "i32"), ("ui8", "ui32"), ("i32", "i32"), ("i64", "i64"), ("i16", "i8")]
TYPES = [*FLOATS, *INTEGERS, ("i1", "i1"), ("i4", "i32")]


def dtype_of(name: str) -> Any:
    """NumPy's type of an element type."""
    plain = {"f32": "f4", "f64": "f8", "i1": "?"}
    if name in plain:
        return np.dtype(plain[name])
    if name.strip("ui") in ("8", "16", "32", "64"):
        return np.dtype(f"{name[0]}{int(name.strip('ui')) // 8}")
    return np.dtype({"bf16": ml_dtypes.bfloat16, "i4": ml_dtypes.int4}[name])


def tensor(shape: Sequence[int], element: str) -> str:
    """The text of a type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def values(shape: Sequence[int], element: str, seed: int) -> Any:
    """Elements of a type, all bits of integers in use."""
    random = np.random.default_rng(seed)
    dtype = dtype_of(element)
    if element == "i1":
        return random.random(shape) < 0.2
    if element[0] == "f" or element == "bf16":
        return random.standard_normal(shape).astype(dtype)
    bits = int(element.strip("ui"))
    if element.startswith("u"):
        return random.integers(0, 1 << min(bits, 62), shape).astype(dtype)
    return random.integers(-1 << min(bits, 62) - 1, 1 << min(bits, 62) - 1, shape).astype(dtype)


def program(lhs: str, rhs: str, result: str, dimensions: str, body: str = "") -> str:
    """A function that multiplies."""
    return f"""func.func public @main(%a: {lhs}, %b: {rhs}) -> {result} {{
  {body}
  %0 = stablehlo.dot_general %a, %b, {dimensions} : ({lhs}, {rhs}) -> {result}
  return %0 : {result}
}}"""


def compiled(text: str, target: Target | None = None) -> tuple[Any, CompiledExecutable]:
    """The interpreted and the compiled program, in which nothing is a request."""
    module = sm.load(text)
    executable = CompiledExecutable(module.executable("main", backend="interpreter"), target)
    assert not any(isinstance(step, Request) for step in executable.plan.steps)
    return module, executable


def check(
    text: str,
    arguments: Sequence[Any],
    element: str,
    depth: int,
    target: Target | None = None,
) -> None:
    """Compares a compiled program that multiplies its two arguments with the interpreter."""
    module, executable = compiled(text, target)
    actual, expected = np.asarray(executable(*arguments)), np.asarray(module.run(*arguments))
    if element not in EPSILON:
        np.testing.assert_array_equal(actual, expected)
        return
    # Both add up `depth` products in an order of their own: each is within gamma(depth) of the
    # true sum, relative to the sum of absolute values; narrow results are rounded once more.
    sizes = np.asarray(module.run(*map(np.abs, arguments))).astype(np.float64)
    unit = EPSILON["f32"] if element == "bf16" else EPSILON[element]
    bound = 2 * (depth + 1) * unit * np.abs(sizes)
    if element == "bf16":
        bound = bound + 2 * EPSILON["bf16"] * np.abs(expected.astype(np.float64))
    difference = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    assert np.all(difference <= bound), np.max(difference - bound)


@pytest.mark.standard
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_dot_of_any_dimensions_equals_the_interpreter(data: st.DataObject) -> None:
    operand, result = data.draw(st.sampled_from(TYPES))
    batch = data.draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2))
    contracting = data.draw(st.lists(st.sampled_from([1, 2, 4, 9, 19]), max_size=2))
    rows = data.draw(st.lists(SIZES, max_size=2 if len(contracting) < 2 else 1))
    columns = data.draw(st.lists(SIZES, max_size=2 if len(contracting) < 2 else 1))
    shapes, places = [], []
    for free in (rows, columns):
        names = [
            *(("b", i) for i in range(len(batch))),
            *(("k", i) for i in range(len(contracting))),
        ]
        mixed = data.draw(st.permutations([*names, *(("f", i) for i in range(len(free)))]))
        shape, frees = [], iter(free)
        for kind, i in mixed:
            shape.append(
                batch[i] if kind == "b" else contracting[i] if kind == "k" else next(frees)
            )
        shapes.append(shape)
        places.append({item: d for d, item in enumerate(mixed)})
    lhs, rhs = ([place["b", i] for i in range(len(batch))] for place in places)
    left, right = ([place["k", i] for i in range(len(contracting))] for place in places)
    dimensions = f"batching_dims = {lhs} x {rhs}, contracting_dims = {left} x {right}"
    texts = [tensor(shape, operand) for shape in shapes]
    text = program(*texts, tensor((*batch, *rows, *columns), result), dimensions)
    arguments = [values(shape, operand, seed) for seed, shape in enumerate(shapes)]
    check(text, arguments, result, int(np.prod(contracting)))


@pytest.mark.parametrize(
    ("rows", "depth", "columns", "transposed"),
    [
        *itertools.product([1, 2, 30, 150], [1, 40], [1, 10, 45, 140], ["", "a", "b", "ab"]),
        (40, 1024, 200, ""),  # rows at multiples of 4096 bytes are copied
    ],
)
def test_matrices_of_every_form_equal_the_interpreter(
    rows: int, depth: int, columns: int, transposed: str
) -> None:
    lhs = (depth, rows) if "a" in transposed else (rows, depth)
    rhs = (columns, depth) if "b" in transposed else (depth, columns)
    dimensions = f"contracting_dims = [{int('a' not in transposed)}] x [{int('b' in transposed)}]"
    text = program(
        tensor(lhs, "f32"), tensor(rhs, "f32"), tensor((rows, columns), "f32"), dimensions
    )
    check(text, [values(lhs, "f32", 0), values(rhs, "f32", 1)], "f32", depth)


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("columns", [300, 555, 1203])  # groups that come out even, and not
@pytest.mark.parametrize("transposed", ["", "b"])
def test_columns_are_copied_in_groups_by_the_kernel_that_multiplies(
    columns: int, transposed: str, target: str
) -> None:
    rhs = (columns, 70) if transposed else (70, columns)
    text = program(
        tensor((61, 70), "f32"),
        tensor(rhs, "f32"),
        tensor((61, columns), "f32"),
        f"contracting_dims = [1] x [{int(bool(transposed))}]",
    )
    _, executable = compiled(text, RUNNABLE[target])
    assert len([step for step in executable.plan.steps if isinstance(step, LaunchStep)]) == 1
    check(text, [values((61, 70), "f32", 0), values(rhs, "f32", 1)], "f32", 70, RUNNABLE[target])


@pytest.mark.parametrize("size", [3000, 8000])
def test_parts_of_large_products_end_soon(size: int) -> None:
    """Between two of them the native loop looks whether the user has interrupted it."""
    shape = tensor((size, size), "f32")
    _, executable = compiled(program(shape, shape, shape, "contracting_dims = [1] x [0]"))
    (launch,) = [step for step in executable.plan.steps if isinstance(step, LaunchStep)]
    products = size**3 / launch.kernel.steps
    is_least = launch.kernel.steps > size / 64  # one group of columns each
    assert is_least or products < 1.1 * MOST_PRODUCTS


# This processor without tile registers, and one that has its instructions and adds pairs fast.
PLAIN = replace(host(), features=host().features.replace("+amx-", "-amx-"))
FAST = {"fast": replace(PLAIN, cpu="znver4")} if host().triple.startswith("x86_64") else {}
TARGETS = {"host": PLAIN, **FAST}
# The packings of the factors of each type, the best first.
PACKINGS = {
    "bf16": [BFLOAT_PAIRS], "i8": [SIGNED_I8_QUADS, I8_QUADS, I16_PAIRS],
    "ui8": [UNSIGNED_I8_QUADS, I16_PAIRS], "i16": [I16_PAIRS],
}  # fmt: skip
PAIRS = [("bf16", "bf16"), ("bf16", "f32"), ("i8", "i32"), ("ui8", "ui32"), ("i16", "i32")]


@pytest.mark.parametrize(("operand", "result"), PAIRS)
@pytest.mark.parametrize("transposed", ["", "a", "b", "ab"])
@pytest.mark.parametrize(("rows", "depth", "columns"), [(30, 64, 45), (70, 38, 600), (9, 7, 33)])
@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_narrow_factors_in_pairs_equal_the_interpreter(
    operand: str,
    result: str,
    transposed: str,
    rows: int,
    depth: int,
    columns: int,
    target: Target,
) -> None:
    lhs = (depth, rows) if "a" in transposed else (rows, depth)
    rhs = (columns, depth) if "b" in transposed else (depth, columns)
    dimensions = f"contracting_dims = [{int('a' not in transposed)}] x [{int('b' in transposed)}]"
    text = program(
        tensor(lhs, operand), tensor(rhs, operand), tensor((rows, columns), result), dimensions
    )
    check(text, [values(lhs, operand, 0), values(rhs, operand, 1)], result, depth, target)
    _, executable = compiled(text, target)
    fitting = [
        packing.operator
        for packing in PACKINGS[operand]
        if depth % packing.count == 0 and packing.operator in machine_of(target).instructions
    ]
    words = set(re.findall(r"\w+", executable.emit("nest")))
    used = words & {packing.operator for packing in PACKINGS[operand]}
    assert used == set(fitting[:1])


@pytest.mark.skipif(not host().has("avxvnni"), reason="this processor has no AVX-VNNI")
@pytest.mark.parametrize(("operand", "result"), PAIRS[2:])
@pytest.mark.parametrize(("rows", "depth", "columns"), [(30, 64, 45), (70, 38, 600)])
def test_processors_without_avx512_add_packed_factors(
    operand: str, result: str, rows: int, depth: int, columns: int
) -> None:
    target = named_target(host().triple, "x86_64", "alderlake")
    text = program(
        tensor((rows, depth), operand), tensor((depth, columns), operand),
        tensor((rows, columns), result), "contracting_dims = [1] x [0]",
    )  # fmt: skip
    arguments = [values((rows, depth), operand, 0), values((depth, columns), operand, 1)]
    check(text, arguments, result, depth, target)
    _, executable = compiled(text, target)
    packs_bytes = operand == "i8" and depth % 4 == 0
    assembly = executable.emit("asm")
    assert ("vpdpbusd" if packs_bytes else "vpdpwssd") in assembly
    assert "zmm" not in assembly


@pytest.mark.parametrize(
    ("architecture", "cpu", "expected"),
    [
        ("x86_64", "alderlake", {"pair_of_i16", "quad_of_i8"}),
        ("x86_64", "cascadelake", {"pair_of_i16", "quad_of_i8", "table_entry"}),
        ("x86_64", "x86-64-v4", {"pair_of_i16", "table_entry"}),
        ("x86_64", "x86-64-v3", {"pair_of_i16"}),
        ("x86_64", "x86-64-v2", {"pair_of_i16"}),
        ("aarch64", "generic", set[str]()),
        ("aarch64", "neoverse-n1", {"quad_of_signed_i8", "quad_of_unsigned_i8"}),
        ("aarch64", "neoverse-v1", {"quad_of_i8", "quad_of_signed_i8", "quad_of_unsigned_i8"}),
    ],
)
def test_instructions_for_packed_factors(architecture: str, cpu: str, expected: set[str]) -> None:
    target = named_target(f"{architecture}-unknown-linux-gnu", architecture, cpu)
    assert machine_of(target).instructions == expected


def test_pairs_of_bfloat16_are_for_processors_that_add_them_fast() -> None:
    features = "+avx512bf16,+avx512vnni,+avx512vl"
    fast = Target("x86_64", "znver4", features, 64)
    slow = Target("x86_64", "emeraldrapids", features, 64)
    assert machine_of(fast).instructions == {"pair_of_bfloat16", "pair_of_i16", "quad_of_i8"}
    assert machine_of(slow).instructions == {"pair_of_i16", "quad_of_i8"}


@pytest.mark.parametrize("shape", [(30, 64, 45), (1, 64, 45), (2, 20, 70), (300, 36, 17)])
def test_products_of_bytes_at_the_ends_of_their_range(shape: tuple[int, int, int]) -> None:
    """All factors are -128, or 127, where a product of pairs would overflow in 16 bits."""
    rows, depth, columns = shape
    types = tensor((rows, depth), "i8"), tensor((depth, columns), "i8")
    text = program(*types, tensor((rows, columns), "i32"), "contracting_dims = [1] x [0]")
    _, executable = compiled(text)
    for left in (-128, 127):
        for right in (-128, 127):
            lhs = np.full((rows, depth), left, np.int8)
            rhs = np.full((depth, columns), right, np.int8)
            (result,) = executable.run([lhs, rhs])
            assert np.all(np.asarray(result) == left * right * depth)


@pytest.mark.parametrize(("lhs", "rhs"), [("ui8", "i8"), ("i8", "ui8"), ("i4", "i8")])
def test_factors_of_different_types_are_products_of_integers(lhs: str, rhs: str) -> None:
    a, b, c = tensor((33, 64), lhs), tensor((64, 40), rhs), tensor((33, 40), "i32")
    text = f"""func.func public @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""
    x, y = values((33, 64), lhs, 0), values((64, 40), rhs, 1)
    result = sm.compile(sm.load(text))(x, y)
    assert np.array_equal(result, x.astype(np.int32) @ y.astype(np.int32))


def test_narrow_factors_that_are_computed_equal_the_interpreter() -> None:
    shapes = (2, 20, 34), (2, 40, 34)
    a, b = (tensor(shape, "f32") for shape in shapes)
    x, y = (tensor(shape, "bf16") for shape in shapes)
    c = tensor((2, 20, 40), "bf16")
    text = f"""func.func public @main(%a: {a}, %b: {b}) -> {c} {{
  %x = stablehlo.convert %a : ({a}) -> {x}
  %z = stablehlo.convert %b : ({b}) -> {y}
  %y = stablehlo.negate %z : {y}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : ({x}, {y}) -> {c}
  return %0 : {c}
}}"""
    check(text, [values(shape, "f32", i) for i, shape in enumerate(shapes)], "bf16", 34)


@pytest.mark.parametrize(("operand", "result"), [("bf16", "f32"), ("i16", "i32")])
def test_narrow_factors_that_are_negated_are_not_taken_for_those_in_memory(
    operand: str, result: str
) -> None:
    a, b, c = tensor((9, 34), operand), tensor((40, 34), operand), tensor((9, 40), result)
    text = f"""func.func public @main(%a: {a}, %b: {b}) -> {c} {{
  %x = stablehlo.negate %a : {a}
  %0 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [1] : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""
    check(text, [values((9, 34), operand, 0), values((40, 34), operand, 1)], result, 34)


def test_sum_of_nothing_is_zero() -> None:
    text = program(
        "tensor<3x0xf32>", "tensor<0x5xf32>", "tensor<3x5xf32>", "contracting_dims = [1] x [0]"
    )
    check(text, [np.zeros((3, 0), np.float32), np.zeros((0, 5), np.float32)], "f32", 0)


def test_not_a_number_stays_in_its_row_and_column() -> None:
    text = program(
        "tensor<20x9xf32>", "tensor<9x40xf32>", "tensor<20x40xf32>", "contracting_dims = [1] x [0]"
    )
    lhs, rhs = values((20, 9), "f32", 0), values((9, 40), "f32", 1)
    lhs[19, 3], rhs[5, 7], lhs[2, 2] = np.nan, np.inf, -np.inf
    module, executable = compiled(text)
    actual, expected = np.asarray(executable(lhs, rhs)), np.asarray(module.run(lhs, rhs))
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_array_equal(actual[np.isinf(expected)], expected[np.isinf(expected)])


def test_operand_that_is_computed_is_computed_in_its_copy() -> None:
    text = """
func.func public @main(%a: tensor<64x48xf32>, %b: tensor<200x48xf32>) -> tensor<64x200xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<64x48xf32>
  %x = stablehlo.multiply %a, %c : tensor<64x48xf32>
  %y = stablehlo.transpose %b, dims = [1, 0] : (tensor<200x48xf32>) -> tensor<48x200xf32>
  %z = stablehlo.negate %y : tensor<48x200xf32>
  %0 = stablehlo.dot_general %x, %z, contracting_dims = [1] x [0]
    : (tensor<64x48xf32>, tensor<48x200xf32>) -> tensor<64x200xf32>
  return %0 : tensor<64x200xf32>
}"""
    module, _ = compiled(text)
    functions = {function.symbol: function for function in function_operations(module.ir)}
    plan = planned(functions, "main", MACHINES["avx512"])
    launches = [step for step in plan.steps if isinstance(step, LaunchStep)]
    assert len(launches) == 3  # one copy of each operand, and the product
    check(text, [values((64, 48), "f32", 0), values((200, 48), "f32", 1)], "f32", 48)


def test_operands_of_two_bytes_far_apart_are_code_for_avx2() -> None:
    """LLVM's code generator ended the process at them, where the machine has no AVX-512."""
    text = """
func.func public @main(%a: tensor<4xbf16>, %b: tensor<2x6x4xbf16>) -> tensor<4x2x6xbf16> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [2], contracting_dims = [] x []
    : (tensor<4xbf16>, tensor<2x6x4xbf16>) -> tensor<4x2x6xbf16>
  return %0 : tensor<4x2x6xbf16>
}"""
    functions = {f.symbol: f for f in function_operations(sm.load(text).ir)}
    generated = compilation(functions, "main", MACHINES["avx2"]).kernel_functions
    assert any("shufflevector <8 x i16>" in kernel for kernel in generated.functions.values())
    assert assemble("\n".join(generated.functions.values()), MACHINES["avx2"])


@pytest.mark.parametrize(
    "algorithm",
    [
        "f32, rhs_precision_type = f32, accumulation_type = f32",
        "bf16, rhs_precision_type = bf16, accumulation_type = f32",
        "tf32, rhs_precision_type = tf32, accumulation_type = f32",
    ],
)
def test_dots_by_an_algorithm_are_native(algorithm: str) -> None:
    more = (
        f", algorithm = <lhs_precision_type = {algorithm}, lhs_component_count = 1, "
        "rhs_component_count = 1, num_primitive_operations = 1, "
        "allow_imprecise_accumulation = false>"
    )
    text = program(
        "tensor<4x4xf32>",
        "tensor<4x4xf32>",
        "tensor<4x4xf32>",
        f"contracting_dims = [1] x [0]{more}",
    )
    executable = CompiledExecutable(sm.load(text).executable("main", backend="interpreter"))
    assert not any(isinstance(step, Request) for step in executable.plan.steps)


@pytest.mark.parametrize("target", OLDER)
@pytest.mark.parametrize(
    ("rows", "depth", "columns", "transposed"),
    [(37, 40, 51, ""), (37, 40, 51, "ab"), (3, 200, 600, ""), (2, 40, 9, "b"), (40, 9, 3, "")],
)
def test_other_targets_equal_the_interpreter(
    rows: int, depth: int, columns: int, transposed: str, target: str
) -> None:
    lhs = (depth, rows) if "a" in transposed else (rows, depth)
    rhs = (columns, depth) if "b" in transposed else (depth, columns)
    dimensions = f"contracting_dims = [{int('a' not in transposed)}] x [{int('b' in transposed)}]"
    text = program(
        tensor(lhs, "f32"), tensor(rhs, "f32"), tensor((rows, columns), "f32"), dimensions
    )
    arguments = [values(lhs, "f32", 0), values(rhs, "f32", 1)]
    check(text, arguments, "f32", depth, OLDER[target])


@pytest.mark.parametrize(("rows", "columns"), [(1, 1000), (3, 5000), (8, 300)])
def test_few_rows_stream_a_large_matrix(rows: int, columns: int) -> None:
    text = program(
        tensor((rows, 203), "f32"),
        tensor((203, columns), "f32"),
        tensor((rows, columns), "f32"),
        "contracting_dims = [1] x [0]",
    )
    check(text, [values((rows, 203), "f32", 0), values((203, columns), "f32", 1)], "f32", 203)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_result_does_not_depend_on_the_number_of_threads(threads: int) -> None:
    shapes = (300, 700), (700, 420)
    text = program(
        *(tensor(shape, "f32") for shape in shapes),
        tensor((300, 420), "f32"),
        "contracting_dims = [1] x [0]",
    )
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    module = sm.load(text)
    one = CompiledExecutable(module.executable("main", backend="interpreter"), threads=1)(
        *arguments
    )
    other = CompiledExecutable(module.executable("main", backend="interpreter"), threads=threads)(
        *arguments
    )
    np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
