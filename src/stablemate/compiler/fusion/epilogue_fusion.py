"""Epilogue fusion: dots and convolutions store what is computed from their results.

If everything that is computed from the result of a dot passes, element by element, through one
value, then the kernel of the dot also computes and stores this value instead of its own result.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Final

from stablemate.compiler.fusion.classification import Kind
from stablemate.compiler.fusion.recompute_cost import bytes_per_element, is_aligned
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.lowering.elements import represent_elements
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.pad import Pad

CONVOLUTION: Final = "stablehlo.convolution"
PAD: Final = "stablehlo.pad"
# Operations that read elements in an order that differs from that of a dot's loops.
SCATTERED: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("concatenate", "gather", "pad", "reverse", "torch_index_select", "transpose")
)


def epilogues_of(
    graph: Graph, kinds: Mapping[Node, Kind], materialized: dict[Tensor, str]
) -> dict[Node, Node]:
    """For each value that a kernel stores instead of its own result: the operation of the kernel.

    Args:
        graph: The graph.
        kinds: How each operation runs.
        materialized: The values in memory; results of kernels are replaced by those of epilogues.
    """
    numbers = {node: i for i, node in enumerate(graph.nodes)}
    epilogues: dict[Node, Node] = {}
    for node in graph.nodes:
        if kinds[node] != "kernel" or BUILDERS[node.operation.name].builds_to is None:
            continue
        (result,) = node.results
        value = epilogue_result(result, numbers, kinds, materialized)
        if value is not None and value.node in epilogues:
            free = Unclaimed(result, kinds, materialized, epilogues)
            value = epilogue_result(result, numbers, kinds, materialized, free)
        if value is None or value.node is None:
            continue
        padding = padding_of(value, kinds)
        if padding is not None:
            materialized.pop(value, None)
            (value,) = padding.results
        assert value.node is not None
        epilogues[value.node] = node
        del materialized[result]
        materialized.setdefault(value, f"made with {result!r}")
    return epilogues


def epilogue_result(
    result: Tensor,
    numbers: Mapping[Node, int],
    kinds: Mapping[Node, Kind],
    materialized: Container[Tensor],
    allowed: Callable[[Tensor], bool] = lambda _: True,
) -> Tensor | None:
    """The last value through which all uses of a result pass; None if there is none.

    That is one of the narrowest values that are allowed, unless the last one is in memory anyway.
    """
    result_value, width = None, bytes_per_element(result)
    frontier = {result}
    while True:
        if len(frontier) == 1 and result not in frontier:
            (value,) = frontier
            own_width = bytes_per_element(value)
            if (value in materialized or own_width <= width) and allowed(value):
                result_value, width = value, min(width, own_width)
        first = min(frontier, key=lambda tensor: numbers[tensor.node] if tensor.node else -1)
        if first is not result and first in materialized:
            return result_value
        candidates = [through_user(user, first, kinds, materialized) for user in first.users]
        values = {candidate for candidate in candidates if candidate is not None}
        if None in candidates or not values:
            return result_value
        frontier = (frontier - {first}) | values


def padding_of(value: Tensor, kinds: Mapping[Node, Kind]) -> Node | None:
    """The operation that pads a value to an image, if nothing else reads the value or the image.

    It pads neither the first nor the last dimension. A convolution reads the image where it is.
    """
    node, *others = value.users
    if node is None or others or kinds.get(node) != "element" or node.operation.name != PAD:
        return None
    operation: Pad = node.operation
    (image,) = node.results
    reader, *others = image.users
    if reader is None or others or reader.operation.name != CONVOLUTION:
        return None
    low, high = operation.edge_padding_low, operation.edge_padding_high
    is_around_points = not any((low[0], high[0], low[-1], high[-1])) and min(*low, *high) >= 0
    is_real = represent_elements(value).parts == 1
    is_image = reader.operands[0] is image
    return (
        node
        if is_image and is_around_points and is_real and not any(operation.interior_padding)
        else None
    )


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Values that a kernel can store though another kernel stores the last one.

    Attributes:
        result: The result of the kernel.
        kinds: How each operation runs.
        materialized: The values in memory.
        epilogues: The values that other kernels store instead of their own results.
    """

    result: Tensor
    kinds: Mapping[Node, Kind]
    materialized: Container[Tensor]
    epilogues: Container[Node]

    def __call__(self, value: Tensor) -> bool:
        """Whether a value is none of another kernel, nor computed from results of such ones."""
        pending, seen = [value], {self.result}
        while pending:
            last = pending.pop()
            node = last.node
            if last in seen or node is None or node not in self.kinds:  # from around a region
                continue
            seen.add(last)
            if last is not value and last in self.materialized:
                continue
            if node in self.epilogues or self.kinds[node] == "kernel":
                return False
            pending += node.operands
        return True


def through_user(
    user: Node | None, operand: Tensor, kinds: Mapping[Node, Kind], materialized: Container[Tensor]
) -> Tensor | None:
    """The result of a user that reads an operand elementwise; None for any other user."""
    if user is None or kinds.get(user) != "element":
        return None
    others = [operand_ for operand_ in user.operands if operand_ is not operand]
    if not is_aligned(user, operand) or any(is_scattered(other, materialized) for other in others):
        return None
    return user.results[0]


def is_scattered(tensor: Tensor, materialized: Container[Tensor]) -> bool:
    """Whether a value is computed from elements that are not read in order."""
    pending = [tensor]
    seen: set[Tensor] = set()
    while pending:
        last = pending.pop()
        if last in seen or last in materialized or last.node is None:
            continue
        seen.add(last)
        if last.node.operation.name in SCATTERED:
            return True
        pending += last.node.operands
    return False
