"""docs/choices.md: every point has a test, and XLA does what the page says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.numerics.elements import Array
from tests.oracle.client import Oracle
from tests.oracle.elements import read_literal

ROOT: Final = Path(__file__).parents[1]
ROW: Final = re.compile(r"^\| (?!Point|---)(.+?) \| (.+?) \| (.+?) \| `(.+?)` \|$", re.MULTILINE)
FUNCTION: Final = re.compile(r"^func\.func @(\w+)\(\) \{\n(.*?)^  return\n\}", re.M | re.S)
CONSTANT: Final = re.compile(r"^  (%(?!shape)\w+) = stablehlo.constant (.+ : (.+))\n", re.MULTILINE)
CHECK: Final = re.compile(r"^  check\.\w+ (%[\w#]+),.* : (tensor<.*>)\n", re.MULTILINE)


@dataclass(frozen=True)
class Choice:
    """A row of the page."""

    point: str
    xla: str
    test: str

    @property
    def is_compared(self) -> bool:
        """Whether XLA can run the function that is the test."""
        text = functions().get(self.test.removeprefix("@"), "run_parallel")
        return self.xla != "-" and "run_parallel" not in text


def choices() -> list[Choice]:
    """The rows of the page."""
    text = (ROOT / "docs" / "choices.md").read_text()
    return [Choice(point, xla, test) for point, _, xla, test in ROW.findall(text)]


@cache
def functions() -> dict[str, str]:
    """The bodies of the functions in choices.mlir that take nothing."""
    return dict(FUNCTION.findall((ROOT / "tests" / "ops" / "choices.mlir").read_text()))


def as_main(body: str) -> tuple[str, list[Array]]:
    """A program that takes the constants of a body and returns what it checks; its arguments.

    XLA folds what it computes from constants by other code than it compiles.
    """
    constants, values = CONSTANT.findall(body), CHECK.findall(body)
    arguments = ", ".join(f"{name}: {kind}" for name, _, kind in constants)
    names, types = ", ".join(name for name, _ in values), ", ".join(kind for _, kind in values)
    rest = CHECK.sub("", CONSTANT.sub("", body))
    text = f"func.func @main({arguments}) -> ({types}) {{\n{rest}  return {names} : {types}\n}}\n"
    return text, [read_literal(literal) for _, literal, _ in constants]


def same(a: Array, b: Array) -> bool:
    """Whether all elements are equal, NaN among them, and zeros of the same sign."""
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    x, y = (np.atleast_1d(operand.astype(wide)).view(np.float64) for operand in (a, b))
    return np.array_equal(x, y, equal_nan=True) and np.array_equal(
        np.signbit(x[~np.isnan(x)]), np.signbit(y[~np.isnan(y)])
    )


@pytest.mark.parametrize("choice", choices(), ids=lambda choice: choice.point)
def test_point_has_its_test(choice: Choice) -> None:
    if choice.test.startswith("@"):
        assert choice.test.removeprefix("@") in functions()
    else:
        path, _, name = choice.test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text() if name else (ROOT / path).exists()


def test_functions_are_on_the_page() -> None:
    assert {f"@{name}" for name in functions()} <= {choice.test for choice in choices()}


@pytest.mark.parametrize(
    "choice", [choice for choice in choices() if choice.is_compared], ids=lambda choice: choice.test
)
def test_xla_is_as_the_page_says(choice: Choice, oracle: Oracle) -> None:
    text, arguments = as_main(functions()[choice.test.removeprefix("@")])
    results = sm.run(text, *arguments, backend="interpreter")
    ours = results if isinstance(results, tuple) else (results,)
    theirs = oracle.xla(text, *arguments)
    agree = all(same(np.asarray(a), b) for a, b in zip(ours, theirs, strict=True))
    assert agree == (choice.xla == "same")


# ---- choices that no program can check itself


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"backend": "interpreter"}, np.nan),
        ({"backend": "interpreter", "order": "fast"}, -12.0),
        ({"backend": "cpu"}, -12.0),
    ],
)
def test_where_sums_of_narrow_floats_are_rounded(
    options: dict[str, Any], expected: float, oracle: Oracle
) -> None:
    text = """
func.func @main(%a: tensor<2xf8E3M4>, %b: tensor<2xf8E3M4>) -> tensor<f8E3M4> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
    : (tensor<2xf8E3M4>, tensor<2xf8E3M4>) -> tensor<f8E3M4>
  return %0 : tensor<f8E3M4>
}"""
    x, y = (np.array(pair).astype(ml_dtypes.float8_e3m4) for pair in ([-13, 8], [-4, -8]))
    # 52 - 64, both beyond the largest number, 15.5.
    np.testing.assert_equal(np.asarray(sm.run(text, x, y, **options)).astype(float), expected)
    (reference,), (xla,) = oracle.reference(text, x, y), oracle.xla(text, x, y)
    assert np.isnan(reference.astype(float)), "infinity less infinity"
    assert float(xla) == -12


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_an_initial_value_is_scattered_to_once(backend: str, oracle: Oracle) -> None:
    text = """
func.func @main(%x: tensor<3xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
    arguments = [np.array(x, np.float32) for x in ([1, 5, 2], [10, 20], 100)]
    assert sm.run(text, *arguments, backend=backend).tolist() == [100, 130, 100]
    assert oracle.xla(text, *arguments)[0].tolist() == [100, 130, 100]
    assert oracle.reference(text, *arguments)[0].tolist() == [100, 330, 100]


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_operands_are_converted_to_the_type_of_a_convolution(backend: str, oracle: Oracle) -> None:
    text = """
func.func @main(%x: tensor<1x3xbf16>, %k: tensor<3x1xbf16>) -> tensor<1x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3xbf16>, tensor<3x1xbf16>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}"""
    x = np.array([[256, 1, 1]]).astype(ml_dtypes.bfloat16)
    k = np.ones((3, 1)).astype(ml_dtypes.bfloat16)
    assert float(sm.run(text, x, k, backend=backend)[0, 0]) == 258
    assert float(oracle.xla(text, x, k)[0][0, 0]) == 258
    assert float(oracle.reference(text, x, k)[0][0, 0]) == 256


def test_a_slice_without_an_element_cannot_be_gathered() -> None:
    text = """
func.func @main(%a: tensor<0xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 0>}> : (tensor<0xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
    with pytest.raises(sm.EvaluationError, match="slices have an element to take"):
        sm.run(text, np.zeros(0, np.float32), np.zeros((3, 1), np.int32))


@pytest.mark.parametrize("pairs", ["", ", source_target_pairs = dense<> : tensor<0x2xi64>"])
def test_without_pairs_a_process_receives_its_own(pairs: str) -> None:
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    text = f"""
func.func @main(%a: tensor<f32>) -> tensor<f32> {{
  %t = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%a, %t) <{{{channel}{pairs}}}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{{{channel}{pairs}}}>
    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %1#0 : tensor<f32>
}}"""
    assert sm.run_grid(text, [np.float32(1), np.float32(2)], replicas=2) == [1, 2]


@pytest.mark.parametrize(("group", "expected"), [([0, 1], 5 - 3), ([1, 0], 3 - 5)])
def test_members_are_combined_as_their_group_lists_them(group: list[int], expected: int) -> None:
    text = f"""
func.func @main(%x: tensor<i32>) -> tensor<i32> {{
  %0 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[{group}]> : tensor<1x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }}) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}}"""
    assert sm.run_grid(text, [np.int32(5), np.int32(3)], replicas=2) == [expected] * 2


def exchange(pairs: str, channel: int) -> str:
    """A program that sends its argument and returns what it receives."""
    attributes = (
        f"channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>, "
        f"source_target_pairs = dense<{pairs}> : tensor<{pairs.count('[') - 1}x2xi64>"
    )
    return f"""
func.func @main(%a: tensor<f32>) -> tensor<f32> {{
  %t = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%a, %t) <{{{attributes}}}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{{{attributes}}}>
    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %1#0 : tensor<f32>
}}"""


@pytest.mark.parametrize(
    ("grid", "channel", "expected"),
    [
        ((2, 1), 1, [2, 1]),
        ((1, 2), 0, [2, 1]),
        ((2, 2), 1, [2, 1, 4, 3]),
        ((2, 2), 0, [3, 4, 1, 2]),
    ],
)
def test_what_the_ids_of_pairs_are(
    grid: tuple[int, int], channel: int, expected: list[int]
) -> None:
    arguments = [np.float32(i + 1) for i in range(grid[0] * grid[1])]
    assert sm.run_grid(exchange("[[0, 1], [1, 0]]", channel), arguments, *grid) == expected


def test_who_is_in_no_pair_receives_zeros() -> None:
    arguments = [np.float32(i + 1) for i in range(3)]
    assert sm.run_grid(exchange("[[0, 2]]", 1), arguments, replicas=3) == [0, 0, 1]


def test_zeros_of_a_type_without_zero() -> None:
    text = """
func.func @main(%x: tensor<f8E8M0FNU>) -> tensor<f8E8M0FNU> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}>
    : (tensor<f8E8M0FNU>) -> tensor<f8E8M0FNU>
  return %0 : tensor<f8E8M0FNU>
}"""
    result = np.asarray(sm.run(text, np.float32(1).astype(ml_dtypes.float8_e8m0fnu)))
    assert result.tobytes() == b"\0"
    assert float(result) == 2**-127


def test_configurations_of_streams_change_nothing() -> None:
    results = [
        sm.run(
            f"""
func.func private @queue() -> tensor<f32> {{
  %0 = stablehlo.constant dense<3.0> : tensor<f32>
  return %0 : tensor<f32>
}}
func.func private @reads() -> tensor<f32> {{
  %t = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) <{{infeed_config = "{config}"}}>
    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0#0 : tensor<f32>
}}
func.func @main() -> tensor<f32> {{
  %0 = "interpreter.run_parallel"() <{{infeed = [@queue], programs = [[@reads]]}}>
    : () -> tensor<f32>
  return %0 : tensor<f32>
}}"""
        )
        for config in ("", "anything")
    ]
    assert results == [3, 3]


def test_shapes_that_disagree_end_the_run() -> None:
    text = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run(text, np.zeros(2, np.float32), np.zeros(1, np.float32))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.rule, {k: str(v) for k, v in diagnostic.values.items()}) == (
        "stablehlo.add C1",
        {"lhs": "tensor<2xf32>", "rhs": "tensor<1xf32>"},
    )
