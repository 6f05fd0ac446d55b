"""Dot products.

Source: XLA, operation semantics, "Dot", "DotGeneral", "RaggedDot", "ScaledDot".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.builder.argument_types import Integers, Operand, TypeLike, array_shape
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.precision import operand_precision
from stablemate.xla.primitive_types import PrimitiveType
from stablemate.xla.shape import Shape


@dataclass(frozen=True, slots=True)
class DotDimensionNumbers:
    """Which dimensions a dot product contracts, and which are those of a batch."""

    lhs_contracting_dimensions: Integers = ()
    rhs_contracting_dimensions: Integers = ()
    lhs_batch_dimensions: Integers = ()
    rhs_batch_dimensions: Integers = ()


@dataclass(frozen=True, slots=True)
class RaggedDotDimensionNumbers:
    """Dimensions of a ragged dot product.

    Attributes:
        dot_dimension_numbers: Contracting and batch dimensions.
        lhs_ragged_dimensions: The one dimension of lhs that is cut into groups.
        rhs_group_dimensions: The dimension of rhs that counts groups.
    """

    dot_dimension_numbers: DotDimensionNumbers
    lhs_ragged_dimensions: Integers = ()
    rhs_group_dimensions: Integers = ()


# A value of the class, a mapping of its fields, or ``((lhs, rhs) contracting, (lhs, rhs) batch)``.
DotNumbersLike: TypeAlias = (
    DotDimensionNumbers | Mapping[str, Integers] | Sequence[Sequence[Integers]]
)


class Contraction(Core):
    """Methods that sum products."""

    def dot(
        self,
        lhs: Operand,
        rhs: Operand,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """The product over the last dimension of lhs and the first of rhs."""
        first = self.handle(lhs)
        second = self.handle(rhs)
        a, b = self.array(first, "dot"), self.array(second, "dot")
        message = "both operands have a dimension to contract"
        self.require(bool(a.rank and b.rank), message, "dot", lhs=a, rhs=b)
        numbers = DotDimensionNumbers((a.rank - 1,), (0,))
        return self.dot_general(first, second, numbers, precision_config, preferred_element_type)

    def dot_general(
        self,
        lhs: Operand,
        rhs: Operand,
        dimension_numbers: DotNumbersLike,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
        *,
        algorithm: str | None = None,
    ) -> XlaOp:
        """The product over contracting dimensions; dimensions of the batch come first.

        Args:
            lhs: An array.
            rhs: An array.
            dimension_numbers: Contracting and batch dimensions of both.
            precision_config: One of default, high, highest, or one for each operand.
            preferred_element_type: Of the result; by default that of the operands.
            algorithm: How the product is computed, as ``dot_f32_f32_f32``.
        """
        operands = [self.handle(lhs), self.handle(rhs)]
        a, b = self.shapes_of(operands, "dot")
        attributes, sizes = self.dot_attributes(a, b, dot_numbers(dimension_numbers), "dot")
        attributes |= {"operand_precision": operand_precision(self, precision_config, 2)}
        attributes |= {"algorithm": algorithm}
        result = array_shape(self.product_type(a, b, preferred_element_type), sizes)
        return self.add_instruction("dot", operands, attributes, result)

    def ragged_dot(
        self,
        lhs: Operand,
        rhs: Operand,
        group_sizes: Operand,
        dimension_numbers: RaggedDotDimensionNumbers,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """A dot product for each group of rows of lhs, with a matrix of rhs of its own."""
        rule = "ragged-dot"
        operands = [self.handle(operand) for operand in (lhs, rhs, group_sizes)]
        a, b, _ = self.shapes_of(operands, rule)
        plain = dimension_numbers.dot_dimension_numbers
        attributes, _ = self.dot_attributes(a, b, plain, rule)
        ragged, grouped = (
            self.dimensions(dimension_numbers.lhs_ragged_dimensions, a.rank, rule),
            self.dimensions(dimension_numbers.rhs_group_dimensions, b.rank, rule),
        )
        attributes |= {"lhs_ragged_dims": ragged, "rhs_group_dims": grouped or None}
        attributes |= {"operand_precision": operand_precision(self, precision_config, 2)}
        element_type = self.product_type(a, b, preferred_element_type)
        return self.retype(self.add_instruction(rule, operands, attributes), element_type)

    def scaled_dot(
        self,
        lhs: Operand,
        lhs_scale: Operand,
        rhs: Operand,
        rhs_scale: Operand,
        dimension_numbers: DotNumbersLike,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """A dot product of operands in blocks, each block times a scale."""
        rule = "scaled-dot"
        operands = [self.handle(operand) for operand in (lhs, lhs_scale, rhs, rhs_scale)]
        a, _, b, _ = self.shapes_of(operands, rule)
        attributes, sizes = self.dot_attributes(a, b, dot_numbers(dimension_numbers), rule)
        attributes |= {"operand_precision": operand_precision(self, precision_config, 2)}
        result = array_shape(self.product_type(a, b, preferred_element_type), sizes)
        return self.add_instruction(rule, operands, attributes, result)

    # ---- arguments

    def dot_attributes(
        self, lhs: Shape, rhs: Shape, numbers: DotDimensionNumbers, rule: str
    ) -> tuple[dict[str, object], list[int]]:
        """The dimension numbers as attributes, and the sizes of a plain dot product."""
        lhs_batch = self.dimensions(numbers.lhs_batch_dimensions, lhs.rank, rule)
        rhs_batch = self.dimensions(numbers.rhs_batch_dimensions, rhs.rank, rule)
        lhs_contracting = self.dimensions(numbers.lhs_contracting_dimensions, lhs.rank, rule)
        rhs_contracting = self.dimensions(numbers.rhs_contracting_dimensions, rhs.rank, rule)
        sizes = [lhs.dimensions[number] for number in lhs_batch]
        for shape, taken in (
            (lhs, lhs_batch + lhs_contracting),
            (rhs, rhs_batch + rhs_contracting),
        ):
            sizes += [size for n, size in enumerate(shape.dimensions) if n not in taken]
        attributes: dict[str, Any] = {
            "lhs_batch_dims": lhs_batch or None,
            "lhs_contracting_dims": lhs_contracting or None,
            "rhs_batch_dims": rhs_batch or None,
            "rhs_contracting_dims": rhs_contracting or None,
        }
        return attributes, sizes

    def product_type(self, lhs: Shape, rhs: Shape, wanted: TypeLike | None) -> PrimitiveType:
        """The element type of a product."""
        if wanted is not None:
            return self.as_type(wanted)
        return (
            lhs.element_type if lhs.element_type.bits >= rhs.element_type.bits else rhs.element_type
        )


def dot_numbers(numbers: DotNumbersLike) -> DotDimensionNumbers:
    """Dimension numbers in any of their forms."""
    if isinstance(numbers, DotDimensionNumbers):
        return numbers
    if isinstance(numbers, Mapping):
        return DotDimensionNumbers(**numbers)
    (lhs, rhs), (lhs_batch, rhs_batch) = numbers
    return DotDimensionNumbers(lhs, rhs, lhs_batch, rhs_batch)
