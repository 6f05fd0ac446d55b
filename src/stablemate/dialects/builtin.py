"""The builtin dialect: modules."""

from __future__ import annotations

from typing import Any

from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_VALUE, STRING


@op("builtin.module", isolated=True, symbols=True)
class ModuleOp(Op):
    """A program, or a part of one: functions and nested modules, found by their names.

    Source: StableHLO specification, "Programs"; MLIR builtin dialect, module.
    """

    __slots__ = ()
    sym_name = define.optional_attribute("", STRING)
    sym_visibility = define.optional_attribute("", STRING)
    body = define.region(terminated=False)
    assembly = "custom<Module>"

    @constraint("discardable attributes")
    def discardable_attributes(self) -> Check:
        """The name of a discardable attribute has the prefix of a dialect"""
        bare = [name for name in self.discardable if "." not in name]
        return holds(not bare, attributes=bare)

    @constraint("symbols")
    def unique_symbols(self) -> Check:
        """A symbol is defined once"""
        names = [symbol_of(each) for block in self.body.blocks for each in block.operations]
        known = [name for name in names if name is not None]
        twice = (
            sorted({name for name in known if known.count(name) > 1})
            if len(set(known)) < len(known)
            else []
        )
        return holds(not twice, symbols=twice)


@op("builtin.unrealized_conversion_cast")
class UnrealizedConversionCast(Op):
    """Values taken as values of other types, where a lowering has not met in the middle.

    Source: MLIR builtin dialect, unrealized_conversion_cast.
    """

    __slots__ = ()
    inputs = define.variadic("", ANY_VALUE)
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<UnrealizedConversionCast>"

    def evaluate(self, *operands: Any, **_: Any) -> Any:
        """The operands as they are."""
        return operands[0] if len(operands) == 1 else operands


def symbol_of(operation: Operation) -> str | None:
    """The name under which an operation is found, if it has one."""
    name = operation.attributes.get("sym_name")
    value: str | None = getattr(name, "value", None)
    return value
