"""stablehlo-aggressive-folder: operations on constants, where all bits are determined.

Upstream folds transcendental functions of floats as well, in the type of the host; here they stay.
"""

from __future__ import annotations

from stablemate.ir.core import Module
from stablemate.transforms.canonicalize import canonicalize_module
from stablemate.transforms.simplification.folding import ELEMENT_LIMIT, foldable_names, folding_rule


def aggressive_folder(module: Module, *, fold_op_element_limit: int = ELEMENT_LIMIT) -> Module:
    """The module in which no operation on constants is left that has one right answer.

    Args:
        module: The module.
        fold_op_element_limit: No result of more elements becomes a constant.
    """
    return canonicalize_module(
        module, dict.fromkeys(foldable_names(), folding_rule(fold_op_element_limit))
    )
