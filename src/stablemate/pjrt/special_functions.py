"""Special functions of JAX: programs for clients of stablemate keep them."""

from __future__ import annotations

from stablemate.bridges import jax_internals
from stablemate.bridges.chlo_composites import Rule, lowering_rules
from stablemate.bridges.jax_internals import LoweringContext
from stablemate.pjrt.callbacks.python_callbacks import is_own


def for_own_client(own: Rule, other: Rule) -> Rule:
    """The rule that lowers by one rule for clients of stablemate, by another for other clients."""

    def rule(ctx: LoweringContext, *operands: object, **parameters: object) -> object:
        return (own if is_own(ctx) else other)(ctx, *operands, **parameters)

    return rule


def install() -> None:
    """Replaces JAX's rules for these functions, once."""
    mlir = jax_internals.mlir()

    for primitive, other, own in lowering_rules():
        mlir.register_lowering(primitive, for_own_client(own, other))
