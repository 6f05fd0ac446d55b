"""Windows that are prefixes or suffixes of a dimension, reduced in one pass along it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder
from stablemate.compiler.kernels.reduction.ordered_reductions import (
    Combine,
    ReductionRegisters,
    reduced_operand,
    store_results,
)
from stablemate.compiler.kernels.region_expressions import inline_region
from stablemate.compiler.loops.evaluator import evaluated_constant
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.lowering.elements import (
    buffer_of,
    constant_parts,
    represent_elements,
    splat_of,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.elementwise import MONOIDS
from stablemate.dialects.stablehlo.reducers import direction_of, monoid
from stablemate.ir.core import BlockArgument, OpResult, Region, Value
from stablemate.ir.types import TensorType

# log(exp(a) + exp(b)) as JAX writes it: a tree of operations, whose leaves are the arguments.
DIFFERENCE: Final = ("subtract", 0, 1)
LOG_ADD_EXP: Final = (
    "select",
    ("compare", DIFFERENCE, DIFFERENCE),
    ("add", 0, 1),
    (
        "add",
        ("maximum", 0, 1),
        ("log_plus_one", ("exponential", ("negate", ("abs", DIFFERENCE)))),
    ),
)
# Rows in turn hide the latency of one fold behind the others, and need registers:
# ``python -m benchmarks.heuristics`` measures them.
ROWS: Final = 8  # that are reduced in turn, each from its first element to its last
MAX_TREE: Final = 16  # operations of a region that is compared with a tree


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Windows that are the prefixes or suffixes of a dimension.

    Attributes:
        dimension: The dimension.
        suffixes: Whether windows reach to the end of the dimension, not from its beginning.
        exclusive: Whether a window ends before the element of its own index.
    """

    dimension: int
    suffixes: bool
    exclusive: bool


def prefixes_of(node: Node) -> Prefixes | None:
    """The prefixes that the windows of a node are, if one pass over them reduces all windows.

    The first window begins with the initial values and goes on with padding. A pass begins with the
    initial values alone, so combining them with themselves must not change them. A suffix is
    reduced from its end on, which only reductions that may be reordered allow.
    """
    prefixes = geometry(node)
    if prefixes is None:
        return None
    inits = [init.node for init in node.operands[len(node.results) :]]
    values = [None if init is None else splat_of(init) for init in inits]
    if is_reorderable(node, values):
        return prefixes
    if prefixes.suffixes or any(value is None for value in values):
        return None
    return prefixes if is_kept(node, values) else None


def geometry(node: Node) -> Prefixes | None:
    """The dimension whose prefixes or suffixes the windows are; None if there is none."""
    windows, shape = node.operation.windows, node.operands[0].shape
    ones = (1,) * len(shape)
    steps = (windows.strides, windows.base_dilations, windows.window_dilations)
    long = [d for d, size in enumerate(windows.sizes) if size > 1]
    if len(long) != 1 or 0 in shape or any(tuple(values) != ones for values in steps):
        return None
    (d,) = long
    if any(tuple(pair) != (0, 0) for e, pair in enumerate(windows.padding) if e != d):
        return None
    low, high = windows.padding[d]
    extent, size = shape[d], windows.sizes[d]
    if low + high != size - 1:
        return None
    if low >= extent - 1 and size - low in (0, 1):
        return Prefixes(d, suffixes=False, exclusive=size == low)
    if low in (0, -1) and size - low >= extent:
        return Prefixes(d, suffixes=True, exclusive=low == -1)
    return None


def is_reorderable(node: Node, values: Sequence[object]) -> bool:
    """Whether a node reduces by an operation whose order is free, from a unit of it."""
    if len(values) != 1:
        return False
    region, (value,) = node.operation.regions[0], values
    name = monoid(region)
    laws = MONOIDS.get(f"stablehlo.{name}")
    if laws is not None:  # if idempotent, each window has combined any initial value before
        return laws.idempotent or (value is not None and bool(value == laws.identity))
    if value is None or not np.issubdtype(np.asarray(value).dtype, np.floating):
        return False
    return is_log_add_exp(region) and bool(value == -np.inf)


def is_log_add_exp(region: Region) -> bool:
    """Whether a region computes ``log(exp(a) + exp(b))`` as JAX does."""
    (*operations, end) = region.block.operations
    if len(operations) > MAX_TREE or len(end.operands) != 1 or tree(end.operands[0]) != LOG_ADD_EXP:
        return False
    compare = next(op for op in operations if op.name == "stablehlo.compare")
    return direction_of(compare) is ComparisonDirection.NE


def tree(value: Value[TensorType]) -> object:
    """A value as a tree of the names of operations, whose leaves are the numbers of arguments."""
    if isinstance(value, BlockArgument):
        return value.index
    assert isinstance(value, OpResult)
    operation = value.operation
    return (operation.name.removeprefix("stablehlo."), *map(tree, operation.operands))


def is_kept(node: Node, values: Sequence[object]) -> bool:
    """Whether the region of a node combines the initial values with themselves to themselves."""
    (body,) = node.regions
    return combine_initial_values(body, node, values) == combine_initial_values(None, node, values)


def combine_initial_values(body: Graph | None, node: Node, values: Sequence[object]) -> list[bytes]:
    """The bits of the initial values, combined with themselves unless there is no region."""
    table = Expressions()
    kinds = [represent_elements(result) for result in node.results]
    parts = [constant_parts(table, kind, value) for kind, value in zip(kinds, values, strict=True)]
    if body is not None:
        parts = inline_region(table, body, [*parts, *parts])
    return [evaluated_constant(part) for group in parts for part in group]


def prefix_kernel(
    node: Node,
    prefixes: Prefixes,
    combine: Combine,
    builder: KernelBuilder,
    name: str,
) -> BuiltKernel:
    """The kernel that passes once along the dimension.

    Args:
        node: A reduction of windows.
        prefixes: The prefixes that the windows are.
        combine: What combines values.
        builder: A builder for the operands of the node.
        name: The name of the kernel.
    """
    n = len(node.results)
    inputs, inits = node.operands[:n], node.operands[n:]
    shape, dimension = inputs[0].shape, prefixes.dimension
    outputs = [buffer_of(result, f"y{i}") for i, result in enumerate(node.results)]
    sizes = [1 if d == dimension else size for d, size in enumerate(shape)]
    index, loops = builder.dimensions(sizes)
    (along,), steps = builder.dimensions([shape[dimension]])
    index[dimension] = (shape[dimension] - 1) - along if prefixes.suffixes else along
    start = [builder.elements.at(init, ()) for init in inits]
    registers = ReductionRegisters(builder.scheduler, start)
    new = [builder.elements.at(tensor, index) for tensor in inputs]
    change = registers.assign(combine(registers.values, new))
    store = store_results(builder, node.results, outputs, index, registers.values)
    each_step = [*store, *change] if prefixes.exclusive else [*change, *store]
    begin = registers.start(start)
    loops, body = builder.scheduler.collapse(loops, [*begin, *each_step])
    bodies = (body[: len(begin)], body[len(begin) :], ())
    scalars = ROWS if dimension == last_dimension(shape) and is_one_operation(node) else 0
    statements = reduced_operand(
        builder.scheduler, loops, steps, registers, bodies, scalars=scalars
    )
    memory: list[tuple[Tensor, Any]] = list(zip(node.results, outputs, strict=True))
    return builder.build_kernel(name, statements, memory, registers.buffers)


def last_dimension(shape: Sequence[int]) -> int:
    """The dimension whose elements are neighbors in memory."""
    return max(d for d, size in enumerate(shape) if size > 1)


def is_one_operation(node: Node) -> bool:
    """Whether a node combines values by one operation, which is too short to gain from lanes."""
    return monoid(node.operation.regions[0]) is not None
