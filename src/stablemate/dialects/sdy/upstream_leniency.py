"""The rules of Shardy's dialect that are stricter here than upstream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.sdy.axes import is_proper
from stablemate.dialects.sdy.sharding import ResolvedSharding
from stablemate.dialects.stablehlo.regions import function_type
from stablemate.ir.core import Operation
from stablemate.ir.types import MemRefType, TensorType, Type, UnrankedTensorType
from stablemate.ir.verification.upstream_leniency import Leniency, always
from stablemate.numerics.elements import I64

if TYPE_CHECKING:
    from stablemate.dialects.sdy.annotations import Constant
    from stablemate.dialects.sdy.computations import ManualComputation, Return
    from stablemate.dialects.sdy.mesh import MeshOp
    from stablemate.dialects.sdy.sharding import Sharded


def takes_tensors(op: Operation, violation: Diagnostic) -> bool:
    """Whether operands and results are tensors, of elements that StableHLO does not have."""
    values = [*op.operands, *op.results]
    return any(isinstance(value, TensorType) for value in violation.values.values()) and all(
        isinstance(value.type, TensorType) and value.type == op.operands[0].type for value in values
    )


COMPOSITE: Final = "stablehlo.composite"
PARENTS: Final = (
    "chlo.scan",
    "func.func",
    COMPOSITE,
    "stablehlo.reduce_scatter",
    "stablehlo.scatter",
    "stablehlo.select_and_scatter",
    "stablehlo.sort",
)

ON_ANY_TENSOR: Final = (
    "all_gather all_reduce all_slice all_to_all collective_permute propagation_barrier "
    "reduce_scatter replicated_to_unreduced sharded_to_unreduced"
)


def ends_region(op: Return, _: Diagnostic) -> bool:
    """Whether ``sdy.return`` ends a region whose terminator upstream does not check."""
    parent = op.parent_operation()
    return parent is not None and parent.name in PARENTS


def ends_unused_region(op: Return, _: Diagnostic) -> bool:
    """Whether ``sdy.return`` ends a region of ``composite``, which no executor looks at."""
    parent = op.parent_operation()
    return parent is not None and parent.name == COMPOSITE


def is_read_from_bytes(op: MeshOp, _: Diagnostic) -> bool:
    """Whether an operation comes from bytecode or an artifact, where upstream checks no mesh."""
    return op.span is not None and op.span.source.binary


def has_type_of_result(op: Constant, _: Diagnostic) -> bool:
    """Whether the value of a constant, of any form and any elements, has the type of the result."""
    return bool(op.value.type == op.results[0].type)


def wraps_around(op: Sharded, violation: Diagnostic) -> bool:
    """Whether parts of axes divide them if products are taken in 64 bits, as upstream does."""
    parts = [
        (axis, s.sizes[axis.name])
        for s in op.resolved_shardings()
        for axis in s.sharding.axes
        if axis.sub_axis is not None
    ]
    return violation.message.startswith("A part") and all(
        is_proper(axis, size, I64.wrap) for axis, size in parts
    )


def has_pieces_of_tensors(op: ManualComputation, _: Diagnostic) -> bool:
    """Whether the body has pieces of all tensors and buffers; upstream checks no other value."""
    body, resolved = function_type(op.body), op.resolved_shardings()
    types = [*body.inputs, *body.results]
    returns = op.body.block.terminator.name == "sdy.return"
    return (
        returns
        and len(body.inputs) == len(op.operands)
        and len(types) == len(resolved)
        and all(is_piece(op, whole, piece) for whole, piece in zip(resolved, types, strict=True))
    )


def is_piece(op: ManualComputation, whole: ResolvedSharding, piece: Type) -> bool:
    """Whether a type is that of a piece. Upstream takes tensors for pieces of buffers."""
    if isinstance(whole.type, MemRefType) and whole.type.shape is not None:
        tensor = TensorType(whole.type.shape, whole.type.element_type)
        return op.piece_type(replace(whole, type=tensor)) == piece
    is_checked = isinstance(whole.type, TensorType | UnrankedTensorType | MemRefType)
    return not is_checked or op.piece_type(whole) == piece


SHARDED: Final = (
    "all_gather all_reduce all_slice all_to_all collective_permute data_flow_edge "
    "manual_computation named_computation reduce_scatter replicated_to_unreduced reshard "
    "sharded_to_unreduced sharding_constraint"
)

LENIENCIES: Final[Mapping[str, Leniency]] = {
    **{f"sdy.{name} axes": Leniency(wraps_around) for name in SHARDED.split()},
    "sdy.mesh axes": Leniency(is_read_from_bytes),
    "sdy.manual_computation body": Leniency(has_pieces_of_tensors),
    "sdy.return parent": Leniency(ends_region, ends_unused_region),
    "sdy.constant I1": Leniency(has_type_of_result),
    "sdy.constant C1": Leniency(has_type_of_result),
    "sdy.sharding_group": Leniency(takes_tensors, always),
    **{
        f"sdy.{name}{label}": Leniency(takes_tensors, always)
        for name in ON_ANY_TENSOR.split()
        for label in ("", " type")
    },
}
