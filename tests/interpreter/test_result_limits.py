"""Results that are too large, or no arrays, are refused before memory is asked for: everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest

import stablemate as sm

LIMITS: Final = sm.Limits(tensor_bytes=1000)
NOTE: Final = "note: the limit is Limits.tensor_bytes, --limit-tensor-bytes on the command line"
OPEN: Final = "tensor<?x?xf32>"
ZEROS: Final = "%q = stablehlo.constant dense<0> : tensor<2xi64>"
ONE: Final = "%c = stablehlo.constant dense<1.0> : tensor<f32>"
MATRIX: Final = "%c = stablehlo.constant dense<1.0> : tensor<2x2xf32>"
PADDED: Final = (
    "tensor<2x2xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>"
)
# Operations that give results of the sizes %s, as lines of which the last one defines %0.
BY_SIZES: Final = {
    "dynamic_iota": [f"%0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> {OPEN}"],
    "dynamic_broadcast_in_dim": [
        ONE,
        "%0 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : "
        f"(tensor<f32>, tensor<2xi64>) -> {OPEN}",
    ],
    "dynamic_pad, low": [
        MATRIX,
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        ZEROS,
        f"%0 = stablehlo.dynamic_pad %c, %z, %s, %q, %q : ({PADDED}",
    ],
    "dynamic_pad, interior": [
        MATRIX,
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        ZEROS,
        f"%0 = stablehlo.dynamic_pad %c, %z, %q, %q, %s : ({PADDED}",
    ],
    "rng": [
        ONE,
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        "%0 = stablehlo.rng %z, %c, %s, distribution = UNIFORM : "
        f"(tensor<f32>, tensor<f32>, tensor<2xi64>) -> {OPEN}",
    ],
    "dynamic_reshape": [
        "%c = stablehlo.constant dense<1.0> : tensor<0xf32>",
        f"%0 = stablehlo.dynamic_reshape %c, %s : (tensor<0xf32>, tensor<2xi64>) -> {OPEN}",
    ],
}


def program(lines: Sequence[str], result: str = OPEN, argument: str = "tensor<2xi64>") -> sm.Module:
    """A function of %s with these lines."""
    body = "\n  ".join(lines)
    return sm.parse(
        f"func.func @main(%s: {argument}) -> {result} {{\n  {body}\n  return %0 : {result}\n}}"
    )


def refusal(module: sm.Module, value: object, backend: str) -> str:
    """The error of a run."""
    executable = sm.compile(module, backend=backend, limits=LIMITS)
    with pytest.raises(sm.StablemateError) as caught:
        executable(value)
    return f"{type(caught.value).__name__} {caught.value}"


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize("name", BY_SIZES)
def test_results_whose_sizes_are_values(name: str, backend: str) -> None:
    module = program(BY_SIZES[name])
    for sizes in ([16, 16], [1 << 62, 4], [1 << 32, 1 << 32], [(1 << 63) - 1] * 2):
        message = refusal(module, np.array(sizes), backend)
        if name == "dynamic_reshape":  # breaks a rule, too
            assert message.startswith(("EvaluationError <text>:3:8", "LimitError <text>:3:8"))
        else:
            place = len(BY_SIZES[name]) + 1
            assert message.startswith(
                f"LimitError <text>:{place}:8: error: limits.tensor_bytes: "
                "a tensor has less than 1000 bytes\n"
            )
            assert message.endswith(NOTE)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize("name", ["dynamic_iota", "dynamic_broadcast_in_dim", "dynamic_reshape"])
def test_arrays_that_cannot_be_although_they_are_empty(name: str, backend: str) -> None:
    for sizes in ([1 << 62, 0], [0, 1 << 62]):
        message = refusal(program(BY_SIZES[name]), np.array(sizes), backend)
        assert message.splitlines()[0] == (
            f"LimitError <text>:{len(BY_SIZES[name]) + 1}:8: error: limits.tensor_bytes: "
            "the sizes of a tensor, those that are 0 aside, multiply to less than 2^59"
        )


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_sizes_within_the_limit_give_results(backend: str) -> None:
    executable = sm.compile(program(BY_SIZES["dynamic_iota"]), backend=backend, limits=LIMITS)
    for sizes in ([15, 16], [2, 3], [15, 16], [0, 5]):
        assert executable(np.array(sizes)).shape == tuple(sizes)
    with pytest.raises(sm.LimitError):
        executable(np.array([16, 16]))


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_ranks_that_no_array_has(backend: str) -> None:
    ones = "1x" * 65
    module = program(
        [
            f"%a = stablehlo.reshape %s : (tensor<2xi64>) -> tensor<2x{ones}i64>",
            f"%0 = stablehlo.reshape %a : (tensor<2x{ones}i64>) -> tensor<2xi64>",
        ],
        "tensor<2xi64>",
    )
    with pytest.raises(sm.LimitError) as caught:
        sm.compile(module, backend=backend)(np.array([1, 2]))
    assert str(caught.value).splitlines()[0] == (
        "<text>:2:8: error: limits.rank: a tensor that is computed has at most 64 dimensions"
    )


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_constants_that_hold_their_elements_may_be_larger(backend: str) -> None:
    values = np.arange(1000, dtype=np.float32)  # in memory since the text was read
    text = """func.func @main(%i: tensor<i32>) -> tensor<1xf32> {{
      %c = stablehlo.constant dense<{elements}> : tensor<1000xf32>
      %0 = stablehlo.dynamic_slice %c, %i, sizes = [1]
        : (tensor<1000xf32>, tensor<i32>) -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }}"""
    held = sm.parse(text.format(elements=values.tolist()))
    result = sm.compile(held, backend=backend, limits=LIMITS)(np.int32(700))
    np.testing.assert_array_equal(result, [700.0])
    filled = sm.parse(text.format(elements="1.0"))
    with pytest.raises(sm.LimitError, match="less than 1000 bytes"):
        sm.compile(filled, backend=backend, limits=LIMITS)(np.int32(700))
