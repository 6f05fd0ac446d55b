"""Fake quantization in training: floats rounded to those that integers with a scale stand for.

Source: PyTorch, ATen/native/quantized/FakeQuantPerTensorAffine, cpu/fused_obs_fake_quant; the
scales of ranges are those of FBGEMM, ChooseQuantizationParams.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.frontends.torch import pytorch

Tensor = Any  # torch.Tensor
LEAST_SCALE: Final = 6.1e-5
SCALE_OF_NOTHING: Final = 0.1  # of a range whose scale has no reciprocal in float32


def fake_quantize(
    self: Tensor, scale: Any, zero_point: object, quant_min: int, quant_max: int
) -> tuple[Tensor, Tensor]:
    """Numbers rounded to those that integers in a range stand for, and where these are in it."""
    steps = pytorch.torch_module().round(self * (1.0 / scale)) + zero_point
    inside = (steps >= quant_min) & (steps <= quant_max)
    return ((steps.clamp(quant_min, quant_max) - zero_point) * scale).to(self.dtype), inside


def along_channels(values: Tensor, like: Tensor, axis: int) -> Tensor:
    """A number for each channel of a tensor."""
    return values.view([-1 if i == axis % like.ndim else 1 for i in range(like.ndim)])


def fake_quantize_per_channel(
    self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int, quant_max: int
) -> tuple[Tensor, Tensor]:
    """The same with a scale and a zero for each channel."""
    scale, zero_point = (along_channels(x, self, axis) for x in (scale, zero_point))
    return fake_quantize(self, scale, zero_point, quant_min, quant_max)


def fake_quantize_tensor_qparams(
    self: Tensor, scale: Tensor, zero_point: Tensor, fake_quant_enabled: Tensor, quant_min: int,
    quant_max: int,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The same if a tensor says so; else the numbers as they are."""
    torch = pytorch.torch_module()
    result, inside = fake_quantize(self, scale, zero_point, quant_min, quant_max)
    is_on = fake_quant_enabled.reshape(()) != 0
    return torch.where(is_on, result, self), inside | ~is_on


def rounded_zero(zero_point: Tensor, quant_min: int, quant_max: int) -> Tensor:
    """A zero that is learned as an integer in the range."""
    return (zero_point + 0.5).clamp(quant_min, quant_max).trunc()


def learnable(
    self: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
    grad_factor: float = 1.0,
) -> Tensor:  # fmt: skip
    """Numbers rounded with a scale and a zero that are learned."""
    zero = rounded_zero(zero_point, quant_min, quant_max)
    return fake_quantize(self, scale, zero, quant_min, quant_max)[0]


def learnable_per_channel(
    self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int, quant_max: int,
    grad_factor: float = 1.0,
) -> Tensor:  # fmt: skip
    """The same for each channel."""
    scale, zero_point = (along_channels(x, self, axis) for x in (scale, zero_point))
    return learnable(self, scale, zero_point, quant_min, quant_max)


# ranges that are observed


def observed_fake_quantize(
    self: Tensor, observer_on: Tensor, fake_quant_on: Tensor, running_min: Tensor,
    running_max: Tensor, scale: Tensor, zero_point: Tensor, averaging_const: float,
    quant_min: int, quant_max: int, ch_axis: int, per_row_fake_quant: bool = False,
    symmetric_quant: bool = False,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Numbers rounded with the scale of the range in which they have been so far.

    Returns:
        The numbers, where they are inside of the range, its new ends, its scale and its zero.

    Raises:
        UnsupportedError: The ranges are those of no channels, which PyTorch makes as many as there
            are in the first call.
    """
    torch = pytorch.torch_module()
    if not running_min.numel():
        raise UnsupportedError(
            "fused_moving_avg_obs_fake_quant: its observer has seen no channels yet; call the "
            "model once before torch.compile"
        )
    rows = self.movedim(ch_axis, 0).flatten(1) if per_row_fake_quant else self.flatten()
    is_observing, is_on = (switch.reshape(()) != 0 for switch in (observer_on, fake_quant_on))
    low, high = (
        torch.where(is_observing, move_end(old, new.reshape(old.shape), averaging_const), old)
        for old, new in ((running_min, rows.amin(-1)), (running_max, rows.amax(-1)))
    )
    chosen = scale_and_zero(low, high, quant_min, quant_max, is_symmetric=symmetric_quant)
    scale, zero_point = (
        torch.where(is_on, new.reshape(old.shape).to(old.dtype), old)
        for old, new in zip((scale, zero_point), chosen, strict=True)
    )
    bounds = quant_min, quant_max
    if per_row_fake_quant:
        result, inside = fake_quantize_per_channel(self, scale, zero_point, ch_axis, *bounds)
    else:
        result, inside = fake_quantize(self, scale, zero_point, *bounds)
    return torch.where(is_on, result, self), inside | ~is_on, low, high, scale, zero_point


def move_end(end: Tensor, seen: Tensor, share: float) -> Tensor:
    """The end of a range, moved to the one just seen; one that is infinite becomes it."""
    return pytorch.torch_module().where(end.isinf(), seen, end + share * (seen - end))


def scale_and_zero(
    low: Tensor, high: Tensor, quant_min: int, quant_max: int, *, is_symmetric: bool
) -> tuple[Tensor, Tensor]:
    """The scale and the zero point with which integers cover ranges, computed in 64 bits.

    Args:
        low: The lower ends.
        high: The upper ends.
        quant_min: The least integer.
        quant_max: The largest integer.
        is_symmetric: Whether ranges on both sides of 0 have it in their middle.
    """
    torch = pytorch.torch_module()
    is_centered = (low < 0) & (high > 0) if is_symmetric else torch.zeros_like(low).bool()
    half = (quant_max - quant_min) // 2
    step = torch.maximum((low / -(half + 1)).abs(), (high / half).abs()).double()
    low = torch.where(is_centered, (step * -(half + 1)).float(), low).clamp(max=0.0)
    high = torch.where(is_centered, (step * half).float(), high).clamp(min=0.0)
    scale = (high.double() - low) / (quant_max - quant_min)
    has_none = (scale.float() == 0) | (1.0 / scale.float()).isinf()
    scale = torch.where(has_none, SCALE_OF_NOTHING, scale)
    growth = torch.where(scale < LEAST_SCALE, LEAST_SCALE / scale, 1.0)
    scale = scale.clamp(min=LEAST_SCALE)
    low, high = low * growth, high * growth
    by_low, by_high = low / scale, high / scale
    is_exact_low = abs(quant_min) - by_low.abs() < abs(quant_max) - by_high.abs()
    zero = torch.where(is_exact_low, quant_min - by_low, quant_max - by_high)
    is_centered = is_centered & (low < 0) & (high > 0)
    zero = torch.where(is_centered, (quant_min + quant_max) / 2, zero)
    return scale.float(), zero.clamp(quant_min, quant_max).round()


FAKE_QUANTIZATIONS: Final[Mapping[str, Callable[..., object]]] = {
    "fake_quantize_per_tensor_affine_cachemask": fake_quantize,
    "fake_quantize_per_channel_affine_cachemask": fake_quantize_per_channel,
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams": fake_quantize_tensor_qparams,
    "_fake_quantize_learnable_per_tensor_affine": learnable,
    "_fake_quantize_learnable_per_channel_affine": learnable_per_channel,
    "_fused_moving_avg_obs_fq_helper_functional": observed_fake_quantize,
}
