"""Weights of 4 bits as entries of tables of 16 numbers that a register holds.

Whatever a program computes of a code of 4 bits, with what all lanes share, such as a scale and a
zero point, it computes once for all 16 codes; each weight then is an entry, with the same bits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.evaluator import evaluated_constant
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, DTYPES
from stablemate.compiler.loops.statements import (
    Loop,
    Statement,
    StoreElement,
    rebuild_expression,
)
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.compiler.schedule.schedule import (
    LoopDimension,
    LoopScheduler,
    subexpressions,
    substitute_indices,
)
from stablemate.deferred_dataclasses import dataclass

ENTRIES: Final = 16  # of a table: the values that a code of four bits has
CODE_BITS: Final = 4  # of an index into a table
OPERATOR: Final = "table_entry"
# Tables in registers save a load for each code, and leave fewer registers for sums:
# ``python -m benchmarks.decoding products`` measures weights of four bits.
MOST_TABLES: Final = 8  # that registers hold besides sums


class CodeTables:
    """The tables of one kernel, and the weights that are entries of them.

    Attributes:
        lane: The index of a lane, for which each vector loop substitutes its own.
        buffers: The register of each table, by what its entries are.
    """

    def __init__(self, scheduler: LoopScheduler, register: str) -> None:
        self.scheduler = scheduler
        self.register = register
        self.lane = LoopDimension(scheduler.index(ENTRIES), ENTRIES)
        self.buffers: dict[Expression, Buffer] = {}

    def looked_up(
        self, value: Expression, along: Expression, excluded: Collection[Expression] = ()
    ) -> Expression:
        """The value, with the largest parts that depend on lanes by a code alone as entries.

        Args:
            value: The value.
            along: The atom of the index that lanes differ in.
            excluded: The indices that tables must not depend on.
        """
        results: dict[Expression, Expression] = {}
        pending, seen = [value], set[Expression]()
        while pending:
            part = pending.pop()
            if along not in part.loops or part in seen:
                continue
            seen.add(part)
            coded = coded_value(part, along, self.lane.index) if part.type == "f32" else None
            if coded is not None and coded.entries.loops.isdisjoint(excluded):
                results[part] = self.entry(coded)
            elif part.type != "index":
                pending += part.operands
        return rebuilt_expression(value, results) if results else value

    def all_looked_up(
        self, values: Sequence[Sequence[Expression]], along: Expression,
        excluded: Collection[Expression] = (),
    ) -> list[list[Expression]]:  # fmt: skip
        """All values by ``looked_up``; as they are if that takes too many tables."""
        result = [[self.looked_up(value, along, excluded) for value in parts] for parts in values]
        if len(self.buffers) <= MOST_TABLES:
            return result
        self.buffers.clear()
        return [list(parts) for parts in values]

    def entry(self, coded: CodedValue) -> Expression:
        """A coded value as an entry."""
        name = f"table{len(self.buffers)}"
        buffer = self.buffers.setdefault(
            coded.entries, Buffer(name, self.register, (ENTRIES,), "register")
        )
        table = coded.index.table
        return table.apply(OPERATOR, table.load_at(buffer, self.lane.index), coded.index)

    @property
    def stores(self) -> list[Statement]:
        """Stores the entries of all tables, in one vector loop."""
        if not self.buffers:
            return []
        lane = self.lane.index
        stores = [StoreElement(buffer, lane, value) for value, buffer in self.buffers.items()]
        index = self.scheduler.index(ENTRIES)
        body = substitute_indices(stores, [(self.lane.atom, index)])
        return [Loop(index, ENTRIES, "vector", body)]


@dataclass(frozen=True, slots=True)
class CodedValue:
    """A value that depends on lanes by a code alone.

    Attributes:
        index: An ``i32`` whose low bits are the code.
        entries: The value where the code is the number of the lane.
    """

    index: Expression
    entries: Expression


def coded_value(value: Expression, along: Expression, lane: Expression) -> CodedValue | None:
    """The value as an entry of a table; None if it depends on lanes by more than a code.

    Args:
        value: The value.
        along: The atom of the index that lanes differ in.
        lane: The index of a lane of a vector of 16.
    """
    code = code_of(value, along)
    if code is None:
        return None
    expression, index, is_signed = code
    number = codes(lane, expression.type, is_signed=is_signed)
    return CodedValue(index, with_code(value, expression, number, lane))


def code_of(value: Expression, lane: Expression) -> tuple[Expression, Expression, bool] | None:
    """The only part by which a value depends on lanes: it, its index, whether it has a sign."""
    found: dict[Expression, tuple[Expression, Expression, bool]] = {}
    pending, seen = [value], set[Expression]()
    while pending:
        part = pending.pop()
        if lane not in part.loops or part in seen:
            continue
        seen.add(part)
        code = matched_code(part)
        if code is not None:
            found[part] = (part, *code)
        elif part.operator == "load" and part.operands[0].operator == "sum":
            place = [atom for atom, _ in part.operands[0].terms if lane in atom.loops]
            if any(atom.operator != "position" for atom in place):
                return None
            pending += place
        else:
            pending += part.operands
    return next(iter(found.values())) if len(found) == 1 else None


def matched_code(part: Expression) -> tuple[Expression, bool] | None:
    """The index of a part that is one of 16 integers, and whether they have a sign."""
    if part.type not in ("i8", "i16", "i32") or len(part.operands) != 2:
        return None
    operand, amount = part.operands
    if amount.operator != "constant":
        return None
    top = BITS[part.type] - CODE_BITS
    match part.operator:
        case "and" if amount.detail == ENTRIES - 1:
            return wide_index(operand), False
        case "lshr" | "ashr" if amount.detail == top:
            return wide_index(part, operand), part.operator == "ashr"
        case _:
            return None


def wide_index(part: Expression, shifted: Expression | None = None) -> Expression:
    """An ``i32`` with the same low bits; that of a shift to the top and back is what is shifted."""
    table = part.table
    if (
        shifted is not None
        and shifted.operator == "shl"
        and shifted.operands[1] is part.operands[1]
    ):
        part = shifted.operands[0]
    if part.operator in ("lshr", "ashr") and part.operands[1].operator == "constant":
        source, amount = part.operands
        wide = table.convert("zext", source, "i32")
        return table.apply("lshr", wide, table.bits(amount.detail, "i32"))
    return table.convert("zext", part, "i32")


def codes(number: Expression, element: str, *, is_signed: bool) -> Expression:
    """The codes of all lanes, as integers of a type."""
    table = number.table
    code = table.convert("trunc", table.number(number), element)
    if not is_signed:
        return code
    amount = table.bits(BITS[element] - CODE_BITS, element)
    return table.apply("ashr", table.apply("shl", code, amount), amount)


def with_code(
    value: Expression, code: Expression, replacement: Expression, lane: Expression
) -> Expression:
    """The value with another expression in the place of its code.

    A position that is equal to the code is the number of the lane, where neighbors are read.
    """
    results = {code: replacement}
    for part in subexpressions([value]):
        if part.operator == "position" and positions(part, code) == list(range(ENTRIES)):
            results[part] = lane
    return rebuilt_expression(value, results)


def rebuilt_expression(value: Expression, results: dict[Expression, Expression]) -> Expression:
    """The expression with others in the places of some of its parts."""

    def rebuilt(part: Expression) -> Expression:
        operands = [results[operand] for operand in part.operands]
        pairs = zip(operands, part.operands, strict=True)
        if all(new is old for new, old in pairs):
            return part
        return rebuild_expression(part.table, part, operands)

    return evaluate_postorder(value, results, rebuilt)


def positions(position: Expression, code: Expression) -> Sequence[int]:
    """The positions that all codes without a sign have; none if they depend on anything else."""
    (operand,) = position.operands
    result: list[int] = []
    for number in range(ENTRIES):
        constant = code.table.bits(number, code.type)
        fixed = rebuilt_expression(operand, {code: constant})
        if fixed.reads or fixed.loops:
            return []
        bits = evaluated_constant(fixed)
        value = int(np.frombuffer(bits, DTYPES[operand.type])[0])
        result.append(min(max(value, 0), position.detail))
    return result
