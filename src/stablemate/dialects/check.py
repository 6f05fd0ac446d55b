"""The check dialect: programs that test their own results.

A check that fails ends the run with an error that lists the elements that differ.

Source: StableHLO's check dialect, which its test programs are written with.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.ir import request as requests
from stablemate.ir.attributes import DenseElementsAttribute, IntegerAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    RequestOp,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import (
    ANY_TENSOR,
    COMPLEX_TENSOR,
    ELEMENTS,
    F64_KIND,
    FLOAT_TENSOR,
    STRING,
    UI64_KIND,
    AttributeKind,
)
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.shapes import compatible
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I64, Array, ComplexType, FloatType

LISTED: Final = 8  # differences that an error shows
UNSIGNED_FLOATS: Final = frozenset({"f8E8M0FNU"})
TOLERANCE: Final = 1e-4  # of comparisons that state none


class ExpectationCheck(Op):
    """Base of checks that compare an actual value with an expected one."""

    __slots__ = ()
    relation: ClassVar[str] = ""  # the formula that holds for elements that agree

    @abstractmethod
    def agree(self, actual: Array, expected: Array) -> Array:
        """Which elements agree; both arrays have the same shape."""

    def compare(self, actual: object, expected: object) -> tuple[()]:
        """Ends the run unless all elements agree.

        Raises:
            EvaluationError: Some do not, or the shapes differ.
        """
        actual, expected = np.asarray(actual), np.asarray(expected)
        if actual.shape != expected.shape:
            shapes = {"actual": actual.shape, "expected": expected.shape}
            raise failure(self, "the shapes are equal", shapes)
        different = ~np.asarray(self.agree(actual, expected))
        if np.any(different):
            raise failure(self, self.relation, differences(different, actual, expected))
        return ()


class TensorComparison(ExpectationCheck):
    """Base of checks that compare two tensors."""

    __slots__ = ()
    lhs = define.operand("", ANY_TENSOR)
    rhs = define.operand("", ANY_TENSOR)

    @constraint("types")
    def types(self) -> Check:
        """type(lhs) = type(rhs)"""
        return same_types(self.lhs.type, self.rhs.type)

    def evaluate(self, *operands: object, **_: object) -> tuple[()]:
        """Compares the operands; a difference is an error."""
        return self.compare(*operands)


class LiteralComparison(ExpectationCheck):
    """Base of checks that compare a tensor with a literal."""

    __slots__ = ()
    lhs = define.operand("", ANY_TENSOR)
    value = define.attribute("", ELEMENTS)

    @constraint("types")
    def types(self) -> Check:
        """type(lhs) = type(value)"""
        return literal_fits(self.lhs.type, self.attributes["value"])

    def evaluate(self, *operands: object, **_: object) -> tuple[()]:
        """Compares the operand with the literal; a difference is an error."""
        return self.compare(operands[0], literal_array(self.attributes["value"]))


def failure(operation: Operation, message: str, values: Mapping[str, object]) -> EvaluationError:
    """The error of a failed check."""
    return EvaluationError(
        Diagnostic(message, rule=operation.name, span=operation.span, values=values)
    )


def differences(different: Array, actual: Array, expected: Array) -> Mapping[str, object]:
    """How many elements differ, and the first of them by index."""
    places = np.argwhere(different)
    values: dict[str, object] = {"different": f"{len(places)} of {different.size}"}
    for place in places[:LISTED]:
        index = tuple(place)
        name = f"[{', '.join(map(str, index))}]"
        values[name] = f"{actual[index]}, expected {expected[index]}"
    return values


def same_types(actual: TensorType, expected: TensorType) -> Check:
    """Whether values of two types can be compared."""
    return holds(compatible(actual, expected), actual=actual, expected=expected)


def equal(actual: Array, expected: Array) -> Array:
    """Which elements are equal: NaN to nothing, -0 to +0."""
    return np.asarray(actual == expected)


def almost_equal(actual: Array, expected: Array, tolerance: float) -> Array:
    """Which elements are equal, both NaN, or finite and no further apart than the tolerance."""
    if actual.dtype.kind == "c":
        real = almost_equal(np.real(actual), np.real(expected), tolerance)
        return np.asarray(real & almost_equal(np.imag(actual), np.imag(expected), tolerance))
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= tolerance)
    return np.asarray(near | (actual == expected) | (np.isnan(a) & np.isnan(b)))


def ulp_distance(actual: Array, expected: Array, element: FloatType | ComplexType) -> Array:
    """How many numbers of the type lie between two elements; the largest integer if only one is
    finite.

    Both NaN is no distance, the signs of zeros make none, and of complex elements the part that is
    further away counts.
    """
    if isinstance(element, ComplexType):
        assert isinstance(element.element, FloatType)
        real = ulp_distance(np.real(actual), np.real(expected), element.element)
        return np.maximum(real, ulp_distance(np.imag(actual), np.imag(expected), element.element))
    (sign_a, a), (sign_b, b) = (sign_and_magnitude(x, element) for x in (actual, expected))
    distance = np.where(sign_a == sign_b, np.maximum(a, b) - np.minimum(a, b), a + b)
    wide_a, wide_b = actual.astype(np.float64), expected.astype(np.float64)
    nan_a, nan_b = np.isnan(wide_a), np.isnan(wide_b)
    apart = (np.isfinite(wide_a) != np.isfinite(wide_b)) | (nan_a != nan_b)
    distance = np.where(apart, np.uint64(np.iinfo(np.uint64).max), distance)
    return np.where(nan_a & nan_b, np.uint64(0), distance)


def sign_and_magnitude(x: Array, element: FloatType) -> tuple[Array, Array]:
    """The sign bits of floats and the rest of their bits, as integers."""
    contiguous = np.ascontiguousarray(x)
    bits = contiguous.view(f"u{x.dtype.itemsize}").reshape(x.shape).astype(np.uint64)
    sign_bit = np.uint64(0 if element.name in UNSIGNED_FLOATS else 1 << (element.bits - 1))
    return (bits & sign_bit) != 0, bits & ~sign_bit


@op("check.expect_eq", effects=True)
class ExpectEq(TensorComparison):
    """All elements are equal; a NaN equals nothing.

    Source: check dialect, expect_eq.
    """

    __slots__ = ()
    relation: ClassVar[str] = "lhs = rhs"
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)"

    def agree(self, actual: Array, expected: Array) -> Array:
        """Compares element by element; NaN equals nothing."""
        return equal(actual, expected)


@op("check.expect_eq_const", effects=True)
class ExpectEqConst(LiteralComparison):
    """All elements are equal to those of a literal; a NaN equals nothing.

    Source: check dialect, expect_eq_const.
    """

    __slots__ = ()
    relation: ClassVar[str] = "lhs = value"
    assembly = "$lhs `,` custom<TypedLiteral> attr-dict"

    def agree(self, actual: Array, expected: Array) -> Array:
        """Compares element by element; NaN equals nothing."""
        return equal(actual, expected)


@op("check.expect_almost_eq", effects=True)
class ExpectAlmostEq(TensorComparison):
    """All elements are equal, both NaN, or no further apart than a tolerance.

    Source: check dialect, expect_almost_eq.
    """

    __slots__ = ()
    relation: ClassVar[str] = "abs(lhs - rhs) <= tolerance"
    tolerance = define.default_attribute("", F64_KIND, TOLERANCE)
    assembly = "$lhs `,` $rhs (`,` `tolerance` `=` $tolerance)? attr-dict `:` type($lhs)"

    def agree(self, actual: Array, expected: Array) -> Array:
        """Which elements are near enough."""
        return almost_equal(actual, expected, self.tolerance)


@op("check.expect_almost_eq_const", effects=True)
class ExpectAlmostEqConst(LiteralComparison):
    """All elements are equal to those of a literal, both NaN, or no further apart than a tolerance.

    Source: check dialect, expect_almost_eq_const.
    """

    __slots__ = ()
    relation: ClassVar[str] = "abs(lhs - value) <= tolerance"
    tolerance = define.default_attribute("", F64_KIND, TOLERANCE)
    assembly = "$lhs `,` custom<TypedLiteral> (`,` `tolerance` `=` $tolerance)? attr-dict"

    def agree(self, actual: Array, expected: Array) -> Array:
        """Which elements are near enough."""
        return almost_equal(actual, expected, self.tolerance)


@op("check.expect_close", effects=True)
class ExpectClose(ExpectationCheck):
    """All elements are apart by a number of units in the last place within limits.

    Source: check dialect, expect_close.
    """

    __slots__ = ()
    relation: ClassVar[str] = "min_ulp_difference <= ulp distance <= max_ulp_difference"
    actual = define.operand("", FLOAT_TENSOR | COMPLEX_TENSOR)
    expected = define.operand("", FLOAT_TENSOR | COMPLEX_TENSOR)
    max_ulp_difference = define.default_attribute("", UI64_KIND, 1)
    min_ulp_difference = define.default_attribute("", UI64_KIND, 0)
    assembly = (
        "$actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference"
        " (`,` `min_ulp_difference` `=` $min_ulp_difference)?"
        " `:` attr-dict type($actual) `,` type($expected)"
    )

    @constraint("types")
    def types(self) -> Check:
        """type(actual) = type(expected)"""
        return same_types(self.actual.type, self.expected.type)

    def agree(self, actual: Array, expected: Array) -> Array:
        """Which elements differ by a distance within the limits."""
        element = self.actual.type.element_type
        assert isinstance(element, FloatType | ComplexType)
        distance = ulp_distance(actual, expected, element)
        low, high = np.uint64(self.min_ulp_difference), np.uint64(self.max_ulp_difference)
        return np.asarray((low <= distance) & (distance <= high))

    def evaluate(self, *operands: object, **_: object) -> tuple[()]:
        """Compares the operands within the bounds; a larger difference is an error."""
        return self.compare(*operands)


# Programs use several widths.
ITERATION: Final[AttributeKind[int]] = AttributeKind(
    "integer",
    lambda a: isinstance(a, IntegerAttribute),
    lambda a: int(a.value),
    lambda value: IntegerAttribute(value, I64),
)


@op("check.expect_serialized_eq", effects=True)
class ExpectSerializedEq(ExpectationCheck, RequestOp):
    """A value equals the one that a probe recorded in its n-th execution.

    Source: check dialect, expect_serialized_eq.
    """

    __slots__ = ()
    relation: ClassVar[str] = "expected = the record of the probe"
    expected = define.operand("", ANY_TENSOR)
    probe_id = define.attribute("", STRING)
    iteration = define.default_attribute("", ITERATION, 1)
    assembly = (
        "$expected `,` `probe_id` `=` $probe_id (`,` `iter` `=` $iteration)?"
        " attr-dict `:` type($expected)"
    )

    def agree(self, actual: Array, expected: Array) -> Array:
        """Compares element by element; NaN equals nothing."""
        return equal(actual, expected)

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.Recall:
        """Requests the value that was recorded for this probe and iteration."""
        return requests.Recall(self, self.probe_id, self.iteration)

    def prepare(self, regions: Sequence[RegionFunction]) -> ProcessFunction:
        """Requests the record and compares."""

        def ask(value: object) -> Process:
            recorded = yield self.request((value,), regions)
            return self.compare(recorded, value)

        return ask


def literal_fits(value_type: TensorType, literal: object) -> Check:
    """Whether a value can be compared with a literal of the program."""
    if not isinstance(literal, DenseElementsAttribute) or not isinstance(literal.type, TensorType):
        return holds(False, value=type(literal).__name__)
    return same_types(value_type, literal.type)


def literal_array(literal: Any) -> Array:
    """The elements of a literal."""
    array: Array = literal.array
    return array
