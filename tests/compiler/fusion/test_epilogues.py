"""What is computed from a dot or a convolution as it is stored: the same bits as afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.kernels.test_dot import tensor, values
from tests.compiler.variants import OLDER

# What is computed from the result %0 of type T, with a bias %v and a value %r of its type.
EPILOGUES = {
    "bias": "%1 = stablehlo.add %0, %bias : T",
    "relu": "%1 = stablehlo.maximum %0, %zero : T",
    "residual": "%5 = stablehlo.add %0, %bias : T\n  %1 = stablehlo.add %r, %5 : T",
    "square": "%5 = stablehlo.multiply %0, %0 : T\n  %1 = stablehlo.subtract %5, %0 : T",
    "tanh": "%5 = stablehlo.add %0, %bias : T\n  %1 = stablehlo.tanh %5 : T",
    "logistic": "%5 = stablehlo.logistic %0 : T\n  %1 = stablehlo.multiply %0, %5 : T",
}
# batch, rows, depth, columns: a fold, a stream, few rows, tiles, tiles in groups, batches
SHAPES = [
    ((), 40, 30, 1),
    ((), 2, 200, 700),
    ((), 3, 9, 17),
    ((), 30, 40, 45),
    ((), 61, 70, 600),
    ((3, 5), 18, 16, 33),
]


def ended(
    product: str, result: str, bias: str, dims: str, operands: list[str], epilogue: str
) -> str:
    """A program that computes something from a product of its first two arguments."""
    body = EPILOGUES[epilogue].replace(": T", f": {result}")
    a, b = operands
    return f"""func.func public @main(%a: {a}, %b: {b}, %v: {bias}, %r: {result}) -> {result} {{
  %z = stablehlo.constant dense<0.0> : {tensor((), result.rsplit("x", 1)[1].rstrip(">"))}
  %zero = stablehlo.broadcast_in_dim %z, dims = []
    : ({tensor((), result.rsplit("x", 1)[1].rstrip(">"))}) -> {result}
  %bias = stablehlo.broadcast_in_dim %v, dims = {dims} : ({bias}) -> {result}
  %0 = {product} : ({a}, {b}) -> {result}
  {body}
  return %1 : {result}
}}"""


def bits(array: Any) -> Any:
    """The bytes of an array."""
    return np.asarray(array).reshape(-1).view(np.uint8)


def check(text: str, arguments: list[Any], target: Target | None = None) -> CompiledExecutable:
    """Compares the program with the same one unfused, and with one that uses more threads."""
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    fused = CompiledExecutable(interpreted, target)
    plain = CompiledExecutable(interpreted, target, options=CompileOptions(fuse=False))
    expected = bits(plain(*arguments))
    np.testing.assert_array_equal(bits(fused(*arguments)), expected)
    one = CompiledExecutable(interpreted, target, threads=1)
    np.testing.assert_array_equal(bits(one(*arguments)), expected)
    return fused


def stored(executable: CompiledExecutable) -> list[str]:
    """The operations whose results launches store."""
    launches = [step for step in executable.plan.steps if isinstance(step, LaunchStep)]
    return [launch.nodes[-1].operation.name for launch in launches]


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize(("batch", "rows", "depth", "columns"), SHAPES)
def test_dots_end_with_what_is_computed_from_them(
    epilogue: str, batch: tuple[int, ...], rows: int, depth: int, columns: int
) -> None:
    shapes = (*batch, rows, depth), (*batch, depth, columns), (columns,), (*batch, rows, columns)
    n = len(batch)
    batching = f"batching_dims = {list(range(n))} x {list(range(n))}, " if n else ""
    types = [tensor(shape, "f32") for shape in shapes]
    product = f"stablehlo.dot_general %a, %b, {batching}contracting_dims = [{n + 1}] x [{n}]"
    text = ended(product, types[3], types[2], f"[{n + 1}]", types[:2], epilogue)
    executable = check(text, [values(shape, "f32", i) for i, shape in enumerate(shapes)])
    assert "stablehlo.dot_general" not in stored(executable)


@pytest.mark.parametrize("target", OLDER)
@pytest.mark.parametrize(("batch", "rows", "depth", "columns"), SHAPES[1:5])
def test_dots_end_alike_on_other_targets(
    batch: tuple[int, ...], rows: int, depth: int, columns: int, target: str
) -> None:
    shapes = (rows, depth), (depth, columns), (columns,), (rows, columns)
    types = [tensor(shape, "f32") for shape in shapes]
    product = "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]"
    text = ended(product, types[3], types[2], "[1]", types[:2], "tanh")
    check(text, [values(shape, "f32", i) for i, shape in enumerate(shapes)], OLDER[target])


@pytest.mark.parametrize("element", ["f64", "bf16", "f16"])
@pytest.mark.parametrize("epilogue", ["residual", "tanh"])
def test_results_are_rounded_before_anything_is_computed_from_them(
    element: str, epilogue: str
) -> None:
    shapes = (30, 64), (64, 50), (50,), (30, 50)
    types = [tensor(shape, element) for shape in shapes]
    product = "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]"
    text = ended(product, types[3], types[2], "[1]", types[:2], epilogue)
    dtype = np.float16 if element == "f16" else None
    arguments = [values(shape, "f32" if dtype else element, i) for i, shape in enumerate(shapes)]
    check(text, [argument.astype(dtype) if dtype else argument for argument in arguments])


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize(
    ("form", "dims", "groups"), [("b01f", 3, 1), ("bf01", 1, 1), ("b01f", 3, 18)]
)
def test_convolutions_end_with_what_is_computed_from_them(
    epilogue: str, form: str, dims: int, groups: int
) -> None:
    inputs, outputs = 18, 36
    shape = {"b": 2, "f": inputs, "0": 13, "1": 11}
    lhs = [shape[item] for item in form]
    result = [outputs if item == "f" else shape[item] for item in form]
    rhs = [3, 3, inputs // groups, outputs]
    letters = ", ".join(form)
    types = [tensor(output, "f32") for output in (lhs, rhs, [outputs], result)]
    product = (
        f"stablehlo.convolution(%a, %b) dim_numbers = [{letters}]x[0, 1, i, o]->[{letters}], "
        "window = {pad = [[1, 1], [1, 1]]} "
        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
    )
    text = ended(product, types[3], types[2], f"[{dims}]", types[:2], epilogue)
    shapes = (lhs, rhs, [outputs], result)
    executable = check(text, [values(shape, "f32", i) for i, shape in enumerate(shapes)])
    assert stored(executable)[-1] != "stablehlo.convolution"


def test_result_that_is_used_in_another_order_too_is_stored_itself() -> None:
    text = """func.func public @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}"""
    executable = check(text, [values((8, 8), "f32", i) for i in range(2)])
    assert "stablehlo.dot_general" in stored(executable)


def test_operand_that_changes_before_the_epilogue_is_read_as_it_was() -> None:
    text = """func.func public @main(%a: tensor<8x8xf32>, %b: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %p = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = stablehlo.dot_general %p, %a, contracting_dims = [1] x [0]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %u = stablehlo.dynamic_update_slice %p, %b, %n, %n
    : (tensor<8x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  %r = stablehlo.add %d, %u : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}"""
    check(text, [values((8, 8), "f32", 0), values((1, 8), "f32", 1)])


def test_the_narrowest_value_is_stored() -> None:
    """What a quantized value becomes again is computed where it is read."""
    t, q = "tensor<40x48xf32>", "tensor<40x48xi8>"
    text = f"""func.func @main(%a: tensor<40x30xf32>, %b: tensor<30x48xf32>, %c: tensor<48x48xf32>)
    -> {t} {{
  %0 = stablehlo.dot %a, %b : (tensor<40x30xf32>, tensor<30x48xf32>) -> {t}
  %1 = stablehlo.round_nearest_even %0 : {t}
  %2 = stablehlo.convert %1 : ({t}) -> {q}
  %3 = stablehlo.convert %2 : ({q}) -> {t}
  %4 = stablehlo.negate %3 : {t}
  %5 = stablehlo.dot %4, %c : ({t}, tensor<48x48xf32>) -> {t}
  return %5 : {t}
}}"""
    arguments = [values(s, "f32", i) for i, s in enumerate([[40, 30], [30, 48], [48, 48]])]
    fused = check(text, arguments)
    stored = [
        buffer.type
        for step in fused.plan.steps
        if isinstance(step, LaunchStep)
        for buffer in step.kernel.arguments
    ]
    assert "i8" in stored
