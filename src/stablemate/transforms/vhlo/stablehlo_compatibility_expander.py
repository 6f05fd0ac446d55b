"""stablehlo-compatibility-expander: a program in operations that an older version knows.

What is newer than the target and can be said in older words is rewritten: ``tan`` as a quotient,
gathers and scatters with batching dimensions as ones that read these indices from an iota, ranges
in locations as their beginnings, and groups along axes of a mesh as lists of ids.

Source: StableHLO, compatibility expander.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from stablemate.dialects.stablehlo.collectives import (
    Collective,
    axis_parts,
    axis_sizes,
    device_ids,
    mesh_of,
)
from stablemate.dialects.stablehlo.complex import Complex, Imag, Real
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import (
    Cosine,
    Divide,
    Multiply,
    Negate,
    Sine,
    Tanh,
)
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.dialects.vhlo.versions import RANGE_LOCATIONS, Version
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.grid import mesh_axes_groups
from stablemate.ir.kinds import integer_matrix
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import I32, I64, ComplexType, IntegerType
from stablemate.transforms.chlo.expressions import Formula
from stablemate.transforms.vhlo.attributes import attribute_to_vhlo
from stablemate.transforms.vhlo.defaults import DEFAULT_ACCURACY
from stablemate.transforms.vhlo.rebuilding import Rebuilding

TAN: Final = Version(1, 4, 0)
BATCHING: Final = Version(1, 1, 0)
MESH_GROUPS: Final = Version(1, 16, 0)

Values: TypeAlias = Sequence[Value]


def expand_for(module: Module, target: Version) -> Module:
    """The module in operations that a version knows, as far as such are known for it.

    Args:
        module: A module in StableHLO.
        target: The version that is to read it.
    """
    return ModuleExpansion(target.without_patch).module(module)


class ModuleExpansion(Rebuilding):
    """The expansion of one module.

    Attributes:
        target: The version that is to read it.
        expansions: What is rewritten for it, by operation.
    """

    def __init__(self, target: Version) -> None:
        super().__init__()
        self.target = target
        self.expansions: dict[str, Expand] = {
            name: expand for name, (since, expand) in EXPANSIONS.items() if target < since
        }

    def block_types(self, block: Block) -> Sequence[Type]:
        """Keeps the types of a block's arguments."""
        return [argument.type for argument in block.arguments]

    def location(self, location: Location) -> Location:
        """The location without ranges, if the target knows none."""
        return plain(location) if self.target < RANGE_LOCATIONS else location

    def place(self, operation: Operation, block: Block) -> None:
        """Puts what an operation is in older words at the end of a new block."""
        operands = self.new_operands(operation)
        expand = self.expansions.get(operation.name)
        if expand is not None:
            builder = Builder(block, self.location(operation.location), operation.span)
            results = expand(operation, operands, builder, self)
            if results is not None:
                self.values.update(zip(operation.results, results, strict=True))
                return
        attributes = {**operation.attributes, **operation.discardable}
        if self.target < MESH_GROUPS and isinstance(operation, Collective):
            attributes = with_listed_groups(operation, attributes)
        types = [result.type for result in operation.results]
        self.make(type(operation), operation, operands, types, attributes, block)


Expand: TypeAlias = Callable[[Any, Values, Builder, ModuleExpansion], Values | None]


# ---- locations


def plain(location: Location) -> Location:
    """The location with the beginning of each range in its place."""
    match location:
        case FileLocation(end=tuple()):
            return FileLocation(location.file, location.line, location.column)
        case NameLocation():
            return NameLocation(location.name, plain(location.child))
        case CallSiteLocation():
            return CallSiteLocation(plain(location.callee), plain(location.caller))
        case FusedLocation():
            return FusedLocation(tuple(map(plain, location.locations)), location.metadata)
        case _:
            return location


# ---- groups along axes of a mesh


def with_listed_groups(
    operation: Collective, attributes: dict[str, Attribute]
) -> dict[str, Attribute]:
    """The attributes with groups of ids in the place of axes of a mesh that is known."""
    groups = attributes.get("replica_groups")
    mesh = mesh_of(operation, groups) if isinstance(groups, ReplicaGroupMeshAxes) else None
    if mesh is None or not isinstance(groups, ReplicaGroupMeshAxes):
        return attributes
    try:
        ids = mesh_axes_groups(axis_sizes(mesh), axis_parts(groups), device_ids(mesh))
    except ValueError:
        return attributes  # the verifier says what is wrong with them
    return {**attributes, "replica_groups": integer_matrix(ids)}


# ---- tan


def expand_tan(
    tan: Operation, operands: Values, builder: Builder, _: ModuleExpansion
) -> Values | None:
    """sine(x) / cosine(x), unless an accuracy is asked for."""
    accuracy = tan.attributes.get("result_accuracy")
    if accuracy is not None and attribute_to_vhlo(accuracy) != DEFAULT_ACCURACY:
        return None
    return [tangent(operands[0], builder)]


def tangent(x: Value, builder: Builder) -> Value:
    """sine(x) / cosine(x); of a complex x = a + bi
    (tan(a) + i tanh(b)) / (1 - i tan(a) tanh(b)).
    """
    if not isinstance(x.type.element_type, ComplexType):
        sine = builder.create(Sine, operand=x).results[0]
        cosine = builder.create(Cosine, operand=x).results[0]
        return builder.create(Divide, lhs=sine, rhs=cosine).results[0]
    tan = tangent(builder.create(Real, operand=x).result, builder)
    tanh = builder.create(Tanh, operand=builder.create(Imag, operand=x).result).results[0]
    numerator = builder.create(Complex, lhs=tan, rhs=tanh).result
    one = Formula(builder, tan).constant(1.0, tan.type.element_type).value
    product = builder.create(Multiply, lhs=tan, rhs=tanh).results[0]
    minus = builder.create(Negate, operand=product).results[0]
    denominator = builder.create(Complex, lhs=one, rhs=minus).result
    return builder.create(Divide, lhs=numerator, rhs=denominator).results[0]


# ---- batching dimensions


def expand_gather(
    gather: Gather, operands: Values, builder: Builder, _: ModuleExpansion
) -> Values | None:
    """The gather whose batching dimensions are collapsed, with their indices from an iota."""
    numbers = gather.dimension_numbers
    operand, indices = operands
    batching = numbers.operand_batching_dims
    if not batching or not indices.type.is_static:
        return None
    start_index_map = batching + numbers.start_index_map
    gathered = builder.create(
        Gather,
        operand=operand,
        start_indices=with_batch_indices(
            indices, numbers.index_vector_dim, numbers.start_indices_batching_dims, builder
        ),
        dimension_numbers=type(numbers)(
            offset_dims=numbers.offset_dims,
            collapsed_slice_dims=tuple(sorted(batching + numbers.collapsed_slice_dims)),
            start_index_map=start_index_map,
            index_vector_dim=numbers.index_vector_dim,
        ),
        slice_sizes=gather.slice_sizes,
        indices_are_sorted=still_sorted(
            gather.indices_are_sorted, numbers.start_indices_batching_dims, start_index_map
        ),
        results=[gather.result.type],
    )
    return gathered.results


def expand_scatter(
    scatter: Scatter, operands: Values, builder: Builder, expansion: ModuleExpansion
) -> Values | None:
    """The scatter whose batching dimensions are inserted, with their indices from an iota."""
    numbers = scatter.scatter_dimension_numbers
    count = len(scatter.inputs)
    indices = operands[count]
    batching = numbers.input_batching_dims
    if not batching or not indices.type.is_static:
        return None
    index_map = batching + numbers.scatter_dims_to_operand_dims
    scattered = builder.create(
        Scatter,
        inputs=operands[:count],
        scatter_indices=with_batch_indices(
            indices, numbers.index_vector_dim, numbers.scatter_indices_batching_dims, builder
        ),
        updates=operands[count + 1 :],
        scatter_dimension_numbers=type(numbers)(
            update_window_dims=numbers.update_window_dims,
            inserted_window_dims=tuple(sorted(batching + numbers.inserted_window_dims)),
            scatter_dims_to_operand_dims=index_map,
            index_vector_dim=numbers.index_vector_dim,
        ),
        indices_are_sorted=still_sorted(
            scatter.indices_are_sorted, numbers.scatter_indices_batching_dims, index_map
        ),
        unique_indices=scatter.unique_indices,
        regions=expansion.regions(scatter),
        results=[result.type for result in scatter.results],
    )
    return scattered.results


def with_batch_indices(
    indices: Value, index_vector_dim: int, batching: Sequence[int], builder: Builder
) -> Value[Type]:
    """The indices with those of the batching dimensions in front of each index vector."""
    tensor_type: TensorType = indices.type
    element: Any = tensor_type.element_type
    for dimension in batching:
        element = wide_enough(element, tensor_type.shape[dimension])
    if element != tensor_type.element_type:
        wider = tensor_type.with_element(element)
        indices = builder.create(Convert, operand=indices, results=[wider]).result
    sizes = list(tensor_type.shape)
    if index_vector_dim == len(sizes):
        sizes.append(1)
        reshaped = TensorType(tuple(sizes), element)
        indices = builder.create(Reshape, operand=indices, results=[reshaped]).result
    else:
        sizes[index_vector_dim] = 1
    column = TensorType(tuple(sizes), element)
    columns = [
        builder.create(Iota, iota_dimension=dimension, results=[column]).output
        for dimension in batching
    ]
    vectors = builder.create(Concatenate, inputs=[*columns, indices], dimension=index_vector_dim)
    return vectors.result


def wide_enough(element: object, size: int) -> object:
    """The element type, or a wider one in which a size fits."""
    if not isinstance(element, IntegerType):
        return element
    return next(integer for integer in (element, I32, I64) if size <= integer.maximum)


def still_sorted(declared: bool, batching: Sequence[int], index_map: Sequence[int]) -> bool:
    """Whether index vectors with batch indices in front are sorted if those without them were."""
    return declared and all(
        np.diff(positions).min(initial=0) >= 0 for positions in (batching, index_map)
    )


EXPANSIONS: Final[Mapping[str, tuple[Version, Expand]]] = {
    "stablehlo.tan": (TAN, expand_tan),
    "stablehlo.gather": (BATCHING, expand_gather),
    "stablehlo.scatter": (BATCHING, expand_scatter),
}
