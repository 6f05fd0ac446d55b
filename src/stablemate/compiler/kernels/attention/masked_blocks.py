"""Which blocks of scores are masked as a whole, by comparisons of indices.

A condition on a block is derived from the expression of a logit: a choice between a score and a
large negative constant, where the choice depends on indices. It may hold without need; where it
does not hold, all weights of the block are zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BITS, DTYPES, FLOATS
from stablemate.compiler.schedule.schedule import LoopDimension

MASKED: Final = -2000.0  # constants below it mask scores: the exponential of half is zero
LARGEST: Final = 1 << 30  # constants that are added to indices; sums do not overflow
Ranges = Mapping[Expression, tuple[Expression, Expression]]  # the ends of the range of each index
Linear = tuple[int, dict[Expression, int]]  # a constant, and coefficients of indices


def may_contribute(logit: Expression, ranges: Ranges, lowest: Expression) -> Expression | None:
    """Whether a block may have weights that are not zero; None if it always may.

    Args:
        logit: The logit at any index.
        ranges: The range of each index in the block.
        lowest: The least of the largest logits of the rows so far.
    """
    table = logit.table
    masks: list[float] = []
    is_visible = visible(logit, ranges, masks)
    if is_visible is None or not masks:
        return None
    # Half of a mask is so far above it that its exponential, relative to that, is zero.
    limit = table.constant(max(masks) / 2, lowest.type)
    is_open = table.apply("flt", limit, lowest) ^ table.bits(1, "i1")
    return is_visible | is_open


def may_be_masked(logit: Expression, loops: Iterable[LoopDimension]) -> bool:
    """Whether comparisons of indices mask blocks as a whole.

    Args:
        logit: The logit at any index.
        loops: The dimensions of queries and keys.
    """
    ranges = {loop.atom: (loop.index, loop.index) for loop in loops}
    zero = logit.table.constant(0.0, "f32")
    return may_contribute(logit, ranges, zero) is not None


def visible(logit: Expression, ranges: Ranges, masks: list[float]) -> Expression | None:
    """Whether a logit of a block may be another value than a mask; None if that is not known.

    Args:
        logit: The logit.
        ranges: The ranges of the block.
        masks: Receives the constants that mask.
    """
    if logit.operator.startswith(("decode_", "encode_")):
        return visible(logit.operands[0], ranges, masks)
    if logit.operator == "fadd":
        for added in logit.operands:
            found: list[float] = []
            is_visible = visible(added, ranges, found)
            if is_visible is not None and found == [float("-inf")] * len(found):
                masks += found
                return is_visible
        return None
    if logit.operator != "select":
        return None
    condition, yes, no = logit.operands
    for value, mask, truth in ((yes, no, True), (no, yes, False)):
        constant = mask_of(mask)
        if constant is None:
            continue
        masks.append(constant)
        return both(possible(condition, ranges, truth), visible(value, ranges, masks))
    return None


def mask_of(value: Expression) -> float | None:
    """The constant that masks a score; None if it is none."""
    if value.operator != "constant" or value.type not in FLOATS:
        return None
    constant = float(np.array(value.detail, f"u{BITS[value.type] // 8}").view(DTYPES[value.type]))
    return constant if constant <= MASKED else None


def both(one: Expression | None, other: Expression | None) -> Expression | None:
    """Whether both hold; what is not known may hold."""
    if one is None or other is None:
        return one or other
    return one & other


def either(one: Expression | None, other: Expression | None) -> Expression | None:
    """Whether one of both holds; None if one is not known."""
    return None if one is None or other is None else one | other


def possible(condition: Expression, ranges: Ranges, truth: bool) -> Expression | None:
    """Whether a condition may be true (false) somewhere in a block; None if that is not known."""
    operands = condition.operands
    match condition.operator:
        case "constant":
            return condition.table.bits(bool(condition.detail) is truth, "i1")
        case "and" | "or" as operator:
            combine = both if (operator == "and") is truth else either
            first, second = (possible(operand, ranges, truth) for operand in operands)
            return combine(first, second)
        case "xor" if operands[1].operator == "constant":
            return possible(operands[0], ranges, truth is not bool(operands[1].detail))
        case "select":
            return possible_choice(condition, ranges, truth)
        case "slt" | "sle":
            return possible_order(condition, ranges, truth)
        case _:
            return None


def possible_choice(choice: Expression, ranges: Ranges, truth: bool) -> Expression | None:
    """The same of a choice between conditions."""
    which, yes, no = choice.operands
    cases = [
        both(possible(which, ranges, chosen), possible(value, ranges, truth))
        for value, chosen in ((yes, True), (no, False))
    ]
    return either(*cases)


def possible_order(order: Expression, ranges: Ranges, truth: bool) -> Expression | None:
    """The same of ``lhs < rhs`` or ``lhs <= rhs`` of sums of indices."""
    lhs, rhs = map(linear, order.operands)
    if lhs is None or rhs is None:
        return None
    strict = order.operator == "slt"
    if truth:
        return may_reach(rhs, lhs, int(strict), ranges)
    return may_reach(lhs, rhs, int(not strict), ranges)


def may_reach(high: Linear, low: Linear, least: int, ranges: Ranges) -> Expression | None:
    """Whether ``high - low >= least`` somewhere in a block."""
    total = {atom: high[1].get(atom, 0) - low[1].get(atom, 0) for atom in (*high[1], *low[1])}
    parts: list[tuple[Expression, int]] = []
    for atom, coefficient in total.items():
        if atom not in ranges:
            return None
        begin, end = ranges[atom]
        parts.append((end if coefficient > 0 else begin, coefficient))
    if not parts:
        return None
    table = parts[0][0].table
    greatest = table.weighted_sum(high[0] - low[0], parts)
    return table.apply("sle", table.constant(least, "index"), greatest)


def linear(value: Expression) -> Linear | None:
    """An integer as a sum of indices; None if it is none."""
    operands = value.operands
    match value.operator:
        case "number":
            constant, terms = terms_of(operands[0])
            return constant, dict(terms)
        case "constant" if value.type in ("i32", "i64"):
            bits = BITS[value.type]
            signed = value.detail - (value.detail >> (bits - 1) << bits)
            return (signed, {}) if abs(signed) < LARGEST else None
        case "trunc" | "sext" if value.type in ("i32", "i64"):
            return linear(operands[0])
        case "add" | "sub" as operator:
            first, second = map(linear, operands)
            if first is None or second is None:
                return None
            sign = 1 if operator == "add" else -1
            atoms = {
                atom: first[1].get(atom, 0) + sign * second[1].get(atom, 0)
                for atom in (*first[1], *second[1])
            }
            return first[0] + sign * second[0], atoms
        case _:
            return None
