"""Steps that append control flow: branches, loops, calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.ir.core import Region
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, I32, I64, UI8
from tests.properties.generation import data_movement as movement
from tests.properties.generation import elementwise, indexing, reductions
from tests.properties.generation import region_bodies as bodies
from tests.properties.generation.program_builder import ALL_ELEMENTS, Draft, Tensor

MAXIMUM_DEPTH: Final = 2
CARRY_ELEMENTS: Final = ALL_ELEMENTS


def body(draft: Draft, wanted: Sequence[TensorType]) -> list[Tensor]:
    """Some operations, and a value of each of the types wanted."""
    for _ in range(draft.choices.integer(0, 3)):
        nested_step(draft)
    return [draft.like(item) for item in wanted]


def nested_step(draft: Draft) -> None:
    """One operation inside a region or function."""
    family = draft.choices.weighted(
        (
            (elementwise.EXACT_STEPS, 50),
            (movement.EXACT_STEPS, 35),
            (reductions.EXACT_STEPS_HERE, 5),
            (indexing.EXACT_STEPS, 5),
            (NESTED_CONTROL, 5 if draft.depth < MAXIMUM_DEPTH else 0),
        )
    )
    draft.choices.weighted(family)(draft)


def results_of_branches(draft: Draft) -> list[TensorType]:
    """Types that branches return."""
    count = draft.choices.integer(1, 3)
    return [draft.operand(CARRY_ELEMENTS).type for _ in range(count)]


def branch(draft: Draft, wanted: Sequence[TensorType]) -> Region:
    """A branch; it uses what is in scope around it."""
    return draft.region([], lambda inner, _: body(inner, wanted), captures=True)


def if_(draft: Draft) -> None:
    """One of two branches."""
    wanted = results_of_branches(draft)
    pred = draft.scalar(BOOLEAN)
    draft.emit("if", pred=pred, results=wanted, regions=[branch(draft, wanted) for _ in range(2)])


def case(draft: Draft) -> None:
    """One of some branches; the last for an index out of range."""
    wanted = results_of_branches(draft)
    count = draft.choices.integer(1, 3)
    index = draft.scalar(I32)
    if draft.choices.chance(60):
        index = draft.given(tensor(I32), np.array(draft.choices.integer(0, count)))
    regions = [branch(draft, wanted) for _ in range(count)]
    draft.emit("case", index=index, results=wanted, regions=regions)


def while_(draft: Draft) -> None:
    """A loop of at most five iterations."""
    element = draft.choices.of((I32, I64, UI8))
    counter = draft.given(tensor(element), np.array(draft.choices.integer(0, 3)))
    carries = [draft.operand(CARRY_ELEMENTS) for _ in range(draft.choices.integer(0, 3))]
    operands = draft.choices.permutation([counter, *carries])
    place = operands.index(counter)
    types = [value.type for value in operands]
    limit = draft.choices.integer(0, 5)

    def goes_on(inner: Draft, arguments: Sequence[Any]) -> list[Tensor]:
        end = inner.constant(tensor(element), np.array(limit))
        return [bodies.comparison(inner, arguments[place], end, ComparisonDirection.LT)]

    def iterate(inner: Draft, arguments: Sequence[Any]) -> list[Tensor]:
        one = inner.constant(tensor(element), np.array(1))
        inner.pool.pop()
        values = body(inner, types)
        values[place] = inner.emit("add", lhs=arguments[place], rhs=one).results[0]
        return values

    draft.emit(
        "while",
        operand=operands,
        results=types,
        regions=[
            draft.region(types, goes_on),
            draft.region(types, iterate, captures=draft.choices.chance(40)),
        ],
    )


def call(draft: Draft) -> None:
    """A call of a new private function, or of one called before."""
    operands = [draft.operand(CARRY_ELEMENTS) for _ in range(draft.choices.integer(0, 3))]
    types = [value.type for value in operands]
    collected = [function for function in draft.functions if list(function.type.inputs) == types]
    if collected and draft.choices.chance(50):
        draft.call(draft.choices.of(collected), operands)
        return
    wanted = [*types[:1], *results_of_branches(draft)]
    function = draft.function(types, lambda inner, _: body(inner, wanted))
    if draft.choices.chance(25):
        draft.emit(
            "composite",
            inputs=operands,
            name="test.composite",
            decomposition=function.symbol,
            results=function.type.results,
        )
    else:
        draft.call(function, operands)


STEPS: Final = ((if_, 25), (case, 20), (while_, 35), (call, 20))
NESTED_CONTROL: Final = ((if_, 10), (case, 5), (while_, 10), (call, 5))
