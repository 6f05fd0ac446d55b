"""stablehlo.replica_id and stablehlo.partition_id: the position of a process in the grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from stablemate.ir import request as requests
from stablemate.ir.definition import RegionFunction, RequestOp, define, op
from stablemate.ir.kinds import tensor_of
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import UI32

ID_TYPE: Final = TensorType((), UI32)
ID: Final = tensor_of("0-dimensional tensor of type ui32", lambda e: e == UI32, rank=0)


class ProcessIdentifier(RequestOp):
    """One of the two ids of the process that executes the operation."""

    __slots__ = ()
    kind: ClassVar[Literal["replica", "partition"]]
    result = define.result(ID)
    assembly = "attr-dict `:` result-type"

    def infer(self) -> TensorType:
        """tensor<ui32>"""
        return ID_TYPE

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.IdentityRequest:
        """Requests the process's own id."""
        return requests.IdentityRequest(self, self.kind)


@op("stablehlo.replica_id", family=Family.EXTERNAL, traits=Trait.FREE)
class ReplicaId(ProcessIdentifier):
    """Returns ``replica_id`` of the process that executes it.

    Source: StableHLO specification, replica_id.
    """

    __slots__ = ()
    kind = "replica"


@op("stablehlo.partition_id", family=Family.EXTERNAL, traits=Trait.FREE)
class PartitionId(ProcessIdentifier):
    """Returns ``partition_id`` of the process that executes it.

    Source: StableHLO specification, partition_id.
    """

    __slots__ = ()
    kind = "partition"
