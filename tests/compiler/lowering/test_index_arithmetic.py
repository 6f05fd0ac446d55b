"""Index arithmetic: what is simplified stays equal, and inside the range that it states."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.statements import Loop, StoreElement
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler
from stablemate.numerics.symbolic_sizes import Assumptions

EXTENTS = st.lists(st.integers(1, 9), min_size=3, max_size=3)
FACTORS = st.sampled_from([1, 2, 3, 4, 6, 8, 12, 16])
STEPS = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 2), st.sampled_from([1, 2, 3, 8, -1])),
    st.tuples(st.just("scale"), st.just(0), FACTORS),
    st.tuples(st.just("quotient"), st.just(0), FACTORS),
    st.tuples(st.just("remainder"), st.just(0), FACTORS),
    st.tuples(st.just("least"), st.just(0), st.integers(0, 20)),
    st.tuples(st.just("greatest"), st.just(0), st.integers(0, 5)),
)


def value_of(index: Expression, loops: Mapping[Expression, int]) -> int:
    """The value of an index, by what its parts mean."""
    if index in loops:
        return loops[index]
    operands = [value_of(operand, loops) for operand in index.operands]
    match index.operator:
        case "sum":
            constant, *coefficients = index.detail
            return constant + sum(c * v for c, v in zip(coefficients, operands, strict=True))
        case "quotient":
            return operands[0] // index.detail
        case "remainder":
            return operands[0] % index.detail
        case "least":
            return min(operands[0], index.detail)
        case "greatest":
            return max(operands[0], index.detail)
        case other:
            raise AssertionError(other)


@given(EXTENTS, st.lists(STEPS, max_size=6), st.data())
def test_index_has_the_value_of_its_formula(
    extents: list[int], steps: list[tuple[str, int, int]], data: st.DataObject
) -> None:
    table = Expressions()
    indices = [table.loop_index(f"i{k}", extent) for k, extent in enumerate(extents)]
    values = [data.draw(st.integers(0, extent - 1)) for extent in extents]
    index, expected = indices[0], values[0]
    for name, position, number in steps:
        if name in ("quotient", "remainder") and index.low < 0:
            continue
        match name:
            case "add":
                index, expected = (
                    index + indices[position] * number,
                    expected + values[position] * number,
                )
            case "scale":
                index, expected = index * number, expected * number
            case "quotient":
                index, expected = index // number, expected // number
            case "remainder":
                index, expected = index % number, expected % number
            case "least":
                index, expected = table.least(index, number), min(expected, number)
            case _:
                index, expected = table.greatest(index, number), max(expected, number)
    loops = {index.operands[0]: value for index, value in zip(indices, values, strict=True)}
    assert value_of(index, loops) == expected
    assert index.low <= expected <= index.high


def test_reshape_of_whole_dimensions_has_no_division() -> None:
    table = Expressions()
    i, j = table.loop_index("i", 12), table.loop_index("j", 8)
    number = i * 8 + j
    assert number // 8 is i
    assert number % 8 is j


def test_reshape_that_splits_keeps_what_is_whole() -> None:
    table = Expressions()
    i, j = table.loop_index("i", 12), table.loop_index("j", 8)
    number = i * 8 + j  # [12, 8] as [6, 16]
    assert number // 16 is i // 2
    assert number % 16 is (i % 2) * 8 + j


@given(
    st.lists(st.integers(2, 6), min_size=2, max_size=3),
    st.lists(st.tuples(st.sampled_from(["quotient", "remainder"]), st.integers(1, 20)), max_size=3),
)
def test_dimensions_that_act_as_one_keep_what_is_computed_from_them(
    extents: list[int], steps: list[tuple[str, int]]
) -> None:
    table = Expressions()
    scheduler = LoopScheduler(table, 16)
    loops = [LoopDimension(scheduler.index(extent), extent) for extent in extents]
    number = table.sum(0, ())
    for loop in loops:
        number = number * loop.extent + loop.index
    formula = number
    for name, divisor in steps:
        formula = formula // divisor if name == "quotient" else formula % divisor
    buffer = Buffer("x", "i32", (prod(extents),))
    body = [StoreElement(buffer, number, table.load_at(buffer, formula))]
    collapsed, (store,) = scheduler.collapse(loops, body)
    assert isinstance(store, StoreElement)
    for expected, values in enumerate(product(*[range(item.extent) for item in collapsed])):
        by_key = {item.atom: v for item, v in zip(collapsed, values, strict=True)}
        assert value_of(store.place, by_key) == expected
        for name, divisor in steps:
            expected = expected // divisor if name == "quotient" else expected % divisor
        assert value_of(store.value.operands[0], by_key) == expected


def test_the_index_of_a_loop_that_may_have_no_iterations_is_not_negative() -> None:
    table = Expressions()
    scheduler = LoopScheduler(table, 16)
    size: Any = Assumptions().variable(40)  # extents may be symbolic, typed as numbers
    buffer = Buffer("x", "i32", (100,))
    nests: list[list[Loop]] = []
    for extent in (size - 5, size - 7, size):
        index, inner = scheduler.index(extent), scheduler.index(4)
        store = StoreElement(buffer, inner, table.load_at(buffer, index // 3 + inner))
        body = [Loop(inner, 4, "serial", [store])]
        nests.append([Loop(index, extent, "serial", body, parallel=True)])
    (loop,) = scheduler.merged_loops(nests)
    assert isinstance(loop, Loop)
    assert loop.extent == 3 * size - 12
