"""Boundaries: custom calls at which whole values become shards, and shards whole values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.sdy.attributes import DimensionSharding, Mesh, TensorSharding
from stablemate.dialects.sdy.axes import merged_axes
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import DYNAMIC, TensorType, Type

ENTERING: Final = "SPMDFullToShardShape"
LEAVING: Final = "SPMDShardToFullShape"
ENTERING_SHARDY: Final = "xla.sdy.GlobalToLocalShape"
LEAVING_SHARDY: Final = "xla.sdy.LocalToGlobalShape"
PARTNERS: Final[Mapping[str, str]] = {
    ENTERING: LEAVING,
    LEAVING: ENTERING,
    ENTERING_SHARDY: LEAVING_SHARDY,
    LEAVING_SHARDY: ENTERING_SHARDY,
}


@dataclass(frozen=True, slots=True)
class Boundary:
    """The boundary between whole values and shards that a custom call states.

    Attributes:
        enters: Whether whole values become shards.
        manual_axes: The axes along which they are shards; None if that follows from the operand.
        shardings: How devices share the whole values, one for each.
    """

    enters: bool
    manual_axes: tuple[str, ...] | None
    shardings: tuple[TensorSharding, ...]

    def whole(self, operation: Operation) -> Sequence[Value[TensorType]]:
        """The whole values: operands where they become shards, else results."""
        return operation.operands if self.enters else operation.results

    def local(self, operation: Operation) -> Sequence[Value[TensorType]]:
        """The values that are shards: results on entry, operands on exit."""
        return operation.results if self.enters else operation.operands


def target_of(operation: Operation | None) -> str:
    """The target of a custom call; empty for another operation."""
    return operation.call_target_name if isinstance(operation, CustomCall) else ""


def violation(operation: Operation, message: str, part: str = "", **values: object) -> VerifyError:
    """An error about an operation, at its place."""
    target = target_of(operation)
    rule = f"{operation.name} @{target}" if target else operation.name
    return VerifyError(Diagnostic(message, rule, operation.part(part), values))


def keeps_types(operation: Operation) -> bool:
    """Whether the results have the types of the operands."""
    return types_of(operation.operands) == types_of(operation.results)


def types_of(values: Sequence[Value[Type]]) -> list[Type]:
    """Lists the types of values."""
    return [value.type for value in values]


def missing_attribute_error(operation: Operation, name: str) -> VerifyError:
    """An error about a boundary or an annotation without an attribute."""
    return violation(
        operation,
        f"it has the attribute {name}: how devices share its values",
        operands=", ".join(map(str, types_of(operation.operands))),
        results=", ".join(map(str, types_of(operation.results))),
    )


def check_annotation(operation: Operation) -> None:
    """Rejects an annotation whose results are not of the types of its operands.

    Raises:
        VerifyError: They are of others.
    """
    if operation.results and not keeps_types(operation):
        raise violation(
            operation,
            "the results have the types of the operands",
            operands=", ".join(map(str, types_of(operation.operands))),
            results=", ".join(map(str, types_of(operation.results))),
        )


def sizes_of(mesh: Mesh | SymbolAttribute, meshes: Mapping[str, Mesh]) -> Mapping[str, int]:
    """The size of each axis of a mesh or of the mesh that a symbol names."""
    return mesh.sizes if isinstance(mesh, Mesh) else meshes[mesh.root].sizes


def check_meshes(
    operation: Operation,
    boundary: Boundary,
    manual_axes: Sequence[str],
    meshes: Mapping[str, Mesh],
) -> None:
    """Rejects whole values that are shared along other axes than the manual ones.

    Args:
        operation: The custom call.
        boundary: What it says.
        manual_axes: The axes along which values are shards.
        meshes: The meshes by name.

    Raises:
        VerifyError: A mesh does not have the manual axes.
    """
    for sharding in boundary.shardings:
        sizes = sizes_of(sharding.mesh, meshes)
        if not all(axis in sizes for axis in manual_axes):
            axes = ", ".join(f'"{axis}"' for axis in manual_axes)
            raise violation(
                operation,
                "the mesh of the whole value has the axes along which shards are manual",
                sharding=sharding.inner_text(),
                manual_axes=axes,
            )


def check_types(
    operation: Operation,
    boundary: Boundary,
    manual_axes: Sequence[str],
    sizes: Mapping[str, int],
) -> None:
    """Rejects shards of other types than the manual axes make.

    Args:
        operation: The custom call.
        boundary: What it says.
        manual_axes: The axes along which its values become shards.
        sizes: The size of each axis of the mesh.

    Raises:
        VerifyError: A size is not divided evenly, or a type is not that of a shard.
    """
    wholes, locals_ = boundary.whole(operation), boundary.local(operation)
    if not len(wholes) == len(locals_) == len(boundary.shardings):
        raise violation(
            operation,
            "there is an operand, a result and a sharding for each value",
            operands=len(operation.operands),
            results=len(operation.results),
            shardings=len(boundary.shardings),
        )
    for whole, local, sharding in zip(wholes, locals_, boundary.shardings, strict=True):
        expected = shard_type(operation, whole.type, sharding, manual_axes, sizes)
        if expected != local.type:
            raise violation(
                operation,
                f"a shard of {whole.type} is {expected} by the manual axes, not {local.type}",
                sharding=sharding.inner_text(),
                manual_axes=format_axis_sizes(manual_axes, sizes),
            )


def shard_type(
    operation: Operation,
    whole: Type,
    sharding: TensorSharding,
    manual_axes: Sequence[str],
    sizes: Mapping[str, int],
) -> Type:
    """The type of a shard.

    Raises:
        VerifyError: The sharding has another rank, or a size is not divided evenly.
    """
    if not isinstance(whole, TensorType) or not sharding.dimensions:
        return whole
    if len(sharding.dimensions) != whole.rank:
        raise violation(
            operation,
            "a sharding has as many dimensions as its tensor",
            sharding=sharding.inner_text(),
            type=whole,
        )
    shape: list[int] = []
    for number, (size, dimension) in enumerate(zip(whole.shape, sharding.dimensions, strict=True)):
        count = shard_count(
            [part for part in merged_axes(dimension.axes, sizes) if part.name in manual_axes]
        )
        if size != DYNAMIC and size % count:
            raise violation(
                operation,
                f"{count} devices do not divide dimension {number} of {whole} evenly: pad it to "
                f"{-(-size // count) * count}",
                sharding=sharding.inner_text(),
                manual_axes=format_axis_sizes(manual_axes, sizes),
            )
        shape.append(size if size == DYNAMIC else size // count)
    return whole.with_shape(shape)


def format_axis_sizes(manual_axes: Sequence[str], sizes: Mapping[str, int]) -> str:
    """Axes with their sizes: ``"x"=2, "y"=4``."""
    return ", ".join(f'"{axis}"={sizes[axis]}' for axis in manual_axes)


def open_sharding(
    mesh: Mesh | SymbolAttribute, value_type: Type, *, is_open: bool
) -> TensorSharding:
    """The sharding of a value that no manual axis divides.

    Args:
        mesh: The symbol of the mesh.
        value_type: The type of the value.
        is_open: Whether other axes may divide it.
    """
    rank = value_type.rank if isinstance(value_type, TensorType) else 0
    return TensorSharding(mesh, (DimensionSharding(is_closed=not is_open),) * rank)
