"""stablehlo-aggressive-simplification: replaces operations by simpler ones with the same bits.

Upstream has rules that change the bits of floats (NaN, signed zero); they are left out.
"""

from __future__ import annotations

from stablemate.ir.core import Module
from stablemate.transforms.canonicalize import canonicalize_module
from stablemate.transforms.simplification.folding import ELEMENT_LIMIT, foldable_names, folding_rule
from stablemate.transforms.simplification.movement import RULES
from stablemate.transforms.simplification.rules import either


def aggressive_simplification(module: Module) -> Module:
    """The simplified module, without unused operations."""
    return canonicalize_module(module, RULES)


def target_independent_optimization(
    module: Module, *, fold_op_element_limit: int = ELEMENT_LIMIT
) -> Module:
    """The module simplified and folded, until nothing changes.

    Args:
        module: The module.
        fold_op_element_limit: No result of more elements becomes a constant.
    """
    fold = folding_rule(fold_op_element_limit)
    folds = {
        name: either(fold, RULES[name]) if name in RULES else fold for name in foldable_names()
    }
    return canonicalize_module(module, {**RULES, **folds})
