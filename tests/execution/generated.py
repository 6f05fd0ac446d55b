"""Programs of several collective operations, drawn at random, with arithmetic and loops between.

``work`` is what each process runs, ``main`` runs it as all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Final

from stablemate.ir.grid import Grid
from tests.execution.grids import (
    GRIDS,
    Case,
    broadcast,
    channel,
    divided,
    matrix,
    permutation,
    reduction,
    region,
    tensor,
    two_strategies,
    values,
)

ELEMENTS: Final = ("f32", "f64", "f16", "bf16", "i32", "i64", "i8", "ui16", "i1", "f8E4M3FN")
FEW: Final = (1, 2, 3, 4, 6)  # elements of a dimension
MANY: Final = (1200, 4096)
MOST_ELEMENTS: Final = 1 << 17  # of a value
STEPS: Final = 5
MOST_ITERATIONS: Final = 4


@dataclass
class Draft:
    """A program that is being drawn.

    Attributes:
        random: Where it comes from.
        grid: The processes.
        element: The element type.
        shape: The shape of the last value.
        lines: What there is of it.
        name: The last value.
        count: How many values there are.
    """

    random: Random
    grid: Grid
    element: str
    shape: list[int]
    lines: list[str] = field(default_factory=list[str])
    name: str = "%x"
    count: int = 0

    @property
    def type(self) -> str:
        """The type of the last value."""
        return tensor(self.shape, self.element)

    def fresh(self) -> str:
        """The name of a new value."""
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str, shape: Sequence[int] | None = None) -> None:
        """Appends an operation on the last value, which the text calls ``%x``."""
        operand, name = self.type, self.fresh()
        if shape is not None:
            self.shape = list(shape)
        text = text.replace("(%x)", f"({self.name})")
        text = text.replace("handle = 1,", f"handle = {self.count},")  # of its own, for the oracle
        self.lines.append(f"{name} = {text} : ({operand}) -> {self.type}")
        self.name = name


Step = Callable[[Draft], None]


def all_reduce(draft: Draft) -> None:
    """Everyone has what all have together."""
    draft.emit(reduction(draft.random, draft.grid, draft.element))


def collective_permute(draft: Draft) -> None:
    """Rings, lines, and any pairs."""
    draft.emit(permutation(draft.random, draft.grid, rings=0.5))


def collective_broadcast(draft: Draft) -> None:
    """One of each group gives."""
    draft.emit(broadcast(draft.random, draft.grid))


def all_to_all(draft: Draft) -> None:
    """Pieces change places; along one dimension the shape stays."""
    attributes, ids = two_strategies(draft.random, draft.grid)
    groups = divided(draft.random, ids)
    count = len(groups[0])
    fitting = [d for d, size in enumerate(draft.shape) if size % count == 0]
    if not fitting:
        return
    split = draft.random.choice(fitting)
    body = (
        f"split_dimension = {split} : i64, concat_dimension = {split} : i64, "
        f"split_count = {count} : i64, replica_groups = {matrix(groups)}{attributes}"
    )
    draft.emit(f'"stablehlo.all_to_all"(%x) <{{{body}}}>')


def all_gather(draft: Draft) -> None:
    """Everyone has the pieces of all."""
    groups, attributes = gathering(draft)
    if not draft.shape:
        return
    d = draft.random.randrange(len(draft.shape))
    shape = [size * (len(groups[0]) if k == d else 1) for k, size in enumerate(draft.shape)]
    if prod(shape) > MOST_ELEMENTS:
        return
    body = f"all_gather_dim = {d} : i64, replica_groups = {matrix(groups)}{attributes}"
    draft.emit(f'"stablehlo.all_gather"(%x) <{{{body}}}>', shape)


def reduce_scatter(draft: Draft) -> None:
    """Everyone has a piece of what all have together."""
    groups, attributes = gathering(draft)
    count = len(groups[0])
    fitting = [d for d, size in enumerate(draft.shape) if size % count == 0]
    if not fitting:
        return
    d = draft.random.choice(fitting)
    shape = [size // (count if k == d else 1) for k, size in enumerate(draft.shape)]
    body = f"scatter_dimension = {d} : i64, replica_groups = {matrix(groups)}{attributes}"
    text = f'"stablehlo.reduce_scatter"(%x) <{{{body}}}>'
    draft.emit(f"{text} {region(draft.random, draft.element)}", shape)


def gathering(draft: Draft) -> tuple[list[list[int]], str]:
    """Groups of replicas, or of all processes, and the attributes that say so."""
    if draft.random.random() < 0.5:
        return divided(draft.random, draft.grid.num_replicas), ""
    return divided(draft.random, draft.grid.size), f"{channel(1)}, use_global_device_ids"


def place(draft: Draft) -> None:
    """The larger one of a value and the number of the process."""
    kind = draft.random.choice(["replica_id", "partition_id"])
    number, converted, whole = draft.fresh(), draft.fresh(), draft.fresh()
    scalar = tensor([], draft.element)
    draft.lines += [
        f"{number} = stablehlo.{kind} : tensor<ui32>",
        f"{converted} = stablehlo.convert {number} : (tensor<ui32>) -> {scalar}",
        f"{whole} = stablehlo.broadcast_in_dim {converted}, dims = [] : ({scalar}) -> {draft.type}",
    ]
    name = draft.fresh()
    draft.lines.append(f"{name} = stablehlo.maximum {draft.name}, {whole} : {draft.type}")
    draft.name = name


def reverse(draft: Draft) -> None:
    """The elements the other way round."""
    if not draft.shape:
        return
    d = draft.random.randrange(len(draft.shape))
    draft.emit(f'"stablehlo.reverse"(%x) <{{dimensions = array<i64: {d}>}}>')


SAME: Final[tuple[Step, ...]] = (
    all_reduce, collective_permute, collective_permute, collective_broadcast, all_to_all, place,
    reverse,
)  # fmt: skip
CHANGING: Final[tuple[Step, ...]] = (all_gather, reduce_scatter)


def loop(draft: Draft) -> None:
    """Steps that keep the shape, some times over."""
    iterations = draft.random.randint(0, MOST_ITERATIONS)
    i, state, outer, count = draft.fresh(), draft.fresh(), draft.lines, draft.fresh()
    before, kind = draft.name, draft.type
    draft.lines, draft.name = [], state
    for _ in range(draft.random.randint(1, 3)):
        draft.random.choice(SAME)(draft)
    body, last, following = draft.lines, draft.name, draft.fresh()
    result, zero, one, most, more = (draft.fresh() for _ in range(5))
    draft.lines = [
        *outer,
        f"{zero} = stablehlo.constant dense<0> : tensor<i32>",
        f"{one} = stablehlo.constant dense<1> : tensor<i32>",
        f"{most} = stablehlo.constant dense<{iterations}> : tensor<i32>",
        f"{result}:2 = stablehlo.while({i} = {zero}, {state} = {before}) : tensor<i32>, {kind}",
        "cond {",
        f"{more} = stablehlo.compare LT, {i}, {most} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        f"stablehlo.return {more} : tensor<i1>",
        "} do {",
        *body,
        f"{following} = stablehlo.add {i}, {one} : tensor<i32>",
        f"stablehlo.return {following}, {last} : tensor<i32>, {kind}",
        "}",
    ]
    draft.name = count
    draft.lines.append(f"{count} = stablehlo.optimization_barrier {result}#1 : {kind}")


def generated(seed: str, most: int = 8) -> tuple[Case, Callable[[int], Case]]:
    """A program for at most so many processes; and the same one with other arguments."""
    random = Random(seed)
    grid = Grid(*random.choice([grid for grid in GRIDS if 1 < grid[0] * grid[1] <= most]))
    shape = [random.choice(FEW) for _ in range(random.randint(0, 3))]
    if shape and random.random() < 0.3:
        shape[random.randrange(len(shape))] = random.choice(MANY)
    element = random.choice(ELEMENTS)
    draft = Draft(random, grid, element, list(shape))
    for _ in range(random.randint(1, STEPS)):
        random.choice((*SAME, *CHANGING, loop, loop))(draft)
    if draft.name == "%x":
        all_reduce(draft)
    operand, result = tensor(shape, element), draft.type
    body = "\n  ".join(draft.lines)
    operation = f"{body}\n  %r = stablehlo.optimization_barrier {draft.name} : {result}"

    def with_arguments(number: int) -> Case:
        random = Random(f"{seed} {number}")
        arguments = [values(random, shape, element) for _ in range(grid.size)]
        return Case(operation, operand, result, grid, arguments)

    return with_arguments(0), with_arguments
