"""Removes selections by the status of a factorization, which JAX puts after each of them.

``select(status == 0, factor, NaN)`` is the factor if the routine cannot fail. Of Cholesky factors
of batches of small matrices, this selection and that of a triangle become part of the routine,
which has the matrices in registers: the selections would read and write them once more. All bits
stay.

Source: LAPACK Users' Guide: getrf, gehrd, sytrd, potrf.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes, count_uses
from stablemate.compiler.library_calls.finished_factors import FinishedFactors
from stablemate.compiler.library_calls.names import PREFIX
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.execution.custom_calls.call import target_call
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.symbolic_sizes import is_symbolic

CUSTOM_CALL: Final = "stablehlo.custom_call"
SELECT: Final = "stablehlo.select"
BROADCAST: Final = "stablehlo.broadcast_in_dim"
COMPARE: Final = "stablehlo.compare"
CONSTANT: Final = "stablehlo.constant"
EQ, GE = ComparisonDirection.EQ, ComparisonDirection.GE
# The comparisons of the status with zero that always hold: nothing makes these routines fail but
# an illegal argument, which is an error before they are called. Pivots of getrf may be zero.
CERTAIN: Final[Mapping[str, tuple[ComparisonDirection, ...]]] = {
    "getrf": (GE,), "potrf": (GE,), "gehrd": (EQ, GE), "sytrd": (EQ, GE),
}  # fmt: skip
# Operations of which masks of triangles consist.
MAX_MASK: Final = 1 << 24  # elements of a mask that is compared with a triangle
OF_MASKS: Final = frozenset(
    {CONSTANT, BROADCAST, COMPARE, *(f"stablehlo.{name}" for name in ("iota", "add", "subtract"))}
)
COMPACT_CHOLESKY: Final = PREFIX + "compact_"


@dataclass(frozen=True, slots=True)
class StatusComparison:
    """A comparison of the statuses of a factorization with zero.

    Attributes:
        node: The factorization.
        routine: Its name.
        direction: The comparison.
    """

    node: Node
    routine: str
    direction: ComparisonDirection


def remove_status_selections(graph: Graph) -> bool:
    """Removes selections in a graph and its regions; returns whether there were some."""
    if not any(node.operation.name == CUSTOM_CALL for node in all_nodes(graph)):
        return False
    return remove_in_graph(graph, count_uses(graph), {})


def remove_in_graph(graph: Graph, uses: Counter[Tensor], replaced: dict[Tensor, Tensor]) -> bool:
    """The same, given how often each value is used and which are replaced by others."""
    fused: dict[Node, Node] = {}
    before = len(replaced)
    found = False
    for node in graph.nodes:
        node.operands = tuple([replaced.get(operand, operand) for operand in node.operands])
        for region in node.regions:
            found |= remove_in_graph(region, uses, replaced)
        if node.operation.name != SELECT:
            continue
        status = status_of(node.operands[0], node.results[0])
        if status is not None and status.direction in CERTAIN.get(status.routine, ()):
            replaced[node.results[0]] = node.operands[1]
        else:
            finish_factors(node, status, uses, fused)
    graph.nodes = [fused.get(node, node) for node in graph.nodes if fused.get(node) is not node]
    graph.results = tuple([replaced.get(result, result) for result in graph.results])
    return found or bool(fused) or len(replaced) > before


def status_of(mask: Tensor, selected: Tensor) -> StatusComparison | None:
    """The status that decides for each matrix of a batch which of two values is selected."""
    shape = list(selected.shape)
    batch = shape[:-2]
    at: list[int | None] = list(range(len(shape)))
    node = mask.node
    while node is not None and node.operation.name == BROADCAST:
        (operand,) = node.operands
        dimensions = node.operation.broadcast_dimensions
        pairs = zip(operand.shape, dimensions, strict=True)
        at = [None if size == 1 != node.results[0].shape[d] else at[d] for size, d in pairs]
        mask, node = operand, operand.node
    if node is None or node.operation.name != COMPARE or at[: len(batch)] != [*range(len(batch))]:
        return None
    statuses, zero = node.operands
    if list(mask.shape) != batch or not is_splat(zero, 0) or statuses.node is None:
        return None
    routine = routine_of(statuses.node)
    if routine is None or statuses is not statuses.node.results[-1]:
        return None
    return StatusComparison(statuses.node, routine, node.operation.comparison_direction)


def routine_of(node: Node) -> str | None:
    """The routine of LAPACK that a node calls, if statuses are the last one of its results."""
    if node.operation.name != CUSTOM_CALL or isinstance(node.operation, FinishedFactors):
        return None
    target = node.operation.call_target_name
    if not target.startswith("lapack_") or not target.endswith("_ffi") or target in REGISTERED:
        return None
    from stablemate.compiler.library_calls.targets import TARGETS  # imports LAPACK's routines

    return TARGETS.get(target, (None, ""))[0]


def is_splat(tensor: Tensor, value: object) -> bool:
    """Whether all elements of a value are a constant, to the bit."""
    node = tensor.node
    while node is not None and node.operation.name == BROADCAST:
        node = node.operands[0].node
    if node is None or node.operation.name != CONSTANT:
        return False
    attribute: Any = node.operation.attributes["value"]
    if not attribute.is_splat:
        return False
    element = np.asarray(node.operation.evaluate()).reshape(-1)[:1]
    return element.tobytes() == np.full(1, value, element.dtype).tobytes()


def finish_factors(
    node: Node, status: StatusComparison | None, uses: Counter[Tensor], fused: dict[Node, Node]
) -> None:
    """Makes a selection part of the Cholesky factorization whose factors it selects.

    Args:
        node: The selection.
        status: The status that decides it, if it is one.
        uses: How often each value is used.
        fused: The nodes that replace others; a node that is removed replaces itself.
    """
    _, factors, other = node.operands
    call = factors.node
    if call is None or factors is not call.results[0] or uses[factors] != 1:
        return
    finished = isinstance(call.operation, FinishedFactors)
    original = next((old for old, new in fused.items() if new is call), call)
    if not finished and routine_of(call) != "potrf":
        return
    first = original.operation
    if status is not None:
        if finished or status.node is not call or status.direction != EQ or not is_nan(other):
            return
        marks, clears = True, False
    elif is_triangle(node, triangle_of(first)) and is_splat(other, 0):
        marks, clears = finished and call.operation.marks, True
    else:
        return
    if not is_compact(original):
        return
    originals = call.operation.originals if finished else [first]
    operation = FinishedFactors([*originals, node.operation], marks, clears)
    new = Node(operation, call.operands, (node.results[0], *call.results[1:]))
    for result in new.results:
        result.node = new
    fused[original] = new
    fused[node] = node


def is_nan(tensor: Tensor) -> bool:
    """Whether all elements of a value are NaN, both parts of complex ones."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    is_complex = value_type.element_type.dtype.kind == "c"
    return is_splat(tensor, complex(np.nan, np.nan) if is_complex else np.nan)


def triangle_of(operation: Operation) -> str:
    """The triangle of the factor: L or U."""
    return chr(target_call(operation, ()).config["uplo"])


def is_compact(call: Node) -> bool:
    """Whether a factorization is computed in vector lanes."""
    from stablemate.compiler.library_calls.planning import library_calls

    calls = library_calls(call)
    return calls is not None and any(
        step.function.startswith(COMPACT_CHOLESKY) for step in calls.calls
    )


def is_triangle(node: Node, uplo: str) -> bool:
    """Whether a selection keeps a triangle of matrices, with the diagonal."""
    mask, rank = node.operands[0], len(node.results[0].shape)
    while (
        mask.node is not None
        and mask.node.operation.name == BROADCAST
        and [*mask.node.operation.broadcast_dimensions] == [rank - 2, rank - 1]
        and mask.node.operands[0].shape == node.results[0].shape[-2:]
    ):
        mask, rank = mask.node.operands[0], 2
    shape = node.results[0].shape[-2:]
    if rank != 2 or mask.shape != shape or any(map(is_symbolic, shape)):
        return False
    if math.prod(shape) > MAX_MASK:
        return False
    known = evaluate_mask(mask)
    triangle: Any = (np.tril if uplo == "L" else np.triu)(np.ones(shape, np.bool_))
    return known is not None and np.array_equal(known, triangle)


def evaluate_mask(tensor: Tensor) -> Any:
    """The elements of a mask; None if they are not known."""
    node = tensor.node
    if node is None or node.operation.name not in OF_MASKS:
        return None
    operands = [*map(evaluate_mask, node.operands)]
    if any(operand is None for operand in operands):
        return None
    if any(map(is_symbolic, tensor.shape)):
        return None
    return np.asarray(node.operation.prepare(())(*operands))
