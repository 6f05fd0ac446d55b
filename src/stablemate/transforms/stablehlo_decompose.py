"""stablehlo-decompose: operations as simpler ones, for executors that have no kernel for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.broadcast import Broadcast
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.transforms.decompositions import accumulators, batch_norm
from stablemate.transforms.decompositions.einsum import einsum
from stablemate.transforms.decompositions.quantized import on_floats
from stablemate.transforms.decompositions.top_k import custom_top_k


def broadcast(operation: Broadcast, builder: Builder) -> Replacement:
    """The operand's dimensions are the last ones of the result."""
    result = operation.result.type
    if not result.is_static:
        return None
    first = result.rank - operation.operand.type.rank
    broadcast_ = builder.create(
        BroadcastInDim,
        operand=operation.operand,
        broadcast_dimensions=list(range(first, result.rank)),
        results=[result],
    )
    return broadcast_.results


def constant(operation: Constant, builder: Builder) -> Replacement:
    """The same literal, which may be shared."""
    value = operation.attributes["value"]
    return builder.create(Constant, value=value, results=[operation.results[0].type]).results


PATTERNS: Final[Mapping[str, Pattern]] = {
    "sdy.constant": constant,
    "stablehlo.batch_norm_grad": on_floats(batch_norm.pattern(batch_norm.gradient)),
    "stablehlo.batch_norm_inference": on_floats(batch_norm.pattern(batch_norm.inference)),
    "stablehlo.batch_norm_training": on_floats(batch_norm.pattern(batch_norm.training)),
    "stablehlo.broadcast": broadcast,
    "stablehlo.einsum": on_floats(einsum),
    "stablehlo.unary_einsum": on_floats(einsum),
}
# Reductions in wider types become casts and sums, which executors alone understand.
ACCUMULATORS: Final[Mapping[str, Pattern]] = {
    "stablehlo.reduce": accumulators.reduction_pattern,
    "stablehlo.reduce_window": accumulators.reduction_pattern,
    "stablehlo.scatter": accumulators.scatter_pattern,
    "stablehlo.select_and_scatter": accumulators.select_and_scatter_pattern,
}


def decompose_module(module: Module, patterns: Mapping[str, Pattern] | None = None) -> Module:
    """The module with every operation replaced that has a pattern; itself if there is none.

    Args:
        module: The module.
        patterns: What is decomposed besides TopK's custom calls; by default all that executors
            have no kernel for.
    """
    functions = {
        operation.symbol: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp)
    }
    chosen = {**PATTERNS, **ACCUMULATORS} if patterns is None else patterns
    return rewrite_module(module, {**chosen, "stablehlo.custom_call": custom_top_k(functions)})
