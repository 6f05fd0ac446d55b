"""Origins of values, traced through calls and loops."""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.analysis.nonfinite.finding import ValueOrigin
from stablemate.analysis.operation_identity import Sites
from stablemate.analysis.tracing.frames import BlockFrame
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.definition import Op, RequestOp
from stablemate.ir.types import Type


def origin_of(value: Value[Type], frame: BlockFrame | None, sites: Sites) -> ValueOrigin:
    """The origin of an operand of an operation in a block."""
    around = frame
    while isinstance(value, BlockArgument):
        while around is not None and not owns(around, value):
            around = around.parent
        owner = None if around is None else around.operation
        if around is None or owner is None or isinstance(owner, FuncOp):
            name = f"@{owner.symbol}" if isinstance(owner, FuncOp) else "the function"
            return ValueOrigin("argument", f"argument {value.index} of {name}")
        if owner.name == "stablehlo.while" and around.iteration > 0:
            returned = owner.regions[1].block.terminator.operands[value.index]
            origin = made_by(returned, sites)
            return ValueOrigin(
                "carried", f"what goes around the loop{f', {origin}' if origin else ''}"
            )
        if value.index >= len(owner.operands):
            break
        value, around = owner.operands[value.index], around.parent
    if isinstance(value, OpResult) and isinstance(value.operation, Constant):
        return ValueOrigin("constant", f"the constant {made_by(value, sites)}")
    return ValueOrigin("operation", made_by(value, sites) or "a value from outside")


def owns(frame: BlockFrame, argument: BlockArgument) -> bool:
    """Whether a frame is that of the block of an argument."""
    operation = frame.operation
    region = argument.block.parent
    if operation is None or region is None:
        return False
    if region.parent is operation:
        return operation.regions.index(region) == frame.region
    return operation.name in CALLS and isinstance(region.parent, FuncOp)


def made_by(value: Value[Type], sites: Sites) -> str:
    """The defining operation of a value, with its line."""
    if not isinstance(value, OpResult):
        return ""
    place = sites.of(value.operation).place
    return f"{place}{f' at {place.where}' if place.where else ''}"


def fixed_operations(top: Operation) -> Iterator[Operation]:
    """The operations that compute with constants only."""
    fixed: set[Value[Type]] = set()
    for operation in top.walk():
        if is_pure(operation) and all(operand in fixed for operand in operation.operands):
            fixed.update(operation.results)
            yield operation


def is_pure(operation: Operation) -> bool:
    """Whether an operation does nothing but compute with its operands."""
    if not isinstance(operation, Op) or isinstance(operation, RequestOp) or operation.regions:
        return False
    return not operation.has_effects and operation.name not in CALLS and bool(operation.results)
