"""Chooses the part of a network that is computed for a few images at a time.

Values of all images of a batch leave the cache between one kernel and the next; those of a few
images stay. The weights, in turn, are read for each few images again. So the part begins at the
arguments and ends where images have become small, as those of most networks do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes
from stablemate.compiler.rewrites.batches.rules import has_images, repeats_images, rule_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.ir.types import TensorType
from stablemate.numerics.symbolic_sizes import is_symbolic, typical_of

CONVOLUTION: Final = "stablehlo.convolution"
# Operations whose operands and results are in memory; others are computed in the registers of one.
STORING: Final = frozenset({CONVOLUTION, "stablehlo.dot_general", "stablehlo.reduce_window"})
LEAST_SAVED: Final = 2  # caches full of bytes: the loop has launches for each few images


@dataclass(frozen=True, slots=True)
class BatchSegment:
    """A part of a graph that computes each image of a batch by itself.

    Attributes:
        images: How many images of the batch are computed at a time.
        sources: The arguments of the graph that have the batch.
        nodes: The nodes of the part, in order.
        repeated: The values that are the same for all images, and are computed again in the loop.
        results: The values of the part that others read.
    """

    images: int
    sources: Sequence[Tensor]
    nodes: Sequence[Node]
    repeated: Set[Tensor]
    results: Sequence[Tensor]


def segment_of(graph: Graph, near_bytes: int) -> BatchSegment | None:
    """The part of a graph that saves the most memory traffic; None if that is not worth a loop.

    Args:
        graph: The graph.
        near_bytes: The bytes of values that caches keep from one kernel to the next.
    """
    sources = image_arguments(graph) if near_bytes else ()
    if not sources:
        return None
    nodes, repeated = nodes_by_image(graph, sources)
    best, most = None, LEAST_SAVED * near_bytes
    batch = sources[0].shape[0]
    for images in numbers_of_images(batch):
        for end, saved in saved_before(nodes, batch, images, near_bytes):
            if not end or saved < most:
                continue
            results = results_of(graph, nodes[:end])
            net = saved - 2 * sum(map(bytes_of, results))
            if net >= most:
                best, most = BatchSegment(images, sources, nodes[:end], repeated, results), net
    return best


def numbers_of_images(batch: int) -> Sequence[int]:
    """How many images may be computed at a time: divisors of the batch, one if it is symbolic."""
    if is_symbolic(batch):
        return (1,)
    return [number for number in range(1, batch) if batch % number == 0]


def saved_before(
    nodes: Sequence[Node], batch: int, images: int, near_bytes: int
) -> Iterator[tuple[int, int]]:
    """Where a part may end, before a kernel or with the last node, and the bytes it saves."""
    saved = 0
    for end, node in enumerate(nodes):
        if node.operation.name in STORING:
            yield end, saved
            saved += bytes_saved(node, batch, images, near_bytes)
    yield len(nodes), saved


def image_arguments(graph: Graph) -> Sequence[Tensor]:
    """The arguments from which the image of the first convolution is computed."""
    first = next((node for node in graph.nodes if node.operation.name == CONVOLUTION), None)
    if first is None:
        return ()
    numbers: ConvDimensionNumbers = first.operation.dimension_numbers
    batch = first.operands[0].shape[numbers.input_batch_dimension]
    if not is_symbolic(batch) and batch < 2:
        return ()
    arguments, pending = set(graph.arguments), [first.operands[0]]
    seen, found = set[Tensor](), dict[Tensor, None]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in arguments and has_images(value, batch):
            found[value] = None
        elif value.node is not None:
            pending += value.node.operands
    return [*found]


def nodes_by_image(graph: Graph, sources: Sequence[Tensor]) -> tuple[Sequence[Node], Set[Tensor]]:
    """The nodes that compute each image from the same image of the sources.

    Returns:
        The nodes, and the values that are the same for all images. What the nodes read besides is
        computed without the batch.
    """
    batch = sources[0].shape[0]
    batched, repeated, mixed = set(sources), set[Tensor](), set[Tensor]()
    nodes: list[Node] = []
    for node in graph.nodes:
        operands = {*node.operands, *captured_values(node)}
        if not mixed.isdisjoint(operands):
            mixed.update(node.results)
        elif batched.isdisjoint(operands):
            if has_known_sizes(node) and repeats_images(node, repeated, batch):
                repeated.update(node.results)
        elif computes_images(node, batched, repeated, batch):
            nodes.append(node)
            batched.update(node.results)
        else:
            mixed.update(node.results)
    return nodes, repeated


def has_known_sizes(node: Node) -> bool:
    """Whether all operands and results are tensors whose sizes are numbers."""
    values = (*node.operands, *node.results)
    return all(value.is_static for value in values)


def computes_images(node: Node, batched: Set[Tensor], repeated: Set[Tensor], batch: int) -> bool:
    """Whether a node computes each image from the same image of values that have the batch."""
    if not has_known_sizes(node) or not batched.isdisjoint(captured_values(node)):
        return False
    has_batch = [operand in batched or operand in repeated for operand in node.operands]
    rule = rule_of(node)
    return (
        rule is not None
        and rule(node, has_batch, 1) is not None
        and all(has_images(result, batch) for result in node.results)
    )


def captured_values(node: Node) -> Iterator[Tensor]:
    """The values that the regions of a node read, theirs included."""
    for region in node.regions:
        yield from region.results
        for inner in all_nodes(region):
            yield from inner.operands
            for nested in inner.regions:
                yield from nested.results


def results_of(graph: Graph, nodes: Sequence[Node]) -> Sequence[Tensor]:
    """The values that nodes compute and others read, or the graph returns."""
    inside = set(nodes)
    used = set(graph.results)
    for node in graph.nodes:
        if node not in inside:
            used.update(node.operands, captured_values(node))
    return [result for node in nodes for result in node.results if result in used]


def bytes_saved(node: Node, batch: int, images: int, near_bytes: int) -> int:
    """The bytes of a kernel that stay near for a few images, but not for all; less its weights.

    Weights are read again for each few images.
    """
    whole = sum(map(bytes_of, (*node.operands[:1], *node.results)))
    again = sum(map(bytes_of, node.operands[1:])) * (typical_of(batch) // images - 1)
    is_near = whole * images // typical_of(batch) <= near_bytes < whole
    return (whole if is_near else 0) - again


def bytes_of(value: Tensor) -> int:
    """The bytes of a value, of typical sizes: nothing is assumed of them."""
    assert isinstance(value.type, TensorType)
    return typical_of(prod(value.shape)) * value.type.element_type.dtype.itemsize
