"""Errors of native code at a sample of floats: none is larger than the page says."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from stablemate.compiler.config.target import host
from tools.accuracy.histogram_page import PAGE, page
from tools.accuracy.histograms import Histogram, errors
from tools.accuracy.measure import Format
from tools.accuracy.samples import histogram_of
from tools.accuracy.state import STATE, done
from tools.accuracy.sweep import SIZE, UNARY, Sweep

KNOWN: Final = done(STATE)
# A processor without fused multiplication rounds more often; a sweep of every 61st float may have
# missed the worst.
MARGIN: Final = 0.3


@pytest.mark.parametrize("name", UNARY)
def test_a_sample_of_f32(name: str) -> None:
    sweep, item = Sweep(name), Histogram()
    generator = np.random.default_rng(0)
    sweep.add(item, np.sort(generator.integers(0, sweep.end, SIZE)).astype(np.uint32))
    assert item.wrong == 0
    assert item.largest <= Histogram.of(KNOWN[f"{name} f32 native"]).largest + MARGIN


@pytest.mark.parametrize("name", UNARY)
def test_the_hardest_f32(name: str) -> None:
    """On a processor with fused multiplication, errors are those that the sweep found."""
    known = Histogram.of(KNOWN[f"{name} f32 native"])
    sweep, item = Sweep(name), Histogram()
    bits = sorted(first for _, (first, *_) in known.worst if first < sweep.end)
    sweep.add(item, np.array(bits, np.uint32))
    margin = 1e-3 if host().has("fma") else MARGIN
    assert item.largest <= known.largest + margin
    assert known.largest <= 1.0


@pytest.mark.parametrize("name", UNARY)
def test_nan_is_quiet(name: str) -> None:
    signaling = np.array([0x7FA0_0000, 0xFFA0_0001, 0x7F80_0001], np.uint32).view(np.float32)
    bits = Sweep(name).results(signaling).view(np.uint32)
    assert (bits & 0x7FC0_0000 == 0x7FC0_0000).all()


@pytest.mark.parametrize("name", UNARY)
def test_all_of_f8(name: str) -> None:
    for peer in ("native", "interpreted"):
        histogram = histogram_of(name, "f8E4M3FN", peer)
        assert histogram is not None
        assert histogram.total == 256
        assert histogram.largest <= Histogram.of(KNOWN[f"{name} f8E4M3FN {peer}"]).largest + 0.01


def test_the_page_says_what_was_found() -> None:
    assert PAGE.read_text() == page(KNOWN)


def test_errors_by_hand() -> None:
    form = Format(np.float32)
    exact = np.array([1.0, 1 + 2.0**-24, 3.0, 0.0, np.nan, np.inf, 2.0**-150])
    array = np.array([1, 1, 3 + 2.0**-21, -0.0, 1, 3e38, 0], np.float32)
    np.testing.assert_array_equal(
        errors(array, exact, form), [0, 0.5, 2, np.inf, np.inf, np.inf, 0.5]
    )
