"""Arguments that are frozen: constants of the program from the first call on."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.frozen_arguments import FrozenExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError

LAYER = """
func.func @main(%x: tensor<4x64xf32>, %w: tensor<64x128xf32> {jax.arg_info = "w"},
                %b: tensor<128xf32>) -> tensor<4x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x64xf32>, tensor<64x128xf32>) -> tensor<4x128xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<4x128xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x128xf32>
  return %2 : tensor<4x128xf32>
}
"""
VALUES = np.random.default_rng(0)
X = VALUES.normal(size=(4, 64)).astype(np.float32)
W = VALUES.normal(size=(64, 128)).astype(np.float32)
B = VALUES.normal(size=128).astype(np.float32)


@pytest.mark.parametrize("frozen", [[1, 2], ["w"], ("w", "arg2"), ["w", "%arg2", 1]])
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_frozen_arguments_have_the_elements_of_the_first_call(
    frozen: list[int | str], backend: str
) -> None:
    module = sm.parse(LAYER)
    exe = sm.compile(module, frozen=frozen, backend=backend)
    for x in (X, 2 * X):
        np.testing.assert_array_equal(exe(x, W, B), module.run(x, W, B, backend=backend))
    np.testing.assert_array_equal(exe(X, W + 1, B), module.run(X, W, B, backend=backend))


def test_what_depends_on_frozen_arguments_alone_is_prepared() -> None:
    text = """
    func.func @main(%x: tensor<128xf32>, %w: tensor<64x128xf32>) -> tensor<128xf32> {
      %0 = stablehlo.dot_general %w, %w, contracting_dims = [0] x [0]
        : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
        : (tensor<128x128xf32>, tensor<128xf32>) -> tensor<128xf32>
      return %1 : tensor<128xf32>
    }"""
    exe = sm.compile(text, frozen=[1])
    np.testing.assert_allclose(exe(B, W), W.T @ W @ B, rtol=1e-4, atol=1e-3)
    called, _, prepared = exe.emit("plan").partition("preparation:")
    assert called.count("launch") == prepared.count("launch") == 1


def test_frozen_arguments_are_not_copied() -> None:
    table = np.ones((1 << 18, 32), np.float32)
    table[0] = 2
    text = """
    func.func @main(%t: tensor<262144x32xf32>, %i: tensor<i32>) -> tensor<1x32xf32> {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %t, %i, %z, sizes = [1, 32]
        : (tensor<262144x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      return %0 : tensor<1x32xf32>
    }"""
    exe = sm.compile(text, frozen=[0])
    assert isinstance(exe, FrozenExecutable)
    np.testing.assert_array_equal(exe(table, np.int32(0)), table[:1])
    assert exe.frozen is not None
    frozen = exe.frozen.executable
    assert isinstance(frozen, CompiledExecutable)
    assert any(np.shares_memory(table, c) for c in frozen.program.image.constants)


def test_checked_calls_find_a_frozen_argument_that_changes() -> None:
    exe = sm.compile(LAYER, frozen=["w"], check=True)
    exe(X, W, B)
    changed = W.copy()
    changed[3, 5] = np.nan
    with pytest.raises(ArgumentValueError) as raised:
        exe(X, changed, B)
    assert str(raised.value) == (
        "argument 1 (w: tensor<64x128xf32>) of main is frozen, but its elements are not those of "
        "the first call"
    )


@pytest.mark.parametrize(
    ("frozen", "error", "message"),
    [
        ("w", ArgumentTypeError, "frozen is a sequence of arguments, such as ['w']"),
        (
            ["v"],
            ArgumentValueError,
            "main has no argument 'v': main(%arg0: tensor<4x64xf32>, w: tensor<64x128xf32>, "
            "%arg2: tensor<128xf32>) -> (tensor<4x128xf32>)",
        ),
        (
            [-1],
            ArgumentValueError,
            "main has no argument -1: main(%arg0: tensor<4x64xf32>, w: tensor<64x128xf32>, "
            "%arg2: tensor<128xf32>) -> (tensor<4x128xf32>)",
        ),
        (
            [True],
            ArgumentTypeError,
            "an argument is frozen by its position or its name, not by bool",
        ),
    ],
)
def test_what_is_no_argument_cannot_be_frozen(
    frozen: list[int | str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        sm.compile(LAYER, frozen=frozen)
    assert str(raised.value) == message


def test_only_tensors_of_known_shape_are_frozen() -> None:
    text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    with pytest.raises(ArgumentTypeError) as raised:
        sm.compile(text, frozen=[0])
    assert str(raised.value) == (
        "argument 0 (%arg0: tensor<?xf32>) of main cannot be frozen: only tensors of known shape "
        "are constants"
    )


def test_a_frozen_program_has_stages_after_its_first_call() -> None:
    exe = sm.compile(LAYER, frozen=["w"])
    with pytest.raises(UnsupportedError) as raised:
        exe.emit("llvm")
    assert str(raised.value) == (
        "a program with frozen arguments has stages after its first call, which compiles it"
    )


def test_only_the_function_of_a_program_is_held() -> None:
    """A model may have weights of its own beside those that are given."""
    module = sm.parse(LAYER)
    held, expected = ref(module), sm.run(LAYER, X, W, B)
    exe = sm.compile(module, frozen=["w"])
    del module
    gc.collect()
    assert held() is None
    np.testing.assert_array_equal(exe(X, W, B), expected)
