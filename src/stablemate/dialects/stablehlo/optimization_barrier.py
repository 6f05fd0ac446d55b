"""stablehlo.optimization_barrier."""

from __future__ import annotations

from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR, TOKEN_VALUE
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import Type


@op(
    "stablehlo.optimization_barrier",
    family=Family.CONTROL,
    traits=Trait.FREE | Trait.ELEMENTWISE | Trait.IDENTITY,
)
class OptimizationBarrier(Op):
    """Returns its operands; operations are not moved across it.

    result = operand

    Source: StableHLO specification, optimization_barrier.
    """

    __slots__ = ()
    opcodes = ("opt-barrier",)
    operand = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED | TOKEN_VALUE)
    result = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED | TOKEN_VALUE, element_type="C1", shape="C1"
    )
    assembly = "attr-dict custom<BarrierOperands>"

    @constraint
    def c1(self) -> Check:
        """type(operand...) = type(result...)"""
        operand, result = [[str(value.type) for value in x] for x in (self.operand, self.result)]
        return holds(operand == result, operand=operand, result=result)

    def known_types(self) -> tuple[Type, ...]:
        """C1: the types of the operands."""
        return self.infer()

    def infer(self) -> tuple[Type, ...]:
        """C1: the types of the operands."""
        return tuple(value.type for value in self.operand)

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the operands: a barrier keeps passes from moving operations across it."""
        return operands[0] if len(operands) == 1 else operands
