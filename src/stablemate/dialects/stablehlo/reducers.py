"""Recognizes regions that are monoids or orders, or that can be called on whole arrays.

The interpreter and the compiler share this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, cast, get_args

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.complex import Imag, Real
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.elementwise import And, Elementwise, Not, Or, Xor
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import BlockArgument, Operation, OpResult, Region, Value
from stablemate.ir.definition import has_trait
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import FloatType, IntegerType, QuantizedType

Monoid = Literal["add", "multiply", "maximum", "minimum", "and", "or", "xor"]
Combiner = Monoid | Literal["x", "y"]

MONOID_NAMES: Final[frozenset[str]] = frozenset(get_args(Monoid))


def monoid_of(operation: Operation) -> Monoid | None:
    """The name of an associative and commutative operation; None of any other."""
    is_monoid = isinstance(operation, Elementwise) and operation.laws.is_monoid
    return cast(Monoid, operation.name.partition(".")[2]) if is_monoid else None


def returned_values(region: Region) -> tuple[Value, ...]:
    """The operands of the region's terminator; none if it has no operations."""
    operations = region.blocks[0].operations if region.blocks else ()
    return operations[-1].operands if operations else ()


def is_elementwise(region: Region) -> bool:
    """Whether the region consists of elementwise operations on scalars.

    Its function may then be called on whole arrays, which broadcast against one another. A result
    that depends on no argument stays a scalar.
    """
    if len(region.blocks) != 1:
        return False
    operations = region.block.operations
    return (
        bool(operations)
        and isinstance(operations[-1], Return)
        and all(map(is_scalar, (*region.block.arguments, *operations[-1].operands)))
        and all(map(is_elementwise_on_scalars, operations[:-1]))
    )


def is_elementwise_on_scalars(operation: Operation) -> bool:
    """Whether this is an elementwise operation all of whose operands and results are scalars."""
    return has_trait(operation, Trait.ELEMENTWISE) and all(
        map(is_scalar, (*operation.operands, *operation.results))
    )


def is_scalar(value: Value) -> bool:
    """Whether this is a tensor of rank 0."""
    return isinstance(value.type, TensorType) and not value.type.shape


def combiners(region: Region) -> tuple[Combiner | None, ...]:
    """How each result k of a reducer of n values is computed from arguments k and n + k.

    The name of the operation that combines the two; ``x`` or ``y`` if the result is the first or
    second of them; None for anything else. Empty if the region has no such form.
    """
    if len(region.blocks) != 1:
        return ()
    arguments, results = region.block.arguments, returned_values(region)
    n = len(results)
    if len(arguments) != 2 * n:
        return ()
    return tuple(
        combiner(result, arguments[k], arguments[n + k]) for k, result in enumerate(results)
    )


def is_associative(region: Region) -> bool:
    """Whether a reducer may combine parts of what it reduces on their own, rounding aside.

    Each result is combined by a monoid, or chosen between its two arguments by comparisons, as
    ``argmax`` does.
    """
    names, arguments = combiners(region), region.block.arguments
    n = len(names)
    return bool(names) and all(
        name is not None or is_chosen(result, arguments[k], arguments[n + k])
        for k, (name, result) in enumerate(zip(names, returned_values(region), strict=True))
    )


# log(exp(x) + exp(y)) as JAX writes it, with x + y where the difference is not a number.
DIFFERENCE: Final = "subtract", "x", "y"
LOG_OF_SUM: Final = (
    "select",
    ("compare NE", DIFFERENCE, DIFFERENCE),
    ("add", "x", "y"),
    ("add", ("maximum", "x", "y"), (
        "log_plus_one", ("exponential", ("negate", ("abs", DIFFERENCE))))),
)  # fmt: skip


def is_log_of_sum(region: Region) -> bool:
    """Whether a reducer of one value is the logarithm of a sum of exponentials.

    It is associative, rounding aside, and negative infinity is its identity.

    Source: JAX, ``jnp.logaddexp`` and ``lax.cumlogsumexp``.
    """
    results = returned_values(region)
    if len(region.blocks) != 1 or len(region.block.arguments) != 2 or len(results) != 1:
        return False
    found: dict[Value, object] = dict(zip(region.block.arguments, "xy", strict=True))
    for operation in region.block.operations[:-1]:
        name = operation.name.partition(".")[2]
        if isinstance(operation, Compare):
            name = f"{name} {direction_of(operation).name}"
        formula = name, *map(found.get, operation.operands)
        found.update((result, formula) for result in operation.results)
    return found.get(results[0]) == LOG_OF_SUM


def is_chosen(value: Value[TensorType], x: Value[TensorType], y: Value[TensorType]) -> bool:
    """Whether a value is either x or y, by a predicate of comparisons."""
    operands = operands_if(value, Select)
    return bool(operands) and operands[1:] in ((x, y), (y, x)) and is_predicate(operands[0])


def is_predicate(value: Value[TensorType]) -> bool:
    """Whether a value consists of comparisons of arguments and constants."""
    operation = defining_operation(value)
    if operation is None:
        return False
    if isinstance(operation, Compare):
        return all(
            isinstance(operand, BlockArgument) or constant_scalar(operand) is not None
            for operand in operation.operands
        )
    return isinstance(operation, (And, Or, Xor, Not)) and all(map(is_predicate, operation.operands))


def combiner(
    value: Value[TensorType], x: Value[TensorType], y: Value[TensorType]
) -> Combiner | None:
    """How a value is computed from x and y; None for anything else."""
    if value is x:
        return "x"
    if value is y:
        return "y"
    operation = defining_operation(value)
    if operation is None or operation.operands not in ((x, y), (y, x)):
        return None
    return monoid_of(operation)


def monoid(region: Region) -> Monoid | None:
    """The operation by which a region of two arguments combines them; None if it is no monoid."""
    names = combiners(region)
    if len(names) != 1 or names[0] == "x" or names[0] == "y":
        return None
    return names[0]


def comparison(region: Region) -> ComparisonDirection | None:
    """The direction in which a region compares its first argument with its second."""
    results = returned_values(region)
    if len(region.blocks) != 1 or len(region.block.arguments) != 2 or len(results) != 1:
        return None
    first, second = region.block.arguments
    operation = defining_operation(results[0])
    if not isinstance(operation, Compare):
        return None
    direction = direction_of(operation)
    match operation.operands:
        case (lhs, rhs) if lhs is first and rhs is second:
            return direction
        case (lhs, rhs) if lhs is second and rhs is first:
            return MIRRORED[direction]
        case _:
            return None


MIRRORED: Final = {
    ComparisonDirection.EQ: ComparisonDirection.EQ,
    ComparisonDirection.NE: ComparisonDirection.NE,
    ComparisonDirection.GE: ComparisonDirection.LE,
    ComparisonDirection.GT: ComparisonDirection.LT,
    ComparisonDirection.LE: ComparisonDirection.GE,
    ComparisonDirection.LT: ComparisonDirection.GT,
}


def defining_operation(value: Value[TensorType]) -> Operation | None:
    """The operation that defines a value."""
    return value.operation if isinstance(value, OpResult) else None


def operands_if(value: Value[TensorType], cls: type[Operation]) -> tuple[Value[TensorType], ...]:
    """The operands of the operation that defines a value, if it is of a class; otherwise none."""
    operation = defining_operation(value)
    return operation.operands if isinstance(operation, cls) else ()


def direction_of(compare: Operation) -> ComparisonDirection:
    """The direction of a comparison."""
    attribute = compare.attributes["comparison_direction"]
    assert isinstance(attribute, EnumAttribute)
    return ComparisonDirection(attribute.value)


def is_total_order(compare: Operation) -> bool:
    """Whether a comparison distinguishes -0 from +0 and orders NaNs."""
    attribute = compare.attributes.get("compare_type")
    return isinstance(attribute, EnumAttribute) and attribute.value is ComparisonType.TOTALORDER


def is_comparison(
    value: Value[TensorType],
    direction: ComparisonDirection,
    lhs: Value[TensorType],
    rhs: Value[TensorType],
) -> bool:
    """Whether the value is the comparison of these two values, not by total order."""
    operation = defining_operation(value)
    return (
        isinstance(operation, Compare)
        and operation.operands == (lhs, rhs)
        and direction_of(operation) is direction
        and not is_total_order(operation)
    )


def constant_scalar(value: Value[TensorType]) -> Any:
    """The NumPy scalar of a constant; None if the value is none."""
    operation = defining_operation(value)
    if not isinstance(operation, Constant):
        return None
    attribute = operation.attributes.get("value")
    if not isinstance(attribute, DenseElementsAttribute) or not attribute.is_splat:
        return None
    return attribute.data[0]


@dataclass(frozen=True, slots=True)
class SortKey:
    """One sort key of a comparator.

    Attributes:
        operand: Number of the input.
        part: The part of a complex element that is compared; empty for the element itself.
        descending: Whether larger elements come first.
        total: Whether floats are ordered by ``TOTALORDER``: -0 before +0, NaNs outermost by sign.
        canonical: Whether zeros become +0 and NaNs one positive NaN before they are compared.
    """

    operand: int
    part: Literal["", "real", "imag"] = ""
    descending: bool = False
    total: bool = False
    canonical: bool = False


MAXIMUM_KEYS: Final = 64  # of a comparator; it bounds the time of the search


def order(region: Region) -> tuple[SortKey, ...]:
    """The sort keys of a comparator, the most significant first; empty if it is not recognized.

    Source: StableHLO specification, sort; several keys in the form that JAX emits,
    ``x0 < y0 or (x0 == y0 and ...)``.
    """
    results = returned_values(region)
    if len(region.blocks) != 1 or len(results) != 1 or not is_closed(region):
        return ()
    keys: list[SortKey] = []
    rest = results[0]
    while len(keys) < MAXIMUM_KEYS and (step := lexicographic_step(rest)) is not None:
        key, rest = step
        keys.append(key)
    last = strict_key(rest)
    return () if last is None or len(keys) == MAXIMUM_KEYS else (*keys, last)


def is_closed(region: Region) -> bool:
    """Whether the operations of a region of one block use only constants from outside."""

    def inside(value: Value[TensorType]) -> bool:
        match value:
            case BlockArgument(block=block):
                return block is region.block
            case OpResult(operation=operation):
                return operation.parent is region.block or isinstance(operation, Constant)
            case _:
                return False

    return all(
        inside(value) for operation in region.block.operations for value in operation.operands
    )


def lexicographic_step(value: Value[TensorType]) -> tuple[SortKey, Value[TensorType]] | None:
    """The first key of ``less or (equal and rest)``, and the rest."""
    sides = operands_if(value, Or)
    for less, tie in (sides, sides[::-1]) if sides else ():
        key, both = strict_key(less), operands_if(tie, And)
        for equal, rest in (both, both[::-1]) if both else ():
            if key is not None and is_equality(equal, key):
                return key, rest
    return None


def strict_key(value: Value[TensorType]) -> SortKey | None:
    """The key of ``x < y`` or ``x > y`` on the two elements of one input."""
    operation = defining_operation(value)
    if not isinstance(operation, Compare):
        return None
    sides = compared_elements(operation)
    direction = direction_of(operation)
    if sides is None or direction not in (ComparisonDirection.LT, ComparisonDirection.GT):
        return None
    (operand, swapped), part, canonical = sides
    descending = (direction is ComparisonDirection.GT) != swapped
    return SortKey(operand, part, descending, is_total_order(operation), canonical)


def is_equality(value: Value[TensorType], key: SortKey) -> bool:
    """Whether the value tests that the two elements are equal by this key."""
    operation = defining_operation(value)
    if not isinstance(operation, Compare):
        return False
    sides = compared_elements(operation)
    return (
        sides is not None
        and direction_of(operation) is ComparisonDirection.EQ
        and (sides[0][0], sides[1], sides[2]) == (key.operand, key.part, key.canonical)
        and is_total_order(operation) == key.total
    )


PartName = Literal["", "real", "imag"]  # empty: the element itself
Element = tuple[int, PartName]  # number of the block argument, part of it
PARTS: Final[Sequence[tuple[type[Operation], PartName]]] = ((Real, "real"), (Imag, "imag"))


def compared_elements(
    compare: Operation,
) -> tuple[tuple[int, bool], Literal["", "real", "imag"], bool] | None:
    """The input that a comparison compares: (number, whether rhs < lhs), part, canonical."""
    left, right = (canonical_element(value) for value in compare.operands)
    if left is None or right is None or left[1] != right[1]:
        return None
    (x, part), (y, other_part) = left[0], right[0]
    if x // 2 != y // 2 or x == y or part != other_part:
        return None
    return (x // 2, x > y), part, left[1]


def canonical_element(value: Value[TensorType]) -> tuple[Element, bool] | None:
    """The element that a value is, and whether its NaNs and zeros are canonical.

    The canonical form is JAX's: ``x != x ? nan : (x == 0 ? 0 : x)``.
    """
    if (canonical := element(value)) is not None:
        return canonical, False
    if not (outer := operands_if(value, Select)):
        return None
    is_nan, nan, number = outer
    if not (inner := operands_if(number, Select)) or (canonical := element(inner[2])) is None:
        return None
    is_zero, zero, _ = inner
    tests = operands_if(is_nan, Compare)
    fits = (
        [element(test) for test in tests] == [canonical, canonical]
        and is_comparison(is_nan, ComparisonDirection.NE, *tests)
        and is_zero_test(is_zero, canonical)
        and is_constant_zero(zero)
        and is_constant_nan(nan)
    )
    return (canonical, True) if fits else None


def element(value: Value) -> Element | None:
    """The block argument that the value is, or whose real or imaginary part it is."""
    if isinstance(value, BlockArgument):
        return (value.index, "") if is_ordered(value) else None
    for cls, part in PARTS:
        match operands_if(value, cls):
            case (BlockArgument() as argument,):
                return argument.index, part
            case _:
                continue
    return None


def is_ordered(value: Value[TensorType]) -> bool:
    """Whether this is an integer or a float, which NumPy orders as the specification does.

    Also quantized, ordered by the floats that it represents.
    """
    ordered = IntegerType | FloatType | QuantizedType
    return is_scalar(value) and isinstance(value.type.element_type, ordered)


def is_zero_test(value: Value[TensorType], expected: Element) -> bool:
    """Whether the value is ``x == 0`` for the element x."""
    match operands_if(value, Compare):
        case (x, zero):
            return (
                element(x) == expected
                and is_constant_zero(zero)
                and is_comparison(value, ComparisonDirection.EQ, x, zero)
            )
        case _:
            return False


def is_constant_zero(value: Value[TensorType]) -> bool:
    """Whether this is the constant 0."""
    scalar = constant_scalar(value)
    return scalar is not None and bool(scalar == 0)


def is_constant_nan(value: Value[TensorType]) -> bool:
    """Whether this is a constant NaN whose sign bit is clear."""
    scalar = constant_scalar(value)
    return scalar is not None and bool(scalar != scalar and not np.signbit(scalar))
