"""The attributes that convolutions share: window, dimension numbers, groups, precision.

Source: XLA, operation semantics, "Conv", "ConvWithGeneralPadding".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.xla.builder.argument_types import Integers
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.precision import operand_precision
from stablemate.xla.builder.windows import Padding, window_of
from stablemate.xla.shape import Shape
from stablemate.xla.values import ConvolutionDimensions

# A value of the class, a mapping of its fields, or text: ``b01f_01io->b01f``.
ConvolutionNumbersLike: TypeAlias = ConvolutionDimensions | Mapping[str, Any] | str


def convolution_attributes(
    core: Core,
    lhs: Shape,
    rhs: Shape,
    window_strides: Integers,
    padding: Padding,
    lhs_dilation: Integers | None,
    rhs_dilation: Integers | None,
    dimension_numbers: ConvolutionNumbersLike | None,
    window_reversal: Sequence[bool] | None,
    feature_group_count: int,
    batch_group_count: int,
    precision_config: str | Sequence[str] | None,
) -> dict[str, object]:
    """The attributes of every convolution: window, dimension numbers, groups and precision."""
    rule = "convolution"
    message = "both operands have one rank, at least 2"
    core.require(lhs.rank == rhs.rank >= 2, message, rule, lhs=lhs, rhs=rhs)
    numbers = convolution_numbers(core, dimension_numbers, lhs.rank, rule)
    window = window_of(
        core,
        [rhs.dimensions[number] for number in numbers.kernel_spatial],
        [lhs.dimensions[number] for number in numbers.input_spatial],
        padding,
        rule,
        strides=window_strides,
        base_dilations=lhs_dilation,
        window_dilations=rhs_dilation,
        reversal=window_reversal,
    )
    return {
        "window": window or None,
        "dim_labels": numbers,
        "feature_group_count": feature_group_count,
        "batch_group_count": batch_group_count,
        "operand_precision": operand_precision(core, precision_config, 2),
    }


def convolution_numbers(
    core: Core, numbers: ConvolutionNumbersLike | None, rank: int, rule: str
) -> ConvolutionDimensions:
    """Dimension numbers in any of their forms, from 0 up."""
    spatial = tuple(range(2, rank))
    if numbers is None:
        return ConvolutionDimensions(0, 1, spatial, 1, 0, spatial, 0, 1, spatial)
    if isinstance(numbers, str):
        return convolution_labels(core, numbers, rank, rule)
    if isinstance(numbers, Mapping):
        numbers = ConvolutionDimensions(**{short(name): numbers[name] for name in numbers})

    def one(number: int) -> int:
        return core.dimension(number, rank, rule)

    def many(listed: Integers) -> tuple[int, ...]:
        return tuple(map(one, listed))

    convolution_dimensions = ConvolutionDimensions(
        input_batch=one(numbers.input_batch),
        input_feature=one(numbers.input_feature),
        input_spatial=many(numbers.input_spatial),
        kernel_input_feature=one(numbers.kernel_input_feature),
        kernel_output_feature=one(numbers.kernel_output_feature),
        kernel_spatial=many(numbers.kernel_spatial),
        output_batch=one(numbers.output_batch),
        output_feature=one(numbers.output_feature),
        output_spatial=many(numbers.output_spatial),
        unused=numbers.unused,
    )
    for row in (
        (
            convolution_dimensions.input_batch,
            convolution_dimensions.input_feature,
            *convolution_dimensions.input_spatial,
        ),
        (
            convolution_dimensions.kernel_input_feature,
            convolution_dimensions.kernel_output_feature,
            *convolution_dimensions.kernel_spatial,
        ),
        (
            convolution_dimensions.output_batch,
            convolution_dimensions.output_feature,
            *convolution_dimensions.output_spatial,
        ),
    ):
        message = "dimension numbers name each dimension once"
        core.require(sorted(row) == list(range(rank)), message, rule, dimensions=row)
    return convolution_dimensions


def convolution_labels(core: Core, labels: str, rank: int, rule: str) -> ConvolutionDimensions:
    """``b01f_01io->b01f`` as dimension numbers."""
    inputs, _, rest = labels.partition("_")
    kernel, _, output = rest.partition("->")
    places = [
        {letter: place for place, letter in enumerate(part)} for part in (inputs, kernel, output)
    ]
    digits = [str(d) for d in range(rank - 2)]
    expected = [{*"bf", *digits}, {*"io", *digits}, {*"bf", *digits}]
    message = f"dimension numbers are like {example(rank)}"
    fits = [set(place) for place in places] == expected and len(inputs) == rank
    core.require(fits, message, rule, dimension_numbers=labels)
    first, second, third = places
    return ConvolutionDimensions(
        input_batch=first["b"],
        input_feature=first["f"],
        input_spatial=tuple(first[digit] for digit in digits),
        kernel_input_feature=second["i"],
        kernel_output_feature=second["o"],
        kernel_spatial=tuple(second[digit] for digit in digits),
        output_batch=third["b"],
        output_feature=third["f"],
        output_spatial=tuple(third[digit] for digit in digits),
    )


def short(name: str) -> str:
    """The name of a field: ``input_spatial_dimensions`` is ``input_spatial``."""
    return name.removesuffix("_dimensions").removesuffix("_dimension")


def example(rank: int) -> str:
    """Dimension labels of a rank."""
    digits = "".join(str(d) for d in range(rank - 2))
    return f"bf{digits}_oi{digits}->bf{digits}"
