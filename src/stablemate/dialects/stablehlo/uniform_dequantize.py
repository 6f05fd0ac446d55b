"""stablehlo.uniform_dequantize."""

from __future__ import annotations

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import FLOAT_TENSOR, QUANTIZED
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, QuantizedType
from stablemate.numerics.quantization import dequantize


@op(
    "stablehlo.uniform_dequantize",
    family=Family.ELEMENTWISE,
    work=Work(flops=2),
    traits=Trait.ELEMENTWISE,
)
class UniformDequantize(Op):
    """The floats that quantized elements represent.

    result = (operand - zero_point) * scale

    Source: StableHLO specification, uniform_dequantize.
    """

    __slots__ = ()
    operand = define.operand("I1", QUANTIZED)
    result = define.result(FLOAT_TENSOR, element_type="C2", shape="C1")
    assembly = "$operand attr-dict `:` same-type"

    @property
    def quantized_type(self) -> QuantizedType:
        """The element type of the operand."""
        element = self.operand.type.element_type
        assert isinstance(element, QuantizedType)
        return element

    def infer(self) -> TensorType:
        """C1, C2: the shape of the operand, with its expressed type."""
        return self.operand.type.with_element(self.quantized_type.expressed)

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The formula for all elements at once."""
        return dequantize(operands[0], self.quantized_type)
