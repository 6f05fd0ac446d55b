"""Special functions of JAX: programs for clients of stablemate keep them."""

from __future__ import annotations

from stablemate.bridges import jax_internals
from stablemate.bridges.chlo_composites import Rule, lowering_rules
from stablemate.bridges.jax_internals import LoweringContext
from stablemate.pjrt.callbacks.python_callbacks import is_own


def for_own_client(own: Rule, other: Rule) -> Rule:
    """The rule that lowers by one rule for clients of stablemate, by another for other clients.

    Sizes that are symbols become numbers when an exported program is called. jaxlib does that, and
    it does not infer the types of composites.
    """

    def rule(ctx: LoweringContext, *operands: object, **parameters: object) -> object:
        is_kept = has_known_sizes(ctx) and is_own(ctx)
        return (own if is_kept else other)(ctx, *operands, **parameters)

    return rule


def has_known_sizes(ctx: LoweringContext) -> bool:
    """Whether all sizes of the operands are numbers."""
    sizes: list[object] = [size for aval in ctx.avals_in for size in aval.shape]
    return all(isinstance(size, int) for size in sizes)


def install() -> None:
    """Replaces JAX's rules for these functions, once."""
    mlir = jax_internals.mlir()

    for primitive, other, own in lowering_rules():
        mlir.register_lowering(primitive, for_own_client(own, other))
