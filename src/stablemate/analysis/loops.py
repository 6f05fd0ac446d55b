"""Trip counts of loops with counters of constant start, step and limit."""

from __future__ import annotations

from typing import Any, Final

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Block, BlockArgument, OpResult, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IntegerType

# How far the limit itself belongs to the counter's range.
INCLUDED: Final = {ComparisonDirection.LT: 0, ComparisonDirection.LE: 1}


def iterations(loop: While) -> int | None:
    """How often the body of a loop runs; None where the program does not say it plainly.

    It does if the condition compares a counter with a constant that the counter is below, and the
    body adds a positive constant to the counter.
    """
    condition, body = loop.cond.block, loop.body.block
    test = made_by(condition.terminator.operands[0], Compare)
    if test is None or test.comparison_direction not in INCLUDED:
        return None
    counter = test.lhs
    if not isinstance(counter, BlockArgument) or counter.block is not condition:
        return None
    start = integer(loop.operands[counter.index])
    limit = integer(initial_value(loop, test.rhs, condition))
    step = added_constant(body, counter.index)
    if start is None or limit is None or step is None or step <= 0:
        return None
    return max(0, -(-(limit + INCLUDED[test.comparison_direction] - start) // step))


def initial_value(loop: While, value: Value[TensorType], block: Block) -> Value[TensorType]:
    """The value before the loop of an argument that the body hands on; others are themselves."""
    if not isinstance(value, BlockArgument) or value.block is not block:
        return value
    body = loop.body.block
    is_kept = body.terminator.operands[value.index] is body.arguments[value.index]
    return loop.operands[value.index] if is_kept else value


def added_constant(body: Block, index: int) -> int | None:
    """The constant that a body adds to one of its arguments."""
    counter = body.arguments[index]
    addition = made_by(body.terminator.operands[index], Add)
    if addition is None or counter not in addition.operands:
        return None
    first, second = addition.operands
    return integer(second if first is counter else first)


def integer(value: Value[TensorType]) -> int | None:
    """The integer of a constant scalar."""
    constant = made_by(value, Constant)
    literal = None if constant is None else constant.attributes["value"]
    if not isinstance(literal, DenseElementsAttribute) or literal.data.size != 1:
        return None
    match literal.type:
        case TensorType(shape=(), element_type=IntegerType(is_boolean=False)):
            return int(literal.data[0])
        case _:
            return None


def made_by(value: Value[TensorType], definition: type[Any]) -> Any:
    """The defining operation of a value, if it is of this class."""
    if isinstance(value, OpResult) and isinstance(value.operation, definition):
        return value.operation
    return None
