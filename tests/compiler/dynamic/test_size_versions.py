"""Programs with dynamic sizes are compiled for symbolic sizes; a new size needs no LLVM."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from ml_dtypes import bfloat16

import stablemate as sm
from stablemate.compiler import lazy_stages
from stablemate.compiler.loops.statements import Loop, StoreElement
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.plan.verifier import verify_plan
from stablemate.compiler.size_versions import MAX_FAILURES, SizedExecutable
from stablemate.diagnostics.errors import ArgumentValueError, CompileError, UnsupportedError
from stablemate.transforms.refinement import symbolic
from tests.compiler.sized_programs import compiled

MEAN = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %s = stablehlo.add %x, %y : tensor<?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %shape = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %count = stablehlo.dynamic_broadcast_in_dim %f, %shape, dims = []
    : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %mean = stablehlo.divide %sum, %count : tensor<?xf32>
  return %s, %mean : tensor<?x?xf32>, tensor<?xf32>
}"""
PRODUCT = """
func.func @main(%x: tensor<?x24xf32>, %w: tensor<24x40xf32>) -> tensor<?x40xf32> {
  %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x24xf32>, tensor<24x40xf32>) -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}"""
SQUARE = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = stablehlo.add %x, %t : tensor<?x?xf32>
  %r = stablehlo.dot_general %s, %y, contracting_dims = [1] x [0]
    : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}"""
FACTOR = """
func.func @main(%x: tensor<?x4x4xbf16>) -> tensor<?x4x4xbf16> {
  %r = stablehlo.cholesky %x, lower = true : tensor<?x4x4xbf16>
  return %r : tensor<?x4x4xbf16>
}"""
# Sums of rows and of columns, as of the gradients of a layer: as many rows as columns are typical.
BOTH_SUMS = """
func.func @main(%x: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.abs %0 : tensor<?xf32>
  %3 = stablehlo.abs %1 : tensor<8xf32>
  return %2, %3 : tensor<?xf32>, tensor<8xf32>
}"""
UPDATED = """
func.func @main(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<8x8xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %zeros, %i, %i
    : (tensor<?x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [8, 8]
    : (tensor<?x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<8x8xf32>
}"""


CHAIN = """
func.func @main(%x: tensor<?x16xf32>, %a: tensor<16x48xf32>, %b: tensor<48x16xf32>)
    -> tensor<?x16xf32> {
  %p = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0]
    : (tensor<?x16xf32>, tensor<16x48xf32>) -> tensor<?x48xf32>
  %t = stablehlo.tanh %p : tensor<?x48xf32>
  %r = stablehlo.dot_general %t, %b, contracting_dims = [1] x [0]
    : (tensor<?x48xf32>, tensor<48x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}"""

IMAGES = """
func.func @main(%x: tensor<2x?x?x4xf32>, %w: tensor<3x3x4x24xf32>) -> tensor<2x?x?x24xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x?x?x4xf32>, tensor<3x3x4x24xf32>) -> tensor<2x?x?x24xf32>
  return %r : tensor<2x?x?x24xf32>
}"""


def numbers(*shape: int) -> Any:
    """An array of a shape."""
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32)


def test_many_sizes_have_one_version() -> None:
    executable, versions = compiled(MEAN)
    for rows, columns in ((40, 100), (41, 101), (64, 96), (100, 999), (333, 65)):
        x, y = numbers(rows, columns), numbers(rows, columns)
        total, mean = executable(x, y)
        assert np.array_equal(total, x + y)
        np.testing.assert_allclose(mean, (x + y).mean(1), 1e-4, 1e-5)
    assert len(versions.versions) == 1
    assert not versions.failures
    assert all(isinstance(e, SizedExecutable) for e in executable.specializations.values())


def test_results_have_the_bits_of_a_specialization() -> None:
    executable, _ = compiled(MEAN)
    for rows, columns in ((3, 100), (17, 64), (2, 4097), (5, 31), (1, 9), (9, 1), (0, 4), (4, 0)):
        x, y = numbers(rows, columns), numbers(rows, columns)
        results = executable(x, y)
        expected: Any = executable.specialize([x, y]).run([x, y])
        for one, other in zip(results, expected, strict=True):
            assert one.tobytes() == other.tobytes()


def test_rows_of_a_product_are_an_argument() -> None:
    executable, versions = compiled(PRODUCT)
    w = numbers(24, 40)
    for rows in (64, 33, 100, 257):
        x = numbers(rows, 24)
        result = executable(x, w)
        assert result.tobytes() == executable.specialize([x, w]).run([x, w])[0].tobytes()
        np.testing.assert_allclose(result, x @ w, 1e-4, 1e-4)
    assert len(versions.versions) <= 2  # narrow vectors have one for few and one for many rows


@pytest.mark.parametrize("check", [False, True])
def test_images_of_all_heights_and_widths_share_versions(check: bool) -> None:
    function, versions = compiled(IMAGES, check=check)
    weights = numbers(3, 3, 4, 24)
    for height, width in ((37, 41), (41, 37), (64, 64), (33, 100), (50, 47)):
        image = numbers(2, height, width, 4)
        expected = sm.run(IMAGES, image, weights, backend="interpreter")
        np.testing.assert_allclose(function(image, weights), expected, rtol=1e-4, atol=1e-4)
    assert len(versions.versions) <= 2  # for few and for many rows of tiles
    image = numbers(2, 3, 2, 4)  # smaller than a tile
    expected = sm.run(IMAGES, image, weights, backend="interpreter")
    np.testing.assert_allclose(function(image, weights), expected, rtol=1e-4, atol=1e-4)


def test_sizes_that_must_be_equal_are_one_variable() -> None:
    executable, versions = compiled(SQUARE)
    for size in (40, 50):
        x, y = numbers(size, size), numbers(size, 8)
        np.testing.assert_allclose(executable(x, y), (x + x.T) @ y, 1e-3, 1e-3)
    (version,) = versions.versions
    assert version.sized.variables == [0, 0, 0]
    with pytest.raises(sm.StablemateError):
        executable(numbers(40, 41), numbers(41, 8))
    with pytest.raises(sm.StablemateError):
        executable(numbers(40, 40), numbers(41, 8))


@pytest.mark.parametrize("text", [BOTH_SUMS, UPDATED])
def test_a_size_that_another_dimension_has_is_no_assumption(text: str) -> None:
    executable, versions = compiled(text)
    for rows in (8, 9, 12):
        x = numbers(rows, 8)
        expected = sm.run(text, x, backend="interpreter")
        for one, other in zip(executable(x), expected, strict=True):
            np.testing.assert_allclose(one, other, 1e-5, 1e-6)
    assert len(versions.versions) == 1


# Half of the rows, whose number the interpreter computes, as PyTorch's ``math.ceil`` of sizes.
HALF = """
func.func @main(%x: tensor<?x4x1xf32>) -> tensor<?x8xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4x1xf32>) -> tensor<i32>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f64>
  %two = stablehlo.constant dense<2.0> : tensor<f64>
  %h = stablehlo.divide %f, %two : tensor<f64>
  %c = stablehlo.ceil %h : tensor<f64>
  %m = stablehlo.convert %c : (tensor<f64>) -> tensor<i32>
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %rest = stablehlo.constant dense<[8, 1]> : tensor<2xi32>
  %shape = stablehlo.concatenate %rows, %rest, dim = 0
    : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %y = stablehlo.dynamic_reshape %x, %shape
    : (tensor<?x4x1xf32>, tensor<3xi32>) -> tensor<?x8x1xf32>
  %least = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [2]
    : (tensor<?x8x1xf32>, tensor<f32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}"""


def test_an_element_of_a_size_that_a_run_computes() -> None:
    executable, versions = compiled(HALF)
    for count in (2, 6):
        x = numbers(count, 4, 1)
        np.testing.assert_array_equal(executable(x), np.maximum(x.reshape(count // 2, 8), 0.5))
    assert all(isinstance(error, UnsupportedError) for error in versions.failures)
    assert "stablehlo.reduce: values" in str(versions.failures[0])  # which is not rewritten


def test_what_has_no_version_is_specialized() -> None:
    executable, versions = compiled(FACTOR)
    for count in range(2, 8):
        factor = np.tril(numbers(count, 4, 4)) + 4 * np.eye(4, dtype=np.float32)
        matrices = (factor @ factor.transpose(0, 2, 1)).astype(bfloat16)
        result = np.tril(executable(matrices)).astype(np.float32)
        np.testing.assert_allclose(result, factor, 3e-2, 3e-2)
    assert not versions.versions
    assert len(versions.failures) == MAX_FAILURES


def test_values_are_limited_for_each_combination_of_sizes() -> None:
    run = sm.compile(sm.load(MEAN), backend="cpu", limits=sm.Limits(tensor_bytes=1 << 14))
    run(numbers(8, 8), numbers(8, 8))
    with pytest.raises(sm.LimitError):
        run(numbers(128, 128), numbers(128, 128))


def test_versions_are_in_the_disk_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = CHAIN.replace("tanh", "logistic")
    a, b = numbers(16, 48), numbers(48, 16)
    first, _ = compiled(cached)
    expected = [first(numbers(rows, 16), a, b) for rows in (30, 31, 200)]

    def compile_nothing(*arguments: Any) -> Any:
        raise AssertionError("a version is compiled")

    monkeypatch.setattr(lazy_stages, "SizedCompilation", compile_nothing, raising=False)
    second, versions = compiled(cached)
    for rows, result in zip((30, 31, 200), expected, strict=True):
        assert second(numbers(rows, 16), a, b).tobytes() == result.tobytes()
    assert versions.versions
    assert not versions.failures


def test_a_failure_is_in_the_disk_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = FACTOR.replace("lower = true", "lower = false")
    operand = np.stack([np.eye(4)] * 3).astype(bfloat16)
    first, versions = compiled(factors)
    first(operand)
    (failure,) = versions.failures
    monkeypatch.setattr(lazy_stages, "SizedCompilation", None, raising=False)
    second, versions = compiled(factors)
    assert np.array_equal(second(operand), operand)
    assert [str(error).splitlines()[0] for error in versions.failures] == [
        str(failure).splitlines()[0]
    ]


def test_checked_kernels_are_compiled_for_symbolic_sizes() -> None:
    plain, _ = compiled(CHAIN)
    checked, versions = compiled(CHAIN, check=True)
    a, b = numbers(16, 48), numbers(48, 16)
    for rows in (2, 33, 100):
        x = numbers(rows, 16)
        assert checked(x, a, b).tobytes() == plain(x, a, b).tobytes()
    assert versions.versions
    assert not versions.failures
    latest = checked.latest
    assert isinstance(latest, SizedExecutable)
    assert latest.program.image.report


def test_sizes_share_an_arena_unless_they_run_at_the_same_time() -> None:
    executable, versions = compiled(CHAIN.replace("tanh", "sine"))
    a, b = numbers(16, 48), numbers(48, 16)
    sizes = [100, 130, 160, 190]
    operands = [numbers(rows, 16) for rows in sizes]
    expected = [executable(x, a, b) for x in operands]
    (version,) = versions.versions
    latest = version.latest
    assert latest is not None
    others = [e for e in executable.specializations.values() if e is not latest]
    assert [len(latest.idle), *(len(e.idle) for e in others if isinstance(e, SizedExecutable))] == [
        1, 0, 0, 0,
    ]  # fmt: skip
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            results = pool.map(executable, operands * 2, [a] * 8, [b] * 8)
            for result, other in zip(results, expected * 2, strict=True):
                assert result.tobytes() == other.tobytes()


def test_a_rule_that_is_only_warned_about_is_checked_for_the_sizes_of_a_call() -> None:
    module = sm.load("""
    func.func @main(%a: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
      %r = stablehlo.fft %a, type = FFT, length = [4]
        : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
      return %r : tensor<?xcomplex<f32>>
    }
    """)
    for size in (2, 4, 3):
        numbers = np.arange(size).astype(np.complex64)
        if size == 4:
            np.testing.assert_allclose(module.run(numbers), np.fft.fft(numbers), atol=1e-5)
            continue
        with pytest.raises(sm.EvaluationError, match="fft C4"):  # the transform reads four numbers
            module.run(numbers)


@pytest.mark.parametrize("stage", ["module", "fusion", "nest", "plan", "llvm", "asm"])
def test_stages_are_those_for_all_sizes(stage: str) -> None:
    executable, _ = compiled(MEAN)
    text = executable.emit(stage)
    x = numbers(130, 140)
    executable(x, x)
    assert executable.emit(stage) == text
    first, second, *rest = text.splitlines()
    assert first.endswith("n0: size 0 of argument 0, size 0 of argument 1")
    assert second.endswith("n1: size 1 of argument 0, size 1 of argument 1")
    if stage in ("module", "nest", "plan"):
        assert any("n0" in line for line in rest)


def test_what_has_no_version_has_no_stages_before_it_is_called() -> None:
    executable, _ = compiled(FACTOR)
    with pytest.raises(ArgumentValueError, match="is compiled when it is called"):
        executable.emit("plan")
    with pytest.raises(ArgumentValueError, match="no stage is called"):
        compiled(MEAN)[0].emit("stages")


def test_a_profile_is_that_of_the_version() -> None:
    executable, _ = compiled(MEAN)
    executable(numbers(7, 70), numbers(7, 70))
    x = numbers(300, 400)
    profile = sm.profile(executable, x, x)
    (row,) = profile.rows
    assert row.bytes == 4 * (3 * 300 * 400 + 300)  # two operands, their sum, and the means
    assert row.operations[0].name == "stablehlo.add"


def test_plans_with_symbolic_sizes_are_verified() -> None:
    executable, _ = compiled(MEAN)
    x = numbers(40, 60)
    executable(x, x)
    latest = executable.latest
    assert isinstance(latest, SizedExecutable)
    plan = latest.plan
    launch = plan.steps[0]
    assert isinstance(launch, LaunchStep)
    verify_plan(plan)
    launch.slots[3].bytes = launch.slots[2].bytes // 1000  # for n0 means of rows of n1
    with pytest.raises(CompileError, match="is too small"):
        verify_plan(plan)
    launch.slots[3].bytes = launch.slots[2].bytes
    (loop,) = [s for s in launch.kernel.body if isinstance(s, Loop)]
    *_, store = [s for s in loop.body if isinstance(s, StoreElement)]
    store.place += 1
    with pytest.raises(CompileError, match="is not inside"):
        verify_plan(plan)


def test_sizes_that_are_equal_are_found_by_a_few_refinements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = 100
    arguments = ", ".join(f"%a{i}: tensor<?x?xf32>" for i in range(count))
    sums = "\n".join(
        f"  %s{i} = stablehlo.add %{f's{i - 1}' if i > 1 else 'a0'}, %a{i} : tensor<?x?xf32>"
        for i in range(1, count)
    )
    module = sm.parse(
        f"func.func @main({arguments}) -> tensor<?x?xf32> {{\n{sums}\n"
        f"  return %s{count - 1} : tensor<?x?xf32>\n}}"
    )
    refinements: list[int] = []
    plain = symbolic.refine

    def refine(*operands: Any) -> Any:
        refinements.append(1)
        return plain(*operands)

    monkeypatch.setattr(symbolic, "refine", refine)
    program = symbolic.symbolic_program(module.ir, "main", [(4, 7)] * count)
    assert len(refinements) == 2
    assert program.assumptions.variables == 2
