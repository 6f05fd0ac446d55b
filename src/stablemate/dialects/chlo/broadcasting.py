"""Operations of CHLO that broadcast their operands: a table.

Each is the operation of the same name without ``broadcast_``, on operands broadcast to one shape.
An operand of smaller rank takes the dimensions ``broadcast_dimensions`` of the result, by default
the last ones; dimensions of size 1 are repeated.

Source: CHLO dialect, the operations of the same names; XLA, "Broadcasting".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Final, TypeAlias, cast

from stablemate.dialects.chlo.attributes import (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    ComparisonDirection,
    ComparisonType,
)
from stablemate.dialects.chlo.ranks import are_ranked, of_any_rank
from stablemate.dialects.stablehlo.baseline import with_declared_parameters
from stablemate.ir.definition import (
    AttributeField,
    Check,
    Op,
    Operand,
    Result,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import (
    ANY_TENSOR,
    BOOLEAN_TENSOR,
    COMPLEX_TENSOR,
    FLOAT_TENSOR,
    SI64_ARRAY,
    TypeConstraint,
    is_boolean,
    is_integer,
    tensor_of,
)
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import ARITHMETIC, TRANSCENDENTAL, Family, Work
from stablemate.ir.types import DYNAMIC, TensorType, UnrankedTensorType
from stablemate.numerics.elements import BOOLEAN, ComplexType, ElementType, FloatType
from stablemate.numerics.quantization import baseline

Types: TypeAlias = TypeConstraint[TensorType]

BITS: Final = tensor_of("tensor of boolean or integer type", is_boolean, is_integer)


class BroadcastBinary(Op):
    """result = function(broadcast(lhs), broadcast(rhs)), element by element."""

    __slots__ = ()
    lhs: ClassVar[Operand[TensorType]]
    rhs: ClassVar[Operand[TensorType]]
    broadcast_dimensions: ClassVar[AttributeField[tuple[int, ...] | None]]
    result: ClassVar[Result[TensorType]]
    rescales: ClassVar[bool] = False  # whether quantized elements may differ in scales
    assembly = "$lhs `,` $rhs attr-dict `:` functional-type"

    @constraint("element types")
    def same_elements(self) -> Check:
        """element_type(lhs) = element_type(rhs), quantization parameters aside in broadcast_add,
        broadcast_compare, broadcast_maximum and broadcast_minimum
        """
        lhs, rhs = self.lhs.type.element_type, self.rhs.type.element_type
        fits = lhs == rhs or (self.rescales and baseline(lhs) == baseline(rhs))
        return holds(fits, lhs=lhs, rhs=rhs)

    @constraint("broadcast_dimensions")
    def places(self) -> Check:
        """broadcast_dimensions are increasing dimensions of the operand of larger rank, as many as
        the other one has
        """
        dimensions = self.broadcast_dimensions
        if dimensions is None or not are_ranked(self):
            return None
        ranks = sorted((self.lhs.type.rank, self.rhs.type.rank))
        fits = len(dimensions) == ranks[0] and is_increasing(dimensions, ranks[1])
        return holds(fits, broadcast_dimensions=dimensions, ranks=ranks)

    def dimensions_of(self, operand: TensorType) -> tuple[int, ...]:
        """The dimensions of the result that an operand takes."""
        rank = max(self.lhs.type.rank, self.rhs.type.rank)
        if operand.rank < rank and self.broadcast_dimensions is not None:
            return self.broadcast_dimensions
        return tuple(range(rank - operand.rank, rank))

    def aligned_types(self) -> list[TensorType]:
        """The types of the operands with size 1 for missing dimensions."""
        rank = max(self.lhs.type.rank, self.rhs.type.rank)
        types = (self.lhs.type, self.rhs.type)
        return [
            with_dimensions_at(operand_type, self.dimensions_of(operand_type), rank)
            for operand_type in types
        ]

    def element(self) -> ElementType:
        """The element type of the result."""
        return self.lhs.type.element_type

    def infer(self) -> TensorType | UnrankedTensorType:
        """The broadcast shape, of elements like those of the operands."""
        if not are_ranked(self) or self.places() is not None:
            return UnrankedTensorType(self.element())  # as upstream, whose verifier accepts these
        if not sizes_broadcast(self.aligned_types()):
            return UnrankedTensorType(self.element())
        inferred = broadcast_type(self.aligned_types()).with_element(self.element())
        return with_declared_parameters(self, inferred) if self.rescales else inferred


class RescalingBinary(BroadcastBinary):
    """An operation on operands that may have scales of their own, as the result may."""

    __slots__ = ()
    rescales = True


class BroadcastCompareBase(RescalingBinary):
    """A comparison of broadcast operands; ``BroadcastCompare`` declares the attributes."""

    __slots__ = ()
    comparison_direction: ComparisonDirection
    compare_type: ComparisonType | None

    def element(self) -> ElementType:
        """The element type of the result, a boolean."""
        return BOOLEAN


class BroadcastComplexBase(BroadcastBinary):
    """Complex numbers of broadcast parts."""

    __slots__ = ()

    def element(self) -> ElementType:
        """Complex numbers of what the operands are."""
        part = self.lhs.type.element_type
        assert isinstance(part, FloatType)
        return ComplexType(part)


def is_increasing(dimensions: Sequence[int], rank: int) -> bool:
    """Whether these are dimensions of a tensor of this rank, each larger than the one before."""
    bounds = (-1, *dimensions, rank)
    return all(a < b for a, b in pairwise(bounds))


def with_dimensions_at(tensor_type: TensorType, dimensions: Sequence[int], rank: int) -> TensorType:
    """The type with its dimensions at these positions, and size 1 elsewhere."""
    shape, bounds = [1] * rank, [DYNAMIC] * rank
    for i, d in enumerate(dimensions):
        shape[d] = tensor_type.shape[i]
        bounds[d] = tensor_type.bounds[i] if tensor_type.bounds else DYNAMIC
    return bound_dimensions(tensor_type.with_shape(shape), bounds)


def broadcast_type(types: Sequence[TensorType]) -> TensorType:
    """The type to which types of one rank with compatible sizes can be broadcast."""
    shape = [
        broadcast_size([operand_type.shape[d] for operand_type in types])
        for d in range(types[0].rank)
    ]
    limits = [
        [
            operand_type.bounds[d] if operand_type.bounds else DYNAMIC
            for operand_type in types
            if operand_type.shape[d] == DYNAMIC
        ]
        for d in range(types[0].rank)
    ]
    bounds = [DYNAMIC if DYNAMIC in column else max(column, default=DYNAMIC) for column in limits]
    return bound_dimensions(types[0].with_shape(shape), bounds)


def broadcast_size(sizes: Sequence[int]) -> int:
    """The size to which dimensions of these sizes can be broadcast; DYNAMIC if that is unknown.

    A dynamic size next to a static one other than 1 can only be that, or 1.
    """
    others = set(sizes) - {1}
    static = others - {DYNAMIC}
    return static.pop() if static else (DYNAMIC if others else 1)


def sizes_broadcast(types: Sequence[TensorType]) -> bool:
    """Whether static sizes of corresponding dimensions are equal or 1, in types of one rank.

    No rule of CHLO requires it: the result is then of unknown shape, and the run ends.
    """
    columns = zip(*(operand_type.shape for operand_type in types), strict=True)
    return all(len({*sizes} - {1, DYNAMIC}) <= 1 for sizes in columns)


# ---- the table


def broadcasting(
    name: str,
    summary: str,
    types: Types = ANY_TENSOR,
    *,
    base: type[BroadcastBinary] = BroadcastBinary,
    result: Types | None = None,
    work: Work = ARITHMETIC,
    **fields: object,
) -> type[BroadcastBinary]:
    """An operation that broadcasts two operands."""
    title = "".join(word.capitalize() for word in ("broadcast", *name.split("_")))
    doc = f"{summary}\n\n    Source: CHLO dialect, broadcast_{name}.\n    "
    body = {
        "__doc__": doc,
        "__slots__": (),
        "lhs": define.operand("", of_any_rank(types)),
        "rhs": define.operand("", of_any_rank(types)),
        "broadcast_dimensions": define.optional_attribute("", SI64_ARRAY),
        **fields,
        "result": define.result(of_any_rank(result or types)),
    }
    declare = op(f"chlo.broadcast_{name}", family=Family.ELEMENTWISE, work=work)
    return declare(cast("type[BroadcastBinary]", type(title, (base,), body)))


BroadcastAdd: Final = broadcasting("add", "lhs + rhs.", base=RescalingBinary)
BroadcastAnd: Final = broadcasting("and", "lhs & rhs.", BITS)
BroadcastAtan2: Final = broadcasting(
    "atan2", "The angle of the point (rhs, lhs).", work=TRANSCENDENTAL
)
BroadcastCompare: Final = broadcasting(
    "compare",
    "lhs comparison_direction rhs.",
    base=BroadcastCompareBase,
    result=BOOLEAN_TENSOR,
    comparison_direction=define.attribute("", COMPARISON_DIRECTION),
    compare_type=define.optional_attribute("", COMPARISON_TYPE),
)
BroadcastComplex: Final = broadcasting(
    "complex", "lhs + i rhs.", FLOAT_TENSOR, base=BroadcastComplexBase, result=COMPLEX_TENSOR
)
BroadcastDivide: Final = broadcasting("divide", "lhs / rhs.")
BroadcastMaximum: Final = broadcasting(
    "maximum", "The larger one of lhs and rhs.", base=RescalingBinary
)
BroadcastMinimum: Final = broadcasting(
    "minimum", "The smaller one of lhs and rhs.", base=RescalingBinary
)
BroadcastMultiply: Final = broadcasting("multiply", "lhs * rhs.")
BroadcastNextAfter: Final = broadcasting(
    "next_after", "The float next to lhs in the direction of rhs."
)
BroadcastOr: Final = broadcasting("or", "lhs | rhs.", BITS)
BroadcastPolygamma: Final = broadcasting(
    "polygamma", "The polygamma function of order lhs at rhs.", work=TRANSCENDENTAL
)
BroadcastPower: Final = broadcasting("power", "lhs to the power of rhs.", work=TRANSCENDENTAL)
BroadcastRemainder: Final = broadcasting("remainder", "The remainder of lhs divided by rhs.")
BroadcastShiftLeft: Final = broadcasting("shift_left", "lhs << rhs.")
BroadcastShiftRightArithmetic: Final = broadcasting(
    "shift_right_arithmetic", "lhs >> rhs, with copies of the sign."
)
BroadcastShiftRightLogical: Final = broadcasting("shift_right_logical", "lhs >> rhs, with zeros.")
BroadcastSubtract: Final = broadcasting("subtract", "lhs - rhs.")
BroadcastXor: Final = broadcasting("xor", "lhs ^ rhs.", BITS)
BroadcastZeta: Final = broadcasting(
    "zeta", "The Hurwitz zeta function.", FLOAT_TENSOR, work=TRANSCENDENTAL
)


@op("chlo.broadcast_select", family=Family.ELEMENTWISE, work=ARITHMETIC)
class BroadcastSelect(Op):
    """``on_true`` where ``pred`` is true, else ``on_false``; all three are broadcast as in NumPy.

    Source: CHLO dialect, broadcast_select.
    """

    __slots__ = ()
    pred = define.operand("", BOOLEAN_TENSOR)
    on_true = define.operand("", of_any_rank(ANY_TENSOR))
    on_false = define.operand("", of_any_rank(ANY_TENSOR))
    result = define.result(of_any_rank(ANY_TENSOR))
    assembly = "$pred `,` $on_true `,` $on_false attr-dict `:` functional-type"

    @constraint("element types")
    def same_elements(self) -> Check:
        """element_type(on_true) = element_type(on_false), quantization parameters aside"""
        on_true, on_false = self.on_true.type.element_type, self.on_false.type.element_type
        fits = baseline(on_true) == baseline(on_false)
        return holds(fits, on_true=on_true, on_false=on_false)

    def aligned_types(self) -> list[TensorType]:
        """The types of the operands with ones before their first dimensions."""
        types = [value.type for value in self.operands]
        rank = max(operand_type.rank for operand_type in types)
        return [
            with_dimensions_at(operand_type, range(rank - operand_type.rank, rank), rank)
            for operand_type in types
        ]

    def infer(self) -> TensorType | UnrankedTensorType:
        """The broadcast shape, of elements like those to choose from."""
        if not are_ranked(self):
            return UnrankedTensorType(self.on_true.type.element_type)
        if not sizes_broadcast(self.aligned_types()):
            return UnrankedTensorType(self.on_true.type.element_type)
        shape = broadcast_type(self.aligned_types())
        return with_declared_parameters(self, shape.with_element(self.on_true.type.element_type))


OPERATIONS: Final[tuple[type[Op], ...]] = (
    BroadcastAdd,
    BroadcastAnd,
    BroadcastAtan2,
    BroadcastCompare,
    BroadcastComplex,
    BroadcastDivide,
    BroadcastMaximum,
    BroadcastMinimum,
    BroadcastMultiply,
    BroadcastNextAfter,
    BroadcastOr,
    BroadcastPolygamma,
    BroadcastPower,
    BroadcastRemainder,
    BroadcastSelect,
    BroadcastShiftLeft,
    BroadcastShiftRightArithmetic,
    BroadcastShiftRightLogical,
    BroadcastSubtract,
    BroadcastXor,
    BroadcastZeta,
)
