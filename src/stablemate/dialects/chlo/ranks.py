"""Tensors of unknown rank: operations of CHLO accept them, and do not infer their sizes.

Source: CHLO dialect, "HLO_AnyTensor"; legal if a later pass determines the rank.
"""

from __future__ import annotations

from stablemate.ir.core import Operation
from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import TensorType, UnrankedTensorType


def of_any_rank(types: TypeConstraint[TensorType]) -> TypeConstraint[TensorType]:
    """These tensors, and unranked ones of the same element types."""

    def accepts(candidate: object) -> bool:
        if isinstance(candidate, UnrankedTensorType):
            return types.accepts(TensorType((), candidate.element_type))
        return types.accepts(candidate)

    return TypeConstraint(types.description, accepts)


def are_ranked(operation: Operation) -> bool:
    """Whether the rank of every operand is known."""
    return not any(isinstance(value.type, UnrankedTensorType) for value in operation.operands)


def is_ranked(operation: Operation) -> bool:
    """Whether the rank of every operand and result is known."""
    return not any(unknown_ranks(operation))


def ranks_agree(operation: Operation) -> bool:
    """Whether the ranks of operands and results are all known, or all unknown."""
    return len(set(unknown_ranks(operation))) == 1


def unknown_ranks(operation: Operation) -> list[bool]:
    """For each operand and result whether its rank is unknown."""
    values = (*operation.operands, *operation.results)
    return [isinstance(value.type, UnrankedTensorType) for value in values]
