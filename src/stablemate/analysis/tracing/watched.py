"""Operations that are traced."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.analysis.operation_identity import OperationPlace, OperationSite
from stablemate.compiler.runtime.array_statistics import ElementKind
from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.ir.core import Value
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType


@dataclass(frozen=True, eq=False)
class Watched:
    """An operation that is traced, in one process.

    Attributes:
        key: Its number among them.
        site: The operation as it was written.
        path: The process, inside of those whose grids it belongs to.
        positions: Which results of the operation that runs are recorded.
        values: The values of the program that they are.
        types: Their types.
        kinds: How their elements are looked at.
        is_kept: Whether their elements are kept.
    """

    key: int
    site: OperationSite
    path: tuple[ProcessId, ...]
    positions: Sequence[int]
    values: Sequence[Value[TensorType]]
    types: Sequence[TensorType]
    kinds: Sequence[ElementKind]
    is_kept: bool

    @property
    def place(self) -> OperationPlace:
        """The operation as it was written."""
        return self.site.place

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the results in the printed program."""
        return [self.site.name_of(value) for value in self.values]

    @cached_property
    def bytes(self) -> int | None:
        """How large its results are together; None if that is known only when they are there."""
        if not all(value_type.is_static for value_type in self.types):
            return None
        return sum(value_type.bytes for value_type in self.types)
