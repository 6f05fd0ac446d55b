"""stablehlo-legalize-composite-to-call: composites as calls of their decompositions."""

from __future__ import annotations

from collections.abc import Collection

from stablemate.dialects.func import Call
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Replacement, rewrite_module


def composite_to_call(module: Module, *, but: Collection[str] = ()) -> Module:
    """The module with calls in the place of composites.

    Args:
        module: The module.
        but: The names of composites that stay.
    """

    def call(composite: Composite, builder: Builder) -> Replacement:
        if composite.composite_name in but:
            return None
        return builder.create(
            Call,
            callee=composite.decomposition,
            inputs=composite.inputs,
            results=[result.type for result in composite.results],
        ).results

    return rewrite_module(module, {"stablehlo.composite": call})
