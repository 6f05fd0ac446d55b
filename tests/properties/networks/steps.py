"""The operations of networks: each takes an image and makes another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Final

import numpy as np

from tests.compiler.narrow_weights import FORMS as WEIGHT_FORMS
from tests.compiler.narrow_weights import GROUP_FORMS, WeightProgram, tensor
from tests.properties.networks.writer import Value, Writer

Step = Callable[[Writer, Value], Value]

LARGEST: Final = 60_000  # elements of an image; larger ones are sliced
GROUP: Final = 32  # weights that share a scale
FEATURES: Final = (1, 3, 4, 8, 16, 17, 32, 33, 48, 64, 70)


def windows(strides: Sequence[int], pads: Sequence[Sequence[int]], base: int, dilation: int) -> str:
    """The windows of a convolution, as text."""
    padding = ", ".join(f"[{low}, {high}]" for low, high in pads)
    return (
        f"{{stride = [{strides[0]}, {strides[1]}], pad = [{padding}], "
        f"lhs_dilate = [{base}, {base}], rhs_dilate = [{dilation}, {dilation}]}}"
    )


def convolved(
    writer: Writer, x: Value, kernel: Value, groups: int, *, element: str = "",
    pads: Sequence[Sequence[int]] = ((0, 0), (0, 0)), strides: Sequence[int] = (1, 1),
    base: int = 1, dilation: int = 1,
) -> Value:  # fmt: skip
    """The convolution of an image with a kernel ``[y, x, i, o]`` or ``[o, i, y, x]``."""
    is_last = writer.features_last
    taps = kernel.shape[:2] if is_last else kernel.shape[2:]
    outputs = kernel.shape[3 if is_last else 0]
    sizes = [
        ((size - 1) * base + 1 + sum(pad) - (tap - 1) * dilation - 1) // stride + 1
        for size, pad, tap, stride in zip(writer.points(x), pads, taps, strides, strict=True)
    ]
    shape = writer.image_shape(x.shape[0], sizes, outputs)
    letters = "[0, 1, i, o]" if is_last else "[o, i, 0, 1]"
    is_quantized = bool(x.scale)
    source = x.numbers if is_quantized else x.kind
    element = element or x.element
    name = writer.add(
        f"stablehlo.convolution({x.name}, {kernel.name}) dim_numbers = {writer.dimension_letters}x"
        f"{letters}->{writer.dimension_letters}, window = "
        f"{windows(strides, pads, base, dilation)} "
        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : "
        f"({source}, {kernel_type(kernel)}) -> {tensor(shape, element)}"
    )
    return Value(name, shape, element)


def kernel_type(kernel: Value) -> str:
    """The type of a kernel, which may be a quantized one."""
    return kernel.element if kernel.element.startswith("tensor") else kernel.kind


def kernel_shape(writer: Writer, x: Value, size: int, outputs: int, groups: int) -> tuple[int, ...]:
    """The shape of a kernel of ``size x size`` points."""
    inputs = x.shape[writer.features] // groups
    if writer.features_last:
        return size, size, inputs, outputs
    return outputs, inputs, size, size


def groups_of(writer: Writer, features: int) -> tuple[int, int]:
    """The groups of a convolution, and its output features."""
    groups = int(
        writer.one_of([g for g in (1, 1, 1, 2, 4, features, features) if features % g == 0])
    )
    if groups == 1:
        return 1, int(writer.one_of(FEATURES))
    return groups, groups * int(writer.one_of([1, 1, 2, max(features // groups, 1)]))


def padding(writer: Writer, size: int, dilation: int) -> list[tuple[int, int]]:
    """Padding of each side: as much as keeps the size, none, or anything."""
    around = (size - 1) * dilation
    same = (around // 2, around - around // 2)
    anything = (writer.number(0, size), writer.number(0, size))
    return [writer.one_of([same, same, (0, 0), anything])] * 2


def convolution(writer: Writer, x: Value) -> Value:
    """A convolution with any windows and groups."""
    size = min(int(writer.one_of([1, 1, 2, 3, 3, 5])), *writer.points(x))
    dilation = 2 if size > 1 and writer.chance(4) and min(writer.points(x)) > 2 * size else 1
    groups, outputs = groups_of(writer, x.shape[writer.features])
    shape = kernel_shape(writer, x, size, outputs, groups)
    kernel = writer.weights(*shape, spread=fan_in(writer, shape) ** -0.5)
    strides = [writer.one_of([1, 1, 2])] * 2
    pads = padding(writer, size, dilation)
    result = convolved(writer, x, kernel, groups, pads=pads, strides=strides, dilation=dilation)
    return scaled(writer, result) if writer.chance(2) else result


def fan_in(writer: Writer, shape: Sequence[int]) -> int:
    """The products of a sum of a convolution."""
    return prod(shape[:3] if writer.features_last else shape[1:])


def transposed(writer: Writer, x: Value) -> Value:
    """A convolution of a dilated image."""
    size = writer.number(2, 4)
    shape = kernel_shape(writer, x, size, int(writer.one_of(FEATURES)), 1)
    kernel = writer.weights(*shape, spread=fan_in(writer, shape) ** -0.5)
    return convolved(writer, x, kernel, 1, pads=[(size - 1, writer.number(0, size))] * 2, base=2)


def scaled(writer: Writer, x: Value) -> Value:
    """A batch norm in inference, as scales and shifts, as its formula or as the operation."""
    count = x.shape[writer.features]
    scale, shift = writer.weights(count), writer.weights(count)
    form = writer.number(0, 3)
    if form == 0:
        mean = writer.weights(count, spread=0.1)
        variance = writer.argument(np.abs(writer.random.normal(size=count)) + 0.5, writer.element)
        operands = [x, scale, shift, mean, variance]
        kinds = ", ".join(value.kind for value in operands)
        names = ", ".join(value.name for value in operands)
        text = (
            f'"stablehlo.batch_norm_inference"({names}) <{{epsilon = 1.000000e-03 : f32, '
            f"feature_index = {writer.features} : i64}}> : ({kinds}) -> {x.kind}"
        )
        return Value(writer.add(text), x.shape, x.element)
    along = [writer.features]
    if form == 1:
        mean = writer.weights(count, spread=0.1)
        x = writer.binary("subtract", x, writer.broadcast(mean, x.shape, along))
    x = writer.binary("multiply", x, writer.broadcast(scale, x.shape, along))
    return x if form == 2 else writer.binary("add", writer.broadcast(shift, x.shape, along), x)


def branches(writer: Writer, x: Value) -> Value:
    """Several convolutions of an image, scaled and added up, perhaps with the image itself."""
    groups, outputs = groups_of(writer, x.shape[writer.features])
    sizes = [size for size in (3, 1, 5) if size // 2 <= min(writer.points(x))]
    stride = writer.one_of([1, 1, 2])
    terms: list[Value] = []
    for _ in range(writer.number(2, 4)):
        size = int(writer.one_of(sizes))
        shape = kernel_shape(writer, x, size, outputs, groups)
        kernel = writer.weights(*shape, spread=fan_in(writer, shape) ** -0.5)
        pads = [(size // 2, size // 2)] * 2
        term = convolved(writer, x, kernel, groups, pads=pads, strides=[stride] * 2)
        terms.append(scaled(writer, term) if writer.number(0, 2) else term)
    if terms[0].shape == x.shape:
        terms.append(scaled(writer, x) if writer.chance(2) else x)
    if writer.chance(6):
        writer.values.append(terms[0])
    result = terms.pop(writer.number(0, len(terms) - 1))
    while terms:
        other = terms.pop()
        result = writer.binary("add", *((result, other) if writer.chance(2) else (other, result)))
    return writer.binary("multiply", result, writer.splat(0.25, result))


def activation(writer: Writer, x: Value) -> Value:
    """An elementwise function of a network."""
    match writer.number(0, 5):
        case 0:
            return writer.binary("maximum", x, writer.splat(0.0, x))
        case 1:
            return writer.clamp(0.0, x, 6.0)
        case 2:
            gate = writer.clamp(0.0, writer.binary("add", x, writer.splat(3.0, x)), 6.0)
            return writer.binary(
                "multiply", writer.binary("multiply", x, gate), writer.splat(0.125, x)
            )
        case 3:
            return writer.binary("multiply", x, writer.unary("logistic", x))
        case 4:
            return writer.unary("tanh", x)
        case _:
            return writer.unary("logistic", x)


def residual(writer: Writer, x: Value) -> Value:
    """The sum with another image of the shape, or weights of it."""
    others = [v for v in writer.values if v.shape == x.shape and v is not x]
    other = writer.one_of(others) if others and writer.number(0, 3) else writer.weights(*x.shape)
    return writer.binary("multiply", writer.binary("add", x, other), writer.splat(0.5, x))


def pool(writer: Writer, x: Value) -> Value:
    """The largest elements or the sums of windows."""
    size = min(writer.number(2, 3), *writer.points(x))
    low, high = (writer.number(0, size - 1) for _ in range(2))
    stride, name = writer.number(1, 2), writer.one_of(["maximum", "add"])
    start = "0.0" if name == "add" else "-3.0e+04"
    dimensions, strides, pads, shape = [1] * 4, [1] * 4, [[0, 0] for _ in range(4)], list(x.shape)
    for d in writer.spatial:
        dimensions[d], strides[d], pads[d] = size, stride, [low, high]
        shape[d] = (x.shape[d] + low + high - size) // stride + 1
    scalar = f"tensor<{x.element}>"
    init = writer.add(f"stablehlo.constant dense<{start}> : {scalar}")
    text = (
        f'"stablehlo.reduce_window"({x.name}, {init}) <{{window_dimensions = array<i64: '
        f"{listed(dimensions)}>, window_strides = array<i64: {listed(strides)}>, padding = "
        f"dense<{pads}> : tensor<4x2xi64>}}> ({{\n    ^bb0(%x: {scalar}, %y: {scalar}):\n"
        f"      %z = stablehlo.{name} %x, %y : {scalar}\n      stablehlo.return %z : {scalar}\n"
        f"  }}) : ({x.kind}, {scalar}) -> {tensor(shape, x.element)}"
    )
    result = Value(writer.add(text), tuple(shape), x.element)
    if name == "maximum":
        return result
    return writer.binary("multiply", result, writer.splat(0.125, result))


def listed(numbers: Sequence[int]) -> str:
    """Numbers with commas."""
    return ", ".join(map(str, numbers))


def excited(writer: Writer, x: Value) -> Value:
    """The image scaled by a function of the means of its features."""
    batch, count = x.shape[0], x.shape[writer.features]
    means = writer.reduced(x, writer.spatial)
    means = writer.binary("multiply", means, writer.splat(1 / 64, means))
    product = dense(writer, means, writer.weights(count, count, spread=count**-0.5))
    gates = writer.unary("logistic", product)
    assert gates.shape == (batch, count)
    return writer.binary("multiply", x, writer.broadcast(gates, x.shape, [0, writer.features]))


def dense(writer: Writer, x: Value, weights: Value) -> Value:
    """The product of a matrix and weights."""
    shape = (x.shape[0], weights.shape[1])
    kinds = f"({x.kind}, {weights.kind}) -> {tensor(shape, x.element)}"
    text = f"stablehlo.dot_general {x.name}, {weights.name}, contracting_dims = [1] x [0] : {kinds}"
    return Value(writer.add(text), shape, x.element)


def concatenated(writer: Writer, x: Value) -> Value:
    """Features of two images behind one another."""
    d = writer.features

    def fits(v: Value) -> bool:
        return v.shape[:d] + v.shape[d + 1 :] == x.shape[:d] + x.shape[d + 1 :]

    other = writer.one_of([v for v in writer.values if fits(v)] or [x])
    shape = (*x.shape[:d], x.shape[d] + other.shape[d], *x.shape[d + 1 :])
    text = (
        f"stablehlo.concatenate {x.name}, {other.name}, dim = {d} : ({x.kind}, {other.kind}) -> "
        f"{tensor(shape, x.element)}"
    )
    return Value(writer.add(text), shape, x.element)


def gathered(writer: Writer, x: Value) -> Value:
    """Lines, columns or features of the image by constant indices, which may lie outside of it."""
    d = int(writer.one_of([*writer.spatial, *writer.spatial, writer.features]))
    count = min(2 * x.shape[d], 12)
    indices = writer.random.integers(-1, x.shape[d] + 1, (count, 1))
    index = writer.argument(indices, "i32")
    sizes, shape = [*x.shape], [*x.shape]
    sizes[d], shape[d] = 1, count
    offsets = listed([i for i in range(4) if i != d])
    text = (
        f'"stablehlo.gather"({x.name}, {index.name}) <{{dimension_numbers = #stablehlo.gather<'
        f"offset_dims = [{offsets}], collapsed_slice_dims = [{d}], start_index_map = [{d}], "
        f"index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: "
        f"{listed(sizes)}>}}> : ({x.kind}, {index.kind}) -> {tensor(shape, x.element)}"
    )
    return Value(writer.add(text), tuple(shape), x.element)


def padded(writer: Writer, x: Value) -> Value:
    """The image with numbers around it."""
    low, high, shape = [0] * 4, [0] * 4, list(x.shape)
    for d in writer.spatial:
        low[d], high[d] = writer.number(0, 1), writer.number(0, 2)
        shape[d] += low[d] + high[d]
    number = writer.scalar(writer.one_of([0.0, 0.5]), x.element)
    text = (
        f"stablehlo.pad {x.name}, {number.name}, low = {low}, high = {high}, interior = "
        f"{[0] * 4} : ({x.kind}, tensor<{x.element}>) -> {tensor(shape, x.element)}"
    )
    return Value(writer.add(text), tuple(shape), x.element)


def quantized(writer: Writer, x: Value, *, element: str = "") -> Value:
    """The numbers in bytes, in one of two forms."""
    element = element or str(writer.one_of(["i8", "ui8", "ui8"]))
    low, high = (-128, 127) if element == "i8" else (0, 255)
    zero = int(writer.one_of([(low + high + 1) // 2, low, low + 37]))
    scale = 2.0 ** writer.number(-6, -5)
    if writer.element == "f32" and writer.chance(3):
        result = Value("", x.shape, element, scale, zero)
        text = writer.add(f"stablehlo.uniform_quantize {x.name} : ({x.kind}) -> {result.numbers}")
        text = writer.add(f"stablehlo.bitcast_convert {text} : ({result.numbers}) -> {result.kind}")
        return replace(result, name=text)
    divided = writer.binary("divide", x, writer.splat(scale, x))
    rounded = writer.unary("round_nearest_even", divided)
    moved = writer.clamp(low, writer.binary("add", rounded, writer.splat(zero, rounded)), high)
    stored = writer.convert(writer.convert(moved, "i32") if writer.chance(2) else moved, element)
    return replace(stored, scale=scale, zero=zero)


def dequantized(writer: Writer, x: Value) -> Value:
    """The numbers that bytes stand for."""
    numbers = writer.convert(x, writer.element)
    if x.zero:
        numbers = writer.binary("subtract", numbers, writer.splat(x.zero, numbers))
    return writer.binary("multiply", numbers, writer.splat(x.scale, numbers))


def byte_function(writer: Writer, x: Value) -> Value:
    """An activation between two quantizations."""
    x = dequantized(writer, quantized(writer, x))
    for _ in range(writer.number(1, 2)):
        x = activation(writer, x)
    return dequantized(writer, quantized(writer, x))


def byte_convolution(writer: Writer, x: Value) -> Value:
    """A convolution of bytes: of a quantized type, or of integers that are converted."""
    is_plain = writer.chance(3)
    bytes_ = quantized(writer, x, element="i8" if is_plain else "")
    size = min(int(writer.one_of([1, 3, 3, 5])), *writer.points(x))
    groups, outputs = groups_of(writer, x.shape[writer.features])
    shape = kernel_shape(writer, x, size, outputs, groups)
    kernel = writer.bytes_of(*shape)
    pads, strides = padding(writer, size, 1), [writer.one_of([1, 1, 2])] * 2
    count = shape[3 if writer.features_last else 0]
    step = 1 / (64 * fan_in(writer, shape) ** 0.5)
    if is_plain:
        product = convolved(
            writer, replace(bytes_, scale=0.0), kernel, groups, element="i32", pads=pads,
            strides=strides,
        )  # fmt: skip
        scales = writer.argument((writer.random.random(count) + 0.5) * step * bytes_.scale,
                                 writer.element)  # fmt: skip
        sums = writer.convert(product, writer.element)
        sums = writer.binary(
            "multiply", sums, writer.broadcast(scales, sums.shape, [writer.features])
        )
        shift = writer.weights(count)
        return writer.binary("add", sums, writer.broadcast(shift, sums.shape, [writer.features]))
    dimension = 3 if writer.features_last else 0
    steps = ((writer.random.random(count) + 0.5) * step).astype(np.float32)
    listed_scales = ", ".join(f"{float(one)!r}" for one in steps)
    kind = tensor(shape, f"!quant.uniform<i8:f32:{dimension}, {{{listed_scales}}}>")
    text = writer.add(f"stablehlo.bitcast_convert {kernel.name} : ({kernel.kind}) -> {kind}")
    numbers = writer.add(
        f"stablehlo.bitcast_convert {bytes_.name} : ({bytes_.kind}) -> {bytes_.numbers}"
    )
    of_sums = ", ".join(repr(float(np.float32(one * np.float32(bytes_.scale)))) for one in steps)
    element = f"!quant.uniform<i32:f32:{writer.features}, {{{of_sums}}}>"
    sums = convolved(
        writer, replace(bytes_, name=numbers), Value(text, shape, kind), groups, element=element,
        pads=pads, strides=strides,
    )  # fmt: skip
    result = writer.unary("uniform_dequantize", sums, element="f32")
    shift = writer.weights(count)
    return writer.binary("add", result, writer.broadcast(shift, result.shape, [writer.features]))


def narrow_layer(writer: Writer, x: Value) -> Value:
    """A dense layer of the features of each point, or of their means, with narrow weights."""
    batch, count, points = x.shape[0], x.shape[writer.features], prod(writer.points(x))
    order = [0, *writer.spatial, writer.features]
    if order != sorted(order):
        ordered = [x.shape[d] for d in order]
        x = writer.unary("transpose", x, ordered, more=f", dims = {order}")
    flat = writer.unary("reshape", x, (batch * points, count))
    if batch * points > 8 and writer.chance(2):
        rows = writer.number(1, 8)
        text = f"stablehlo.slice {flat.name} [0:{rows}, 0:{count}] : ({flat.kind}) -> "
        flat = Value(
            writer.add(text + tensor((rows, count), flat.element)), (rows, count), flat.element
        )
    inputs = -(-count // GROUP) * GROUP
    if inputs != count:
        zero = writer.scalar(0.0, flat.element)
        text = (
            f"stablehlo.pad {flat.name}, {zero.name}, low = [0, 0], high = [0, {inputs - count}], "
            f"interior = [0, 0] : ({flat.kind}, tensor<{flat.element}>) -> "
        )
        shape = (flat.shape[0], inputs)
        flat = Value(writer.add(text + tensor(shape, flat.element)), shape, flat.element)
    forms = [form for form in WEIGHT_FORMS if form != "uniform" or writer.element == "f32"]
    if writer.element == "f64":
        forms = ["i8 channels", *GROUP_FORMS]
    outputs = int(writer.one_of([16, 33, 64, 96]))
    weights = WeightProgram(
        flat.shape[0], inputs, outputs, group=int(writer.one_of([8, 16, GROUP])),
        is_transposed=writer.chance(2), element=writer.element, random=writer.random,
        arguments=writer.arguments, types=writer.types, lines=writer.lines,
    )  # fmt: skip
    name = weights.weights(str(writer.one_of(forms)))
    kind, shape = tensor(weights.shape(inputs), writer.element), (flat.shape[0], outputs)
    product = writer.add(
        f"stablehlo.dot_general {flat.name}, {name}, contracting_dims = [1] x [{weights.depth}] : "
        f"({flat.kind}, {kind}) -> {tensor(shape, flat.element)}"
    )
    image = writer.image_shape(1, (1, 1), 1)
    result = writer.unary(
        "reshape", Value(product, shape, flat.element),
        [shape[0] if d == 0 else outputs if d == writer.features else 1 for d in range(len(image))],
    )  # fmt: skip
    return writer.unary("tanh", writer.binary("multiply", result, writer.splat(1 / 16, result)))


FLOATS: Final[Mapping[str, Step]] = {
    "convolution": convolution, "branches": branches, "transposed": transposed, "scale": scaled,
    "activation": activation, "residual": residual, "pool": pool, "excite": excited,
    "concatenate": concatenated, "gather": gathered, "pad": padded, "narrow": narrow_layer,
}  # fmt: skip
BYTES: Final[Mapping[str, Step]] = {
    "byte convolution": byte_convolution, "byte function": byte_function, "pool": pool,
    "residual": residual, "concatenate": concatenated, "narrow": narrow_layer, "pad": padded,
}  # fmt: skip
