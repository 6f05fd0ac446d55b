"""Rules: whether an operation computes each image of a batch from the same image of its operands.

The batch is the first dimension of a value that has one. A rule returns the fields of the operation
that differ if it computes fewer images; None if images depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.rewrites.rule_tables import rule_in
from stablemate.numerics.symbolic_sizes import is_symbolic

Fields = Mapping[str, Any]
# From a node, the operands that have a batch, and the images that it computes.
Rule = Callable[[Node, Sequence[bool], int], Fields | None]
SAME: Final[Fields] = {}
BROADCAST: Final = "stablehlo.broadcast_in_dim"


def same_if(condition: object) -> Fields | None:
    """The same fields on a condition; else None."""
    return SAME if condition else None


def elementwise(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """An operand without a batch must be a scalar, which is the same for all images."""
    del images
    pairs = zip(node.operands, batched, strict=True)
    return same_if(all(has_batch or not operand.shape for operand, has_batch in pairs))


def convolution(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The image has a batch, the kernel has none."""
    del images
    numbers = node.operation.dimension_numbers
    is_first = numbers.input_batch_dimension == numbers.output_batch_dimension == 0
    return same_if(is_first and [*batched] == [True, False] and batch_groups(node) == 1)


def batch_groups(node: Node) -> int:
    """The number of groups of the batch of a convolution."""
    return int(node.operation.batch_group_count)


def dot_general(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """Rows of the left operand are images; the right one is a matrix."""
    del images
    numbers = node.operation.dot_dimension_numbers
    is_row = not numbers.lhs_batching_dimensions and 0 not in numbers.lhs_contracting_dimensions
    return same_if(is_row and [*batched] == [True, False])


def broadcast(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The batch stays the first dimension."""
    del images
    (operand,), (result,) = node.operands, node.results
    first = [*node.operation.broadcast_dimensions][:1] == [0]
    return same_if(batched[0] and first and has_images(result, operand.shape[0]))


def reshape(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The batch stays the first dimension."""
    del images
    (operand,), (result,) = node.operands, node.results
    return same_if(batched[0] and has_images(result, operand.shape[0]))


def transpose(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The batch stays the first dimension."""
    del images
    return same_if(batched[0] and node.operation.permutation[0] == 0)


def reduce(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """Inputs have a batch, over which nothing is reduced."""
    del images
    inputs = len(node.results)
    is_kept = 0 not in map(int, node.operation.dimensions)
    return same_if(is_kept and all(batched[:inputs]) and not any(batched[inputs:]))


def reduce_window(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """Inputs have a batch, and a window is in one image."""
    del images
    inputs, windows = len(node.results), node.operation.windows
    of_batch = (
        windows.sizes[0], windows.strides[0], *windows.padding[0],
        windows.base_dilations[0], windows.window_dilations[0],
    )  # fmt: skip
    is_one = of_batch == (1, 1, 0, 0, 1, 1)
    return same_if(is_one and all(batched[:inputs]) and not any(batched[inputs:]))


def concatenate(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """Values are joined in each image."""
    del images
    return same_if(int(node.operation.dimension) != 0 and all(batched))


def pad(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """No image is added or left out."""
    del images
    operation = node.operation
    amounts = (operation.edge_padding_low, operation.edge_padding_high, operation.interior_padding)
    is_outside = all(entries[0] == 0 for entries in amounts)
    return same_if(is_outside and [*batched] == [True, False])


def slice_(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The fields of a slice of all images, for some of them; None if it leaves images out."""
    operation = node.operation
    batch, limits = node.operands[0].shape[0], [*operation.limit_indices]
    has_all = (int(operation.start_indices[0]), int(operation.strides[0])) == (0, 1)
    if not batched[0] or not has_all or not is_same_size(limits[0], batch):
        return None
    return {"limit_indices": (images, *limits[1:])}


def reverse(node: Node, batched: Sequence[bool], images: int) -> Fields | None:
    """The order of images stays."""
    del images
    return same_if(batched[0] and 0 not in map(int, node.operation.dimensions))


RULES: Final[Mapping[str, Rule]] = {
    BROADCAST: broadcast,
    "stablehlo.concatenate": concatenate,
    "stablehlo.convolution": convolution,
    "stablehlo.dot_general": dot_general,
    "stablehlo.pad": pad,
    "stablehlo.reduce": reduce,
    "stablehlo.reduce_window": reduce_window,
    "stablehlo.reshape": reshape,
    "stablehlo.reverse": reverse,
    "stablehlo.slice": slice_,
    "stablehlo.transpose": transpose,
}


def rule_of(node: Node) -> Rule | None:
    """The rule of an operation; None if it computes all images at once."""
    return rule_in(RULES, node, elementwise)


def has_images(value: Tensor, batch: int) -> bool:
    """Whether the first dimension of a value is a batch of so many images."""
    return bool(value.shape) and is_same_size(value.shape[0], batch)


def is_same_size(size: int, other: int) -> bool:
    """Whether two sizes are equal; a symbolic one is not compared with a number.

    That comparison would be an assumption.
    """
    return is_symbolic(size) == is_symbolic(other) and size == other


def repeats_images(node: Node, repeated: Container[Tensor], batch: int) -> bool:
    """Whether the results of a node have the same elements for each image of a batch.

    Args:
        node: The node.
        repeated: The values before it of which that is true.
        batch: The images of the batch.
    """
    if not all(has_images(result, batch) for result in node.results):
        return False
    if node.operation.name == BROADCAST:
        dimensions: Sequence[int] = [*node.operation.broadcast_dimensions]
        return 0 not in dimensions or node.operands[0].shape[dimensions.index(0)] == 1
    if rule_of(node) is elementwise:
        return all(operand in repeated or not operand.shape for operand in node.operands)
    return splat_of(node) is not None
