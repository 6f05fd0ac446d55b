"""Preparation of constants: what depends on constants alone runs when a program is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.kernels.test_dot import values
from tests.compiler.plan_evaluation import difference
from tests.compiler.result_comparison import native, same_bits


def literal(*shape: int) -> str:
    """A constant of random floats."""
    array = values(shape, "f32", len(shape))
    return f'stablehlo.constant dense<"0x{array.tobytes().hex().upper()}"> : {tensor(*shape)}'


def tensor(*shape: int) -> str:
    """The type of floats of a shape."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def dot(lhs: str, rhs: str, contracting: str, types: str) -> str:
    """A product of matrices."""
    return f"stablehlo.dot_general {lhs}, {rhs}, contracting_dims = {contracting} : {types}"


X, W, Y = tensor(40, 300), tensor(300, 320), tensor(40, 320)
SQUARE = tensor(96, 96)
IMAGE, KERNEL, RESULT = tensor(1, 24, 9, 9), tensor(40, 24, 3, 3), tensor(1, 40, 7, 7)

WEIGHTS = f"""func.func @main(%x: {X}) -> {Y} {{
  %w = {literal(300, 320)}
  %y = {dot("%x", "%w", "[1] x [0]", f"({X}, {W}) -> {Y}")}
  return %y : {Y}
}}"""
TRANSPOSED = f"""func.func @main(%x: {X}) -> {Y} {{
  %w = {literal(320, 300)}
  %y = {dot("%x", "%w", "[1] x [1]", f"({X}, {tensor(320, 300)}) -> {Y}")}
  return %y : {Y}
}}"""
CONVOLUTION = f"""func.func @main(%x: {IMAGE}) -> {RESULT} {{
  %w = {literal(40, 24, 3, 3)}
  %y = stablehlo.convolution(%x, %w)
    dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : ({IMAGE}, {KERNEL}) -> {RESULT}
  return %y : {RESULT}
}}"""
LOOP = f"""func.func @main(%x: {SQUARE}, %n: tensor<i32>) -> {SQUARE} {{
  %w = {literal(96, 96)}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, {SQUARE}
    cond {{
      %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }} do {{
      %p = {dot("%a", "%w", "[1] x [1]", f"({SQUARE}, {SQUARE}) -> {SQUARE}")}
      %t = stablehlo.tanh %p : {SQUARE}
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, {SQUARE}
    }}
  return %r#1 : {SQUARE}
}}"""
# The loop writes the memory of its state, which the first launch has filled from the constant.
CHANGED = LOOP.replace("%a = %x", "%a = %s").replace(
    "  %zero =", f"  %s = stablehlo.tanh %w : {SQUARE}\n  %zero =", 1
)
PROGRAMS = {
    "weights": WEIGHTS, "transposed": TRANSPOSED, "convolution": CONVOLUTION, "loop": LOOP,
    "changed": CHANGED,
}  # fmt: skip


def arguments_of(executable: CompiledExecutable) -> list[Any]:
    """Random arguments; the number of iterations is three."""
    types: list[Any] = [argument.type for argument in executable.signature.arguments]
    return [values(t.shape, "f32", 9) if t.shape else np.int32(3) for t in types]


def compiled(text: str, source: bytes | None = None, **options: Any) -> CompiledExecutable:
    """The program as native code, compiled with options."""
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    return CompiledExecutable(interpreted, options=CompileOptions(**options), source=source)


def launches(executable: CompiledExecutable) -> int:
    """How many launches the plan has."""
    return sum(isinstance(step, LaunchStep) for step in executable.plan.steps)


@pytest.mark.standard
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_prepared_programs_have_the_bits_of_others(text: str) -> None:
    prepared, other = compiled(text), compiled(text, prepare=False)
    arguments = arguments_of(prepared)
    assert prepared.plan.preparations
    assert other.plan.preparations == ()
    assert launches(prepared) < launches(other)
    for _ in range(2):
        result: Any = np.asarray(prepared(*arguments))
        assert result.tobytes() == np.asarray(other(*arguments)).tobytes()
    assert not difference(native(text), arguments)


def test_weights_that_only_a_preparation_reads_are_no_part_of_the_program() -> None:
    executable = compiled(WEIGHTS)
    assert launches(executable) == 1
    assert executable.memory.constants == 300 * 320 * 4
    assert executable.memory.arena == 0


@pytest.mark.standard
@pytest.mark.parametrize("order", ["[0]", "[1]"])
@pytest.mark.parametrize(("rows", "is_packed"), [(4, False), (5, True), (12, True)])
def test_several_rows_pass_over_panels_of_a_large_constant(
    rows: int, is_packed: bool, order: str
) -> None:
    """One row, or a few, are multiplied with a matrix in its own order."""
    x, w = tensor(rows, 256), tensor(256, 256)
    text = f"""func.func @main(%x: {x}) -> {x} {{
      %w = {literal(256, 256)}
      %y = {dot("%x", "%w", f"[1] x {order}", f"({x}, {w}) -> {x}")}
      return %y : {x}
    }}"""
    executable = compiled(text)
    assert bool(executable.plan.preparations) == is_packed
    left, right = values([rows, 256], "f32", 1), values((256, 256), "f32", 2)
    exact = left.astype(float) @ (right if order == "[0]" else right.T).astype(float)
    np.testing.assert_allclose(executable(left), exact, rtol=1e-5, atol=1e-4)
    assert not difference(native(text), [left])


def test_a_prepared_program_is_kept_on_disk() -> None:
    first, second = (compiled(WEIGHTS, source=b"a prepared program") for _ in range(2))
    (argument,) = arguments_of(first)
    assert (first.is_from_cache, second.is_from_cache) == (False, True)
    np.testing.assert_array_equal(first(argument), second(argument))


def test_launches_are_not_prepared_if_accesses_are_checked() -> None:
    executable = compiled(WEIGHTS, check=True)
    assert executable.plan.preparations == ()


def test_values_that_are_larger_than_their_constants_are_computed_in_each_call() -> None:
    wide = tensor(2048, 64)
    text = f"""func.func @main(%x: {tensor(64, 4)}) -> {tensor(2048, 4)} {{
      %c = {literal(2048)}
      %b = stablehlo.broadcast_in_dim %c, dims = [0] : ({tensor(2048)}) -> {wide}
      %r = stablehlo.reverse %b, dims = [0] : {wide}
      %s = "stablehlo.sort"(%r) ({{
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %l : tensor<i1>
      }}) {{dimension = 0 : i64}} : ({wide}) -> {wide}
      %y = {dot("%s", "%x", "[1] x [0]", f"({wide}, {tensor(64, 4)}) -> {tensor(2048, 4)}")}
      return %y : {tensor(2048, 4)}
    }}"""
    assert compiled(text).plan.preparations == ()


NORMALIZED = f"""func.func @main(%x: {tensor(64, 2048)}) -> {tensor(64, 2048)} {{
  %scale = {literal(2048)}
  %mean = {literal(2048)}
  %shift = {literal(2048)}
  %a = stablehlo.multiply %mean, %scale : {tensor(2048)}
  %b = stablehlo.subtract %shift, %a : {tensor(2048)}
  %s = stablehlo.broadcast_in_dim %scale, dims = [1] : ({tensor(2048)}) -> {tensor(64, 2048)}
  %t = stablehlo.broadcast_in_dim %b, dims = [1] : ({tensor(2048)}) -> {tensor(64, 2048)}
  %p = stablehlo.multiply %x, %s : {tensor(64, 2048)}
  %y = stablehlo.add %p, %t : {tensor(64, 2048)}
  return %y : {tensor(64, 2048)}
}}"""


def test_what_is_spread_and_depends_on_constants_alone_is_computed_once() -> None:
    executable = same_bits(NORMALIZED, values([64, 2048], "f32", 1))
    assert launches(executable) == 1
    assert executable.plan.preparations
    assert executable.memory.constants == 2 * 2048 * 4
    few = NORMALIZED.replace("64x2048", "4x2048")
    assert compiled(few).plan.preparations == ()
    assert launches(compiled(few)) == 1


@pytest.mark.parametrize("length", [1201, 1 << 18])
@pytest.mark.parametrize("is_stored", [False, True])
def test_constants_begin_on_cache_lines(length: int, is_stored: bool) -> None:
    # A file holds a constant at any place; a vector that lies in two lines takes twice the time.
    text = f"""func.func @main(%x: {tensor(length)}) -> ({tensor(length)}, {tensor(length)}) {{
  %a = {literal(length)}
  %b = stablehlo.constant dense<"0x{bytes(4 * length - 4).hex()}0000803F"> : {tensor(length)}
  %c = stablehlo.add %x, %a : {tensor(length)}
  %d = stablehlo.add %x, %b : {tensor(length)}
  return %c, %d : {tensor(length)}, {tensor(length)}
}}"""
    bytecode = sm.load(text).to_bytecode()
    interpreted: Any = sm.load(bytecode).executable("main", backend="interpreter")
    source = bytecode if is_stored else None
    executable = CompiledExecutable(interpreted, source=source)
    assert not executable.is_from_cache
    constants = executable.program.image.constants
    assert len(constants) == 2
    assert not any(constant.ctypes.data % 64 for constant in constants)
    x = np.ones(length, np.float32)
    expected = values((length,), "f32", 1) + x, np.append(x[1:], np.float32(2))
    for result, numbers in zip(executable(x), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), numbers)


PRODUCT = f"({tensor(40, 300)}, {tensor(2048, 300)}) -> {tensor(40, 2048)}"
STANDARDIZED = f"""func.func @main(%x: {tensor(40, 300)}) -> {tensor(40, 2048)} {{
  %w = {literal(2048, 300)}
  %ones = stablehlo.constant dense<1.0> : {tensor(2048, 1)}
  %tenths = stablehlo.constant dense<0.1> : {tensor(2048, 1)}
  %gains = stablehlo.multiply %ones, %tenths : {tensor(2048, 1)}
  %gain = stablehlo.reshape %gains : ({tensor(2048, 1)}) -> {tensor(2048)}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1]
    : ({tensor(2048, 300)}, tensor<f32>) -> {tensor(2048)}
  %means = stablehlo.broadcast_in_dim %sums, dims = [0] : ({tensor(2048)}) -> {tensor(2048, 300)}
  %gained = stablehlo.broadcast_in_dim %gain, dims = [0] : ({tensor(2048)}) -> {tensor(2048, 300)}
  %centered = stablehlo.subtract %w, %means : {tensor(2048, 300)}
  %k = stablehlo.multiply %centered, %gained : {tensor(2048, 300)}
  %y = {dot("%x", "%k", "[1] x [1]", PRODUCT)}
  return %y : {tensor(40, 2048)}
}}"""


def test_what_is_computed_from_weights_and_equal_numbers_is_computed_once() -> None:
    # A launch that fills memory reads no constant; that it writes 8 KB costs nothing if only the
    # packing of the weights reads them.
    executable, other = compiled(STANDARDIZED), compiled(STANDARDIZED, prepare=False)
    rows = values([40, 300], "f32", 1)
    np.testing.assert_array_equal(executable(rows), other(rows))
    assert launches(executable) == 1
