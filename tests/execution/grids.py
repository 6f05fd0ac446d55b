"""Programs of one collective operation, drawn at random: what a grid of processes can be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from stablemate.ir.grid import Grid
from tests.oracle.elements import ELEMENT_TYPES, Array

GRIDS: Final = ((1, 1), (2, 1), (1, 2), (4, 1), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (8, 1))
DTYPES: Final = {name: dtype for dtype, name in ELEMENT_TYPES.items()}
ELEMENTS: Final = sorted(DTYPES)
# Operations whose results do not depend on the order in which such small numbers are combined.
COMBINERS: Final = {"i": ("add", "multiply", "maximum", "and"), "f": ("add", "maximum", "minimum")}


@dataclass(frozen=True)
class Case:
    """A program and its arguments.

    Attributes:
        operation: The line of the operation, with ``%x`` as its operand and ``%r`` as its result.
        operand: The operand's type.
        result: The result's type.
        grid: The processes.
        arguments: The argument of each process, replica-major.
    """

    operation: str
    operand: str
    result: str
    grid: Grid
    arguments: list[Array]

    @property
    def text(self) -> str:
        """A function ``work``, and ``main`` that runs it as all processes."""
        count, grid = self.grid.size, self.grid
        row = f"[{', '.join(['@work'] * grid.num_partitions)}]"
        programs = f"[{', '.join([row] * grid.num_replicas)}]"
        arguments = ", ".join(f"%x{i}: {self.operand}" for i in range(count))
        value = ", ".join(f"%x{i}" for i in range(count))
        results = ", ".join([self.result] * count)
        returned = ", ".join([f"%r#{i}" for i in range(count)] if count > 1 else ["%r"])
        return f"""
func.func @work(%x: {self.operand}) -> {self.result} {{
  {self.operation}
  return %r : {self.result}
}}
func.func @main({arguments}) -> ({results}) {{
  %r:{count} = "interpreter.run_parallel"({value}) {{programs = {programs}}}
    : ({", ".join([self.operand] * count)}) -> ({results})
  return {returned} : {results}
}}
"""


def matrix(rows: list[list[int]]) -> str:
    """A literal of rows of integers; of pairs, if there are none."""
    if not rows:
        return "dense<> : tensor<0x2xi64>"
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def tensor(shape: list[int], element: str) -> str:
    """The text of a type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def divided(random: Random, count: int, *, all_ids: bool = True) -> list[list[int]]:
    """Groups of one size that hold all ids 0 ... count - 1, or some of them, in any order."""
    ids = random.sample(range(count), count)
    size = random.choice([item for item in range(1, count + 1) if count % item == 0])
    groups = [ids[i : i + size] for i in range(0, count, size)]
    return groups if all_ids else groups[: random.randint(1, len(groups))]


def values(random: Random, shape: list[int], element: str) -> Array:
    """Elements 0 and 1, so that sums and products are exact in every type."""
    generator = np.random.default_rng(random.getrandbits(32))
    dtype = DTYPES[element]
    return generator.integers(0, 2, shape).astype(dtype)


def channel(number: int) -> str:
    """The attribute of a channel."""
    return f", channel_handle = #stablehlo.channel_handle<handle = {number}, type = 1>"


def region(random: Random, element: str) -> str:
    """A region that combines two elements."""
    kind = element[0].replace("u", "i").replace("b", "f")
    names = COMBINERS.get(kind, ("add",))
    if element in ("f4E2M1FN", "i2", "ui2"):
        names = ("maximum",)
    name = random.choice(names)
    scalar = f"tensor<{element}>"
    return (
        f"({{\n  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = stablehlo.{name} %a, %b : {scalar}\n"
        f"    stablehlo.return %c : {scalar}\n  }})"
    )


def strategy(random: Random, grid: Grid) -> tuple[str, int, int]:
    """Attributes of one of the strategies, the number of ids, processes per member of a group."""
    choice = random.randrange(3)
    if choice == 0:
        return "", grid.num_replicas, 1
    if choice == 1:
        return channel(1), grid.num_replicas, grid.num_partitions
    return channel(1) + ", use_global_device_ids", grid.size, 1


def two_strategies(random: Random, grid: Grid) -> tuple[str, int]:
    """Attributes of cross_replica or cross_partition, and the number of ids."""
    if random.random() < 0.5:
        return random.choice(["", channel(0)]), grid.num_replicas
    return channel(1), grid.num_partitions


def all_gather(random: Random, grid: Grid, element: str) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    attributes, ids, times = strategy(random, grid)
    groups = divided(random, ids)
    shape = [random.randint(1, 3) for _ in range(random.randint(1, 3))]
    d = random.randrange(len(shape))
    result = list(shape)
    result[d] *= len(groups[0]) * times
    body = f"all_gather_dim = {d} : i64, replica_groups = {matrix(groups)}{attributes}"
    return f'"stablehlo.all_gather"(%x) <{{{body}}}>', shape, result


def all_reduce(random: Random, grid: Grid, element: str) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    shape = [random.randint(0, 3) for _ in range(random.randint(0, 3))]
    return reduction(random, grid, element), shape, shape


def reduction(random: Random, grid: Grid, element: str) -> str:
    """An ``all_reduce`` of ``%x``."""
    attributes, ids, _ = strategy(random, grid)
    body = f"replica_groups = {matrix(divided(random, ids))}{attributes}"
    return f'"stablehlo.all_reduce"(%x) <{{{body}}}> {region(random, element)}'


def reduce_scatter(random: Random, grid: Grid, element: str) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    attributes, ids, times = strategy(random, grid)
    groups = divided(random, ids)
    result = [random.randint(1, 3) for _ in range(random.randint(1, 3))]
    d = random.randrange(len(result))
    shape = list(result)
    shape[d] *= len(groups[0]) * times
    body = f"scatter_dimension = {d} : i64, replica_groups = {matrix(groups)}{attributes}"
    return f'"stablehlo.reduce_scatter"(%x) <{{{body}}}> {region(random, element)}', shape, result


def all_to_all(random: Random, grid: Grid, element: str) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    attributes, ids = two_strategies(random, grid)
    groups = divided(random, ids)
    shape = [random.randint(1, 3) for _ in range(random.randint(1, 3))]
    split, joined, count = *(random.randrange(len(shape)) for _ in range(2)), len(groups[0])
    shape[split] *= count
    result = list(shape)
    result[split] //= count
    result[joined] *= count
    body = (
        f"split_dimension = {split} : i64, concat_dimension = {joined} : i64, "
        f"split_count = {count} : i64, replica_groups = {matrix(groups)}{attributes}"
    )
    return f'"stablehlo.all_to_all"(%x) <{{{body}}}>', shape, result


def collective_broadcast(
    random: Random, grid: Grid, element: str
) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    shape = [random.randint(0, 3) for _ in range(random.randint(0, 3))]
    return broadcast(random, grid), shape, shape


def broadcast(random: Random, grid: Grid) -> str:
    """A ``collective_broadcast`` of ``%x``."""
    attributes, ids = two_strategies(random, grid)
    body = f"replica_groups = {matrix(divided(random, ids, all_ids=False))}{attributes}"
    return f'"stablehlo.collective_broadcast"(%x) <{{{body}}}>'


def collective_permute(
    random: Random, grid: Grid, element: str
) -> tuple[str, list[int], list[int]]:
    """The operation, the shape of its operand, and that of its result."""
    shape = [random.randint(0, 3) for _ in range(random.randint(0, 3))]
    return permutation(random, grid, rings=0.0), shape, shape


def permutation(random: Random, grid: Grid, rings: float) -> str:
    """A ``collective_permute`` of ``%x``: so often a ring, else any pairs."""
    attributes, ids = two_strategies(random, grid)
    number = random.randint(1, ids)
    sources, targets = (random.sample(range(ids), number) for _ in range(2))
    if random.random() < rings:
        sources, targets = list(range(ids)), [(i + 1) % ids for i in range(ids)]
    # The oracle waits for ever if a process sends to itself.
    pairs = [[a, b] for a, b in zip(sources, targets, strict=True) if a != b]
    body = f"source_target_pairs = {matrix(pairs)}{attributes}"
    return f'"stablehlo.collective_permute"(%x) <{{{body}}}>'


Maker = Callable[[Random, Grid, str], tuple[str, list[int], list[int]]]
MAKERS: Final[dict[str, Maker]] = {
    item.__name__: item
    for item in (
        all_gather,
        all_reduce,
        reduce_scatter,
        all_to_all,
        collective_broadcast,
        collective_permute,
    )
}


def case(name: str, seed: int, most: int) -> Case:
    """A program of an operation for at most so many processes."""
    random = Random(f"{name} {seed}")
    grid = Grid(*random.choice([grid for grid in GRIDS if grid[0] * grid[1] <= most]))
    return drawn_case(name, random, grid)


def case_on(name: str, seed: int, grid: tuple[int, int]) -> Case:
    """A program of an operation for the processes of a grid."""
    return drawn_case(name, Random(f"{name} {seed} {grid}"), Grid(*grid))


def drawn_case(name: str, random: Random, grid: Grid) -> Case:
    """A program of an operation."""
    element = random.choice(ELEMENTS)
    text, shape, result_shape = MAKERS[name](random, grid, element)
    operand, result = tensor(shape, element), tensor(result_shape, element)
    arguments = [values(random, shape, element) for _ in range(grid.size)]
    return Case(f"%r = {text} : ({operand}) -> {result}", operand, result, grid, arguments)


def bits(array: Any) -> tuple[str, tuple[int, ...], bytes]:
    """What two arrays must share to be the same."""
    item = np.asarray(array)
    return item.dtype.name, item.shape, item.tobytes()
