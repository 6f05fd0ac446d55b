"""Passes under the options that people know them by."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.vhlo.versions import Version
from stablemate.ir.core import Module
from stablemate.ir.types import Type
from stablemate.transforms import stablehlo_refine_arguments as refinement
from stablemate.transforms.stablehlo_decompose import PATTERNS, decompose_module
from stablemate.transforms.vhlo import stablehlo_legalize_to_vhlo as vhlo
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import expand_for


def decompose(module: Module) -> Module:
    """See ``stablehlo_decompose``; what is made is valid by itself."""
    return decompose_module(module, PATTERNS)


def compatibility_expander(module: Module, *, target: Version) -> Module:
    """See ``expand_for``."""
    return expand_for(module, target)


def legalize_to_vhlo(module: Module, *, allow_other_dialects: bool = False) -> Module:
    """See ``stablehlo_legalize_to_vhlo``."""
    return vhlo.legalize_to_vhlo(module, mixed=allow_other_dialects)


def refine_arguments(module: Module, *, types: Sequence[Type]) -> Module:
    """See ``stablehlo_refine_arguments``."""
    return refinement.refine_arguments(module, types)
