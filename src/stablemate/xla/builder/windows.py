"""WindowMethods that move over arrays: sizes, strides, padding, dilations.

Source: XLA, operation semantics, "ReduceWindow", "ConvWithGeneralPadding".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from stablemate.xla.builder.argument_types import Integers
from stablemate.xla.builder.core import Core
from stablemate.xla.values import WindowDimension

# ``SAME``, ``VALID``, or (low, high) for each dimension.
Padding: TypeAlias = str | Sequence[Sequence[int]]


def window_of(
    core: Core,
    sizes: Integers,
    base: Integers,
    padding: Padding,
    rule: str,
    *,
    strides: Integers | None = None,
    base_dilations: Integers | None = None,
    window_dilations: Integers | None = None,
    reversal: Sequence[bool] | None = None,
) -> tuple[WindowDimension, ...]:
    """A window of sizes over a base of sizes; what is not given is 1, or no."""
    rank = len(base)
    attributes = {
        "window_dimensions": sizes,
        "window_strides": strides,
        "base_dilations": base_dilations,
        "window_dilations": window_dilations,
        "window_reversal": reversal,
    }
    for name, values in attributes.items():
        fits = values is None or len(values) in (rank, 0 if values is not sizes else rank)
        message = f"{name} has a value for each dimension"
        core.require(fits, message, rule, **{name: tuple(values or ()), "rank": rank})
    steps = tuple(strides or (1,) * rank)
    before = tuple(base_dilations or (1,) * rank)
    within = tuple(window_dilations or (1,) * rank)
    flips = tuple(reversal or (False,) * rank)
    edges = window_edges(core, padding, sizes, base, steps, before, within, rule)
    rows = zip(sizes, steps, edges, before, within, flips, strict=True)
    return tuple(
        WindowDimension(size, step, low, high, b, w, bool(flip))
        for size, step, (low, high), b, w, flip in rows
    )


def window_edges(
    core: Core,
    padding: Padding,
    sizes: Integers,
    base: Integers,
    strides: Integers,
    base_dilations: Integers,
    window_dilations: Integers,
    rule: str,
) -> tuple[tuple[int, int], ...]:
    """Low and high padding of each dimension."""
    if not isinstance(padding, str):
        pairs = all(len(pair) == 2 for pair in padding) and len(padding) == len(base)
        message = "padding is SAME, VALID, or (low, high) for each dimension"
        core.require(pairs, message, rule, padding=padding)
        return tuple((low, high) for low, high in padding)
    kind = padding.upper().removeprefix("K")
    message = "padding is SAME, VALID, or (low, high) for each dimension"
    core.require(kind in ("SAME", "VALID"), message, rule, padding=padding)
    core.require(min(strides, default=1) > 0, "strides are positive", rule, strides=strides)
    if kind == "VALID":
        return ((0, 0),) * len(base)
    rows = zip(base, sizes, strides, base_dilations, window_dilations, strict=True)
    return tuple(
        same(dilate_size(n, b), dilate_size(size, w), step) for n, size, step, b, w in rows
    )


def dilate_size(size: int, dilation: int) -> int:
    """The size with holes between elements."""
    return (size - 1) * dilation + 1 if size else 0


def same(base: int, window: int, stride: int) -> tuple[int, int]:
    """The padding with which there are ``ceil(base / stride)`` windows; the odd one is high."""
    total = max((-(-base // stride) - 1) * stride + window - base, 0)
    return total // 2, total - total // 2
