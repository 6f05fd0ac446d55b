"""ElementwiseMethods operations.

Source: XLA, operation semantics, "Element-wise unary functions", "Element-wise binary arithmetic
operations", "Element-wise comparison operations".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stablemate.xla.builder.argument_types import Integers, Operand, TypeLike, array_shape
from stablemate.xla.builder.broadcasting import binary_operands, broadcast_operands, stretch
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.values import items_of
from stablemate.xla.primitive_types import PrimitiveType
from stablemate.xla.shape import Shape
from stablemate.xla.values import ResultAccuracy

DIRECTIONS: Final = ("EQ", "NE", "GE", "GT", "LE", "LT")


def unary(opcode: str) -> Callable[[ElementwiseMethods, Operand], XlaOp]:
    """The method of an operation of one operand."""

    def method(self: ElementwiseMethods, operand: Operand) -> XlaOp:
        return self.add_instruction(opcode, [self.handle(operand)])

    method.__name__ = opcode.replace("-", "_")
    vars(method)["opcode"] = opcode
    method.__doc__ = f"``{opcode}`` of each element."
    return method


def accurate(opcode: str) -> Callable[..., XlaOp]:
    """The method of a function whose accuracy may be stated."""

    def method(
        self: ElementwiseMethods, operand: Operand, result_accuracy: ResultAccuracy | None = None
    ) -> XlaOp:
        attributes = {"result_accuracy": result_accuracy}
        return self.add_instruction(opcode, [self.handle(operand)], attributes)

    method.__name__ = opcode.replace("-", "_")
    vars(method)["opcode"] = opcode
    method.__doc__ = f"``{opcode}`` of each element."
    return method


def binary(opcode: str) -> Callable[..., XlaOp]:
    """The method of an operation of two operands."""

    def method(
        self: ElementwiseMethods, lhs: Operand, rhs: Operand, broadcast_dimensions: Integers = ()
    ) -> XlaOp:
        operands = broadcast_operands(self, lhs, rhs, broadcast_dimensions, opcode)
        return self.add_instruction(opcode, operands)

    method.__name__ = opcode.replace("-", "_")
    vars(method)["opcode"] = opcode
    method.__doc__ = f"``{opcode}`` of elements of both; operands broadcast."
    return method


def comparison(direction: str, *, total: bool = False) -> Callable[..., XlaOp]:
    """The method of a comparison."""

    def method(
        self: ElementwiseMethods, lhs: Operand, rhs: Operand, broadcast_dimensions: Integers = ()
    ) -> XlaOp:
        order = "TOTALORDER" if total else None
        return self.compare(lhs, rhs, broadcast_dimensions, direction, order)

    order = " in the total order, -NaN < -Inf < ... < -0 < +0 < ... < +Inf < +NaN" if total else ""
    method.__name__ = direction.lower()
    method.__doc__ = f"Whether {direction} holds between elements{order}; operands broadcast."
    return creates("stablehlo.compare")(method)


class ElementwiseMethods(Core):
    """Methods that compute each element of the result of the same elements of the operands."""

    abs = unary("abs")
    neg = unary("negate")
    sign = unary("sign")
    ceil = unary("ceil")
    floor = unary("floor")
    round = unary("round-nearest-afz")
    round_nearest_afz = round
    round_nearest_even = unary("round-nearest-even")
    not_ = unary("not")
    logical_not = not_
    is_finite = unary("is-finite")
    population_count = unary("popcnt")
    clz = unary("count-leading-zeros")
    real = unary("real")
    imag = unary("imag")
    copy = unary("copy")

    cos = accurate("cosine")
    sin = accurate("sine")
    tan = accurate("tan")
    tanh = accurate("tanh")
    exp = accurate("exponential")
    expm1 = accurate("exponential-minus-one")
    log = accurate("log")
    log1p = accurate("log-plus-one")
    logistic = accurate("logistic")
    sqrt = accurate("sqrt")
    rsqrt = accurate("rsqrt")
    cbrt = accurate("cbrt")
    erf = accurate("erf")
    acos = accurate("acos")
    acosh = accurate("acosh")
    asin = accurate("asin")
    asinh = accurate("asinh")
    atan = accurate("atan")
    atanh = accurate("atanh")
    cosh = accurate("cosh")
    sinh = accurate("sinh")

    add = binary("add")
    sub = binary("subtract")
    mul = binary("multiply")
    div = binary("divide")
    rem = binary("remainder")
    max = binary("maximum")
    min = binary("minimum")
    pow = binary("power")
    atan2 = binary("atan2")
    xor = binary("xor")
    shift_left = binary("shift-left")
    shift_right_arithmetic = binary("shift-right-arithmetic")
    shift_right_logical = binary("shift-right-logical")
    mul_hi = binary("mulhi")
    complex = binary("complex")

    eq = comparison("EQ")
    ne = comparison("NE")
    ge = comparison("GE")
    gt = comparison("GT")
    le = comparison("LE")
    lt = comparison("LT")
    eq_total_order = comparison("EQ", total=True)
    ne_total_order = comparison("NE", total=True)
    ge_total_order = comparison("GE", total=True)
    gt_total_order = comparison("GT", total=True)
    le_total_order = comparison("LE", total=True)
    lt_total_order = comparison("LT", total=True)

    def compare(
        self,
        lhs: Operand,
        rhs: Operand,
        broadcast_dimensions: Integers = (),
        direction: str = "EQ",
        type: str | None = None,
    ) -> XlaOp:
        """A comparison by its direction; ``type`` may be TOTALORDER for floats.

        Raises:
            VerifyError: The direction or type is none, or not one of these operands.
        """
        first, second = broadcast_operands(self, lhs, rhs, broadcast_dimensions, "compare")
        is_known = direction in DIRECTIONS
        message = f"the direction is one of {', '.join(DIRECTIONS)}"
        self.require(is_known, message, "compare", direction=direction)
        element_type = self.shape(first).element_type
        default = comparison_type(element_type)
        if type == "TOTALORDER" and default != "FLOAT":
            type = None  # all integers are in a total order
        allowed = (None, default, "TOTALORDER") if default == "FLOAT" else (None, default)
        message = "the type of the comparison fits the elements"
        self.require(type in allowed, message, "compare", type=type, element_type=element_type)
        attributes = {"direction": direction, "type": None if type == default else type}
        return self.add_instruction("compare", [first, second], attributes)

    @creates("stablehlo.and")
    def and_(
        self,
        lhs: Operand | Sequence[Operand],
        rhs: Operand = None,
        broadcast_dimensions: Integers = (),
    ) -> XlaOp:
        """Logical and of booleans, bitwise and of integers; reduces a sequence."""
        return self.fold("and", lhs, rhs, broadcast_dimensions)

    @creates("stablehlo.or")
    def or_(
        self,
        lhs: Operand | Sequence[Operand],
        rhs: Operand = None,
        broadcast_dimensions: Integers = (),
    ) -> XlaOp:
        """Logical or of booleans, bitwise or of integers; reduces a sequence."""
        return self.fold("or", lhs, rhs, broadcast_dimensions)

    logical_and = and_
    logical_or = or_

    def fold(
        self, opcode: str, lhs: Operand, rhs: Operand, broadcast_dimensions: Integers
    ) -> XlaOp:
        """``lhs op rhs``, or ``first op (second op (...))`` of a sequence."""
        listed = items_of(lhs)
        if rhs is not None or listed is None:
            operands = broadcast_operands(self, lhs, rhs, broadcast_dimensions, opcode)
            return self.add_instruction(opcode, operands)
        self.require(bool(listed), "there is at least one operand", opcode)
        *rest, result = [self.handle(operand) for operand in listed]
        for operand in reversed(rest):
            operands = broadcast_operands(self, operand, result, (), opcode)
            result = self.add_instruction(opcode, operands)
        return result

    def conj(self, operand: Operand) -> XlaOp:
        """The complex conjugate: the imaginary part has the other sign."""
        handle = self.handle(operand)
        return self.complex(self.real(handle), self.neg(self.imag(handle)))

    def square(self, operand: Operand) -> XlaOp:
        """``operand * operand``."""
        handle = self.handle(operand)
        return self.mul(handle, handle)

    def reciprocal(self, operand: Operand) -> XlaOp:
        """``1 / operand``."""
        handle = self.handle(operand)
        return self.div(1, handle)

    def clamp(self, min: Operand, operand: Operand, max: Operand) -> XlaOp:
        """``min(max(operand, min), max)``; bounds are of the operand's shape, or scalars."""
        handle = self.handle(operand)
        sizes = self.array(handle, "clamp").dimensions
        bounds = [self.stretch_scalar(self.handle(bound, handle), sizes) for bound in (min, max)]
        return self.add_instruction("clamp", [bounds[0], handle, bounds[1]])

    def select(self, pred: Operand, on_true: Operand, on_false: Operand) -> XlaOp:
        """Elements of ``on_true`` where ``pred`` holds, else of ``on_false``.

        ``pred`` has the dimensions of both, or is a scalar. Tuples are selected as a whole.
        """
        condition = self.handle(pred)
        first, second = binary_operands(self, on_true, on_false)
        if self.shape(first).is_tuple:
            return self.select_tuple(condition, first, second)
        shape = self.array(first, "select")
        sizes = shape.dimensions or self.array(second, "select").dimensions
        operands = [self.stretch_scalar(operand, sizes) for operand in (condition, first, second)]
        return self.add_instruction("select", operands)

    def select_tuple(self, pred: XlaOp, on_true: XlaOp, on_false: XlaOp) -> XlaOp:
        """A tuple of the parts of one of two tuples."""
        first, second = self.shape(on_true), self.shape(on_false)
        message = "tuples are selected by a scalar"
        self.require(not self.shape(pred).rank, message, "select", pred=self.shape(pred))
        same = len(first.elements) == len(second.elements) and second.is_tuple
        message = "both tuples have one shape"
        self.require(same, message, "select", on_true=first, on_false=second)
        parts = [
            self.select(pred, on_true[index], on_false[index])
            for index in range(len(first.elements))
        ]
        return self.add_instruction("tuple", parts)

    def stretch_scalar(self, operand: XlaOp, sizes: Sequence[int]) -> XlaOp:
        """A scalar broadcast to sizes; other operands as they are."""
        return operand if self.shape(operand).rank else stretch(self, operand, sizes, ())

    # ---- other types

    @creates("stablehlo.convert")
    def convert_element_type(self, operand: Operand, new_element_type: TypeLike) -> XlaOp:
        """The values in another element type."""
        handle = self.handle(operand)
        shape = self.array(handle, "convert")
        target = self.as_type(new_element_type)
        result = array_shape(target, shape.dimensions, shape.dynamic)
        return self.add_instruction("convert", [handle], {}, result)

    @creates("stablehlo.bitcast_convert")
    def bitcast_convert_type(self, operand: Operand, new_element_type: TypeLike) -> XlaOp:
        """The bits in another element type; narrower ones make a new last dimension."""
        handle = self.handle(operand)
        shape = self.array(handle, "bitcast-convert")
        target = self.as_type(new_element_type)
        result = self.bitcast_shape(shape, target)
        return self.add_instruction("bitcast-convert", [handle], {}, result)

    def bitcast_shape(self, shape: Shape, target: PrimitiveType) -> Shape:
        """The shape of the same bits in another element type."""
        rule, source = "bitcast-convert", shape.element_type
        mixing = source.bits != target.bits and "complex" in (source.family, target.family)
        fits = max(source.bits, target.bits) % max(1, min(source.bits, target.bits)) == 0
        pred = source.bits != target.bits and "pred" in (source.family, target.family)
        message = "the width of one type is a multiple of the other's, both real numbers"
        self.require(
            fits and not mixing and not pred and target.is_array,
            *(message, rule),
            operand=shape,
            new_element_type=target,
        )
        sizes, flags = list(shape.dimensions), list(shape.dynamic)
        if source.bits > target.bits:
            sizes.append(source.bits // target.bits)
            flags += [False] * bool(flags)
        elif source.bits < target.bits:
            ratio = target.bits // source.bits
            message = "the last dimension is the ratio of the widths"
            last = sizes.pop() if sizes else None
            self.require(last == ratio, message, rule, operand=shape, ratio=ratio)
            flags = flags[:-1]
        return array_shape(target, sizes, flags)

    def stochastic_convert_type(
        self, operand: Operand, random: Operand, new_element_type: TypeLike
    ) -> XlaOp:
        """The values in a narrower type, rounded up as often as random bits say."""
        handle = self.handle(operand)
        shape = self.array(handle, "stochastic-convert")
        result = array_shape(self.as_type(new_element_type), shape.dimensions)
        return self.add_instruction("stochastic-convert", [handle, self.handle(random)], {}, result)

    def reduce_precision(self, operand: Operand, exponent_bits: int, mantissa_bits: int) -> XlaOp:
        """The values rounded to those that a narrower floating-point format has."""
        handle = self.handle(operand)
        attributes = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
        shape = self.array(handle, "reduce-precision")
        return self.add_instruction("reduce-precision", [handle], attributes, shape)


def comparison_type(element_type: PrimitiveType) -> str:
    """The default comparison type of an element type."""
    if element_type.family in ("float", "complex"):
        return "FLOAT"
    return "SIGNED" if element_type.family == "signed" else "UNSIGNED"
