"""What the processes of a grid share: inputs that are given once are cut, results are gathered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import stablemate as sm
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.grid import Grid
from stablemate.ir.types import TensorType

if TYPE_CHECKING:
    from stablemate.api.sharing import Sharing
    from stablemate.transforms.partitioning.placement import Placement


@dataclass(frozen=True, slots=True)
class Share:
    """The program that runs, and what it takes and gives as the command line sees it.

    Attributes:
        module: The program: the given one, or that of one device.
        entry: Its function.
        arguments: What inputs are for: whole arguments where they are given once.
        results: What outputs are for: whole results where they are gathered.
        sharing: How whole arrays are cut and put together; None if they are not.
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
        """Whether the border is that of the given program."""
        return self.sharing is None

    def entries(self, given: Sequence[Any], grid: Grid) -> list[Any] | None:
        """The arguments of all processes, cut from what is given once; None if nothing is."""
        if self.sharing is None or not self.once:
            return None
        types = [each.type for each in self.module.entry(self.entry).own_signature.arguments]
        return self.sharing.pieces(tuple(given), grid, types)


def share(
    module: sm.Module, entry: str | None, grid: Grid | None, *, once: bool, gather: bool
) -> Share:
    """What processes run and share.

    Args:
        module: The program.
        entry: The function.
        grid: The processes; None if there is no grid.
        once: Whether inputs are given once for all processes.
        gather: Whether results are put together.

    Raises:
        ArgumentValueError: Results are to be gathered, and nothing is said of how.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    function = module.entry(entry)
    own = function.signature
    if grid is None:
        if gather:
            raise ArgumentValueError("results are gathered from a grid: say --grid=RxP")
        return Share(module, function.name, own.arguments, own.results)
    # Here and not above, because few runs share anything.
    from stablemate.api.running import shared

    runs, sharing = shared(module, entry, grid, () if once else [], None)
    if sharing is None:
        if gather:
            raise ArgumentValueError("nothing is said of how results are divided: no --gather")
        return Share(module, function.name, own.arguments, own.results)
    piece = function if runs is module else runs.entry()
    whole = own if runs is not module else wholes(own, sharing)
    return Share(
        runs,
        piece.name,
        whole.arguments if once else piece.signature.arguments,
        whole.results if gather else piece.signature.results,
        sharing,
        once,
        gather,
    )


def wholes(pieces: Signature, sharing: Sharing) -> Signature:
    """What a program of pieces takes and gives as a whole."""
    return replace(
        pieces,
        arguments=grown(pieces.arguments, sharing.arguments),
        results=grown(pieces.results, sharing.results),
    )


def grown(
    pieces: Sequence[Argument], placements: Sequence[Placement | None]
) -> tuple[Argument, ...]:
    """Arguments or results with the types of the wholes."""
    # Here and not above, because few runs share anything.
    from stablemate.api.sharing import whole_type

    if len(pieces) != len(placements):
        return tuple(pieces)  # tuples of HLO
    return tuple(
        replace(each, type=whole_type(each.type, placement))
        if isinstance(each.type, TensorType) and placement is not None
        else each
        for each, placement in zip(pieces, placements, strict=True)
    )
