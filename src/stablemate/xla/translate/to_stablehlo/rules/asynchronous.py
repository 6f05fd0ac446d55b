"""Asynchronous instructions: a start, updates and a done.

A start of which nothing but its end makes use is ``async_start`` where StableHLO has that: of one
collective operation or slice with one result. Any other start is done at once; its end hands the
result on.

Source: StableHLO specification, async_start, async_done; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from stablemate.ir.core import Region
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import FutureType
from stablemate.xla.translate.to_stablehlo.rules.collectives import (
    all_gather_start,
    all_reduce,
    collective_permute,
    collective_permute_start,
    gather_shapes,
    handed_on,
    second_part,
)
from stablemate.xla.translate.to_stablehlo.step import (
    AnyValue,
    Rule,
    Rules,
    StepOperand,
    TranslationStep,
    Values,
)


def begun(inner: Rule, at_once: Rule) -> Rule:
    """The rule of a start: how the operation begins, and what is done if it cannot."""

    def start(step: TranslationStep) -> Values:
        if not step.is_paired or any(operand.shape.is_tuple for operand in step.operands):
            return at_once(step)

        def body(within: TranslationStep, *arguments: AnyValue) -> Values:
            pairs = zip(step.operands, arguments, strict=True)
            operands = [StepOperand(operand.shape, (argument,)) for operand, argument in pairs]
            return inner(replace(within, operands=operands))

        return future(step, step.body([leaf.type for leaf in step.leaves()], body), at_once)

    return start


def future(step: TranslationStep, region: Region, at_once: Rule) -> Values:
    """``async_start`` of a region, if StableHLO lets it begin."""
    first, last = region.block.operations[0], region.block.operations[-1]
    single = len(region.block.operations) == 2 and len(last.operands) == 1
    if not single or not has_trait(first, Trait.ASYNCHRONOUS):
        return at_once(step)
    return [step.one("stablehlo.async_start", operands=step.leaves(), regions=[region])]


def async_start(step: TranslationStep) -> Values:
    """``async_start`` of a computation of one instruction, or all of the computation at once."""
    if not step.is_paired:
        return async_values(step)
    return future(step, step.region("calls"), async_values)


def async_values(step: TranslationStep) -> Values:
    """The operands, the result of the computation, and contexts without contents."""
    result = step.scope.inline(step.need("calls"), step.operands, step)
    return step.with_contexts([*step.leaves(), *result])


def done_rule(at_once: Callable[[TranslationStep], Values]) -> Rule:
    """The rule of an end: ``async_done``, or what its start has already."""

    def translate_done(step: TranslationStep) -> Values:
        value = step.operands[0].values[0]
        if isinstance(value.type, FutureType):
            return [step.one("stablehlo.async_done", operand=value)]
        return at_once(step)

    return translate_done


RULES: Final[Rules] = {
    "all-reduce-start": begun(all_reduce, all_reduce),
    "all-reduce-done": done_rule(handed_on),
    "all-gather-start": begun(
        lambda step: gather_shapes(step, step.declared_shape.elements[1]), all_gather_start
    ),
    "all-gather-done": done_rule(second_part),
    "collective-permute-start": begun(collective_permute, collective_permute_start),
    "collective-permute-done": done_rule(second_part),
    "async-start": async_start,
    "async-update": handed_on,
    "async-done": done_rule(second_part),
}
