"""The cf dialect: jumps between the blocks of a region.

Source: MLIR cf dialect, the operations of the same names.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import ANY_ATTRIBUTE, ANY_VALUE, I32_ARRAY, STRING, instance_of
from stablemate.numerics.elements import IntegerType

INTEGER_VALUE: Final = instance_of("integer", IntegerType)


class Jump(ParseOnlyOp):
    """An operation that ends a block and passes values to the next one."""

    __slots__ = ()

    @abstractmethod
    def successor_operands(self) -> Sequence[Sequence[Value]]:
        """The values that each successor takes."""

    @constraint("successors")
    def matches_blocks(self) -> Check:
        """Each successor takes values of the types that are passed to it"""
        passed = [[value.type for value in values] for values in self.successor_operands()]
        taken = [[value.type for value in block.arguments] for block in self.successors]
        return holds(passed == taken, passed=passed, taken=taken)


@op("cf.assert", effects=True)
class Assert(ParseOnlyOp):
    """Ends the program with a message unless a condition holds."""

    __slots__ = ()
    arg = define.operand("", INTEGER_VALUE)
    msg = define.attribute("", STRING)
    assembly = "$arg `,` $msg attr-dict"


@op("cf.br", terminator=True, successors=True)
class Branch(Jump):
    """Continues in another block."""

    __slots__ = ()
    destOperands = define.variadic("", ANY_VALUE)
    assembly = "custom<Branch> attr-dict"

    def successor_operands(self) -> Sequence[Sequence[Value]]:
        """All operands, to the only successor."""
        return [self.destOperands]


@op("cf.cond_br", terminator=True, successors=True, segments="sized")
class ConditionalBranch(Jump):
    """Continues in one of two blocks."""

    __slots__ = ()
    condition = define.operand("", INTEGER_VALUE)
    trueDestOperands = define.variadic("", ANY_VALUE)
    falseDestOperands = define.variadic("", ANY_VALUE)
    branch_weights = define.optional_attribute("", I32_ARRAY)
    assembly = "$condition custom<Weights> `,` custom<TrueBranch> `,` custom<FalseBranch> attr-dict"

    def successor_operands(self) -> Sequence[Sequence[Value]]:
        """The operands of each branch."""
        return [self.trueDestOperands, self.falseDestOperands]


@op("cf.switch", terminator=True, successors=True, segments="sized")
class Switch(Jump):
    """Continues in the block that belongs to a number."""

    __slots__ = ()
    flag = define.operand("", INTEGER_VALUE)
    defaultOperands = define.variadic("", ANY_VALUE)
    caseOperands = define.variadic("", ANY_VALUE)
    case_operand_segments = define.attribute("", I32_ARRAY)
    case_values = define.optional_attribute("", ANY_ATTRIBUTE)
    assembly = "custom<SwitchCases> attr-dict"

    def successor_operands(self) -> Sequence[Sequence[Value]]:
        """The operands of the default block, then those of each case."""
        return [self.defaultOperands, *self.cases()]

    def cases(self) -> Sequence[Sequence[Value]]:
        """The operands of each case."""
        rest, groups = list(self.caseOperands), list[Sequence[Value]]()
        for size in self.case_operand_segments:
            groups.append(rest[:size])
            rest = rest[size:]
        return groups
