"""stablehlo.all_reduce and its predecessor stablehlo.cross-replica-sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.baseline import (
    expressed_type,
    lift_to_quantized,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.collectives import (
    Collective,
    ReducingCollective,
    global_ids_have_channel,
    global_ids_have_groups,
    ids_are_consecutive,
    ids_are_unique,
    mesh_is_defined,
)
from stablemate.dialects.stablehlo.reduce import ordered_reducer_of
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.definition import Check, RegionFunction, constraint, define, op, pack_results
from stablemate.ir.exchange import CollectiveExchange, Combiner, Shape, all_operands_to_all
from stablemate.ir.grid import IdGroups
from stablemate.ir.kinds import (
    MAXIMUM_SPLAT,
    PER_TENSOR_QUANTIZED,
    TENSOR,
    UNIT_KIND,
    AttributeKind,
    integer_matrix,
)
from stablemate.ir.traits import ARITHMETIC, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I64, Array


@op(
    "stablehlo.all_reduce",
    effects=True,
    family=Family.EXTERNAL,
    traits=(
        Trait.IMPLICIT_TERMINATOR
        | Trait.ASYNCHRONOUS
        | Trait.PROMOTING
        | Trait.SHARDED_ALIKE
        | Trait.IN_PLACE
    ),
)
class AllReduce(ReducingCollective):
    """Combines ``operands`` of all processes of a group with ``computation``.

    results...@process[result_index] = the in-order fold of operands...@sender[result_index]
    for sender in group

    Source: StableHLO specification, all_reduce.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C2"
    uniform_results: ClassVar[bool] = True
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    replica_groups = define.attribute("I2", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I3", CHANNEL_HANDLE)
    use_global_device_ids = define.default_attribute("I4", UNIT_KIND, False)
    computation = define.region("I5")
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C7", shape="C6"
    ).with_name("results")

    @constraint
    def i2(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c1(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c2(self) -> Check:
        """0 < size(replica_groups) if use_global_device_ids"""
        return global_ids_have_groups(self)

    @constraint
    def c3(self) -> Check:
        """0 <= replica_groups < size(replica_groups)"""
        return ids_are_consecutive(self, filled=True)

    @constraint
    def c4(self) -> Check:
        """If use_global_device_ids = true, then channel_id > 0"""
        return global_ids_have_channel(self)

    @constraint
    def c5(self) -> Check:
        """computation has type (tensor<E>, tensor<E>) -> (tensor<E>) where
        is_promotable(element_type(operand), E)
        """
        return self.combines(self.inputs)

    def infer(self) -> Sequence[TensorType]:
        """C6, C7: the shapes of the operands, the elements of the computation."""
        return self.reduced_types(self.inputs)

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """Every member has the same results."""
        return pack_results(
            [self.reduce_operand(k, operands, regions) for k in range(len(self.inputs))]
        )

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """Every member needs all operands, combined."""
        return self.whole_exchange(shapes, size)


def is_integer_list(attribute: object) -> bool:
    """Whether this is a 1- or 2-dimensional literal of 64-bit integers, small enough to list."""
    return (
        isinstance(attribute, DenseElementsAttribute)
        and attribute.type.element_type == I64
        and len(attribute.shape) in (1, 2)
        and math.prod(attribute.shape) <= max(attribute.data.size, MAXIMUM_SPLAT)
    )


def id_groups_of(attribute: DenseElementsAttribute) -> IdGroups:
    """Rows of ids; a literal of one dimension is one row."""
    array = np.atleast_2d(attribute.array)
    rows: list[list[int]] = array.reshape(len(array), -1).tolist() if array.size else []
    return rows


PLAIN_REPLICA_GROUPS: Final[AttributeKind[IdGroups]] = AttributeKind(
    "1- or 2-dimensional tensor of 64-bit integers", is_integer_list, id_groups_of, integer_matrix
)


@op("stablehlo.cross-replica-sum", effects=True, family=Family.EXTERNAL, work=ARITHMETIC)
class CrossReplicaSum(Collective):
    """Sums ``operand`` over the processes of a group: all_reduce with add, and no channel.

    Source: StableHLO specification, "Deprecated Operations".
    """

    __slots__ = ()
    opcodes = ("all-reduce",)
    uniform_results: ClassVar[bool] = True
    operand = define.operand("", TENSOR | PER_TENSOR_QUANTIZED)
    replica_groups = define.attribute("", PLAIN_REPLICA_GROUPS)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED)

    @property
    def id_groups(self) -> IdGroups:
        """The groups of replica ids."""
        return self.replica_groups

    def infer(self) -> TensorType:
        """The type of the operand, quantization parameters aside."""
        return with_declared_parameters(self, self.operand.type)

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """Every member has the same sum."""
        return self.combiner(0, position)([arrays[0] for arrays in operands])

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """Every member needs all operands, combined."""
        return CollectiveExchange(size, shapes, shapes, all_operands_to_all(1))

    def combiner(
        self, index: int, position: int, regions: Sequence[RegionFunction] = ()
    ) -> Combiner:
        """The sum of all pieces."""
        source, target = self.operand.type.element_type, self.result.type.element_type
        element = expressed_type(source)
        add = ordered_reducer_of("add", element)
        assert add is not None
        zero = element.dtype.type(0)

        def total(x: Array) -> object:
            return add((0,), x, zero)

        summed = lift_to_quantized(total, (source,), target)

        def sum_pieces(pieces: Sequence[Array], out: Array | None = None) -> Array:
            result: Array = summed(np.stack(pieces))
            if out is None:
                return result
            out[...] = result
            return out

        return sum_pieces
