"""Pipelines: which passes run before a program is executed."""

from __future__ import annotations

from stablemate.ir.core import Module
from stablemate.ir.rewriter import rewritten
from stablemate.transforms.chlo_legalize_to_stablehlo import CHLO_PATTERNS


def legalized(module: Module) -> Module:
    """The module in operations that executors know; itself if it has no others."""
    return rewritten(module, CHLO_PATTERNS)
