"""Reads and writes the values of attributes as messages: a pair of functions for each kind.

A reader returns None for an absent value. A writer receives a value as the reader returns it.

Source: XLA, ``xla_data.proto``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.proto.messages import MessageError, Proto
from stablemate.xla.values import (
    ConvolutionDimensions,
    OutputOperandAlias,
    PaddingDimension,
    ResultAccuracy,
    SliceDimension,
    SparsityConfig,
    SparsitySide,
    WindowDimension,
)


@dataclass(frozen=True, slots=True)
class Codec:
    """How the value of a field is read and written.

    Attributes:
        read: Returns the value of the field's content; None if it is absent.
        write: Writes a value, given the message that has the field and the name of the field.
    """

    read: Callable[[Any], object]
    write: Callable[[Proto, str, Any], None]


# ---- numbers and words


def present(value: object) -> object:
    """Reads a number or text; None if it is zero or empty."""
    return value or None


def set_field(proto: Proto, name: str, value: object) -> None:
    """Sets a number or text."""
    setattr(proto, name, value)


def numbers_of(values: Any) -> tuple[object, ...] | None:
    """Reads repeated numbers; None if there are none."""
    return tuple(values) or None


def extend(proto: Proto, name: str, values: object) -> None:
    """Appends numbers to the repeated field ``name``."""
    getattr(proto, name).extend(values)


def text_of(value: bytes | str) -> str | None:
    """Reads text; bytes that are not UTF-8 become surrogate escapes."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape") or None
    return value or None


def set_bytes(proto: Proto, name: str, value: str) -> None:
    """Sets a field of bytes."""
    setattr(proto, name, value.encode("utf-8", "surrogateescape"))


def set_first(proto: Proto, name: str, value: int) -> None:
    """Sets the only number of a repeated field."""
    getattr(proto, name).append(value)


def first(values: Any) -> int | None:
    """Reads the only number of a repeated field."""
    return values[0] if values else None


def mapping(values: Any) -> Mapping[str, str] | None:
    """Reads a map, sorted by its keys."""
    return dict(sorted(values.map.items())) or None


def set_mapping(proto: Proto, name: str, values: Mapping[str, str]) -> None:
    """Updates the map field ``name``."""
    getattr(proto, name).map.update(values)


def group_count(value: int) -> int | None:
    """Reads a number of groups; one is the default."""
    return value if value > 1 else None


def identity(value: object) -> object:
    """Reads a number that may be zero."""
    return value


NUMBER: Final = Codec(present, set_field)
COUNT: Final = Codec(group_count, set_field)
OPTIONAL: Final = Codec(identity, set_field)
INTEGERS: Final = Codec(numbers_of, extend)
FIRST: Final = Codec(first, set_first)
STRING: Final = Codec(text_of, set_field)
BYTES: Final = Codec(text_of, set_bytes)
MAPPING: Final = Codec(mapping, set_mapping)


def word_codec(words: Mapping[int, str]) -> Codec:
    """Returns a codec for words by their numbers.

    Zero, or an empty word, stands for an absent attribute.
    """
    numbers = {name: number for number, name in words.items()}

    def read(number: int) -> str | None:
        if number and number not in words:
            raise MessageError(f"expected a number of {', '.join(words.values())}, got {number}")
        return words.get(number) or None

    def write(proto: Proto, name: str, value: str) -> None:
        setattr(proto, name, numbers[value])

    return Codec(read, write)


# ---- windows, convolutions, padding, slices


def read_window(proto: Proto) -> tuple[WindowDimension, ...] | None:
    """Reads the dimensions of a window; one without dimensions is absent."""
    return (
        tuple(
            WindowDimension(
                *(dimension.size, dimension.stride, dimension.padding_low, dimension.padding_high),
                *(dimension.base_dilation, dimension.window_dilation, dimension.window_reversal),
            )
            for dimension in proto.dimensions
        )
        or None
    )


def write_window(proto: Proto, name: str, window: tuple[WindowDimension, ...]) -> None:
    """Writes the dimensions of a window to the field ``name``."""
    for dimension in window:
        getattr(proto, name).dimensions.add(
            size=dimension.size,
            stride=dimension.stride,
            padding_low=dimension.low,
            padding_high=dimension.high,
            base_dilation=dimension.base_dilation,
            window_dilation=dimension.window_dilation,
            window_reversal=dimension.reversal,
        )
    getattr(proto, name).SetInParent()


def read_convolution(proto: Proto) -> ConvolutionDimensions:
    """Reads the dimension numbers of a convolution.

    Dimensions without a role that lie between the others are counted.
    """
    convolution_dimensions = ConvolutionDimensions(
        input_batch=proto.input_batch_dimension,
        input_feature=proto.input_feature_dimension,
        input_spatial=tuple(proto.input_spatial_dimensions),
        kernel_input_feature=proto.kernel_input_feature_dimension,
        kernel_output_feature=proto.kernel_output_feature_dimension,
        kernel_spatial=tuple(proto.kernel_spatial_dimensions),
        output_batch=proto.output_batch_dimension,
        output_feature=proto.output_feature_dimension,
        output_spatial=tuple(proto.output_spatial_dimensions),
    )
    unused = (
        unnamed_dimensions(
            convolution_dimensions.input_batch,
            convolution_dimensions.input_feature,
            *convolution_dimensions.input_spatial,
        ),
        unnamed_dimensions(
            convolution_dimensions.kernel_input_feature,
            convolution_dimensions.kernel_output_feature,
            *convolution_dimensions.kernel_spatial,
        ),
        unnamed_dimensions(
            convolution_dimensions.output_batch,
            convolution_dimensions.output_feature,
            *convolution_dimensions.output_spatial,
        ),
    )
    return replace(convolution_dimensions, unused=unused) if any(unused) else convolution_dimensions


def unnamed_dimensions(*dimensions: int) -> int:
    """Returns the number of dimensions, up to the last of these, that are none of them."""
    return max(0, max(dimensions) + 1 - len(dimensions))


def write_convolution(proto: Proto, name: str, numbers: ConvolutionDimensions) -> None:
    """Writes the dimension numbers of a convolution."""
    message = getattr(proto, name)
    message.input_batch_dimension = numbers.input_batch
    message.input_feature_dimension = numbers.input_feature
    message.input_spatial_dimensions.extend(numbers.input_spatial)
    message.kernel_input_feature_dimension = numbers.kernel_input_feature
    message.kernel_output_feature_dimension = numbers.kernel_output_feature
    message.kernel_spatial_dimensions.extend(numbers.kernel_spatial)
    message.output_batch_dimension = numbers.output_batch
    message.output_feature_dimension = numbers.output_feature
    message.output_spatial_dimensions.extend(numbers.output_spatial)
    message.SetInParent()


def read_padding(proto: Proto) -> tuple[PaddingDimension, ...]:
    """Reads the padding of each dimension."""
    return tuple(
        PaddingDimension(
            dimension.edge_padding_low, dimension.edge_padding_high, dimension.interior_padding
        )
        for dimension in proto.dimensions
    )


def write_padding(proto: Proto, name: str, padding: tuple[PaddingDimension, ...]) -> None:
    """Writes the padding of each dimension."""
    for dimension in padding:
        getattr(proto, name).dimensions.add(
            edge_padding_low=dimension.low,
            edge_padding_high=dimension.high,
            interior_padding=dimension.interior,
        )
    getattr(proto, name).SetInParent()


def read_slices(values: Any) -> tuple[SliceDimension, ...] | None:
    """Reads start, limit and stride of each dimension."""
    return tuple(SliceDimension(value.start, value.limit, value.stride) for value in values) or None


def write_slices(proto: Proto, name: str, slices: tuple[SliceDimension, ...]) -> None:
    """Writes start, limit and stride of each dimension."""
    for slice_ in slices:
        getattr(proto, name).add(start=slice_.start, limit=slice_.limit, stride=slice_.stride)


def read_pairs(values: Any) -> tuple[tuple[int, int], ...] | None:
    """Reads pairs of source and target."""
    return tuple((value.source, value.target) for value in values) or None


def write_pairs(proto: Proto, name: str, pairs: tuple[tuple[int, int], ...]) -> None:
    """Writes pairs of source and target."""
    for source, target in pairs:
        getattr(proto, name).add(source=source, target=target)


WINDOW: Final = Codec(read_window, write_window)
DIM_LABELS: Final = Codec(read_convolution, write_convolution)
PADDING: Final = Codec(read_padding, write_padding)
SLICES: Final = Codec(read_slices, write_slices)
PAIRS: Final = Codec(read_pairs, write_pairs)


# ---- aliasing, accuracy, sparsity


def read_aliasing(values: Any) -> tuple[OutputOperandAlias, ...] | None:
    """Reads which results use the memory of operands."""
    return (
        tuple(
            OutputOperandAlias(
                *(tuple(value.output_shape_index), value.operand_index),
                tuple(value.operand_shape_index),
            )
            for value in values
        )
        or None
    )


def write_aliasing(proto: Proto, name: str, aliases: tuple[OutputOperandAlias, ...]) -> None:
    """Writes which results use the memory of operands."""
    for aliase in aliases:
        getattr(proto, name).add(
            output_shape_index=aliase.output_index,
            operand_index=aliase.operand,
            operand_shape_index=aliase.operand_index,
        )


ACCURACY_MODES: Final = ("default", "highest")


def read_accuracy(proto: Proto) -> ResultAccuracy | None:
    """Reads the accuracy of a result; None for the default."""
    if proto.HasField("tolerance"):
        within = proto.tolerance
        return ResultAccuracy(atol=within.atol, rtol=within.rtol, ulps=within.ulps)
    return ResultAccuracy("highest") if proto.mode else None


def write_accuracy(proto: Proto, name: str, accuracy: ResultAccuracy) -> None:
    """Writes the accuracy of a result."""
    if accuracy.mode == "default":
        return
    message = getattr(proto, name)
    if accuracy.mode:
        message.mode = ACCURACY_MODES.index(accuracy.mode)
        return
    message.tolerance.SetInParent()
    message.tolerance.atol = accuracy.atol
    message.tolerance.rtol = accuracy.rtol
    message.tolerance.ulps = accuracy.ulps


SIDE: Final = ("num_non_zero", "block_size", "dimension", "stride")


def read_sparsity(proto: Proto) -> SparsityConfig | None:
    """Reads the structured sparsity of the operands; None if neither has it."""
    sides = (
        SparsitySide(*(getattr(getattr(proto, side), field) for field in SIDE))
        if proto.HasField(side)
        else None
        for side in ("lhs", "rhs")
    )
    sparsity = SparsityConfig(*sides)
    return None if sparsity == SparsityConfig() else sparsity


def write_sparsity(proto: Proto, name: str, sparsity: SparsityConfig) -> None:
    """Writes structured sparsity of the operands."""
    message = getattr(proto, name)
    message.SetInParent()
    for side, values in (("lhs", sparsity.lhs), ("rhs", sparsity.rhs)):
        if values is not None:
            part = getattr(message, side)
            part.SetInParent()
            part.num_non_zero, part.block_size = values.non_zeros, values.block_size
            part.dimension, part.stride = values.dimension, values.stride


ALIASING: Final = Codec(read_aliasing, write_aliasing)
RESULT_ACCURACY: Final = Codec(read_accuracy, write_accuracy)
SPARSITY: Final = Codec(read_sparsity, write_sparsity)
