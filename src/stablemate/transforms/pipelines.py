"""Pipelines: which passes run before a program is executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, rewritten
from stablemate.ir.types import Type
from stablemate.transforms.chlo_legalize_to_stablehlo import CHLO_PATTERNS
from stablemate.transforms.chlo_recompose_ops import RECOMPOSE_PATTERNS
from stablemate.transforms.embed_resources import names_resources, resource_patterns
from stablemate.transforms.stablehlo_canonicalize_dynamism import canonicalize_dynamism
from stablemate.transforms.stablehlo_check_shape_assertions import check_shape_assertions
from stablemate.transforms.stablehlo_refine_arguments import refine_arguments
from stablemate.transforms.stablehlo_refine_shapes import refine_shapes


def refined(module: Module, types: Sequence[Type] | None = None) -> Module:
    """The module with the shapes that follow from argument types, and no operation that is more
    dynamic than it must be.

    Args:
        module: The module.
        types: A type for each argument of the entry; by default the declared ones.

    Raises:
        ArgumentValueError: There is no entry, or a type is not one that the argument can have.
        VerifyError: With these types an operation breaks a rule, or an assertion fails.
        UnsupportedError: A function calls itself, or has no body.
        LimitError: Calls and regions are nested too deeply.
    """
    if types is not None:
        module = refine_arguments(module, types)
    return canonicalize_dynamism(check_shape_assertions(refine_shapes(module)))


def legalized(module: Module) -> Module:
    """The module in operations that executors know; itself if it has no others."""
    patterns: Mapping[str, Pattern] = {**CHLO_PATTERNS, **RECOMPOSE_PATTERNS}
    if any(names_resources(operation) for operation in module.operation.walk()):
        patterns = {**patterns, **resource_patterns(module.resources)}
    return rewritten(module, patterns)
