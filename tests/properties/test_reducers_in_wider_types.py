"""Computations in wider types than the operands': elements are converted first, and nothing wraps.

Numbers are drawn such that sums are exact in the wider type, and beyond the narrower one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm

Array = npt.NDArray[Any]

COUNT: Final = 12
WINDOW: Final = 5
ONE_GROUP: Final = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


@dataclass(frozen=True)
class Pair:
    """An element type and one to which it can be promoted.

    Attributes:
        narrow: Its name.
        wide: The other's.
        dtype: Of arrays of the first.
        limit: Numbers are at most this, stored ones.
        step: The difference of two stored numbers of the first, and of the second.
        origin: What zero is stored as, in the first and in the second.
    """

    narrow: str
    wide: str
    dtype: Any
    limit: int
    step: tuple[float, float] = (1, 1)
    origin: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        return f"{self.narrow} in {self.wide}"

    def numbers(self, stored: Array) -> Array:
        """What arrays of the narrow type stand for, exactly."""
        return (stored.astype(np.complex128) - self.origin[0]) * self.step[0]

    def stored(self, numbers: Array) -> Array:
        """Numbers as arrays of the wide type hold them."""
        return numbers / self.step[1] + self.origin[1]


PAIRS: Final = (
    Pair("i8", "i32", np.int8, 127),
    Pair("i4", "i16", ml_dtypes.int4, 7),
    Pair("i2", "i8", ml_dtypes.int2, 1),
    Pair("ui8", "ui32", np.uint8, 255),
    Pair("ui4", "i64", ml_dtypes.uint4, 15),
    Pair("f8E4M3FN", "f32", ml_dtypes.float8_e4m3fn, 15),
    Pair("f4E2M1FN", "f16", ml_dtypes.float4_e2m1fn, 4),
    Pair("bf16", "f64", ml_dtypes.bfloat16, 255),
    Pair("f16", "f32", np.float16, 2047),
    Pair("f32", "f64", np.float32, 2**24 - 1),
    Pair("complex<f32>", "complex<f64>", np.complex64, 2**24 - 1),
    Pair(
        "!quant.uniform<i8:f32, 0.5:1>",
        "!quant.uniform<i32:f32, 0.5:1>",
        np.int8,
        127,
        (0.5, 0.5),
        (1, 1),
    ),
    Pair(
        "!quant.uniform<u8:f32, 0.5:3>",
        "!quant.uniform<i16:f32, 0.25:-2>",
        np.uint8,
        255,
        (0.5, 0.25),
        (3, -2),
    ),
    Pair(
        "!quant.uniform<i4:f16, 2.0>",
        "!quant.uniform<i16:f16, 1.0:5>",
        ml_dtypes.int4,
        7,
        (2, 1),
        (0, 5),
    ),
)


def tensor(element: str, *sizes: int) -> str:
    """The text of a tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{element}>"


def adding(element: str) -> str:
    """The region that adds two elements."""
    return f"""{{
    ^bb0(%x: {tensor(element)}, %y: {tensor(element)}):
      %r = stablehlo.add %x, %y : {tensor(element)}
      stablehlo.return %r : {tensor(element)}
    }}"""


def program(name: str, operands: list[str], result: str, attributes: str, *regions: str) -> str:
    """A program of one operation."""
    arguments = ", ".join(f"%a{i}: {operand}" for i, operand in enumerate(operands))
    values = ", ".join(f"%a{i}" for i in range(len(operands)))
    return f"""func.func @main({arguments}) -> {result} {{
      %0 = "stablehlo.{name}"({values}) <{{{attributes}}}> ({", ".join(regions)})
        : ({", ".join(operands)}) -> {result}
      return %0 : {result}
    }}
    """


def random_array(pair: Pair, count: int, seed: int) -> Array:
    """Random elements of the narrow type, stored."""
    numbers = np.random.default_rng(seed).integers(
        pair.limit // 2, pair.limit, count, endpoint=True
    )
    return numbers.astype(pair.dtype)


def zero(pair: Pair) -> Array:
    """The initial value."""
    return np.array(pair.origin[0]).astype(pair.dtype)


def check(pair: Pair, actual: Any, numbers: Array) -> None:
    """The result stands for these numbers."""
    assert np.asarray(actual).astype(np.complex128).tolist() == pair.stored(numbers).tolist()


ORDERED: Final = [pair for pair in PAIRS if not pair.narrow.startswith("complex")]
ALL: Final = pytest.mark.parametrize("pair", PAIRS, ids=str)


@ALL
def test_reduce(pair: Pair) -> None:
    x = random_array(pair, COUNT, 0)
    operands = [tensor(pair.narrow, COUNT), tensor(pair.narrow)]
    attributes = "dimensions = array<i64: 0>"
    text = program("reduce", operands, tensor(pair.wide), attributes, adding(pair.wide))
    check(pair, sm.load(text).run(x, zero(pair)), pair.numbers(x).sum())


@ALL
def test_reduce_window(pair: Pair) -> None:
    x = random_array(pair, COUNT, 1)
    operands = [tensor(pair.narrow, COUNT), tensor(pair.narrow)]
    result = tensor(pair.wide, COUNT - WINDOW + 1)
    attributes = f"window_dimensions = array<i64: {WINDOW}>"
    text = program("reduce_window", operands, result, attributes, adding(pair.wide))
    windows = np.lib.stride_tricks.sliding_window_view(pair.numbers(x), WINDOW)
    check(pair, sm.load(text).run(x, zero(pair)), windows.sum(1))


@ALL
def test_scatter(pair: Pair) -> None:
    x, updates = random_array(pair, 3, 2), random_array(pair, COUNT, 3)
    indices = np.random.default_rng(4).integers(0, 2, (COUNT, 1))  # nothing meets the last one
    operands = [tensor(pair.narrow, 3), tensor("i64", COUNT, 1), tensor(pair.narrow, COUNT)]
    attributes = (
        "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    )
    text = program("scatter", operands, tensor(pair.wide, 3), attributes, adding(pair.wide))
    expected = pair.numbers(x)
    np.add.at(expected, indices[:, 0], pair.numbers(updates))
    check(pair, sm.load(text).run(x, indices, updates), expected)


@pytest.mark.parametrize("pair", ORDERED, ids=str)
def test_select_and_scatter(pair: Pair) -> None:
    peak = np.zeros(COUNT + 1) + pair.origin[0]
    peak[WINDOW - 1 :: WINDOW - 1] += 1  # every window has an end or two that are largest
    x, source = peak.astype(pair.dtype), random_array(pair, COUNT + 2 - WINDOW, 5)
    scalar = tensor(pair.narrow)
    selecting = f"""{{
    ^bb0(%x: {scalar}, %y: {scalar}):
      %r = stablehlo.compare GE, %x, %y : ({scalar}, {scalar}) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }}"""
    operands = [tensor(pair.narrow, len(x)), tensor(pair.narrow, len(source)), scalar]
    attributes = f"window_dimensions = array<i64: {WINDOW}>"
    regions = selecting, adding(pair.wide)
    result = tensor(pair.wide, len(x))
    text = program("select_and_scatter", operands, result, attributes, *regions)
    expected = np.zeros(len(x), np.complex128)
    for start, number in enumerate(pair.numbers(source)):
        expected[start + int(np.argmax(peak[start : start + WINDOW]))] += number
    check(pair, sm.load(text).run(x, source, zero(pair)), expected)


@ALL
def test_all_reduce(pair: Pair) -> None:
    x, y = random_array(pair, COUNT, 6), random_array(pair, COUNT, 7)
    types = tensor(pair.narrow, COUNT), tensor(pair.wide, COUNT)
    text = program("all_reduce", [types[0]], types[1], ONE_GROUP, adding(pair.wide))
    for item in sm.run_grid(text, [x, y], replicas=2):
        check(pair, item, pair.numbers(x) + pair.numbers(y))


@ALL
def test_reduce_scatter(pair: Pair) -> None:
    x, y = random_array(pair, COUNT, 8), random_array(pair, COUNT, 9)
    attributes = f"{ONE_GROUP}, scatter_dimension = 0 : i64"
    types = tensor(pair.narrow, COUNT), tensor(pair.wide, COUNT // 2)
    text = program("reduce_scatter", [types[0]], types[1], attributes, adding(pair.wide))
    halves = np.split(pair.numbers(x) + pair.numbers(y), 2)
    for item, expected in zip(sm.run_grid(text, [x, y], replicas=2), halves, strict=True):
        check(pair, item, expected)
