"""Passes under the options that people know them by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.dialects.vhlo.versions import Version
from stablemate.ir.core import Module
from stablemate.ir.rewriter import rewrite_module
from stablemate.ir.types import Type
from stablemate.transforms import stablehlo_decompose
from stablemate.transforms import stablehlo_refine_arguments as refinement
from stablemate.transforms.decompositions.top_k import custom_top_k
from stablemate.transforms.vhlo import stablehlo_legalize_to_vhlo as vhlo
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import expand_for

# What executors alone understand when it has been decomposed: sums in a wider type.
FOR_EXECUTORS: Final = (
    "stablehlo.reduce",
    "stablehlo.reduce_window",
    "stablehlo.scatter",
    "stablehlo.select_and_scatter",
)


def decompose(module: Module) -> Module:
    """See ``stablehlo_decompose``; what is made is valid by itself."""
    functions = {
        operation.symbol: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp)
    }
    patterns = {
        name: pattern
        for name, pattern in stablehlo_decompose.PATTERNS.items()
        if name not in FOR_EXECUTORS
    }
    return rewrite_module(module, {**patterns, "stablehlo.custom_call": custom_top_k(functions)})


def compatibility_expander(module: Module, *, target: Version) -> Module:
    """See ``expand_for``."""
    return expand_for(module, target)


def legalize_to_vhlo(module: Module, *, allow_other_dialects: bool = False) -> Module:
    """See ``stablehlo_legalize_to_vhlo``."""
    return vhlo.legalize_to_vhlo(module, mixed=allow_other_dialects)


def refine_arguments(module: Module, *, types: Sequence[Type]) -> Module:
    """See ``stablehlo_refine_arguments``."""
    return refinement.refine_arguments(module, types)
