"""Legalization: what is rewritten before a program is executed."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping
from typing import Final

from stablemate.imports import OnDemand
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, rewritten
from stablemate.transforms.embed_resources import names_resources, resource_patterns


def part_of(name: str) -> str:
    """Which patterns an operation needs: those of CHLO, or its own."""
    return "chlo" if name.startswith("chlo.") else name


PATTERNS: Final[Mapping[str, Pattern]] = OnDemand(
    {
        "chlo": "stablemate.transforms.chlo_legalize_to_stablehlo",
        "stablehlo.custom_call": "stablemate.transforms.chlo_recompose_ops",
    },
    part_of,
    lambda module: module.PATTERNS,
)


def legalized(module: Module, keep: Collection[str] = ()) -> Module:
    """The module in operations that executors know; itself if it has no others.

    Args:
        module: The module.
        keep: Operations that stay, by their names, for who knows them too.
    """
    patterns: Mapping[str, Pattern] = PATTERNS
    if keep:
        patterns = {name: each for name, each in PATTERNS.items() if name not in keep}
    if any(names_resources(operation) for operation in module.operation.walk()):
        patterns = ChainMap(dict(resource_patterns(module.resources)), patterns)  # type: ignore[arg-type]
    return rewritten(module, patterns)
