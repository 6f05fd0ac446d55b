"""Images of depthwise convolutions whose elements are computed from narrower ones.

The copy with its padding holds the narrow elements; each product widens its own. That takes a few
instructions for each product, and a quarter of the memory where elements are bytes.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.evaluator import evaluated_constant
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import rebuild_expression
from stablemate.compiler.lowering.quotients import number_of
from stablemate.deferred_dataclasses import dataclass

# What widens an element, and how many instructions it takes besides the load.
WIDENING: Final = {
    "sitofp": 1, "uitofp": 1, "decode_bf16": 1, "sext": 0, "zext": 0, "fadd": 1, "fsub": 1,
    "fmul": 1,
}  # fmt: skip
# A narrow copy of an image takes less memory and bandwidth, and conversions for each product:
# ``python -m benchmarks.quantized`` measures it.
MOST_INSTRUCTIONS: Final = 50  # that widen an element for all of its products


@dataclass(frozen=True, slots=True)
class NarrowImage:
    """An element of an image, and how it is computed.

    Attributes:
        value: The element.
        load: The load of the narrow element that it is computed from.
        padding: The bits of the narrow element of which zero is computed.
    """

    value: Expression
    load: Expression
    padding: int

    @staticmethod
    def of(value: Expression, products: int) -> NarrowImage | None:
        """How an element is computed from a narrow one; None if it is not, or slowly.

        Args:
            value: The element.
            products: The products of an element.
        """
        load = narrow_load(value)
        if load is None or instructions(value) * products > MOST_INSTRUCTIONS:
            return None
        zero = bytes(BYTES[value.type])
        for bits in candidates(value):
            padding = value.table.bits(bits, load.type)
            if evaluated_constant(with_element(value, load, padding)) == zero:
                return NarrowImage(value, load, bits)
        return None

    def widen_element(self, element: Expression) -> Expression:
        """The element of the image that is computed from a narrow one."""
        return with_element(self.value, self.load, element)


def narrow_load(value: Expression) -> Expression | None:
    """The load of the narrow element that a value is computed from, and from constants."""
    loads: set[Expression] = set()
    pending = [value]
    while pending:
        expression = pending.pop()
        if expression.operator == "load":
            loads.add(expression)
        elif expression.operator in WIDENING:
            pending += expression.operands
        elif expression.operator != "constant":
            return None
    if len(loads) != 1:
        return None
    (load,) = loads
    return load if BYTES[load.type] < BYTES[value.type] else None


def instructions(value: Expression) -> int:
    """How many instructions widen an element."""
    if value.operator not in WIDENING or all(o.operator == "constant" for o in value.operands):
        return 0
    return WIDENING[value.operator] + sum(map(instructions, value.operands))


def candidates(value: Expression) -> list[int]:
    """Bits of narrow elements that may stand for zero: those of the constants, too."""
    if value.operator == "constant":
        if value.type != "f32":
            return [0, value.detail]
        number = number_of(value)
        return [0, int(number)] if number.is_integer() else [0]
    found = [bits for operand in value.operands for bits in candidates(operand)]
    return [] if value.operator == "load" else list(dict.fromkeys([0, *found]))


def with_element(value: Expression, load: Expression, element: Expression) -> Expression:
    """A value with another narrow element, in the table of that."""
    table: Expressions = element.table
    if value is load:
        return element
    if value.operator == "constant":
        return table.bits(value.detail, value.type)
    operands = [with_element(operand, load, element) for operand in value.operands]
    return rebuild_expression(table, value, operands)
