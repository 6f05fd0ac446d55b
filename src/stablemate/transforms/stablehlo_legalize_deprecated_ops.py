"""stablehlo-legalize-deprecated-ops: deprecated operations as those that are to stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.after_all import AfterAll, CreateToken
from stablemate.dialects.stablehlo.all_reduce import AllReduce, CrossReplicaSum
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dot import Dot
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.einsum import Einsum, UnaryEinsum
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.ir.types import tensor
from stablemate.transforms.decompositions.einsum import add_body
from stablemate.transforms.decompositions.quantized import is_quantized
from stablemate.transforms.stablehlo_decompose import broadcast

UNUSED: Final = ("stablehlo.map", "stablehlo.rng")


def legalize_deprecated_ops(module: Module, *, fail_on_unused: bool = False) -> Module:
    """The module without broadcast, create_token, cross-replica-sum, dot and unary_einsum.

    Args:
        module: The module.
        fail_on_unused: Whether map and rng are refused, which nothing replaces.

    Raises:
        UnsupportedError: There is one of these.
    """
    if fail_on_unused:
        for operation in module.operation.walk():
            if operation.name in UNUSED:
                message = f"{operation.name} is deprecated, and nothing replaces it"
                raise UnsupportedError(message, operation.span)
    return rewrite_module(module, PATTERNS)


def create_token(operation: CreateToken, builder: Builder) -> Replacement:
    """A token that waits for nothing."""
    return builder.create(AfterAll, inputs=[]).results


def cross_replica_sum(operation: CrossReplicaSum, builder: Builder) -> Replacement:
    """A sum of all replicas of a group."""
    scalar = tensor(operation.result.type.element_type)
    return builder.create(
        AllReduce,
        operands=[operation.operand],
        replica_groups=operation.attributes["replica_groups"],
        regions=[builder.region([scalar, scalar], add_body)],
        results=[operation.result.type],
        discardable=operation.discardable,
    ).results


def dot(operation: Dot, builder: Builder) -> Replacement:
    """The same contraction with dimension numbers."""
    return builder.create(
        DotGeneral,
        lhs=operation.lhs,
        rhs=operation.rhs,
        dot_dimension_numbers=operation.numbers,
        precision_config=operation.attributes.get("precision_config"),
        results=[operation.result.type],
        discardable=operation.discardable,
    ).results


def unary_einsum(operation: UnaryEinsum, builder: Builder) -> Replacement:
    """An einsum with one as its other operand; a quantized type need not hold one."""
    if is_quantized(operation.operand):
        return None
    scalar = tensor(operation.operand.type.element_type)
    one = dense_elements(scalar, np.ones(1, scalar.element_type.dtype))
    return builder.create(
        Einsum,
        lhs=builder.create(Constant, value=one).results[0],
        rhs=operation.operand,
        einsum_config=f",{operation.einsum_config}",
        results=[operation.result.type],
        discardable=operation.discardable,
    ).results


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.broadcast": broadcast,
    "stablehlo.create_token": create_token,
    "stablehlo.cross-replica-sum": cross_replica_sum,
    "stablehlo.dot": dot,
    "stablehlo.unary_einsum": unary_einsum,
}
