"""Operations of MHLO that are instructions of HLO, and have no counterpart in StableHLO.

Source: MHLO dialect; XLA, operation semantics.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.mhlo.operations import Copy, Fusion, RngGetAndUpdateState, TopK
from stablemate.xla.translate.from_stablehlo.body import Body, Node
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.reduction import several
from stablemate.xla.translate.from_stablehlo.regions import captured, finish, results
from stablemate.xla.translate.from_stablehlo.shaping import plain


def copy(body: Body, operation: Copy) -> Node:
    """``copy``."""
    index = operation.cross_program_prefetch_index
    attributes = {"cross_program_prefetch_index": index}
    return body.emit(
        "copy", body.shape(operation.result), body.all_nodes(operation.operands), attributes
    )


def fusion(body: Body, operation: Fusion) -> list[Node]:
    """``fusion``; values from outside become parameters."""
    region = operation.fused_computation
    outside = captured([region])
    inner = Body(body.program, operation=body.operation)
    for number, value in enumerate((*region.block.arguments, *outside)):
        inner.parameter(value, number)
    calls = finish(inner, inner.packed(results(inner, region.block)))
    operands = body.all_nodes((*operation.operands, *outside))
    attributes = {"kind": operation.fusion_kind or "kLoop", "calls": calls}
    return several(body, "fusion", operation, attributes, operands)


def top_k(body: Body, operation: TopK) -> list[Node]:
    """``topk``."""
    attributes = {"k": operation.k, "largest": operation.largest}
    return several(body, "topk", operation, attributes)


def random_state(body: Body, operation: RngGetAndUpdateState) -> Node:
    """``rng-get-and-update-state``."""
    attributes = {"delta": operation.delta}
    return body.emit("rng-get-and-update-state", body.shape(operation.result), (), attributes)


RULES: Final[dict[str, Rule]] = {
    "mhlo.add_dependency": plain("add-dependency"),
    "mhlo.copy": copy,
    "mhlo.fusion": fusion,
    "mhlo.stochastic_convert": plain("stochastic-convert"),
    "mhlo.topk": top_k,
    "mhlo.xla.rng_get_and_update_state": random_state,
}
