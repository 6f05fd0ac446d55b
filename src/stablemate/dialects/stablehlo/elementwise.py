"""Elementwise operations of StableHLO: a table of functions by element type.

A row gives the name, the element types and the functions of an operation, from which its class is
created. Operations with constraints of their own are classes below the table.

Source: StableHLO specification, the operations of the same names.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar, Final, TypeAlias, TypeVar, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.accuracy import wants_highest
from stablemate.dialects.stablehlo.baseline import (
    differ_in_sign,
    expressed_type,
    lift_to_quantized,
    same_baseline,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.double_double_functions import (
    accurate_complex,
    accurate_if_large,
    accurate_real,
    exact_by_digits,
    exact_real,
)
from stablemate.dialects.stablehlo.elementwise_math import (
    Function,
    OfComplex,
    OfFloat,
    OfInteger,
    approximate,
    block_by_block,
    by_width,
    compute_in_complex128,
    conjunction,
    correctly_rounded,
    count_leading_zeros,
    disjunction,
    exact,
    exclusive_disjunction,
    in_parts,
    integer_power,
    logistic,
    maximum,
    minimum,
    population_count,
    quotient,
    ratio,
    remainder,
    round_half_away,
    rsqrt,
    shift_right_arithmetic,
    shift_right_logical,
    shifted_left,
    sign,
    to_real,
    wrapping_function,
)
from stablemate.dialects.stablehlo.result_accuracy import (
    RESULT_ACCURACY,
    ResultAccuracy,
)
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
    ANY_TENSOR,
    INTEGER_TENSOR,
    PER_TENSOR_QUANTIZED,
    TENSOR,
    TypeConstraint,
    is_boolean,
    is_complex,
    is_float,
    is_integer,
    is_signed_integer,
    tensor_of,
)
from stablemate.ir.shapes import most_specific, same_sizes
from stablemate.ir.traits import (
    ARITHMETIC,
    BOTH,
    EITHER,
    FIRST,
    NO_LAWS,
    NOT_LINEAR,
    QUOTIENT,
    TRANSCENDENTAL,
    Family,
    Laws,
    Linearity,
    Trait,
    Work,
)
from stablemate.ir.types import TensorType
from stablemate.numerics import complex_math
from stablemate.numerics import size_arithmetic as sizes
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.large_arrays import by_table
from stablemate.numerics.logistic_doubles import logistic as logistic_of_doubles
from stablemate.numerics.size_arithmetic import SizeFunction

Types: TypeAlias = TypeConstraint[TensorType]
OpT = TypeVar("OpT", bound=Op)

BITS: Final = tensor_of("tensor of boolean or integer type", is_boolean, is_integer)
REALS: Final = tensor_of("tensor of floating-point type", is_float) | PER_TENSOR_QUANTIZED
COMPLEX: Final = (
    tensor_of("tensor of floating-point or complex type", is_float, is_complex)
    | PER_TENSOR_QUANTIZED
)
NUMBERS: Final = (
    tensor_of(
        "tensor of integer, floating-point, or complex type", is_integer, is_float, is_complex
    )
    | PER_TENSOR_QUANTIZED
)
SIGNED_NUMBERS: Final = (
    tensor_of(
        "tensor of signed integer, floating-point, or complex type",
        is_signed_integer,
        is_float,
        is_complex,
    )
    | PER_TENSOR_QUANTIZED
)
SIGNED_REALS: Final = (
    tensor_of("tensor of signed integer or floating-point type", is_signed_integer, is_float)
    | PER_TENSOR_QUANTIZED
)
ANY: Final = TENSOR | PER_TENSOR_QUANTIZED


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementFunctions:
    """The functions of an operation by kind of element type; None where it has none."""

    boolean: Function | None = None
    integer: OfInteger | None = None
    real: OfFloat | None = None
    complex: OfComplex | None = None

    def of(self, element: ElementType) -> Function | None:
        """The function for an element type that is not quantized."""
        match element:
            case IntegerType(is_boolean=True):
                return self.boolean
            case IntegerType() | IndexType():
                return self.integer and self.integer(element)
            case FloatType():
                return self.real and self.real(element)
            case ComplexType():
                return self.complex and self.complex(element)
            case QuantizedType():
                return None


@cache
def function_of_one(functions: ElementFunctions, element: ElementType) -> Function | None:
    """The function of one operand; types of few values use a table of results."""
    function = functions.of(element)
    return by_table(function, element) if function and isinstance(element, FloatType) else function


class Elementwise(Op):
    """An operation that computes one function of corresponding elements."""

    __slots__ = ()
    functions: ClassVar[ElementFunctions]
    of_sizes: ClassVar[SizeFunction | None] = None  # the function of integers, one at a time

    def size_function(self) -> SizeFunction | None:
        """The function of sizes in the row of the operation."""
        return type(self).of_sizes

    def function(self) -> Function:
        """The function of arrays that computes the operation, for its element types.

        Raises:
            UnsupportedError: The specification does not define it for this element type.
        """
        elements = [value.type.element_type for value in self.operands]
        element = expressed_type(elements[0])
        functions = self.functions_for(element)
        is_unary = len(elements) == 1
        function = function_of_one(functions, element) if is_unary else functions.of(element)
        if function is None:
            raise UnsupportedError(f"{self.name} of {elements[0]} has no meaning", span=self.span)
        if any(isinstance(element, QuantizedType) for element in elements):
            return lift_to_quantized(function, elements, self.results[0].type.element_type)
        return function

    def functions_for(self, element: ElementType) -> ElementFunctions:
        """The functions for the operands' element type, or its expressed type."""
        return self.functions

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The function of arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The function of all elements at once."""
        return self.function()(*operands)


class Unary(Elementwise):
    """result[i0, ..., iR-1] = function(operand[i0, ..., iR-1])."""

    __slots__ = ()
    operand: ClassVar[Operand[TensorType]]
    result: ClassVar[Result[TensorType]]
    assembly = "$operand attr-dict `:` same-type"

    def infer(self) -> TensorType:
        """C1: the type of the operand, quantization parameters aside."""
        return with_declared_parameters(self, self.operand.type)


class Transcendental(Unary):
    """A function that is not exact, computed with the required accuracy."""

    __slots__ = ()
    result_accuracy = define.default_attribute("", RESULT_ACCURACY, ResultAccuracy())
    highest: ClassVar[ElementFunctions]

    @constraint("result_accuracy")
    def tolerances(self) -> Check:
        """0 <= atol, rtol, ulps; all of them are 0 unless mode is TOLERANCE"""
        accuracy = self.result_accuracy
        return holds(accuracy.is_consistent, **accuracy.parameters)

    def functions_for(self, element: ElementType) -> ElementFunctions:
        """The fastest functions that are accurate enough."""
        is_highest = wants_highest(self, self.result_accuracy, element)
        return self.highest if is_highest else self.functions


class Binary(Elementwise):
    """result[i0, ..., iR-1] = function(lhs[i0, ..., iR-1], rhs[i0, ..., iR-1])."""

    __slots__ = ()
    lhs: ClassVar[Operand[TensorType]]
    rhs: ClassVar[Operand[TensorType]]
    result: ClassVar[Result[TensorType]]
    assembly = "$lhs `,` $rhs attr-dict `:` same-type"

    @constraint
    def c1(self) -> Check:
        """baseline_type(lhs) = baseline_type(rhs) = baseline_type(result)"""
        lhs, rhs = self.lhs.type, self.rhs.type
        return holds(same_baseline(lhs, rhs), lhs=lhs, rhs=rhs)

    def infer(self) -> TensorType:
        """C1: the most specific type of the operands, quantization parameters aside."""
        inferred = most_specific([self.lhs.type, self.rhs.type])
        return with_declared_parameters(self, inferred)


class PlainBinary(Binary):
    """A binary operation that does not support quantized tensors."""

    __slots__ = ()

    @constraint
    def c1(self) -> Check:
        """type(lhs) = type(rhs) = type(result)"""
        lhs, rhs = self.lhs.type, self.rhs.type
        return holds(same_baseline(lhs, rhs), lhs=lhs, rhs=rhs)


# ---- from a row to a class


def define_operation(
    base: type[OpT],
    name: str,
    summary: str,
    types: Types,
    work: Work = ARITHMETIC,
    traits: Trait = Trait.FOLDABLE,
    **fields: object,
) -> type[OpT]:
    """The class of an operation all of whose operands and whose result are of the same types."""
    title = "".join(word.capitalize() for word in name.split("_"))
    body = {
        "__doc__": f"{summary}\n\n    Source: StableHLO specification, {name}.\n    ",
        "__slots__": (),
        **fields,
        "result": define.result(types, element_type="C1", shape="C1"),
    }
    traits |= Trait.ELEMENTWISE
    if types not in (BITS, INTEGER_TENSOR):
        traits |= Trait.REAL_VALUED
    declare = op(f"stablehlo.{name}", family=Family.ELEMENTWISE, work=work, traits=traits)
    return declare(cast("type[OpT]", type(title, (base,), body)))


def unary(
    name: str,
    summary: str,
    types: Types,
    functions: ElementFunctions,
    linearity: Linearity = NOT_LINEAR,
    laws: Laws = NO_LAWS,
    of_sizes: SizeFunction | None = None,
) -> type[Unary]:
    """An operation of one operand."""
    operand = define.operand("I1", types)
    return define_operation(
        Unary, name, summary, types,
        operand=operand, functions=functions, linearity=linearity, laws=laws,
        of_sizes=of_sizes,
    )  # fmt: skip


# Functions in which C libraries err by several ulp: `cbrt` of glibc before 2.41 by 3.7.
INACCURATE: Final = frozenset({"cbrt"})
# Functions that are correctly rounded if they are rounded to 64 and then to 32 bits.
EXACT_TWICE: Final = frozenset({"sqrt"})
ANGLES: Final = frozenset({"cosine", "sine", "tan"})  # functions of angles


def transcendental(
    name: str, summary: str, real: Function, complex: Function, additions: int
) -> type[Transcendental]:
    """A function of one float or complex number that is not exact.

    Args:
        name: Its name.
        summary: What it is.
        real: The function of floats, computed in 64 bits.
        complex: The function of complex numbers, computed in 128 bits; for 128-bit operands only
            used for infinities and NaN.
        additions: Its time in native code, in additions.
    """
    of_complex = by_width(complex, accurate_complex(name, complex))
    exactly = accurate_real(name, real)
    double = exactly if name in INACCURATE else real
    if name in ANGLES:
        double = accurate_if_large(name, real)
    if name == "logistic":
        double = logistic_of_doubles
    rounded = correctly_rounded(real, exact_real(name), double)
    functions = ElementFunctions(
        real=approximate(real) if name in EXACT_TWICE else rounded, complex=of_complex
    )
    highest_real = correctly_rounded(real, exact_real(name), exactly)
    highest = ElementFunctions(real=highest_real, complex=of_complex)
    operand = define.operand("I1", COMPLEX)
    fields = {"operand": operand, "functions": functions, "highest": highest}
    work = Work(transcendentals=1, additions=additions)
    return define_operation(Transcendental, name, summary, COMPLEX, work, Trait.NONE, **fields)


def binary(
    name: str,
    summary: str,
    types: Types,
    functions: ElementFunctions,
    base: type[Binary] = Binary,
    work: Work = ARITHMETIC,
    traits: Trait = Trait.FOLDABLE,
    linearity: Linearity = NOT_LINEAR,
    laws: Laws = NO_LAWS,
    of_sizes: SizeFunction | None = None,
) -> type[Binary]:
    """An operation of two operands."""
    operands = {"lhs": define.operand("I1", types), "rhs": define.operand("I2", types)}
    facts = {"linearity": linearity, "laws": laws, "of_sizes": of_sizes}
    fields = {**operands, "functions": functions, **facts}
    return define_operation(base, name, summary, types, work, traits, **fields)


def bitwise(
    name: str, summary: str, function: Function, laws: Laws, of_sizes: SizeFunction | None = None
) -> type[Binary]:
    """An operation on the bits of booleans and integers."""
    functions = ElementFunctions(boolean=function, integer=wrapping_function(function))
    return binary(name, summary, BITS, functions, PlainBinary, laws=laws, of_sizes=of_sizes)


def shift(name: str, summary: str, function: OfInteger) -> type[Binary]:
    """An operation on integers that shifts all bits by ``rhs`` places."""
    functions = ElementFunctions(integer=function)
    return binary(name, summary, INTEGER_TENSOR, functions, PlainBinary, laws=Laws(identity=0))


SUM_LAWS: Final = Laws(identity=0, is_monoid=True)
PRODUCT_LAWS: Final = Laws(identity=1, absorbing=0, is_monoid=True)
EXTREMUM_LAWS: Final = Laws(idempotent=True, is_monoid=True)
AND_LAWS: Final = Laws(identity=-1, absorbing=0, idempotent=True, is_monoid=True)
OR_LAWS: Final = Laws(identity=0, absorbing=-1, idempotent=True, is_monoid=True)


# ---- the table

Ceil: Final = unary(
    "ceil", "The smallest integer that is not less.", REALS, ElementFunctions(real=exact(np.ceil))
)
Floor: Final = unary(
    "floor",
    "The largest integer that is not greater.",
    REALS,
    ElementFunctions(real=exact(np.floor)),
)
RoundNearestAfz: Final = unary(
    "round_nearest_afz",
    "The nearest integer, ties away from zero.",
    REALS,
    ElementFunctions(real=exact(round_half_away)),
)
RoundNearestEven: Final = unary(
    "round_nearest_even",
    "The nearest integer, ties to even.",
    REALS,
    ElementFunctions(real=exact(np.rint)),
)
Negate: Final = unary(
    "negate",
    "The number with the other sign; integers wrap.",
    NUMBERS,
    ElementFunctions(
        integer=wrapping_function(operator.neg),
        real=exact(operator.neg),
        complex=in_parts(operator.neg),
    ),
    FIRST,
    Laws(is_involution=True),
    of_sizes=operator.neg,
)
Sign: Final = unary(
    "sign",
    "-1, 0 or 1; -0.0 and NaN are unchanged; a complex number divided by its modulus.",
    SIGNED_NUMBERS,
    ElementFunctions(
        integer=wrapping_function(np.sign),
        real=exact(sign),
        complex=compute_in_complex128(complex_math.sign),
    ),
    of_sizes=sizes.sign,
)
Not: Final = unary(
    "not",
    "Every bit inverted.",
    BITS,
    ElementFunctions(boolean=operator.invert, integer=wrapping_function(operator.invert)),
    laws=Laws(is_involution=True),
    of_sizes=sizes.negation,
)
Popcnt: Final = unary(
    "popcnt",
    "The number of bits that are set.",
    INTEGER_TENSOR,
    ElementFunctions(integer=population_count),
)
CountLeadingZeros: Final = unary(
    "count_leading_zeros",
    "The number of zero bits above the highest bit that is set.",
    INTEGER_TENSOR,
    ElementFunctions(integer=count_leading_zeros),
)

Cbrt: Final = transcendental(
    "cbrt", "The cube root; of a complex number the principal one.", np.cbrt, complex_math.cbrt, 60
)
Cosine: Final = transcendental("cosine", "The cosine.", np.cos, np.cos, 30)
Exponential: Final = transcendental(
    "exponential", "e to the power of the operand.", np.exp, np.exp, 20
)
ExponentialMinusOne: Final = transcendental(
    "exponential_minus_one", "exp(x) - 1.", np.expm1, complex_math.exponential_minus_one, 24
)
Log: Final = transcendental("log", "The natural logarithm.", np.log, np.log, 20)
LogPlusOne: Final = transcendental(
    "log_plus_one", "log(x + 1).", np.log1p, complex_math.log_plus_one, 24
)
Logistic: Final = transcendental(
    "logistic", "1 / (1 + exp(-x)).", logistic, complex_math.logistic, 20
)
Rsqrt: Final = transcendental("rsqrt", "1 / sqrt(x).", rsqrt, complex_math.rsqrt, 8)
Sine: Final = transcendental("sine", "The sine.", np.sin, np.sin, 30)
Sqrt: Final = transcendental("sqrt", "The square root.", np.sqrt, np.sqrt, 8)
Tan: Final = transcendental("tan", "The tangent.", np.tan, complex_math.tan, 60)
Tanh: Final = transcendental("tanh", "The hyperbolic tangent.", np.tanh, complex_math.tanh, 30)

Atan2: Final = binary(
    "atan2",
    "The angle of the point (rhs, lhs); of complex numbers by the same formula.",
    COMPLEX,
    ElementFunctions(
        real=correctly_rounded(np.arctan2, exact_by_digits("atan2"), np.arctan2),
        complex=compute_in_complex128(accurate_complex("atan2", complex_math.atan2)),
    ),
    work=TRANSCENDENTAL,
    traits=Trait.NONE,
)
Divide: Final = binary(
    "divide",
    "The quotient; of integers rounded towards zero, with all bits set if rhs is zero.",
    NUMBERS,
    ElementFunctions(
        integer=block_by_block(quotient),
        real=exact(ratio),
        complex=compute_in_complex128(complex_math.divide),
    ),
    work=QUOTIENT,
    linearity=FIRST,
    laws=Laws(identity=1),
    of_sizes=sizes.quotient,
)
Maximum: Final = binary(
    "maximum",
    "The maximum: true > false, +0 > -0, NaN if any is NaN; complex numbers lexicographically.",
    ANY,
    ElementFunctions(
        boolean=disjunction,
        integer=wrapping_function(np.maximum),
        real=exact(maximum),
        complex=in_parts(complex_math.maximum),
    ),
    laws=EXTREMUM_LAWS,
    of_sizes=sizes.maximum,
)
Minimum: Final = binary(
    "minimum",
    "The minimum: false < true, -0 < +0, NaN if any is NaN; complex numbers lexicographically.",
    ANY,
    ElementFunctions(
        boolean=conjunction,
        integer=wrapping_function(np.minimum),
        real=exact(minimum),
        complex=in_parts(complex_math.minimum),
    ),
    laws=EXTREMUM_LAWS,
    of_sizes=sizes.minimum,
)
Multiply: Final = binary(
    "multiply",
    "The product; of booleans the conjunction; integers wrap.",
    ANY,
    ElementFunctions(
        boolean=conjunction,
        integer=wrapping_function(operator.mul),
        real=exact(operator.mul),
        complex=in_parts(complex_math.multiply),
    ),
    linearity=EITHER,
    laws=PRODUCT_LAWS,
    of_sizes=operator.mul,
)
Power: Final = binary(
    "power",
    "lhs to the power of rhs; integers wrap, and fractions are 0.",
    NUMBERS,
    ElementFunctions(
        integer=block_by_block(integer_power),
        real=correctly_rounded(np.power, exact_by_digits("power"), np.power),
        complex=compute_in_complex128(accurate_complex("power", complex_math.power)),
    ),
    work=TRANSCENDENTAL,
)
Remainder: Final = binary(  # of complex numbers the specification leaves it open (issue 997)
    "remainder",
    "lhs - d * rhs with d the truncated quotient; lhs if the integer rhs is zero.",
    NUMBERS,
    ElementFunctions(
        integer=block_by_block(remainder),
        real=exact(np.fmod),
        complex=compute_in_complex128(complex_math.remainder),
    ),
    work=QUOTIENT,
    of_sizes=sizes.remainder,
)
Subtract: Final = binary(
    "subtract",
    "The difference; integers wrap.",
    NUMBERS,
    ElementFunctions(
        integer=wrapping_function(operator.sub),
        real=exact(operator.sub),
        complex=in_parts(operator.sub),
    ),
    linearity=BOTH,
    laws=Laws(identity=0),
    of_sizes=operator.sub,
)

And: Final = bitwise(
    "and", "The conjunction of corresponding bits.", conjunction, AND_LAWS, sizes.conjunction
)
Or: Final = bitwise(
    "or", "The disjunction of corresponding bits.", disjunction, OR_LAWS, sizes.disjunction
)
Xor: Final = bitwise(
    "xor", "The exclusive disjunction of corresponding bits.", exclusive_disjunction, SUM_LAWS
)

# NumPy shifts by amounts below zero and beyond the width as XLA does: all bits are shifted out.
ShiftLeft: Final = shift(
    "shift_left",
    "The bits shifted left by rhs, with zeros shifted in; zero if rhs is out of range.",
    wrapping_function(shifted_left),
)
ShiftRightArithmetic: Final = shift(
    "shift_right_arithmetic",
    "The bits shifted right by rhs, with copies of the sign; only these if rhs is out of range.",
    shift_right_arithmetic,
)
ShiftRightLogical: Final = shift(
    "shift_right_logical",
    "The bits shifted right by rhs, with zeros shifted in; zero if rhs is out of range.",
    shift_right_logical,
)


# ---- operations with constraints of their own


@op(
    "stablehlo.abs",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class Abs(Elementwise):
    """The absolute value; of a complex number its modulus; integers wrap.

    Source: StableHLO specification, abs.
    """

    __slots__ = ()
    operand = define.operand("I1", SIGNED_NUMBERS)
    result = define.result(SIGNED_REALS, element_type="C2", shape="C1")
    of_sizes = sizes.absolute
    functions = ElementFunctions(
        integer=wrapping_function(operator.abs),
        real=exact(operator.abs),
        complex=lambda element: to_real(
            complex_math.absolute if element.bits == 128 else complex_math.absolute_of_singles
        )(element),
    )
    assembly = "$operand attr-dict `:` same-type"

    def infer(self) -> TensorType:
        """C1, C2: the type of the operand, with the parts of complex elements."""
        operand = self.operand.type
        element = operand.element_type
        if isinstance(element, ComplexType):
            return operand.with_element(element.element)
        return with_declared_parameters(self, operand)


@op(
    "stablehlo.add",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class Add(Elementwise):
    """The sum; of booleans the disjunction; integers wrap.

    result[i0, ..., iR-1] = lhs[i0, ..., iR-1] + rhs[i0, ..., iR-1]

    Source: StableHLO specification, add.
    """

    __slots__ = ()
    linearity = BOTH
    laws = SUM_LAWS
    of_sizes = operator.add
    lhs = define.operand("I1", ANY_TENSOR)
    rhs = define.operand("I2", ANY_TENSOR)
    result = define.result(ANY_TENSOR, element_type="C1", shape="C1")
    functions = ElementFunctions(
        boolean=disjunction,
        integer=wrapping_function(operator.add),
        real=exact(operator.add),
        complex=in_parts(operator.add),
    )
    assembly = "$lhs `,` $rhs attr-dict `:` same-type"

    @constraint
    def c1(self) -> Check:
        """type(lhs) = type(rhs) = type(result), element types aside if one is quantized"""
        lhs, rhs = self.lhs.type, self.rhs.type
        # The specification does not require one shape for quantized tensors, but means it.
        fits = same_sizes(lhs, rhs) if self.quantized_types() else same_baseline(lhs, rhs)
        return holds(fits, lhs=lhs, rhs=rhs)

    @constraint
    def c2(self) -> Check:
        """is_quantized(lhs) and is_quantized(rhs) and is_quantized(result)"""
        return holds(len(self.quantized_types()) in (0, 3), **self.element_types())

    @constraint
    def c3(self) -> Check:
        """storage_type(lhs) = storage_type(rhs) = storage_type(result)"""
        storages = {quantized.declared_storage for quantized in self.quantized_types()}
        return holds(len(storages) <= 1, **self.element_types())

    @constraint
    def c4(self) -> Check:
        """expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)"""
        expressed_types = {quantized.expressed for quantized in self.quantized_types()}
        return holds(len(expressed_types) <= 1, **self.element_types())

    @constraint
    def c5(self) -> Check:
        """is_per_axis_quantized(result) = any(is_per_axis_quantized(x) for x in [lhs, rhs])"""
        types = self.quantized_types()  # the same is required of blocks
        per_axis, in_blocks = ([t.is_per_axis for t in types], [t.is_sub_channel for t in types])
        fits = all(any(flags[:2]) == flags[2] for flags in (per_axis, in_blocks) if flags)
        return holds(fits, **self.element_types())

    @constraint
    def c6(self) -> Check:
        """same(quantization_dimension(lhs, result)) if is_per_axis_quantized(lhs)"""
        return self.same_quantization_dimension(0)

    @constraint
    def c7(self) -> Check:
        """same(quantization_dimension(rhs, result)) if is_per_axis_quantized(rhs)"""
        return self.same_quantization_dimension(1)

    def same_quantization_dimension(self, number: int) -> Check:
        """Whether an operand that has more than one scale has the dimension of the result."""
        types = self.quantized_types()
        if not types or types[number].is_per_tensor:
            return None
        operand, result = types[number], types[2]
        if operand.is_sub_channel:
            fits = dict(operand.blocks) == dict(result.blocks)
            return holds(fits, operand=operand.blocks, result=result.blocks)
        dimensions = operand.quantization_dimension, result.quantization_dimension
        return holds(len({*dimensions}) == 1, operand=dimensions[0], result=dimensions[1])

    def element_types(self) -> dict[str, ElementType]:
        """The element types of operands and result, for messages."""
        values = {"lhs": self.lhs, "rhs": self.rhs, "result": self.result}
        return {name: value.type.element_type for name, value in values.items()}

    def quantized_types(self) -> list[QuantizedType]:
        """The quantized ones among the element types: all three, or none, if C2 holds."""
        types = [value.type.element_type for value in (*self.operands, *self.results)]
        return [element_type for element_type in types if isinstance(element_type, QuantizedType)]

    def infer(self) -> TensorType:
        """C1: the most specific type of the operands; scales and zero points are the result's."""
        inferred = most_specific([self.lhs.type, self.rhs.type])
        if not self.results or not self.quantized_types():
            return inferred
        lhs, result = self.lhs.type.element_type, self.result.type.element_type
        is_other = differ_in_sign(lhs, result)  # C3
        return inferred.with_element(lhs if is_other else result)


# The laws of the operations that have any, and of those that are associative and commutative.
LAWS: Final[Mapping[str, Laws]] = {
    definition_of(cls).name: cls.laws
    for cls in (
        Add, And, Divide, Maximum, Minimum, Multiply, Negate, Not, Or,
        ShiftLeft, ShiftRightArithmetic, ShiftRightLogical, Subtract, Xor,
    )
}  # fmt: skip
MONOIDS: Final = {name: laws for name, laws in LAWS.items() if laws.is_monoid}
