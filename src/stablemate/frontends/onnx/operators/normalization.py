"""Normalization over batches, layers, groups and channels.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import element_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.tensor import Tensor


def by_channel(values: Tensor, x: Tensor) -> Tensor:
    """A value for each channel, repeated to the shape of a tensor with channels."""
    return values.convert(x.element).broadcast(x.shape, [1])


def standardize(x: Tensor, dims: Sequence[int], epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    """(x - mean) / sqrt(var + epsilon) over dimensions, the mean, and 1 / sqrt(var + epsilon)."""
    mean = r.mean_over(x, dims)
    centered = x - r.keep_dimensions(mean, x.shape, dims)
    inverse = f.rsqrt(r.mean_over(f.square(centered), dims) + epsilon)
    return centered * r.keep_dimensions(inverse, x.shape, dims), mean, inverse


@lowers("MeanVarianceNormalization")
def mean_variance_normalization(
    call: Call, x: Tensor, *, axes: Sequence[int] = (0, 2, 3)
) -> Tensor:
    """(x - mean) / (sqrt(var) + 1e-9) over dimensions"""
    wide, dims = to_compute_type(x), [x.dimension(axis) for axis in axes]
    centered = wide - r.keep_dimensions(r.mean_over(wide, dims), x.shape, dims)
    deviation = f.sqrt(r.mean_over(f.square(centered), dims)) + 1e-9
    return (centered / r.keep_dimensions(deviation, x.shape, dims)).convert(x.element)


@lowers("BatchNormalization", until=13)
def batch_normalization_by_statistics(
    call: Call, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor, *,
    consumed_inputs: object = None, epsilon: float = 1e-5, is_test: int = 1,
    momentum: float = 0.9, spatial: int = 1,
) -> Tensor:  # fmt: skip
    """(x - mean) / sqrt(var + epsilon) * scale + bias, by channels"""
    return normalized_by(x, scale, bias, mean, var, epsilon)


def normalized_by(
    x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor, epsilon: float
) -> Tensor:
    """(x - mean) / sqrt(var + epsilon) * scale + bias, by channels."""
    wide = to_compute_type(x)
    factor = scale.convert(wide.element) / f.sqrt(var.convert(wide.element) + epsilon)
    summand = bias.convert(wide.element) - mean.convert(wide.element) * factor
    return (wide * by_channel(factor, wide) + by_channel(summand, wide)).convert(x.element)


@lowers("BatchNormalization", since=14)
def batch_normalization(
    call: Call, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor, *,
    epsilon: float = 1e-5, momentum: float = 0.9, training_mode: int = 0,
) -> Tensor | tuple[Tensor, ...]:  # fmt: skip
    """(x - mean) / sqrt(var + epsilon) * scale + bias, by channels; in training of the batch"""
    if not training_mode:
        return normalized_by(x, scale, bias, mean, var, epsilon)
    wide = to_compute_type(x)
    dims = [d for d in range(x.rank) if d != 1]
    own_mean = r.mean_over(wide, dims)
    distance = wide - r.keep_dimensions(own_mean, wide.shape, dims)
    own_var = r.mean_over(f.square(distance), dims)
    result = normalized_by(x, scale, bias, own_mean, own_var, epsilon)
    running = [
        (
            to_compute_type(old) * momentum
            + new.convert(to_compute_type(old).element) * (1 - momentum)
        ).convert(old.element)
        for old, new in ((mean, own_mean), (var, own_var))
    ]
    return result, *running


@lowers("LayerNormalization")
def layer_normalization(
    call: Call, x: Tensor, scale: Tensor, bias: Tensor | None = None, *, axis: int = -1,
    epsilon: float = 1e-5, stash_type: int = 1,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """(x - mean) / sqrt(var + epsilon) * scale + bias over the last dimensions"""
    wide = to_compute_type(x)
    dims = list(range(x.dimension(axis), x.rank))
    result, mean, inverse = standardize(wide, dims, epsilon)
    result = result * scale.convert(wide.element)
    if bias is not None:
        result = result + bias.convert(wide.element)
    stash = element_of(stash_type, "the mean")
    kept = [m.expand_dims(value, *dims).convert(stash) for value in (mean, inverse)]
    return result.convert(x.element), kept[0], kept[1]


@lowers("RMSNormalization")
def rms_normalization(
    call: Call, x: Tensor, scale: Tensor, *, axis: int = -1, epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Tensor:  # fmt: skip
    """X / sqrt(mean of x^2 + epsilon) * scale over the last dimensions"""
    wide = to_compute_type(x)
    dims = list(range(x.dimension(axis), x.rank))
    inverse = f.rsqrt(r.mean_over(f.square(wide), dims) + epsilon)
    normal = (wide * r.keep_dimensions(inverse, x.shape, dims)).convert(x.element)
    return normal.convert(scale.element) * scale


@lowers("InstanceNormalization")
def instance_normalization(
    call: Call, x: Tensor, scale: Tensor, bias: Tensor, *, epsilon: float = 1e-5
) -> Tensor:
    """(x - mean) / sqrt(var + epsilon) * scale + bias over each channel of each instance"""
    wide = to_compute_type(x)
    result, _, _ = standardize(wide, range(2, x.rank), epsilon)
    return (result * by_channel(scale, wide) + by_channel(bias, wide)).convert(x.element)


@lowers("GroupNormalization", since=21)
def group_normalization(
    call: Call, x: Tensor, scale: Tensor, bias: Tensor, *, num_groups: int,
    epsilon: float = 1e-5, stash_type: int = 1,
) -> Tensor:  # fmt: skip
    """(x - mean) / sqrt(var + epsilon) over groups of channels, times scale, plus bias"""
    channels = x.shape[1]
    if num_groups < 1 or (isinstance(channels, int) and channels % num_groups):
        raise ValueError(f"num_groups is {num_groups}, for {channels} channels")
    wide = to_compute_type(x)
    groups = m.reshape(wide, (x.shape[0], num_groups, x.shape[1] // num_groups, *x.shape[2:]))
    normal, _, _ = standardize(groups, range(2, groups.rank), epsilon)
    result = m.reshape(normal, x.shape)
    return (result * by_channel(scale, wide) + by_channel(bias, wide)).convert(x.element)


@lowers("LpNormalization")
def lp_normalization(call: Call, x: Tensor, *, axis: int = -1, p: int = 2) -> Tensor:
    """X divided by its norm along an axis; 0 where that is 0"""
    wide, at = to_compute_type(x), x.dimension(axis)
    total = r.sum_over(abs(wide) if p == 1 else f.square(wide), [at])
    norm = r.keep_dimensions(total if p == 1 else f.sqrt(total), x.shape, [at])
    return f.select(norm.equals(0), 0, wide / norm).convert(x.element)


@lowers("LRN")
def lrn(
    call: Call, x: Tensor, *, size: int, alpha: float = 0.0001, beta: float = 0.75,
    bias: float = 1.0,
) -> Tensor:  # fmt: skip
    """X / (bias + alpha / size * sum of squares of channels around)^beta"""
    if size < 1 or not (alpha > 0 and beta > 0):
        raise ValueError(f"size, alpha and beta are {size}, {alpha} and {beta}: not positive")
    wide = to_compute_type(x)
    before = (size - 1) // 2
    ones = (1,) * (x.rank - 2)
    padding = [(0, 0), (before, size - 1 - before), *[(0, 0)] * (x.rank - 2)]
    total = r.window_reduction(
        f.square(wide), Add, (1, size, *ones), (1,) * x.rank, padding, (1,) * x.rank, x.shape
    )
    return (wide / f.power(total * (alpha / size) + bias, beta)).convert(x.element)
