"""Layouts: convolutions of any dimension numbers compute with their features last."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import all_nodes
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.rewrites.layouts.orders import order_of_reshaped
from tests.compiler.kernels.test_dot import values
from tests.compiler.result_comparison import arrays

FEATURES_FIRST, FEATURES_LAST = "[b, f, 0, 1]", "[b, 0, 1, f]"
X = "tensor<2x6x8x8xf32>"


def convolution(name: str, image: str, kernel: str, types: str, form: str = FEATURES_FIRST) -> str:
    """A convolution without padding."""
    return (
        f"%{name} = stablehlo.convolution(%{image}, %{kernel}) "
        f"dim_numbers = {form}x[o, i, 0, 1]->{form}, window = {{}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : {types}"
    )


def compiled(text: str, **options: Any) -> CompiledExecutable:
    """The native code of a program, under options."""
    interpreted: Any = sm.compile(sm.load(text), backend="interpreter")
    return CompiledExecutable(interpreted, options=CompileOptions(**options))


def operations(executable: CompiledExecutable) -> Counter[str]:
    """How many operations of each name a compiled graph has."""
    nodes = all_nodes(executable.graph)
    return Counter(node.operation.name.removeprefix("stablehlo.") for node in nodes)


def kernels(executable: CompiledExecutable) -> list[str]:
    """The parts of the names of kernels, after their numbers."""
    steps = [step for step in executable.plan.steps if isinstance(step, LaunchStep)]
    return [step.kernel.name.partition("_")[2] for step in steps]


def agrees(text: str, shapes: list[list[int]]) -> CompiledExecutable:
    """Compares native code with the interpreter, in all layouts."""
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    oracle = sm.compile(sm.load(text), backend="interpreter")
    executable = compiled(text)
    for one in (executable, compiled(text, layouts=False), compiled(text, check=True)):
        results = zip(arrays(one(*arguments)), arrays(oracle(*arguments)), strict=True)
        for result, expected in results:
            assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
            np.testing.assert_allclose(result, expected, rtol=2e-5, atol=2e-4)
    return executable


@pytest.mark.parametrize(
    ("shape", "reshaped", "order", "expected"),
    [
        ((2, 6, 4, 4), (2, 6, 16), (0, 2, 3, 1), (0, 2, 1)),
        ((2, 6, 4, 4), (2, 2, 3, 4, 4), (0, 2, 3, 1), (0, 3, 4, 1, 2)),
        ((2, 6, 4, 4), (12, 4, 4), (0, 2, 3, 1), None),
        ((2, 6, 4, 4), (2, 24, 4), (0, 2, 3, 1), None),
        ((2, 6, 4, 4), (2, 6, 4, 1, 4), (0, 2, 3, 1), (0, 2, 3, 4, 1)),
        ((1, 6, 1, 1), (1, 6), (0, 2, 3, 1), (0, 1)),
        ((1, 6, 4, 4), (6, 4, 4), (0, 2, 3, 1), (1, 2, 0)),
        ((2, 6, 4, 4), (1, 2, 6, 4, 4), (0, 2, 3, 1), (0, 1, 3, 4, 2)),
    ],
)
def test_a_reshape_keeps_elements_where_they_are(
    shape: Any, reshaped: Any, order: Any, expected: Any
) -> None:
    result = order_of_reshaped(shape, reshaped, order)
    assert result == expected
    if result is not None:
        array: Any = values(list(shape), "i32", 0)
        same = array.reshape(reshaped).transpose(result).ravel()
        np.testing.assert_array_equal(same, array.transpose(order).ravel())


POINTS = "(tensor<2x16x2x4xf32>, tensor<8x16x1x1xf32>) -> tensor<2x8x2x4xf32>"
CHAIN = f"""func.func @main(%x: {X}, %w: tensor<16x6x3x3xf32>, %v: tensor<8x16x1x1xf32>,
    %b: tensor<16xf32>, %r: tensor<8xf32>) -> tensor<2x8xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  {convolution("y", "x", "w", f"({X}, tensor<16x6x3x3xf32>) -> tensor<2x16x6x6xf32>")}
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16x6x6xf32>
  %a = stablehlo.add %y, %bias : tensor<2x16x6x6xf32>
  %m = "stablehlo.reduce_window"(%a, %low) <{{
    window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 1>
  }}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }}) : (tensor<2x16x6x6xf32>, tensor<f32>) -> tensor<2x16x2x4xf32>
  {convolution("z", "m", "v", POINTS)}
  %e = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<8xf32>) -> tensor<2x8x2x4xf32>
  %c = stablehlo.concatenate %z, %e, dim = 3 : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>)
    -> tensor<2x8x2x8xf32>
  %s = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [2, 3]
    : (tensor<2x8x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}}"""


def test_between_convolutions_nothing_is_transposed() -> None:
    shapes = [[2, 6, 8, 8], [16, 6, 3, 3], [8, 16, 1, 1], [16], [8]]
    executable = agrees(CHAIN, shapes)
    assert operations(executable)["transpose"] == 0
    assert "order" not in kernels(executable)
    assert kernels(compiled(CHAIN, layouts=False)).count("order") == 2
    lines = [line for line in executable.emit("fusion").splitlines() if "layout" in line]
    assert len(lines) == 5  # two convolutions, a sum, windows and a concatenation
    assert all(line.endswith("layout (0, 2, 3, 1)") for line in lines)


def test_features_that_are_last_stay_there() -> None:
    body = convolution(
        "y", "x", "w", "(tensor<2x8x8x6xf32>, tensor<4x6x3x3xf32>) -> tensor<2x6x6x4xf32>",
        FEATURES_LAST,
    )  # fmt: skip
    text = f"""func.func @main(%x: tensor<2x8x8x6xf32>, %w: tensor<4x6x3x3xf32>)
      -> tensor<2x4x6x6xf32> {{
      {body}
      %t = stablehlo.transpose %y, dims = [0, 3, 1, 2]
        : (tensor<2x6x6x4xf32>) -> tensor<2x4x6x6xf32>
      return %t : tensor<2x4x6x6xf32>
    }}"""
    assert str(compiled(text).graph) == str(compiled(text, layouts=False).graph)


def test_the_transposes_of_a_program_meet_those_of_layouts() -> None:
    point = "(tensor<2x6x8x8xf32>, tensor<6x6x1x1xf32>) -> tensor<2x6x8x8xf32>"
    text = f"""func.func @main(%x: {X}, %w: tensor<6x6x1x1xf32>) -> tensor<2x6xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      {convolution("y", "x", "w", point)}
      %t = stablehlo.transpose %y, dims = [0, 2, 3, 1] : ({X}) -> tensor<2x8x8x6xf32>
      %f = stablehlo.reshape %t : (tensor<2x8x8x6xf32>) -> tensor<128x6xf32>
      %m = stablehlo.slice %w [0:6, 0:6, 0:1, 0:1] : (tensor<6x6x1x1xf32>) -> tensor<6x6x1x1xf32>
      %k = stablehlo.reshape %m : (tensor<6x6x1x1xf32>) -> tensor<6x6xf32>
      %d = stablehlo.dot_general %f, %k, contracting_dims = [1] x [0]
        : (tensor<128x6xf32>, tensor<6x6xf32>) -> tensor<128x6xf32>
      %g = stablehlo.reshape %d : (tensor<128x6xf32>) -> tensor<2x8x8x6xf32>
      %u = stablehlo.transpose %g, dims = [0, 3, 1, 2] : (tensor<2x8x8x6xf32>) -> {X}
      %a = stablehlo.add %u, %y : {X}
      {convolution("z", "a", "w", point)}
      %s = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [2, 3]
        : ({X}, tensor<f32>) -> tensor<2x6xf32>
      return %s : tensor<2x6xf32>
    }}"""
    executable = agrees(text, [[2, 6, 8, 8], [6, 6, 1, 1]])
    assert operations(executable)["transpose"] == 0
    assert "order" not in kernels(executable)


LOOP = f"""func.func @main(%x: {X}, %w: tensor<6x6x1x1xf32>) -> ({X}, tensor<2x6x8xi32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<30> : tensor<i32>
  {convolution("y", "x", "w", f"({X}, tensor<6x6x1x1xf32>) -> {X}")}
  %h:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, {X}
    cond {{
      %less = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }} do {{
      {convolution("p", "a", "w", f"({X}, tensor<6x6x1x1xf32>) -> {X}")}
      %q = stablehlo.add %p, %y : {X}
      %t = stablehlo.tanh %q : {X}
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, {X}
    }}
  %n = stablehlo.iota dim = 3 : tensor<2x6x8x8xi32>
  %m:2 = stablehlo.reduce(%y init: %zero), (%n init: %first) across dimensions = [3]
    : ({X}, tensor<2x6x8x8xi32>, tensor<f32>, tensor<i32>)
    -> (tensor<2x6x8xf32>, tensor<2x6x8xi32>)
    reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
      %g = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %e = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
      %f = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
      stablehlo.return %e, %f : tensor<f32>, tensor<i32>
    }}
  return %h#1, %m#1 : {X}, tensor<2x6x8xi32>
}}"""


def test_a_loop_reads_values_from_outside_and_a_reducer_keeps_its_sequence() -> None:
    agrees(LOOP, [[2, 6, 8, 8], [6, 6, 1, 1]])


def test_any_batch() -> None:
    text = """func.func @main(%x: tensor<?x6x8x8xf32>, %w: tensor<4x6x3x3xf32>)
      -> tensor<?x4x6x6xf32> {
      %y = stablehlo.convolution(%x, %w)
        dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<?x6x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<?x4x6x6xf32>
      %z = stablehlo.tanh %y : tensor<?x4x6x6xf32>
      return %z : tensor<?x4x6x6xf32>
    }"""
    executable = sm.compile(sm.load(text))
    oracle = sm.compile(sm.load(text), backend="interpreter")
    for batch in (1, 2, 3, 5):
        arguments = [values([batch, 6, 8, 8], "f32", 0), values([4, 6, 3, 3], "f32", 1)]
        result, expected = executable(*arguments), oracle(*arguments)
        np.testing.assert_allclose(np.asarray(result), np.asarray(expected), atol=1e-5)


def test_values_that_are_concatenated_again_and_again_are_joined_step_by_step() -> None:
    count, lines = 9, [f"%v0 = stablehlo.tanh %x : {X}"]
    for i in range(1, count):
        shape = f"tensor<2x{6 * i}x8x8xf32>"
        operands, types = ", ".join(f"%v{k}" for k in range(i)), ", ".join([X] * i)
        kernel = f"tensor<6x{6 * i}x1x1xf32>"
        lines += [
            f"%c{i} = stablehlo.concatenate {operands}, dim = 1 : ({types}) -> {shape}",
            f"%a{i} = stablehlo.abs %c{i} : {shape}",
            f"%s{i} = stablehlo.slice %w [0:6, 0:{6 * i}, 0:1, 0:1] "
            f": (tensor<6x{6 * count}x1x1xf32>) -> {kernel}",
            convolution(f"v{i}", f"a{i}", f"s{i}", f"({shape}, {kernel}) -> {X}"),
        ]
    body = "\n".join(lines)
    text = f"""func.func @main(%x: {X}, %w: tensor<6x{6 * count}x1x1xf32>) -> {X} {{
      {body}
      return %v{count - 1} : {X}
    }}"""
    executable = agrees(text, [[2, 6, 8, 8], [6, 6 * count, 1, 1]])
    joins = [
        node for node in executable.graph.nodes if node.operation.name == "stablehlo.concatenate"
    ]
    assert [len(node.operands) for node in joins] == [2, 3, 2, 2, 2, 2, 2]


def test_scales_of_features_stay_with_the_features() -> None:
    """Each feature of a convolution's result, which is stored last, is quantized by its scale."""
    result = "tensor<2x4x6x6xf32>"
    parameters = "{0.01, 0.3:2, 7.0, 0.002}"
    quantized = f"tensor<2x4x6x6x!quant.uniform<i8:f32:1, {parameters}>>"
    kernel = "tensor<4x6x3x3xf32>"
    text = f"""func.func @main(%x: {X}, %k: {kernel}) -> {result} {{
      {convolution("0", "x", "k", f"({X}, {kernel}) -> {result}")}
      %1 = stablehlo.uniform_quantize %0 : ({result}) -> {quantized}
      %2 = stablehlo.uniform_dequantize %1 : ({quantized}) -> {result}
      return %2 : {result}
    }}"""
    executable = compiled(text)
    assert any(node.results[0].layout for node in executable.graph.nodes if node.results)
    arguments = [values([2, 6, 8, 8], "f32", 0), values([4, 6, 3, 3], "f32", 1)]
    expected = np.asarray(sm.load(text).run(*arguments, backend="interpreter"))
    scales = np.array([0.01, 0.3, 7.0, 0.002])[None, :, None, None]
    steps = np.abs(np.asarray(executable(*arguments)) - expected) / scales
    assert steps.max() < 1.5  # a sum near the middle of two stored values may be rounded otherwise
    assert np.count_nonzero(steps > 0.5) < 4


def test_values_of_no_order_are_computed_where_they_are_used() -> None:
    """What is computed from a broadcast is computed in the order of the others, not transposed."""
    result = "tensor<2x4x6x6xf32>"
    kernel = "tensor<4x6x3x3xf32>"
    text = f"""func.func @main(%x: {X}, %k: {kernel}, %z: tensor<4xi8>) -> {result} {{
      {convolution("0", "x", "k", f"({X}, {kernel}) -> {result}")}
      %1 = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<4xi8>) -> tensor<2x4x6x6xi8>
      %2 = stablehlo.convert %1 : (tensor<2x4x6x6xi8>) -> {result}
      %3 = stablehlo.add %0, %2 : {result}
      %4 = stablehlo.tanh %3 : {result}
      return %4 : {result}
    }}"""
    executable = compiled(text)
    arguments = [
        values([2, 6, 8, 8], "f32", 0), values([4, 6, 3, 3], "f32", 1),
        np.array([1, -2, 0, 1], np.int8),
    ]  # fmt: skip
    expected = np.asarray(sm.load(text).run(*arguments, backend="interpreter"))
    np.testing.assert_allclose(np.asarray(executable(*arguments)), expected, atol=1e-5)
    assert operations(executable)["transpose"] == 1  # of the result


SQUARE = "tensor<2x6x6x6xf32>"
CONTRACTIONS = {
    "products": f"""%1 = stablehlo.dot_general %0, %0, batching_dims = [0, 1] x [0, 1],
      contracting_dims = [3] x [2] : ({SQUARE}, {SQUARE}) -> {SQUARE}""",
    "spectra": f"""%c = stablehlo.complex %0, %0 : tensor<2x6x6x6xcomplex<f32>>
      %f = stablehlo.fft %c, type = FFT, length = [6]
        : (tensor<2x6x6x6xcomplex<f32>>) -> tensor<2x6x6x6xcomplex<f32>>
      %1 = stablehlo.imag %f : (tensor<2x6x6x6xcomplex<f32>>) -> {SQUARE}""",
}


@pytest.mark.parametrize("lines", CONTRACTIONS.values(), ids=CONTRACTIONS)
def test_contractions_read_their_dimensions_where_shapes_do_not_tell(lines: str) -> None:
    """A product of square matrices and a transform have operands and a result of one shape."""
    kernel = "tensor<6x6x3x3xf32>"
    text = f"""func.func @main(%x: {X}, %k: {kernel}) -> {SQUARE} {{
      {convolution("0", "x", "k", f"({X}, {kernel}) -> {SQUARE}")}
      {lines}
      return %1 : {SQUARE}
    }}"""
    agrees(text, [[2, 6, 8, 8], [6, 6, 3, 3]])


def test_arguments_are_brought_into_the_order_of_a_transposed_one() -> None:
    """Before any other operation of the program."""
    kernel, last = "tensor<8x6x3x3xf32>", "tensor<2x8x8x6xf32>"
    text = f"""func.func @main(%x: {last}, %y: {X}, %k: {kernel}) -> tensor<2x8x6x6xf32> {{
      %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : ({last}) -> {X}
      %s = stablehlo.add %y, %t : {X}
      {convolution("0", "s", "k", f"({X}, {kernel}) -> tensor<2x8x6x6xf32>")}
      return %0 : tensor<2x8x6x6xf32>
    }}"""
    agrees(text, [[2, 8, 8, 6], [2, 6, 8, 8], [8, 6, 3, 3]])


def test_gathered_slices_of_features_lie_as_convolutions_write_results() -> None:
    """An upsampling computes neighboring features of a point, not neighboring points."""
    points, kernel = "tensor<5x5x2xi32>", "tensor<6x6x3x3xf32>"
    small, large, result = (f"tensor<2x6x{size}xf32>" for size in ("6x6", "5x5", "3x3"))
    text = f"""func.func @main(%x: {X}, %k: {kernel}, %p: {points}) -> {result} {{
      {convolution("0", "x", "k", f"({X}, {kernel}) -> {small}")}
      %1 = stablehlo.transpose %0, dims = [2, 3, 0, 1] : ({small}) -> tensor<6x6x2x6xf32>
      %2 = "stablehlo.gather"(%1, %p) <{{dimension_numbers = #stablehlo.gather<
        offset_dims = [2, 3], collapsed_slice_dims = [0, 1], start_index_map = [0, 1],
        index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 6>}}>
        : (tensor<6x6x2x6xf32>, {points}) -> tensor<5x5x2x6xf32>
      %3 = stablehlo.transpose %2, dims = [2, 3, 0, 1] : (tensor<5x5x2x6xf32>) -> {large}
      %4 = stablehlo.tanh %3 : {large}
      {convolution("5", "4", "k", f"({large}, {kernel}) -> {result}")}
      return %5 : {result}
    }}"""
    arguments: list[Any] = [values([2, 6, 8, 8], "f32", 0), values([6, 6, 3, 3], "f32", 1)]
    arguments.append(np.arange(50, dtype=np.int32).reshape(5, 5, 2) % 6)
    executable = compiled(text)
    (tanh,) = (node for node in executable.graph.nodes if node.operation.name == "stablehlo.tanh")
    assert tanh.results[0].layout == (0, 2, 3, 1)
    expected = np.asarray(sm.load(text).run(*arguments, backend="interpreter"))
    np.testing.assert_allclose(np.asarray(executable(*arguments)), expected, rtol=1e-5, atol=1e-4)
