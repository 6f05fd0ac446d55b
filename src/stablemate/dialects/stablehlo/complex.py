"""stablehlo.complex, real and imag: complex numbers and their parts."""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import COMPLEX_TENSOR, FLOAT_TENSOR, is_complex, is_float, tensor_of
from stablemate.ir.shapes import compatible, most_specific
from stablemate.ir.traits import BOTH, FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.complex_math import from_parts
from stablemate.numerics.elements import F32, F64, Array, ComplexType, FloatType

PART: Final = tensor_of("tensor of type f32 or f64", lambda element: element in (F32, F64))
FLOAT_OR_COMPLEX: Final = tensor_of(
    "tensor of floating-point or complex type", is_float, is_complex
)


@op(
    "stablehlo.complex",
    family=Family.ELEMENTWISE,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE,
)
class Complex(Op):
    """Complex numbers with the real part ``lhs`` and the imaginary part ``rhs``.

    result[i0, ..., iR-1] = (lhs[i0, ..., iR-1], rhs[i0, ..., iR-1])

    Source: StableHLO specification, complex.
    """

    __slots__ = ()
    linearity = BOTH
    lhs = define.operand("I1", PART)
    rhs = define.operand("I2", PART)
    result = define.result(COMPLEX_TENSOR, element_type="C3", shape="C2")
    assembly = "$lhs `,` $rhs attr-dict `:` custom<ComplexTypes>"

    @constraint
    def c1(self) -> Check:
        """type(lhs) = type(rhs)"""
        lhs, rhs = self.lhs.type, self.rhs.type
        return holds(compatible(lhs, rhs), lhs=lhs, rhs=rhs)

    def infer(self) -> TensorType:
        """C2, C3: complex numbers of what the operands are."""
        part = most_specific([self.lhs.type, self.rhs.type])
        assert isinstance(part.element_type, FloatType)
        return part.with_element(ComplexType(part.element_type))

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Both parts in a new array."""
        return from_parts(*operands)


class Part(Op):
    """One part of every complex number."""

    __slots__ = ()
    operand = define.operand("I1", FLOAT_OR_COMPLEX)
    result = define.result(FLOAT_TENSOR, element_type="C2", shape="C1")
    assembly = "$operand attr-dict `:` same-type"

    def infer(self) -> TensorType:
        """C1, C2: the type of the operand, with the parts of complex elements."""
        operand = self.operand.type
        element = operand.element_type
        return operand.with_element(
            element.element if isinstance(element, ComplexType) else element
        )


@op(
    "stablehlo.real",
    family=Family.ELEMENTWISE,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE,
)
class Real(Part):
    """The real part; a float itself.

    Source: StableHLO specification, real.
    """

    __slots__ = ()
    linearity = FIRST

    def evaluate(self, *operands: Array, **_: object) -> object:
        """Returns a view of the real parts."""
        return np.real(operands[0])


@op(
    "stablehlo.imag",
    family=Family.ELEMENTWISE,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE,
)
class Imag(Part):
    """The imaginary part; zero for a float.

    Source: StableHLO specification, imag.
    """

    __slots__ = ()
    linearity = FIRST

    def evaluate(self, *operands: Array, **_: object) -> object:
        """Returns a view of the imaginary parts, or zeros for real numbers."""
        operand = operands[0]
        if operand.dtype.kind == "c":
            return np.imag(operand)
        return np.full(operand.shape, np.zeros(()).astype(operand.dtype))  # f8E8M0FNU has none
