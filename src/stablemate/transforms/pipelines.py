"""Pipelines: which passes run before a program is executed."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, rewritten
from stablemate.transforms.chlo_legalize_to_stablehlo import CHLO_PATTERNS
from stablemate.transforms.chlo_recompose_ops import RECOMPOSE_PATTERNS
from stablemate.transforms.embed_resources import names_resources, resource_patterns


def legalized(module: Module) -> Module:
    """The module in operations that executors know; itself if it has no others."""
    patterns: Mapping[str, Pattern] = {**CHLO_PATTERNS, **RECOMPOSE_PATTERNS}
    if any(names_resources(operation) for operation in module.operation.walk()):
        patterns = {**patterns, **resource_patterns(module.resources)}
    return rewritten(module, patterns)
