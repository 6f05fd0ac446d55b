"""Steps that append operations of CHLO."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.chlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    RaggedDotDimensionNumbers,
)
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.attributes import IntegerAttribute, dense_elements, float_attribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import RESULT_SEGMENT_SIZES
from stablemate.ir.kinds import I32_ARRAY
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BOOLEAN,
    I32,
    I64,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from tests.properties.generation import region_bodies as bodies
from tests.properties.generation.data_movement import ranked
from tests.properties.generation.elementwise import BITS, EQUALITIES, NUMBERS
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    COMPLEXES,
    FLOATS,
    INTEGERS,
    MAXIMUM_SIZE,
    WIDE_FLOATS,
    Draft,
    Tensor,
)
from tests.properties.generation.values import array_of

BOTH: Final = (*FLOATS, *COMPLEXES)
UNARY: Final[Mapping[str, Sequence[ElementType]]] = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh"), BOTH),
    **dict.fromkeys(("cosh", "sinh", "tan", "square", "conj"), BOTH),
    **dict.fromkeys(("bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma"), FLOATS),
    **dict.fromkeys(("is_inf", "is_neg_inf", "is_pos_inf"), FLOATS),
    "_asin_acos_kernel": COMPLEXES,
}
LONG: Final = frozenset(  # many operations each, which take long to compile
    ("bessel_i1e", "digamma", "lgamma", "polygamma", "zeta", "erf_inv", "_asin_acos_kernel")
)
REAL: Final = (*INTEGERS, *FLOATS)
BROADCAST: Final[Mapping[str, Sequence[ElementType]]] = {
    **dict.fromkeys(("add", "maximum", "minimum", "multiply"), ALL_ELEMENTS),
    **dict.fromkeys(("subtract", "divide", "power"), NUMBERS),
    **dict.fromkeys(("and", "or", "xor"), BITS),
    "remainder": REAL,
    "atan2": BOTH,
    "complex": WIDE_FLOATS,
    "next_after": FLOATS,
    **dict.fromkeys(("shift_left", "shift_right_arithmetic", "shift_right_logical"), INTEGERS),
    **dict.fromkeys(("polygamma", "zeta"), FLOATS),
}


def append(draft: Draft, name: str, **fields: Any) -> Operation:
    """Appends an operation of CHLO."""
    return draft.append(OPERATIONS[f"chlo.{name}"], **fields)


def one_of(draft: Draft, names: Sequence[str]) -> str:
    """One of the names, seldom of those that take long."""
    is_long = draft.choices.chance(8)
    return draft.choices.of([name for name in names if (name in LONG) == is_long])


def unary(draft: Draft) -> None:
    """An operation of one operand."""
    name = one_of(draft, tuple(UNARY))
    append(draft, name, operand=draft.operand(UNARY[name]))


def binary(draft: Draft) -> None:
    """An operation of two operands of one type."""
    name = one_of(draft, ("mulhi", "next_after", "polygamma", "zeta"))
    first = draft.operand(INTEGERS if name == "mulhi" else FLOATS)
    names = {"mulhi": ("lhs", "rhs"), "next_after": ("x", "y"), "zeta": ("x", "q")}
    one, two = names.get(name, ("n", "x"))
    append(draft, name, **{one: first, two: draft.like(first.type)})


def partner(draft: Draft, type_: TensorType, element: ElementType) -> tuple[Tensor, Any]:
    """A tensor that broadcasts with another one, and where its dimensions go if that is said."""
    choices, rank = draft.choices, type_.rank
    kept = sorted(choices.some(range(rank), choices.integer(0, rank)))
    is_stated = choices.chance(50) and len(kept) < rank
    if not is_stated:
        kept = list(range(rank - len(kept), rank))
    shape = [1 if choices.chance(25) else type_.shape[d] for d in kept]
    return draft.like(tensor(element, *shape)), kept if is_stated else None


def broadcast_binary(draft: Draft) -> None:
    """An operation of two operands that broadcast."""
    name = one_of(draft, (*BROADCAST, "compare"))
    fields: dict[str, Any] = {}
    lhs = draft.operand(BROADCAST.get(name, ALL_ELEMENTS))
    element = lhs.type.element_type
    if name == "compare":
        directions = EQUALITIES if isinstance(element, ComplexType) else bodies.ComparisonDirection
        direction = draft.choices.of(tuple(directions))
        fields["comparison_direction"] = ComparisonDirection[direction.name]
        fields["compare_type"] = draft.choices.of(comparison_types(element))
    rhs, dimensions = partner(draft, lhs.type, element)
    if lhs.type.rank > rhs.type.rank and draft.choices.chance(40):
        lhs, rhs = rhs, lhs
    append(draft, f"broadcast_{name}", lhs=lhs, rhs=rhs, broadcast_dimensions=dimensions, **fields)


def comparison_types(element: ElementType) -> Sequence[ComparisonType | None]:
    """What may be said of a comparison of such elements."""
    match element:
        case IntegerType():
            return (None, ComparisonType[("SIGNED", "UNSIGNED")[element.is_unsigned]])
        case FloatType():
            return (None, ComparisonType.FLOAT, ComparisonType.TOTALORDER)
        case _:
            return (None, ComparisonType.FLOAT)


def broadcast_select(draft: Draft) -> None:
    """A selection between tensors that broadcast."""
    on_true = draft.operand(ALL_ELEMENTS)
    rank, shape = on_true.type.rank, on_true.type.shape
    others = []
    for element in (on_true.type.element_type, BOOLEAN):
        count = draft.choices.integer(0, rank)
        sizes = [1 if draft.choices.chance(25) else size for size in shape[rank - count :]]
        others.append(draft.like(tensor(element, *sizes)))
    values = draft.choices.permutation([on_true, others[0]])
    append(draft, "broadcast_select", pred=others[1], on_true=values[0], on_false=values[1])


def top_k(draft: Draft) -> None:
    """The largest elements along the last dimension."""
    operand = draft.operand(REAL, lambda t: t.rank > 0, lambda: draft.shape(1))
    k = operand.type.shape[-1] - draft.choices.integer(0, operand.type.shape[-1])
    append(draft, "top_k", operand=operand, k=k)


def constant(draft: Draft) -> None:
    """A literal."""
    type_ = tensor(draft.element(ALL_ELEMENTS), *draft.shape())
    append(draft, "constant", value=dense_elements(type_, array_of(draft.choices, type_)))


def constant_like(draft: Draft) -> None:
    """A number in the shape of a tensor."""
    operand = ranked(draft)
    element = draft.element((*INTEGERS, *WIDE_FLOATS))
    value = array_of(draft.choices, tensor(element), "small")
    number: Any = (
        float_attribute(float(value), element)
        if isinstance(element, FloatType)
        else IntegerAttribute(int(value), element)  # type: ignore[arg-type]
    )
    append(draft, "constant_like", operand=operand, value=number)


def ragged_dot(draft: Draft) -> None:
    """A product whose rows, contracted or batching dimension stand in groups."""
    choices = draft.choices
    batch, rows, terms, columns = (draft.size(1) for _ in range(4))
    has_batch = choices.chance(40)
    groups = choices.integer(1, 3)
    element = draft.element((*INTEGERS, *FLOATS, *COMPLEXES))
    mode = choices.of(("free", "contracting", "batching")[: 3 if has_batch else 2])
    front = [batch] if has_batch else []
    b = len(front)
    numbers = RaggedDotDimensionNumbers(
        lhs_batching_dimensions=tuple(range(b)),
        rhs_batching_dimensions=tuple(range(b)),
        lhs_contracting_dimensions=(b + 1,),
        rhs_contracting_dimensions=(b + 1,) if mode == "free" else (b,),
        lhs_ragged_dimensions=({"free": b, "contracting": b + 1, "batching": 0}[mode],),
        rhs_group_dimensions=(b,) if mode == "free" else (),
    )
    lhs = draft.like(tensor(element, *front, rows, terms), "small")
    middle = [groups] if mode == "free" else []
    rhs = draft.like(tensor(element, *front, *middle, terms, columns), "small")
    whole = {"free": rows, "contracting": terms, "batching": batch}[mode]
    cuts = sorted(choices.integer(0, whole) for _ in range(groups - 1))
    sizes = np.diff([0, *cuts, whole])
    result = [groups] if mode == "contracting" else []
    if np.prod([*result, *front, rows, columns]) <= MAXIMUM_SIZE:
        append(
            draft,
            "ragged_dot",
            lhs=lhs,
            rhs=rhs,
            group_sizes=draft.given(tensor(choices.of((I32, I64)), groups), sizes),
            ragged_dot_dimension_numbers=numbers,
            results=[tensor(element, *result, *front, rows, columns)],
        )


def scan(draft: Draft) -> None:
    """A loop over the slices of a tensor."""
    operand = draft.operand(
        ALL_ELEMENTS, lambda t: 1 <= t.rank <= 3, lambda: draft.shape(1, 3), "small"
    )
    choices, shape = draft.choices, operand.type.shape
    dimension = choices.below(len(shape))
    rest = (*shape[:dimension], *shape[dimension + 1 :])
    element = operand.type.element_type
    carry_type = tensor(element, *rest)
    names = bodies.monoids(element)

    def step(inner: Draft, arguments: Sequence[Any]) -> Sequence[Any]:
        name = choices.of(names)
        result = inner.emit(name, lhs=arguments[1], rhs=arguments[0]).results[0]
        return [choices.of((result, arguments[1])), result]

    append_result = append(
        draft,
        "scan",
        inputs=[operand],
        inits=[draft.like(carry_type, "small")],
        dimension=dimension,
        is_reverse=choices.chance(30),
        regions=[draft.region([carry_type, carry_type], step)],
    )
    # As the text states it; operations that are built need not.
    append_result.attributes[RESULT_SEGMENT_SIZES] = I32_ARRAY.attribute([1, 1])


STEPS: Final = (
    (unary, 30),
    (binary, 10),
    (broadcast_binary, 30),
    (broadcast_select, 6),
    (top_k, 8),
    (constant, 2),
    (constant_like, 3),
    (ragged_dot, 6),
    (scan, 6),
)
