"""Grids of affine transformations, whose derivatives PyTorch has for known sizes alone."""

from __future__ import annotations

from typing import Any

from stablemate.frontends.torch import pytorch


def replace_affine_grids(graph: Any) -> None:
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
