"""Collective operations as the specification writes them, in NumPy and Python numbers, by hand.

Each function gives a line of a program, in which ``%x`` is what a process holds, and what each
process of a grid has then. Nothing here knows how the operations are carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final

import numpy as np

from tests.oracle.elements import DTYPES, Array

Rows = Sequence[Sequence[int]]
Values = Sequence[Array]  # by process, replica-major
CHANNEL: Final = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
GLOBAL: Final = f"{CHANNEL}, use_global_device_ids"


@dataclass(frozen=True)
class Grid:
    """Replicas and partitions."""

    replicas: int
    partitions: int

    def number(self, replica: int, partition: int) -> int:
        """The place of a process among all."""
        return replica * self.partitions + partition

    def cross_replica(self, rows: Rows) -> list[list[int]]:
        """Groups across replicas, for each partition."""
        return [[self.number(r, p) for r in row] for row in rows for p in range(self.partitions)]

    def cross_partition(self, rows: Rows) -> list[list[int]]:
        """Groups across partitions, for each replica."""
        return [[self.number(r, p) for p in row] for row in rows for r in range(self.replicas)]

    def cross_both(self, rows: Rows) -> list[list[int]]:
        """Groups of replicas with all their partitions."""
        return [[self.number(r, p) for p in range(self.partitions) for r in row] for row in rows]


@dataclass(frozen=True)
class Line:
    """An operation.

    Attributes:
        text: The operation; its operands are ``%x`` and constants.
        results: The types of its results.
        expected: What each process has.
    """

    text: str
    results: list[str]
    expected: list[list[Array]]


@dataclass(frozen=True)
class Setting:
    """The grid, the element type, and what each process holds: ``(4, 4)``."""

    grid: Grid
    element: str
    values: Values

    @property
    def count(self) -> int:
        """How many processes there are."""
        return self.grid.replicas * self.grid.partitions

    def type(self, *shape: int) -> str:
        """The text of a type."""
        return f"tensor<{''.join(f'{size}x' for size in shape)}{self.element}>"

    def line(
        self, name: str, attributes: str, shape: Sequence[int], expected: Sequence[Array],
        region: str = "",
    ) -> Line:  # fmt: skip
        """An operation of one operand and one result."""
        result = self.type(*shape)
        text = (
            f'"stablehlo.{name}"(%x) <{{{attributes}}}> {region} : ({self.type(4, 4)}) -> {result}'
        )
        return Line(text, [result], [[item] for item in expected])

    def zeros(self) -> Array:
        """What a process has that receives nothing."""
        return np.zeros((4, 4), self.values[0].dtype)


def literal(rows: Rows) -> str:
    """The literal of groups or pairs."""
    return f"dense<{[list(row) for row in rows]}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def by_group(
    setting: Setting, groups: Rows, formula: Callable[[list[Array], int], Array], default: Any
) -> list[Array]:
    """What each process has by a formula of what its group holds and its place there."""
    collected = [default] * setting.count
    for group in groups:
        for place, process in enumerate(group):
            collected[process] = formula([setting.values[item] for item in group], place)
    return collected


def strategies(grid: Grid) -> list[tuple[str, Rows, list[list[int]]]]:
    """Attributes, rows, and the groups they mean, for the three strategies of most operations."""
    replicas = [list(range(grid.replicas))[::-1]]
    everyone = list(range(grid.replicas * grid.partitions))
    halves = [everyone[::2][::-1], everyone[1::2]]
    single = [[replica] for replica in range(grid.replicas)]
    return [
        ("", replicas, grid.cross_replica(replicas)),
        (CHANNEL, single, grid.cross_both(single)),
        (CHANNEL, replicas, grid.cross_both(replicas)),
        (GLOBAL, halves, halves),
    ]


def one_axis(grid: Grid) -> list[tuple[str, Rows, list[list[int]]]]:
    """The same for operations that are across replicas, or across partitions."""
    replicas, partitions = (
        [list(range(partition))[::-1]] for partition in (grid.replicas, grid.partitions)
    )
    return [
        ("", replicas, grid.cross_replica(replicas)),
        (CHANNEL, partitions, grid.cross_partition(partitions)),
    ]


# ---- what only moves


def all_gather(setting: Setting) -> list[Line]:
    """All operands, side by side."""
    return [
        setting.line(
            "all_gather",
            f"all_gather_dim = {d} : i64, replica_groups = {literal(rows)}{attributes}",
            [4 * (len(groups[0]) if k == d else 1) for k in (0, 1)],
            by_group(setting, groups, lambda xs, _, d=d: np.concatenate(xs, d), None),
        )
        for attributes, rows, groups in strategies(setting.grid)
        for d in (0, 1)
    ]


def all_to_all(setting: Setting) -> list[Line]:
    """A part of each operand, side by side."""
    collected: list[Line] = []
    for attributes, rows, groups in one_axis(setting.grid):
        n = len(rows[0])
        for split, joined in ((0, 1), (1, 1), (1, 0)):
            shape = [4, 4]
            shape[split] //= n
            shape[joined] *= n

            def exchanged(xs: list[Array], k: int, d: int, into: int, n: int = n) -> Array:
                return np.concatenate([np.split(x, n, d)[k] for x in xs], into)

            formula = partial(exchanged, d=split, into=joined)
            text = (
                f"split_dimension = {split} : i64, concat_dimension = {joined} : i64, "
                f"split_count = {n} : i64, replica_groups = {literal(rows)}{attributes}"
            )
            expected = by_group(setting, groups, formula, None)
            collected.append(setting.line("all_to_all", text, shape, expected))
    return collected


def collective_permute(setting: Setting) -> list[Line]:
    """What the source of a pair holds; zeros where there is none."""
    collected: list[Line] = []
    for attributes, rows, _ in one_axis(setting.grid):
        n = len(rows[0])
        for pairs in ([[i, (i + 1) % n] for i in range(n)], [[n - 1, 0]]):
            across = setting.grid.cross_partition if attributes else setting.grid.cross_replica
            expected = [setting.zeros()] * setting.count
            for source, target in across(pairs):
                expected[target] = setting.values[source]
            text = f"source_target_pairs = {literal(pairs)}{attributes}"
            collected.append(setting.line("collective_permute", text, (4, 4), expected))
    return collected


def collective_broadcast(setting: Setting) -> list[Line]:
    """What the first of a group holds; zeros outside of groups."""
    return [
        setting.line(
            "collective_broadcast",
            f"replica_groups = {literal(rows)}{attributes}",
            (4, 4),
            by_group(setting, groups, lambda xs, _: xs[0], setting.zeros()),
        )
        for attributes, rows, groups in one_axis(setting.grid)
    ]


# ---- what combines

Reducer = Callable[[Array, Array], Array]


def folded(values: Sequence[Array], reducer: Reducer) -> Array:
    """One after another, in the order of the group."""
    return reduce(reducer, values)


def all_reduce(setting: Setting, region: str, reducer: Reducer) -> list[Line]:
    """All operands, combined."""
    return [
        setting.line(
            "all_reduce",
            f"replica_groups = {literal(rows)}{attributes}",
            (4, 4),
            by_group(setting, groups, lambda xs, _: folded(xs, reducer), None),
            region,
        )
        for attributes, rows, groups in strategies(setting.grid)
    ]


def reduce_scatter(setting: Setting, region: str, reducer: Reducer) -> list[Line]:
    """A part of the combined operands."""
    collected: list[Line] = []
    for attributes, rows, groups in strategies(setting.grid):
        for d in (0, 1):
            n = len(groups[0])

            def part(xs: list[Array], k: int, n: int = n, d: int = d) -> Array:
                return np.split(folded(xs, reducer), n, d)[k]

            shape = [4 // (n if k == d else 1) for k in (0, 1)]
            text = f"scatter_dimension = {d} : i64, replica_groups = {literal(rows)}{attributes}"
            expected = by_group(setting, groups, part, None)
            collected.append(setting.line("reduce_scatter", text, shape, expected, region))
    return collected


def collective_reduce(setting: Setting, region: str, reducer: Reducer) -> list[Line]:
    """The combined operands at the first of a group; zeros elsewhere."""
    collected: list[Line] = []
    for attributes, rows, groups in one_axis(setting.grid):

        def at_root(xs: list[Array], place: int) -> Array:
            return setting.zeros() if place else folded(xs, reducer)

        text = f"replica_groups = {literal(rows)}{attributes}"
        expected = by_group(setting, groups, at_root, setting.zeros())
        collected.append(setting.line("collective_reduce", text, (4, 4), expected, region))
    return collected


MOVES: Final = (all_gather, all_to_all, collective_permute, collective_broadcast)
FOLDS: Final = (all_reduce, reduce_scatter, collective_reduce)


def region(element: str, body: str) -> str:
    """A region of two elements ``%a`` and ``%b`` whose result is ``%r``."""
    t = f"tensor<{element}>"
    return f"({{\n ^bb0(%a: {t}, %b: {t}):\n {body}\n stablehlo.return %r : {t}\n }})"


# Elements that do not fill a byte, and how many bits they have.
NARROW: Final = {
    "i1": 1, "i2": 2, "ui2": 2, "i4": 4, "ui4": 4, "f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6,
}  # fmt: skip


def any_bits(element: str, seed: int) -> Array:
    """Elements of any bits, NaN among them; ``(4, 4)``."""
    dtype, generator = DTYPES[element], np.random.default_rng(seed)
    raw = generator.integers(0, 256, (4, 4 * dtype.itemsize), np.uint8)
    if element in NARROW:
        raw %= 1 << NARROW[element]
        return raw.view(dtype) if element.startswith("f") else raw.astype(dtype)
    return raw.view(dtype)
