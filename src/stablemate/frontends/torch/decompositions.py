"""The operators that AOTAutograd decomposes: those that have a decomposition and no translation."""

from __future__ import annotations

from functools import cache
from typing import Any

from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.fused_operators import fused_decompositions
from stablemate.frontends.torch.lists_of_tensors import foreach_decompositions
from stablemate.frontends.torch.recurrent_layers import recurrent_decompositions
from stablemate.frontends.torch.table import lowerings, operator_name
from stablemate.frontends.torch.transformer_layers import transformer_decompositions


@cache
def decompositions() -> pytorch.Decompositions:
    """PyTorch's decompositions of all operators that have no row in the table."""
    rows = lowerings()
    table = {
        **pytorch.decomposition_table(), **foreach_decompositions(), **fused_decompositions(),
        **transformer_decompositions(),
    }  # fmt: skip
    return {
        target: function for target, function in table.items() if operator_name(target) not in rows
    }


def export_decompositions() -> pytorch.Decompositions:
    """The same for exported programs, which keep operators that are composed of others."""
    rows = lowerings()
    table = pytorch.export_decomposition_table()
    # PyTorch's own first: reference implementations call primitive views, which it cannot export.
    table = {**decompositions(), **table}
    table.update(recurrent_decompositions())
    for target in [target for target in table if operator_name(target) in rows]:
        table.pop(target)
    return table


def decompose_affine_grids(graph: Any) -> None:
    """Decomposes affine grids in a graph of TorchDynamo, before it is differentiated.

    ``aten::affine_grid_generator_backward`` refuses sizes that vary.
    """
    functions = (
        pytorch.public_function("affine_grid", "torch.nn.functional"),
        pytorch.public_function("affine_grid_generator"),
    )
    nodes = [node for node in graph.graph.nodes if node.target in functions]
    for node in nodes:
        node.target = affine_grid
    if nodes:
        graph.recompile()


def affine_grid(theta: Any, size: Any, align_corners: bool | None = None) -> Any:
    """The grid of each affine transformation, by operators that can be differentiated.

    Args:
        theta: The transformations, of ``(n, 2, 3)`` or ``(n, 3, 4)``.
        size: The sizes of the images: ``(n, c, h, w)`` or ``(n, c, d, h, w)``.
        align_corners: Whether -1 and 1 are the centers of the corners; by default their edges.
    """
    operator = pytorch.operator_of("aten::affine_grid_generator")
    return pytorch.decomposition_table()[operator](theta, size, bool(align_corners))
