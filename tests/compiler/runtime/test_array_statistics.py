"""Statistics of arrays: by hand, and the same by native code and by NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablemate.analysis.tracing.event import ElementStatistics, statistics_of
from stablemate.compiler.runtime.array_statistics import StatisticsCollector, survey_function
from stablemate.compiler.runtime.native.statistics_kernels import DENORMALS, SHIFT
from stablemate.numerics.elements import element_of_dtype

TYPES = [
    *("float16", "float32", "float64", "complex64", "complex128", "bool"),
    *(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)),
    *(ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4, ml_dtypes.uint4),
]


def of(value: Any, *, native: bool = True) -> ElementStatistics:
    """The statistics of an array or scalar."""
    surveyor = StatisticsCollector(native=native)
    element = element_of_dtype(np.asarray(value).dtype)
    assert element is not None
    kind = surveyor.kind(element)
    rows, _ = surveyor.rows((value,), np.array([kind.code], np.uint8))
    return statistics_of(rows[0], is_float=kind.is_float, is_unsigned=kind.scan_dtype.kind == "u")


def test_native_code_is_there() -> None:
    assert survey_function() is not None


@pytest.mark.parametrize("native", [True, False])
def test_floats_by_hand(native: bool) -> None:
    tiny = np.finfo(np.float32).smallest_normal
    x = np.array([1, -3, np.nan, np.inf, -np.inf, 0, -0.0, tiny / 2, 2], np.float32)
    value = of(x, native=native)
    assert (value.count, value.nans, value.infinities, value.negative_infinities) == (9, 1, 2, 1)
    assert (value.zeros, value.denormals) == (2, 1)
    assert (value.min, value.max) == (-np.inf, np.inf)
    assert value.mean == pytest.approx(0.0, abs=1e-7)
    assert value.std == pytest.approx(np.sqrt(14 / 6))


@pytest.mark.parametrize("native", [True, False])
def test_of_nothing_and_of_nan_there_are_no_numbers(native: bool) -> None:
    empty = of(np.zeros((0, 3), np.float32), native=native)
    assert (empty.count, empty.min, empty.max, empty.mean, empty.std) == (0, None, None, None, None)
    nothing = of(np.full(20, np.nan), native=native)
    assert (nothing.nans, nothing.min, nothing.max, nothing.mean) == (20, None, None, None)
    endless = of(np.full(3, np.inf), native=native)
    assert (endless.min, endless.max, endless.mean) == (np.inf, np.inf, None)


@pytest.mark.parametrize("native", [True, False])
def test_integers_are_exact(native: bool) -> None:
    large = of(np.array([2**64 - 1, 5], np.uint64), native=native)
    assert (large.min, large.max) == (5, 2**64 - 1)
    low = of(np.array([-(2**63), 2**63 - 1], np.int64), native=native)
    assert (low.min, low.max) == (-(2**63), 2**63 - 1)
    true = of(np.array([True, False, True, True]), native=native)
    assert (true.min, true.max, true.mean, true.zeros) == (0, 1, 0.75, 1)


@pytest.mark.parametrize("native", [True, False])
def test_a_deviation_is_from_the_mean_however_large_that_is(native: bool) -> None:
    x = 1e9 + np.array([-1.0, 1.0] * 50)
    value = of(x, native=native)
    assert value.std == pytest.approx(1.0, rel=1e-9)


def test_denormals_are_those_of_the_type() -> None:
    assert of(np.array([2.0**-15, 2.0**-14], np.float16)).denormals == 1
    assert of(np.array([2.0**-15, 2.0**-14], np.float32)).denormals == 0
    assert of(np.array([2.0**-7, 2.0**-6], ml_dtypes.float8_e4m3fn)).denormals == 1


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("size", [1, 7, 8, 33, 1000])
def test_native_code_and_numpy_find_the_same(dtype: Any, size: int) -> None:
    rng = np.random.default_rng(size)
    numbers = rng.standard_normal(size) * 3
    if np.dtype(dtype).kind in "fc":
        numbers[:: max(size // 5, 2)] = rng.choice([np.nan, np.inf, -np.inf, 0, 1e-40])
    with np.errstate(all="ignore"):
        x = numbers.astype(dtype)
    element = element_of_dtype(x.dtype)
    assert element is not None
    collected: list[Any] = []
    for native in (True, False):
        surveyor = StatisticsCollector(native=native)
        code = np.array([surveyor.kind(element).code], np.uint8)
        rows, imaginary = surveyor.rows((x,), code)
        collected.append([rows[0], *imaginary.values()])
    for one, other in zip(*collected, strict=True):
        assert one[: DENORMALS + 1].tolist() == other[: DENORMALS + 1].tolist()
        if surveyor.kind(element).is_float:
            np.testing.assert_array_equal(one.view(float)[6:8], other.view(float)[6:8])
        else:
            assert one[6:8].tolist() == other[6:8].tolist()
        np.testing.assert_allclose(
            one.view(float)[8 : SHIFT + 1], other.view(float)[8 : SHIFT + 1], rtol=1e-10, atol=1e-9
        )


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "x",
    [
        np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(2, 0, 1),
        np.arange(24, dtype=np.float32)[::3],
        np.arange(24, dtype=np.float32)[::-1],
        np.broadcast_to(np.arange(3, dtype=np.float32)[:, None], (3, 5)),
        np.broadcast_to(np.float32(2), (3, 5)),
        np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        np.frombuffer(b"\0" + np.arange(5, dtype=np.float32).tobytes(), np.uint8)[1:].view("f4"),
        np.float32(7),
    ],
    ids=["turned", "steps", "reversed", "rows", "one", "columns", "unaligned", "scalar"],
)
def test_arrays_may_lie_in_memory_as_they_like(x: Any, native: bool) -> None:
    value = of(x, native=native)
    plain = np.asarray(x).astype(np.float64)
    assert (value.count, value.zeros) == (plain.size, int((plain == 0).sum()))
    assert (value.min, value.max) == (plain.min(), plain.max())
    assert value.mean == pytest.approx(plain.mean())
    assert value.std == pytest.approx(plain.std())
