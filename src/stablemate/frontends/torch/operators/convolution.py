"""Convolutions and their gradients.

Source: PyTorch, torch.nn.functional, "Convolution functions".
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import (
    ConvolutionWindows,
    channels_first,
    convolution,
    group_outputs,
)
from stablemate.frontends.tensor_functions.elementwise import conjugate
from stablemate.frontends.tensor_functions.floating_point import computed_element
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike, is_static
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call, per_dimension
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import ElementType


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a convolution moves over its input: a number for each spatial dimension.

    Attributes:
        stride: The distance of two windows.
        padding: How many zeros are added on both sides.
        dilation: The distance of two elements of a window.
        output_padding: What a transposed convolution adds at the end; what its gradient by the
            input, which is not transposed, does not reach there.
        groups: Into how many groups channels are divided.
        transposed: Whether it is the gradient of a convolution by its input.
    """

    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    transposed: bool


def geometry(
    spatial: int, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    transposed: bool, output_padding: Sequence[int], groups: int,
) -> Geometry:  # fmt: skip
    """The arguments of a convolution; one number stands for all dimensions."""
    return Geometry(
        per_dimension(stride, spatial), per_dimension(padding, spatial),
        per_dimension(dilation, spatial),
        per_dimension(output_padding, spatial) if transposed else (0,) * spatial,
        groups, transposed,
    )  # fmt: skip


@lowers("convolution", "convolution_overrideable", "_convolution")
def convolution_(
    call: Call, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int], transposed: bool,
    output_padding: Sequence[int], groups: int, *_: object,
) -> Tensor:  # fmt: skip
    """The convolution of (n, c, ...) with (o, c / groups, ...); (c, o / groups, ...) transposed."""
    spatial = weight.rank - 2
    form = geometry(spatial, stride, padding, dilation, transposed, output_padding, groups)
    is_single = input.rank == spatial + 1
    x = m.expand_dims(input, 0) if is_single else input
    shape = (1, *call.shape) if is_single else call.shape
    element = x.element if bias is None else computed_element(x.element)
    result = emit_convolution(x, weight, form, shape, element)
    if bias is not None:
        result = result + bias.convert(element).broadcast(result.shape, [1])
    return m.reshape(result.convert(call.element), call.shape)


def emit_convolution(
    x: Tensor, weight: Tensor, form: Geometry, shape: Shape, element: ElementType
) -> Tensor:
    """A convolution, transposed or not, with results of an element type."""
    if any(size == 0 for size in (*x.shape, *weight.shape) if isinstance(size, int)):
        return full(x.graph, shape, 0, element)
    convolve = transposed_convolution if form.transposed else direct_convolution
    return convolve(x, weight, form, shape, element)


def direct_convolution(
    x: Tensor, weight: Tensor, form: Geometry, shape: Shape, element: ElementType
) -> Tensor:
    """Windows of the input times the kernel; as many as the result has elements."""
    spatial = weight.rank - 2
    padding = [
        (low, low - rest if rest >= stride else low)
        for low, stride, rest in zip(form.padding, form.stride, form.output_padding, strict=True)
    ]
    window = ConvolutionWindows(form.stride, tuple(padding), (1,) * spatial, form.dilation)
    return convolution(
        x, weight, channels_first(spatial), window, shape, feature_groups=form.groups,
        element=element,
    )  # fmt: skip


def transposed_convolution(
    x: Tensor, weight: Tensor, form: Geometry, shape: Shape, element: ElementType
) -> Tensor:
    """Elements of the input spread by the kernel: a convolution of the dilated input."""
    spatial = weight.rank - 2
    rows = zip(weight.shape[2:], form.dilation, form.padding, strict=True)
    low = [dilation * (size - 1) - pad for size, dilation, pad in rows]
    high = [reach + extra for reach, extra in zip(low, form.output_padding, strict=True)]
    edges: Sequence[tuple[object, object]] = list(zip(low, high, strict=True))
    padding = [
        (before, after)
        for before, after in edges
        if isinstance(before, int) and isinstance(after, int)
    ]
    dilations = form.stride
    if len(padding) < spatial:  # sizes of the kernel vary: no attribute can hold the padding
        interior = [0, 0, *(stride - 1 for stride in form.stride)]
        x = m.pad(x, 0, (0, 0, *low), (0, 0, *high), interior)
        dilations, padding = (1,) * spatial, [(0, 0)] * spatial
    window = ConvolutionWindows((1,) * spatial, tuple(padding), dilations, form.dilation)
    flipped = m.reverse(group_outputs(weight, form.groups), range(2, weight.rank))
    return convolution(
        x, flipped, channels_first(spatial), window, shape, feature_groups=form.groups,
        element=element,
    )  # fmt: skip


@lowers("convolution_backward", "convolution_backward_overrideable")
def convolution_backward(
    call: Call, grad_output: Tensor, input: Tensor, weight: Tensor, bias_sizes: object,
    stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], transposed: bool,
    output_padding: Sequence[int], groups: int, output_mask: Sequence[bool],
) -> list[Tensor | None]:  # fmt: skip
    """The gradients of a convolution by its input, its kernel and its bias."""
    spatial = weight.rank - 2
    form = geometry(spatial, stride, padding, dilation, transposed, output_padding, groups)
    by_input, by_weight, by_bias = output_mask
    return [
        input_gradient(grad_output, input, weight, form) if by_input else None,
        weight_gradient(grad_output, input, weight, form) if by_weight else None,
        bias_gradient(call, grad_output) if by_bias else None,
    ]


def bias_gradient(call: Call, gradient: Tensor) -> Tensor:
    """The sums of the gradient over all but its channels."""
    dims = [i for i in range(gradient.rank) if i != 1]
    return r.sum_over(call.to_compute_type(gradient), dims).convert(gradient.element)


def input_gradient(gradient: Tensor, x: Tensor, weight: Tensor, form: Geometry) -> Tensor:
    """The gradient by the input: a convolution the other way."""
    kernel = conjugate(weight)
    if form.transposed:
        other = Geometry(
            form.stride, form.padding, form.dilation, form.output_padding, form.groups, False
        )
        return emit_convolution(gradient, kernel, other, x.shape, x.element)
    rests = unreached_counts(x.shape, gradient.shape, weight.shape, form)
    known, excess = known_rests(rests, form.stride)
    other = Geometry(form.stride, form.padding, form.dilation, known, form.groups, True)
    shape = tuple([size + more for size, more in zip(x.shape, (0, 0, *excess), strict=True)])
    result = emit_convolution(gradient, kernel, other, shape, x.element)
    return m.slice_dimensions(result, (0,) * x.rank, x.shape)


def unreached_counts(shape: Shape, output: Shape, kernel: Shape, form: Geometry) -> list[SizeLike]:
    """How many elements at the end of each spatial dimension of an input no window reaches."""
    return [
        unreached_count(*row)
        for row in zip(
            shape[2:], output[2:], kernel[2:], form.stride, form.padding, form.dilation,
            strict=True,
        )
    ]  # fmt: skip


def unreached_count(
    size: SizeLike, output: SizeLike, kernel: SizeLike, stride: int, padding: int, dilation: int
) -> SizeLike:
    """How many elements at the end of an input no window reaches."""
    if stride == 1 and not is_static((size, output)):
        return 0
    return size - ((output - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1)


def known_rests(
    rests: Sequence[SizeLike], strides: Sequence[int]
) -> tuple[tuple[int, ...], tuple[SizeLike, ...]]:
    """Numbers for what windows do not reach, and how much larger they are than it.

    What is not known when a program is translated is less than a stride.
    """
    known = [
        rest if isinstance(rest, int) else stride - 1
        for rest, stride in zip(rests, strides, strict=True)
    ]
    excess = [number - rest for number, rest in zip(known, rests, strict=True)]
    return tuple(known), tuple(excess)


def weight_gradient(gradient: Tensor, x: Tensor, weight: Tensor, form: Geometry) -> Tensor:
    """The gradient by the kernel: the input convolved with the gradient, summed over batches."""
    spatial = weight.rank - 2
    places = tuple(range(2, 2 + spatial))
    rests: Sequence[SizeLike] = form.output_padding
    if form.transposed:
        x, gradient = gradient, x
    else:
        rests = unreached_counts(x.shape, gradient.shape, weight.shape, form)
    known, excess = known_rests(rests, form.stride)
    x = m.pad(x, 0, (0,) * x.rank, (0, 0, *excess))
    padding = [(low, low - rest) for low, rest in zip(form.padding, known, strict=True)]
    window = ConvolutionWindows(form.dilation, tuple(padding), (1,) * spatial, form.stride)
    # Batches are summed over: they are the features of this convolution.
    numbers = ConvDimensionNumbers(1, 0, places, 0, 1, places, 1, 0, places)
    return convolution(
        conjugate(x), gradient, numbers, window, weight.shape, batch_groups=form.groups
    )
