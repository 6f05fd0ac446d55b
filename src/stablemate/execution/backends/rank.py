"""Runs the processes of a grid that belong to an MPI rank, together with those of the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.execution.backends.lockstep import Results
from stablemate.execution.backends.mpi import Ranks
from stablemate.execution.backends.one_process import OneProcessRun
from stablemate.execution.backends.rank_run import PeerError, RankRun
from stablemate.execution.backends.several_processes import SeveralProcessesRun
from stablemate.execution.collectives.messages import Failed
from stablemate.execution.host import Host
from stablemate.execution.placement import RankPlacement
from stablemate.ir.grid import ProcessId
from stablemate.ir.request import Process
from stablemate.numerics.floating_point_environment import keeping_subnormals

FAREWELL: Final = 1.0  # seconds that a failing rank takes to tell the others


def run_as_rank(
    start: Callable[[], Sequence[Process]],
    host: Host,
    group: Ranks,
    placement: RankPlacement,
    *,
    native: bool = False,
) -> list[Results]:
    """Runs the processes of this rank until they end, together with those of the other ranks.

    Args:
        start: Makes the processes; what it refuses ends the other ranks too.
        host: What answers requests that concern no other process.
        group: The ranks.
        placement: Which of them runs which process.
        native: Whether the engine may combine in an order of its own, where each rank has one
            process.

    Returns:
        The results of this rank's processes.

    Raises:
        DeadlockError: Processes wait for one another, or for one that has ended.
        StablemateError: A process failed, this one or another; the error says which one.
    """
    group.run_number += 1
    with np.errstate(all="ignore"), keeping_subnormals():
        try:
            run = run_of(start(), host, group, placement, native=native)
            results = run.run()
            run.settle()
            return results
        except PeerError:
            abandon_run(group)
            raise
        except BaseException as error:
            abandon_run(group)
            report_failure(group, placement.processes(group.rank)[0], error)
            raise


def run_of(
    processes: Sequence[Process],
    host: Host,
    group: Ranks,
    placement: RankPlacement,
    *,
    native: bool,
) -> RankRun:
    """The run of the processes of this rank."""
    if placement.is_identity:
        return OneProcessRun(processes[0], host, group, placement, native=native)
    return SeveralProcessesRun(processes, host, group, placement)


def abandon_run(group: Ranks) -> None:
    """Abandons a run that has failed: messages that are under way are not received."""
    group.epoch += 1
    for rank_collectives in group.rank_collectives.values():
        rank_collectives.close()
    group.rank_collectives.clear()


def report_failure(group: Ranks, process: ProcessId, error: BaseException) -> None:
    """Sends the other ranks the reason why this one fails."""
    reason = (
        str(error) if isinstance(error, StablemateError) else f"{type(error).__name__}: {error}"
    )
    for rank in range(group.size):
        if rank != group.rank:
            group.send(rank, Failed(process, reason))
    limit = time.monotonic() + FAREWELL
    while not group.has_sent_all() and time.monotonic() < limit:
        group.receive()
