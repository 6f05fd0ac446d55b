"""Splits whole inputs among the processes of a grid, and assembles their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import stablemate as sm
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.grid import Grid
from stablemate.ir.types import TensorType

if TYPE_CHECKING:
    from stablemate.api.sharded_calls import Sharing
    from stablemate.transforms.partitioning.placement import TensorPlacement


@dataclass(frozen=True, slots=True)
class GridShare:
    """The program of each process, and its global arguments and results.

    Attributes:
        module: The program: the given one, or that of one device.
        entry: Its function.
        arguments: The arguments that inputs are for; global ones where inputs are given once.
        results: The results that outputs are for; global ones where they are gathered.
        sharing: How global arrays are split and assembled; None if they are not.
        once: Whether inputs are given once.
        gathered: Whether results are gathered.
    """

    module: sm.Module
    entry: str
    arguments: Sequence[Argument]
    results: Sequence[Argument]
    sharing: Sharing | None = None
    once: bool = False
    gathered: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether each process takes its own arguments."""
        return self.sharing is None

    def entries(self, values: Sequence[object], grid: Grid) -> list[object] | None:
        """Splits global arguments into those of all processes; None if nothing is split."""
        if self.sharing is None or not self.once:
            return None
        types = [
            argument.type for argument in self.module.entry(self.entry).own_signature.arguments
        ]
        return self.sharing.local_arguments(tuple(values), grid, types)


def share(
    module: sm.Module, entry: str | None, grid: Grid | None, *, once: bool, gather: bool
) -> GridShare:
    """The program that processes run, and what they share.

    Args:
        module: The program.
        entry: The function.
        grid: The processes; None if there is no grid.
        once: Whether inputs are given once for all processes.
        gather: Whether results are put together.

    Raises:
        ArgumentValueError: Results are to be gathered, but have no shardings.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    function = module.entry(entry)
    own = function.signature
    if grid is None:
        if gather:
            raise ArgumentValueError("--gather needs a grid: --grid=RxP is missing")
        return GridShare(module, function.name, own.arguments, own.results)
    # Here and not above, because few runs share anything.
    from stablemate.api.running import sharded_program

    runs, sharing = sharded_program(module, entry, grid, () if once else [], None)
    if sharing is None:
        if gather:
            raise ArgumentValueError("the results have no shardings: --gather cannot assemble them")
        return GridShare(module, function.name, own.arguments, own.results)
    local = function if runs is module else runs.entry()
    global_signature = own if runs is not module else assembled_results(own, sharing)
    return GridShare(
        runs,
        local.name,
        global_signature.arguments if once else local.signature.arguments,
        global_signature.results if gather else local.signature.results,
        sharing,
        once,
        gather,
    )


def assembled_results(local: Signature, sharing: Sharing) -> Signature:
    """Returns the signature with global arguments and results."""
    return replace(
        local,
        arguments=global_types(local.arguments, sharing.arguments),
        results=global_types(local.results, sharing.results),
    )


def global_types(
    local_arguments: Sequence[Argument], placements: Sequence[TensorPlacement | None]
) -> tuple[Argument, ...]:
    """Arguments or results with the types before partitioning."""
    # Here and not above, because few runs share anything.
    from stablemate.api.sharded_calls import global_type

    if len(local_arguments) != len(placements):
        return tuple(local_arguments)  # tuples of HLO
    return tuple(
        replace(local, type=global_type(local.type, placement))
        if isinstance(local.type, TensorType) and placement is not None
        else local
        for local, placement in zip(local_arguments, placements, strict=True)
    )
