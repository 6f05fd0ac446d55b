"""One process of a grid as an MPI rank: rank = replica_id * num_partitions + partition_id.

At a collective operation the rank hands to others what they need, and folds what it needs itself
in the order of the group: so it has the bits of lock-step. Its messages are prepared once for each
operation, and used again whenever it is executed.

Source: StableHLO specification, parallel execution.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from stablemate.diagnostics.errors import StablemateError
from stablemate.execution.backends.mpi import Ranks
from stablemate.execution.backends.rank_run import SPIN, RankRun
from stablemate.execution.collectives.data_movement import Shortcut
from stablemate.execution.collectives.messages import CollectiveProgress
from stablemate.execution.collectives.prepared_collectives import CollectiveRun, PreparedCollective
from stablemate.execution.collectives.rank_collectives import RankCollectives
from stablemate.execution.host import Host
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import Fiber, Waiting, place_of, text_of
from stablemate.ir.grid import ProcessId
from stablemate.ir.request import IN_TARGETS, CollectiveRequest, OperationFuture, Process, Request

# More looks answer sooner, and delay what else the process has to do:
# ``python -m benchmarks.collectives`` measures them.
EAGER: Final = 100  # looks at messages before other things are looked at
SLOW: Final = 2e-9  # seconds that a byte may take


class OneProcessRun(RankRun):
    """One run of a grid with a process on each rank."""

    def __init__(
        self, process: Process, host: Host, group: Ranks, placement: RankPlacement, *, native: bool
    ) -> None:
        super().__init__([process], host, group, placement)
        own = self.fibers[0].process
        self.rank_collectives = collectives_of(host, group, own, native=native)
        self.under_way: dict[CollectiveRun, Fiber] = {}

    def settle(self) -> None:
        """Keeps the messages for a similar run."""
        self.rank_collectives.settle()
        if self.host.programs:
            self.rank_collectives.close()

    def poll(self) -> bool:
        """Resumes collectives whose messages have arrived; returns whether there were any."""
        received = False
        for visit, fiber in list(self.under_way.items()):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                del self.under_way[visit]
                self.ready.append((fiber, answer))
                received = True
        return received

    def progress(self) -> tuple[CollectiveProgress, ...]:
        """How far this rank is at each collective."""
        return tuple(map(progress_of, self.rank_collectives.sites.values()))

    # ---- collective operations

    def meet(self, fiber: Fiber, request: CollectiveRequest) -> object:
        """Contributes operands to a collective; returns the answer if the others arrive soon."""
        operation = self.representative(request.operation)
        partners, is_beside = self.partners_at(operation), fiber.future is not None
        visit = self.rank_collectives.visit(request, operation, partners, is_beside=is_beside)
        for run_number in range(EAGER if len(self.open) == 1 else 1):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                return answer
            if run_number >= self.group.patience:
                self.group.pause()
        return self.suspend(fiber, request, visit, 0)

    def attempt(self, fiber: Fiber, request: Request) -> object:
        """The answer to a request; an operation that has run before takes a shorter path."""
        bound, words = self.rank_collectives.bound.get(id(request)), self.group.words
        if bound is None or len(self.open) > 1:
            words.number[0] = words.of(place_of(request.operation))
            return super().attempt(fiber, request)
        again, site, binding = bound
        words.number[0] = binding.number
        if not binding.is_short:
            site.shorten(
                binding, self.host.functions.mover, self.rank_collectives.gate, words.number
            )
        try:
            visit = site.try_now(binding)
        except StablemateError as error:
            return error
        if visit is not None:
            return self.suspend(fiber, again, visit, binding.bytes)
        return IN_TARGETS if binding.native_steps is None else Shortcut(binding.native_steps)

    def start(self, fiber: Fiber, process: Process) -> OperationFuture:
        """Starts an asynchronous operation; from now on Python schedules the fibers."""
        self.rank_collectives.gate[0] = 1
        return super().start(fiber, process)

    def suspend(
        self, fiber: Fiber, request: CollectiveRequest, visit: CollectiveRun, size: int
    ) -> Waiting:
        """A placeholder for the answer of a collective that has not completed."""
        self.under_way[visit] = fiber
        self.spin = SPIN + size * SLOW
        return Waiting(partial(self.awaited_processes, request))

    def outcome_of(self, visit: CollectiveRun) -> object:
        """The result of a collective, or that it must wait; an error is a result too."""
        try:
            next(visit)
        except StopIteration as end:
            return end.value
        except StablemateError as error:
            return error
        return WAITING

    def awaited_processes(self, request: CollectiveRequest) -> str:
        """The processes whose messages have not arrived."""
        sites = [
            s for s in self.rank_collectives.sites.values() if s.stop.operation is request.operation
        ]
        ranks = {rank for site in sites for _, rank in site.awaited_messages()}
        return ", ".join(text_of(self.grid.process(rank)) for rank in sorted(ranks))


WAITING: Final = Waiting(lambda: "")


def collectives_of(
    host: Host, group: Ranks, process: ProcessId, *, native: bool
) -> RankCollectives:
    """The prepared collectives of a program, which may have run before."""
    if host.programs:  # of this run alone
        return RankCollectives(
            group, host.grid, process, group.epoch, group.words.of, native=False, one_program=False
        )
    collectives = group.rank_collectives.get(host.functions)
    if collectives is None or (collectives.grid, collectives.native) != (host.grid, native):
        if collectives is not None:
            collectives.close()
        collectives = group.rank_collectives[host.functions] = RankCollectives(
            group, host.grid, process, group.epoch, group.words.of, native=native
        )
    return collectives


def progress_of(site: PreparedCollective) -> CollectiveProgress:
    """How far this rank is at a collective."""
    shapes = ", ".join("x".join(map(str, shape)) or "scalar" for shape in site.exchange.shapes)
    return CollectiveProgress(
        tag=site.tag,
        key=site.stop.key,
        place=site.stop.place,
        shapes=shapes,
        begun=(int(site.begun[0]), int(site.begun[1])),
        receivers=tuple(site.receivers),
        round=int(site.begun[1] == site.begun[0]),
        awaited=tuple(site.awaited_messages()),
    )
