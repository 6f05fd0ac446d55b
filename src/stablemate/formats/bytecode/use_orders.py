"""The order of the uses of a value, and which regions use values from outside.

A producer keeps the uses of a value in a list, and passes may depend on its order, so a reader has
to restore it. The latest use comes first. A reader of bytecode creates an operation before the
operations in its regions, a parser of text after them: if both use a value, the file states the
order.

Source: MLIR bytecode format, "Use-list ordering".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from stablemate.ir.core import (
    BlockArgument,
    Module,
    Operation,
    OpResult,
    Region,
    UseOrder,
    Value,
)
from stablemate.ir.types import Type


def region_of(value: Value[Type]) -> Region | None:
    """Returns the region whose block defines a value."""
    owner = cast("OpResult | BlockArgument", value)
    block = owner.operation.parent if isinstance(owner, OpResult) else owner.block
    return None if block is None else block.parent


class Captures:
    """The values that the regions of operations use from outside.

    Attributes:
        open: Operations with a region that uses a value from outside.
        values: Values that are used in a region nested in theirs.
    """

    def __init__(self, top: Operation) -> None:
        self.open: set[Operation] = set()
        self.values: set[Value[Type]] = set()
        for operation in top.walk():
            block = operation.parent
            region = None if block is None else block.parent
            for operand in operation.operands:
                home = region_of(operand)
                if home is not region:
                    self.values.add(operand)
                    self.mark(region, home)

    def mark(self, inner: Region | None, home: Region | None) -> None:
        """Marks the operations between two regions as open."""
        region = inner
        while region is not None and region is not home:
            operation = region.parent
            if operation is None:
                return
            self.open.add(operation)
            region = None if operation.parent is None else operation.parent.parent


def use_orders(module: Module, captures: Captures) -> Mapping[Value[Type], UseOrder]:
    """Returns the use-list orders that a file of this module states.

    A module that was read from bytecode keeps the orders of its file. For text, the order is that
    of MLIR's parser: it creates an operation after the operations in its regions.
    """
    if module.origin is not None:
        return file_orders(module, module.origin.use_orders)
    if module.source is None or module.source.binary or not captures.values:
        return {}
    places = use_places(module.operation, captures.values)
    orders = ((value, order_of(uses)) for value, uses in places.items())
    return {value: order for value, order in orders if order is not None}


def file_orders(
    module: Module, orders: Mapping[Value[Type], UseOrder]
) -> Mapping[Value[Type], UseOrder]:
    """Returns the orders of the file that are still valid: passes may have changed the uses."""
    if not orders or not module.version:
        return orders
    counts: dict[Value[Type], int] = dict.fromkeys(orders, 0)
    for operation in module.operation.walk():
        for operand in operation.operands:
            if operand in counts:
                counts[operand] += 1
    return {value: order for value, order in orders.items() if is_order_of(order, counts[value])}


def is_order_of(order: UseOrder, uses: int) -> bool:
    """Whether an order is valid for this number of uses."""
    if order.pairs:
        return all(number < uses for number in order.numbers)
    return sorted(order.numbers) == list(range(uses))


def walk_twice(top: Operation) -> Iterator[tuple[Operation, bool]]:
    """Yields every operation twice, outermost first: before its regions and after them."""
    pending = [(top, False)]
    while pending:
        operation, level = pending.pop()
        yield operation, level
        if not level:
            pending.append((operation, True))
            for region in reversed(operation.regions):
                for block in reversed(region.blocks):
                    pending += [(operation, False) for operation in reversed(block.operations)]


def use_places(
    top: Operation, values: set[Value[Type]]
) -> dict[Value[Type], list[tuple[tuple[int, int], tuple[int, int]]]]:
    """Returns the uses of each value as (operation, operand), operations numbered in two ways.

    Returns:
        First numbers that count operations before their regions, then after them.
    """
    numbers: dict[Operation, int] = {}
    places: dict[Value[Type], list[tuple[tuple[int, int], tuple[int, int]]]] = {}
    behind_count = 0
    for operation, is_behind in walk_twice(top):
        if not is_behind:
            numbers[operation] = len(numbers)
            continue
        for i, operand in enumerate(operation.operands):
            if operand in values:
                places_of_operand = places.setdefault(operand, [])
                places_of_operand.append(((numbers[operation], i), (behind_count, i)))
        behind_count += 1
    return places


def order_of(uses: list[tuple[tuple[int, int], tuple[int, int]]]) -> UseOrder | None:
    """Returns the order to state; None if it is the order in which a file is read."""
    latest_first = sorted(uses, key=lambda use: use[1], reverse=True)
    positions = {before: position for position, (before, _) in enumerate(latest_first)}
    order = [positions[before] for before in sorted(positions, reverse=True)]
    moved = [i for i, position in enumerate(order) if i != position]
    if not moved:
        return None
    if len(moved) < len(order) // 2:
        return UseOrder(tuple(number for i in moved for number in (order[i], i)), True)
    return UseOrder(tuple(order))
