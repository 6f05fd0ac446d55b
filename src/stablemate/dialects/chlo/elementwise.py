"""Elementwise operations of CHLO: a table. Their decompositions define what they compute.

Source: CHLO dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, TypeAlias, TypeVar, cast

from stablemate.dialects.chlo.ranks import of_any_rank, ranks_agree
from stablemate.ir.definition import (
    Check,
    Op,
    Operand,
    RegionFunction,
    Result,
    constraint,
    define,
    definition_of,
    holds,
    op,
)
from stablemate.ir.kinds import (
    BOOLEAN_TENSOR,
    COMPLEX_TENSOR,
    FLOAT_TENSOR,
    INTEGER_TENSOR,
    TypeConstraint,
    is_complex,
    is_float,
    tensor_of,
)
from stablemate.ir.shapes import compatible, most_specific
from stablemate.ir.traits import ARITHMETIC, TRANSCENDENTAL, Family, Trait, Work
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import BOOLEAN

Types: TypeAlias = TypeConstraint[TensorType]
OpT = TypeVar("OpT", bound=Op)

FLOATS: Final = FLOAT_TENSOR
FLOATS_OF_ANY_RANK: Final = of_any_rank(FLOATS)
NUMBERS: Final = tensor_of("tensor of floating-point or complex type", is_float, is_complex)


# Prepares operations that reach the interpreter undecomposed: functions of narrow floats, whose
# results it rounds correctly, and those for which native code has formulas of its own, in regions
# that it leaves to the interpreter. Filled by the decompositions.
Evaluator: TypeAlias = Callable[[Op], Callable[..., object]]
EVALUATORS: Final[dict[str, Evaluator]] = {}


class Evaluated(Op):
    """An operation of which there may be a function of arrays."""

    __slots__ = ()

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """The function that computes it, if there is one; it is decomposed otherwise."""
        evaluator = EVALUATORS.get(self.name)
        return super().prepare(regions) if evaluator is None else evaluator(self)


class Unary(Evaluated):
    """result[i0, ..., iR-1] = function(operand[i0, ..., iR-1])."""

    __slots__ = ()
    operand: ClassVar[Operand[TensorType]]
    result: ClassVar[Result[TensorType]]
    assembly = "$operand attr-dict `:` custom<ChloTypes>"

    @constraint("rank")
    def both_ranked(self) -> Check:
        """The rank of the operand and that of the result are both known, or both unknown"""
        operand, result = self.operand.type, self.result.type
        return holds(ranks_agree(self), operand=operand, result=result)

    def infer(self) -> TensorType:
        """The type of the operand."""
        return self.operand.type


class Predicate(Unary):
    """A unary operation that tests each element."""

    __slots__ = ()

    def infer(self) -> TensorType:
        """The type of the operand, of booleans."""
        return self.operand.type.with_element(BOOLEAN)


class Binary(Evaluated):
    """result[i0, ..., iR-1] = function(a[i0, ..., iR-1], b[i0, ..., iR-1])."""

    __slots__ = ()

    @constraint("types")
    def same_types(self) -> Check:
        """The operands and the result are of one type"""
        first, second = (value.type for value in self.operands)
        names = [field.name for field in definition_of(self).operands]
        return holds(compatible(first, second), **{names[0]: first, names[1]: second})

    def infer(self) -> Type:
        """The most specific type of the operands whose rank is known, if there are such."""
        types: list[Type] = [value.type for value in self.operands]
        ranked = [value_type for value_type in types if isinstance(value_type, TensorType)]
        return most_specific(ranked) if ranked else types[0]


def define_operation(
    base: type[OpT], name: str, summary: str, work: Work = TRANSCENDENTAL, **fields: object
) -> type[OpT]:
    """The class of an operation, from a row of the table."""
    title = "".join(word.capitalize() for word in name.split("_"))
    doc = f"{summary}\n\n    Source: CHLO dialect, {name}.\n    "
    cls = cast("type[OpT]", type(title, (base,), {"__doc__": doc, "__slots__": (), **fields}))
    return op(f"chlo.{name}", family=Family.ELEMENTWISE, work=work, traits=Trait.ELEMENTWISE)(cls)


def unary(
    name: str,
    summary: str,
    types: Types = FLOATS,
    work: Work = TRANSCENDENTAL,
    opcodes: Sequence[str] | None = None,
) -> type[Unary]:
    """An operation of one operand, with a result of its type."""
    operand, result = define.operand("", of_any_rank(types)), define.result(of_any_rank(types))
    fields = {"operand": operand, "result": result, "opcodes": opcodes}
    return define_operation(Unary, name, summary, work, **fields)


def predicate(name: str, summary: str) -> type[Predicate]:
    """Defines a test of floating-point numbers with a boolean result."""
    operand = define.operand("", of_any_rank(FLOATS))
    result = define.result(of_any_rank(BOOLEAN_TENSOR))
    return define_operation(Predicate, name, summary, ARITHMETIC, operand=operand, result=result)


def binary(
    name: str, summary: str, first: str, second: str, types: Types, work: Work = TRANSCENDENTAL
) -> type[Binary]:
    """An operation of two operands with these names."""
    operands = {label: define.operand("", types) for label in (first, second)}
    assembly = f"${first} `,` ${second} attr-dict `:` custom<ChloTypes>"
    result = define.result(types)
    fields = {**operands, "result": result, "assembly": assembly}
    return define_operation(Binary, name, summary, work, **fields)


HYPERBOLIC: Final = Work(transcendentals=1, additions=30)  # by an exponential or a polynomial

Acos: Final = unary("acos", "The arc cosine.", NUMBERS)
Acosh: Final = unary("acosh", "The inverse hyperbolic cosine.", NUMBERS)
Asin: Final = unary("asin", "The arc sine.", NUMBERS)
Asinh: Final = unary("asinh", "The inverse hyperbolic sine.", NUMBERS)
Atan: Final = unary("atan", "The arc tangent.", NUMBERS, opcodes=("atan", "atan2"))
Atanh: Final = unary("atanh", "The inverse hyperbolic tangent.", NUMBERS)
BesselI1e: Final = unary(
    "bessel_i1e", "exp(-abs(x)) I1(x), with I1 the modified Bessel function of order 1.", NUMBERS
)
Conj: Final = unary("conj", "The complex conjugate; a float is its own.", NUMBERS, ARITHMETIC)
Cosh: Final = unary("cosh", "The hyperbolic cosine.", NUMBERS, HYPERBOLIC)
Digamma: Final = unary("digamma", "The derivative of lgamma.")
Erf: Final = unary("erf", "The error function.", work=HYPERBOLIC)
ErfInv: Final = unary("erf_inv", "The inverse of the error function.")
Erfc: Final = unary("erfc", "1 - erf(x).")
Lgamma: Final = unary("lgamma", "The logarithm of the absolute value of the gamma function.")
Sinh: Final = unary("sinh", "The hyperbolic sine.", NUMBERS, HYPERBOLIC)
Square: Final = unary("square", "x * x.", NUMBERS, ARITHMETIC)
Tan: Final = unary("tan", "The tangent.", NUMBERS)

IsInf: Final = predicate("is_inf", "Whether an element is inf or -inf.")
IsNegInf: Final = predicate("is_neg_inf", "Whether an element is -inf.")
IsPosInf: Final = predicate("is_pos_inf", "Whether an element is inf.")

Mulhi: Final = binary(
    "mulhi",
    "The upper half of the product of two N-bit integers.",
    "lhs",
    "rhs",
    INTEGER_TENSOR,
    ARITHMETIC,
)
NextAfter: Final = binary(
    "next_after",
    "The float next to x in the direction of y.",
    "x",
    "y",
    FLOATS_OF_ANY_RANK,
    ARITHMETIC,
)
Polygamma: Final = binary(
    "polygamma", "The derivative of order n of digamma at x.", "n", "x", FLOATS_OF_ANY_RANK
)
Zeta: Final = binary(
    "zeta", "The Hurwitz zeta function, the sum of (q + k)^-x over k.", "x", "q", FLOATS_OF_ANY_RANK
)


@op(
    "chlo._asin_acos_kernel",
    family=Family.ELEMENTWISE,
    work=TRANSCENDENTAL,
    traits=Trait.SHARDED_ALIKE,
)
class AsinAcosKernel(Unary):
    """The common kernel of the complex arc functions.

    With w the result for z, (a, b) for a + ib and s the sign of im z:
    asin(z) = (atan2(re z, re w), s im w), acos(z) = (atan2(re w, re z), -s im w),
    acosh(z) = (im w, s atan2(re w, re z)).

    Source: CHLO dialect, _asin_acos_kernel.
    """

    __slots__ = ()
    operand = define.operand("", of_any_rank(COMPLEX_TENSOR))
    result = define.result(of_any_rank(COMPLEX_TENSOR))


OPERATIONS: Final[tuple[type[Op], ...]] = (
    Acos,
    Acosh,
    Asin,
    AsinAcosKernel,
    Asinh,
    Atan,
    Atanh,
    BesselI1e,
    Conj,
    Cosh,
    Digamma,
    Erf,
    ErfInv,
    Erfc,
    IsInf,
    IsNegInf,
    IsPosInf,
    Lgamma,
    Mulhi,
    NextAfter,
    Polygamma,
    Sinh,
    Square,
    Tan,
    Zeta,
)
