"""Refinement: the passes that make a program as static as its argument types allow."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.ir.core import Module
from stablemate.ir.types import Type
from stablemate.transforms.dead_code import without_dead_code
from stablemate.transforms.refinement.sizes import FixedSizes
from stablemate.transforms.stablehlo_canonicalize_dynamism import with_static_operations
from stablemate.transforms.stablehlo_check_shape_assertions import check_shape_assertions
from stablemate.transforms.stablehlo_refine_shapes import FunctionRefinement, refine_shapes


def refine_module(
    module: Module,
    types: Sequence[Type] | None = None,
    entry: str | None = None,
    refinement: type[FunctionRefinement] | None = None,
) -> Module:
    """The module with the shapes that follow from argument types, and no operation that is more
    dynamic than it must be.

    Args:
        module: The module.
        types: A type for each argument of the entry; by default the declared ones.
        entry: The function; by default ``main``, or the only one.
        refinement: What refines a function; it may know more than the shapes.

    Raises:
        ArgumentValueError: There is no entry, or a type is not one that the argument can have.
        VerifyError: With these types an operation breaks a rule, or an assertion fails.
        UnsupportedError: A function calls itself, or has no body.
        LimitError: Calls and regions are nested too deeply.
    """
    refined = refine_shapes(module, entry, refinement, types)  # which leaves no dead code
    static = with_static_operations(check_shape_assertions(refined))
    return static if static is refined else without_dead_code(static)


def fix_bounded_sizes(
    module: Module, types: Sequence[Type] | None = None, entry: str | None = None
) -> Module:
    """The module as ``refine_module`` returns it, with bounded dynamic sizes fixed."""
    return refine_module(module, types, entry, FixedSizes)
