"""Programs that multiply few rows by a matrix of narrow weights, in the forms of frameworks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import ml_dtypes
import numpy as np

DTYPES: Final = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "i8": np.dtype(np.int8),
    "ui8": np.dtype(np.uint8),
    "i32": np.dtype(np.int32),
    "i4": np.dtype(ml_dtypes.int4),
}
GROUP_FORMS: Final = (
    "i8 groups",
    "i8 zero points",
    "i4 groups",
    "nibbles",
    "halves",
    "words",
    "table",
)
FORMS: Final = ("f32", "bf16", "f16", "i8 channels", "uniform", *GROUP_FORMS)


def tensor(shape: Sequence[int], element: str) -> str:
    """The text of a type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


@dataclass
class WeightProgram:
    """The text of a product, and values of its arguments.

    Attributes:
        rows: How many rows are multiplied.
        inputs: The depth of the product.
        outputs: The columns of the product.
        group: Weights of one column that share a scale.
        is_transposed: Whether the weights of a column are consecutive.
        element: The type in which weights are multiplied.
        random: Draws the values.
        arguments: The values.
        types: Their types.
        lines: The operations.
    """

    rows: int
    inputs: int
    outputs: int
    group: int = 32
    is_transposed: bool = False
    element: str = "f32"
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    arguments: list[Any] = field(default_factory=list[Any])
    types: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])

    def shape(self, *depth: int) -> tuple[int, ...]:
        """The shape of weights whose depth has some sizes."""
        return (self.outputs, *depth) if self.is_transposed else (*depth, self.outputs)

    @property
    def depth(self) -> int:
        """The dimension of the weights that is summed up."""
        return int(self.is_transposed)

    def argument(self, values: Any, element: str) -> str:
        """A new argument."""
        self.arguments.append(np.asarray(values).astype(DTYPES[element]))
        self.types.append(tensor(np.shape(values), element))
        return f"%a{len(self.types) - 1}"

    def add(self, text: str) -> str:
        """Adds an operation."""
        self.lines.append(f"  %{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def unary(self, name: str, value: str, source: str, target: str, more: str = "") -> str:
        """Adds an operation on one operand."""
        return self.add(f"stablehlo.{name} {value}{more} : ({source}) -> {target}")

    def binary(self, name: str, lhs: str, rhs: str, kind: str) -> str:
        """Adds an elementwise operation on two operands."""
        return self.add(f"stablehlo.{name} {lhs}, {rhs} : {kind}")

    def constant(self, value: Any, kind: str) -> str:
        """A constant whose elements are equal."""
        return self.add(f"stablehlo.constant dense<{value}> : {kind}")

    def integers(self, low: int, high: int, shape: Sequence[int], element: str) -> str:
        """Random integers."""
        return self.argument(self.random.integers(low, high, shape), element)

    def scales(self, shape: Sequence[int]) -> str:
        """Random scales, of which the first is zero."""
        values = (self.random.random(shape) + 0.5) / 64
        values.flat[0] = 0
        return self.argument(values, self.element)

    def converted(self, value: str, source: str, shape: Sequence[int] | None = None) -> str:
        """Numbers in the type of the product."""
        shape = self.shape(self.inputs) if shape is None else shape
        return self.unary("convert", value, tensor(shape, source), tensor(shape, self.element))

    def scaled_channels(self, weights: str) -> str:
        """Weights with a scale for each column."""
        kind = tensor(self.shape(self.inputs), self.element)
        source = tensor((self.outputs,), self.element)
        more = f", dims = [{1 - self.depth}]"
        scale = self.unary("broadcast_in_dim", self.scales((self.outputs,)), source, kind, more)
        return self.binary("multiply", weights, scale, kind)

    def in_groups(self, weights: str, *, zero_points: bool = False) -> str:
        """Weights with a scale, and perhaps a zero point, for each group of a column."""
        groups = self.shape(self.inputs // self.group)
        shape = self.shape(self.inputs // self.group, self.group)
        kind, flat = tensor(shape, self.element), tensor(self.shape(self.inputs), self.element)
        few, more = tensor(groups, self.element), f", dims = [{0}, {1 if self.depth else 2}]"
        result = self.unary("reshape", weights, flat, kind)
        if zero_points:
            zero = self.converted(self.integers(-4, 5, groups, "i8"), "i8", groups)
            zero = self.unary("broadcast_in_dim", zero, few, kind, more)
            result = self.binary("subtract", result, zero, kind)
        scale = self.unary("broadcast_in_dim", self.scales(groups), few, kind, more)
        return self.unary("reshape", self.binary("multiply", result, scale, kind), kind, flat)

    def unpacked(self, element: str, count: int, *, in_halves: bool = False) -> str:
        """Numbers of 4 bits, several in an element of memory."""
        packed = self.shape(self.inputs // count)
        kind, bits = tensor(packed, element), DTYPES[element].itemsize * 8
        words = self.integers(-(1 << bits - 1), 1 << bits - 1, packed, element)
        mask = self.constant(15, kind)
        parts: list[str] = []
        for i in range(count):
            shifted = self.binary("shift_right_logical", words, self.constant(4 * i, kind), kind)
            parts.append(self.binary("and", shifted, mask, kind))
        whole = tensor(self.shape(self.inputs), element)
        if in_halves:
            kinds = ", ".join([kind] * count)
            joined = ", ".join(parts)
            return self.add(
                f"stablehlo.concatenate {joined}, dim = {self.depth} : ({kinds}) -> {whole}"
            )
        one = tensor(self.shape(self.inputs // count, 1), element)
        all_ = tensor(self.shape(self.inputs // count, count), element)
        parts = [self.unary("reshape", part, kind, one) for part in parts]
        joined, kinds = ", ".join(parts), ", ".join([one] * count)
        stacked = self.add(
            f"stablehlo.concatenate {joined}, dim = {self.depth + 1} : ({kinds}) -> {all_}"
        )
        return self.unary("reshape", stacked, all_, whole)

    def looked_up(self, codes: str) -> str:
        """The entries of a table of 16 numbers."""
        shape = self.shape(self.inputs)
        table = self.argument(np.sort(self.random.standard_normal(16)), self.element)
        index = self.unary("convert", codes, tensor(shape, "ui8"), tensor(shape, "i32"))
        index = self.unary("reshape", index, tensor(shape, "i32"), tensor((*shape, 1), "i32"))
        kinds = f"({tensor((16,), self.element)}, {tensor((*shape, 1), 'i32')})"
        return self.add(
            f'"stablehlo.gather"({table}, {index}) <{{dimension_numbers = #stablehlo.gather<'
            "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, "
            f"indices_are_sorted = false, slice_sizes = array<i64: 1>}}> : {kinds} -> "
            f"{tensor(shape, self.element)}"
        )

    def uniform(self) -> str:
        """Weights of a quantized type, dequantized."""
        shape = self.shape(self.inputs)
        scales = ", ".join(f"{0.01 + i / 1000:.6f}" for i in range(self.outputs))
        kind = tensor(shape, f"!quant.uniform<i8:f32:{1 - self.depth}, {{{scales}}}>")
        stored = self.integers(-128, 128, shape, "i8")
        quantized = self.unary("bitcast_convert", stored, tensor(shape, "i8"), kind)
        return self.unary("uniform_dequantize", quantized, kind, tensor(shape, "f32"))

    def weights(self, form: str) -> str:
        """The weights in a form of ``FORMS``."""
        shape = self.shape(self.inputs)
        match form:
            case "f32" | "bf16" | "f16":
                drawn = self.argument(self.random.standard_normal(shape), form)
                return drawn if form == self.element else self.converted(drawn, form)
            case "i8 channels":
                drawn = self.integers(-128, 128, shape, "i8")
                return self.scaled_channels(self.converted(drawn, "i8"))
            case "uniform":
                return self.uniform()
            case "i8 groups" | "i8 zero points":
                drawn = self.converted(self.integers(-128, 128, shape, "i8"), "i8")
                return self.in_groups(drawn, zero_points=form == "i8 zero points")
            case "i4 groups":
                return self.in_groups(self.converted(self.integers(-8, 8, shape, "i4"), "i4"))
            case "words":
                return self.in_groups(self.converted(self.unpacked("i32", 8), "i32"))
            case "table":
                return self.in_groups(self.looked_up(self.unpacked("ui8", 2)))
            case _:
                codes = self.unpacked("ui8", 2, in_halves=form == "halves")
                center = self.constant(8.0, tensor(shape, self.element))
                codes = self.converted(codes, "ui8")
                centered = self.binary("subtract", codes, center, tensor(shape, self.element))
                return self.in_groups(centered, zero_points=True)

    def texts(self, form: str, *, weights_first: bool = False) -> tuple[str, str]:
        """The product, whose last argument are the activations, and a program of weights alone.

        Args:
            form: The form of the weights.
            weights_first: Whether the weights are the left operand.
        """
        weights, kind = self.weights(form), tensor(self.shape(self.inputs), self.element)
        alone = self.returning(weights, kind)
        x = self.argument(self.random.standard_normal((self.rows, self.inputs)), self.element)
        operands, contracted, sizes = [x, weights], [1, self.depth], (self.rows, self.outputs)
        kinds = [self.types[-1], kind]
        if weights_first:
            operands, contracted, kinds = operands[::-1], contracted[::-1], kinds[::-1]
            sizes = sizes[::-1]
        result = tensor(sizes, "f32")
        product = self.add(
            f"stablehlo.dot_general {operands[0]}, {operands[1]}, contracting_dims = "
            f"[{contracted[0]}] x [{contracted[1]}] : ({kinds[0]}, {kinds[1]}) -> {result}"
        )
        return self.returning(product, result), alone

    def returning(self, value: str, kind: str) -> str:
        """The program that returns a value."""
        arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.types))
        lines = "\n".join(self.lines)
        return (
            f"func.func public @main({arguments}) -> {kind} {{\n{lines}\n"
            f"  return {value} : {kind}\n}}"
        )

    @property
    def elements(self) -> int:
        """How many weights there are."""
        return prod(self.shape(self.inputs))
