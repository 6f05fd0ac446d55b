"""Ranks of an MPI job and their messages; the only module that imports an MPI library.

Two communicators of our own: one for Python objects (messages, states of ranks), one for the
elements of operands, which are sent from and received into the arrays themselves.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakKeyDictionary
from zlib import crc32

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError
from stablemate.execution.collectives.data_movement import MessageHandle
from stablemate.execution.collectives.messages import (
    Message,
    RankExited,
    pack_values,
    unpack_values,
)
from stablemate.execution.collectives.rank_collectives import RankCollectives
from stablemate.execution.collectives.transport import Engine, PersistentTransfer
from stablemate.execution.faults.crash_records import CrashRecords
from stablemate.execution.faults.patience import PeerTimeoutError, patience, patience_text
from stablemate.execution.placement import RankPlacement
from stablemate.ir.grid import Grid
from stablemate.numerics.elements import Array
from stablemate.processors import usable_processors

if TYPE_CHECKING:
    from mpi4py import MPI

MOST_ENGINES: Final = 200  # groups that the engine is told of; it has room for some thousands
# A look keeps the answer's delay short, and takes a core that a rank on it may need:
# ``python -m benchmarks.collectives`` measures both.
PATIENT: Final = 50  # looks for a message before the core is yielded, where ranks have cores
HASTY: Final = 2  # where they share them
TAGS: Final = 1 << 15  # tags that every MPI library has
FAILED: Final = 4  # the exit code of a job that an exception ends
NAP: Final = 1e-3  # seconds between two looks for ranks that have not joined


class Ranks:
    """The ranks of an MPI job, or some of them; creating it is a collective call.

    Attributes:
        rank: The number of this one.
        size: How many there are.
        members: The numbers of all in the job.
        start: Lets messages go; what was done before is done again.
        patience: How often it looks for a message before that.
        pause: Lets another process have the core, if one waits for it.
        run_number: The number of programs that they have run; messages of the next may come early.
        engines: How many groups the engine was told of.
        operations: What it calls the ways to combine.
        epoch: How many of these have failed; what was sent then may never arrive.
        rank_collectives: What it does at the operations of programs that it has run.
        words: Where it writes what it is doing.
        left: The ranks whose programs have ended, with the number of grids they have run.
    """

    def __init__(self, job: Ranks | None = None, members: Sequence[int] = ()) -> None:
        """Joins the ranks of the job.

        Args:
            job: All of them, if these are some or in another order.
            members: Which ranks of the job these are, in their order.

        Raises:
            UnsupportedError: mpi4py is not installed, or it finds no MPI library.
        """
        try:
            from mpi4py import MPI
            from mpi4py.util import pkl5
        except ImportError as error:
            message = "MPI needs mpi4py: pip install mpi4py mpich"
            raise UnsupportedError(message) from error
        except RuntimeError as error:  # its first line says what failed, others each place
            message = (
                f"mpi4py: {str(error).splitlines()[0]}; pip install mpich brings one, "
                "and MPI4PY_LIBMPI names another"
            )
            raise UnsupportedError(message) from error
        every: MPI.Intracomm = MPI.COMM_WORLD
        self.members = tuple(members) or tuple(range(every.Get_size()))
        tag = crc32(str(self.members).encode()) % TAGS
        await_members(every if job is None else job.data, self.members, tag)
        if job is not None:
            every = every.Create_group(every.Get_group().Incl(list(members)), tag)
        self.world = pkl5.Intracomm(every.Dup())
        self.data: MPI.Intracomm = every.Dup()
        self.mpi: Any = MPI
        self.bytes = MPI.BYTE
        self.start: Callable[[Any], None] = MPI.Prequest.Startall
        self.pause: Callable[[], None] = getattr(os, "sched_yield", lambda: time.sleep(0))
        self.rank: int = self.world.Get_rank()
        self.size: int = self.world.Get_size()
        self.run_number = 0
        self.epoch = 0
        self.left: dict[int, int] = {}
        self.sending: list[Any] = []
        self.given_up: list[MPI.Request] = []
        self.engines = 0
        names = {"add": "SUM", "multiply": "PROD", "maximum": "MAX", "minimum": "MIN"}
        names |= {"and": "BAND", "or": "BOR", "xor": "BXOR"}
        self.operations = {ours: getattr(MPI, theirs) for ours, theirs in names.items()}
        self.later: list[tuple[int, Message]] = []
        self.rank_collectives: WeakKeyDictionary[object, RankCollectives] = WeakKeyDictionary()
        node = self.data.Split_type(MPI.COMM_TYPE_SHARED)
        has_room = node.Get_size() <= usable_processors()
        self.patience = PATIENT if has_room else HASTY
        self.words: CrashRecords = job.words if job else CrashRecords(node, self.rank)
        if self.size > 1:
            atexit.register(self.leave)
        if self.size > 1 and job is None:
            sys.excepthook = self.fail

    @property
    def number(self) -> int:
        """The number of this rank in the job."""
        return self.members[self.rank]

    # ---- what is said as objects

    def send(self, rank: int, message: Message) -> None:
        """Sends a message; arrays in it may not change until ``has_sent_all``."""
        self.sending.append(self.world.isend((self.run_number, message), dest=rank))

    def has_sent_all(self) -> bool:
        """Whether all messages have left."""
        if self.sending:
            self.sending = [transfer for transfer in self.sending if not transfer.test()[0]]
        return not self.sending

    def receive(self) -> Message | None:
        """The next message of this run that has arrived, if any.

        Messages of earlier runs are dropped.
        """
        for i, (run_number, message) in enumerate(self.later):
            if run_number == self.run_number:
                del self.later[i]
                return message
        while (incoming := self.world.improbe()) is not None:
            run_number, message = incoming.recv()
            if isinstance(message, RankExited):
                self.left[message.rank] = message.run_number
            elif run_number == self.run_number:
                return cast(Message, message)
            elif run_number > self.run_number:
                self.later.append((run_number, message))
        return None

    def gather(self, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """The values of all ranks (allgather); a collective call."""
        return [unpack_values(row) for row in self.world.allgather(pack_values(values))]

    def gather_objects(self, value: object) -> list[Any]:
        """Gathers a value of each rank (allgather), in their order; a collective call."""
        return list(self.world.allgather(value))

    # ---- elements of operands

    def sender(self, array: Array, rank: int, tag: int) -> PersistentTransfer:
        """A persistent send of a contiguous array."""
        return cast(
            PersistentTransfer, self.data.Send_init([bytes_of(array), self.bytes], rank, tag)
        )

    def receiver(self, array: Array, rank: int, tag: int) -> PersistentTransfer:
        """A persistent receive into a contiguous array."""
        return cast(
            PersistentTransfer, self.data.Recv_init([bytes_of(array), self.bytes], rank, tag)
        )

    def post(self, array: Array, rank: int, tag: int) -> None:
        """Sends an array that does not change any more (nonblocking)."""
        if array.size:
            sent = self.data.Isend([bytes_of(array), self.bytes], rank, tag)
            if not sent.Test():
                self.given_up.append(sent)

    def wire(self, transfers: Sequence[PersistentTransfer]) -> MessageHandle | None:
        """Handles of messages for native code, which calls MPI by address.

        None if the addresses are unknown.
        """
        engine = self.mpi
        try:
            functions = ctypes.CDLL(engine.__file__)
            start, test = (
                ctypes.cast(function, ctypes.c_void_p).value
                for function in (functions.MPI_Startall, functions.MPI_Test)
            )
        except (OSError, AttributeError):
            return None
        size_of, place_of = engine._sizeof, engine._addressof
        size = size_of(engine.Request)
        raw = b"".join(ctypes.string_at(place_of(transfer), size) for transfer in transfers)
        handles = np.frombuffer(bytearray(raw), np.uint8)
        status = np.zeros(size_of(engine.Status), np.uint8)
        return MessageHandle(start or 0, test or 0, handles, status, len(transfers))

    def engine(self, ranks: Sequence[int], tag: int) -> Engine | None:
        """The communicator of a group, created collectively; None if there are too many."""
        if self.engines == MOST_ENGINES:
            return None
        self.engines += 1
        members = self.data.Get_group().Incl(list(ranks))
        return Members(self.data.Create_group(members, tag), self.operations)

    def free(self, transfers: Sequence[PersistentTransfer], *, is_open: bool) -> None:
        """Frees persistent messages; a receive that still waits is canceled."""
        for transfer in cast("Sequence[Any]", transfers):
            if is_open and not transfer.Test():
                transfer.Cancel()
                transfer.Wait()
            if transfer.Test():
                transfer.Free()
            else:
                self.given_up.append(transfer)

    # ---- the end

    def leave(self) -> None:
        """Notifies the other ranks that the program of this rank has ended."""
        self.words.leave()
        for rank in range(self.size):
            if rank != self.rank:
                self.send(rank, RankExited(self.rank, self.run_number))
        self.given_up = [transfer for transfer in self.given_up if not transfer.Test()]

    def fail(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Aborts the job with the traceback of an uncaught exception."""
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(f"rank {self.rank}: {text}")
        sys.stderr.flush()
        if not getattr(error, "is_known_to_all", False):
            self.abort(FAILED)

    def abort(self, code: int) -> None:
        """Ends all ranks of the job with an exit code."""
        self.words.abort()
        self.mpi.COMM_WORLD.Abort(code)


class Members:
    """The communicator of a group."""

    def __init__(self, members: MPI.Intracomm, operations: Mapping[str, MPI.Op]) -> None:
        self.members = members
        self.operations = operations

    def reduction(self, name: str, operand: Array, out: Array) -> PersistentTransfer:
        """MPI's own reduction (sum, product, ...) over the operands of all members."""
        return cast(
            PersistentTransfer, self.members.Allreduce_init(operand, out, self.operations[name])
        )


def await_members(communicator: MPI.Intracomm, members: Sequence[int], tag: int) -> None:
    """Waits until all members are here: what creates a communicator waits without a limit.

    Raises:
        PeerTimeoutError: Some are not here in time. The end of this program ends the job.
    """
    nothing = np.zeros(0, np.uint8)
    others = [rank for rank in members if rank != communicator.Get_rank()]
    sent = [communicator.Isend(nothing, rank, tag) for rank in others]
    awaited = {rank: communicator.Irecv(nothing, rank, tag) for rank in others}
    limit = time.monotonic() + patience()
    while awaited := {rank: here for rank, here in awaited.items() if not here.Test()}:
        if time.monotonic() > limit:
            atexit.register(communicator.Abort, FAILED)
            names = ", ".join(map(str, sorted(awaited)))
            message = f"rank {communicator.Get_rank()} waits for rank {names} to join"
            raise PeerTimeoutError(f"{message} {patience_text()}")
        time.sleep(NAP)
    for transfer in sent:
        transfer.Wait()


def bytes_of(array: Array) -> Array:
    """The memory of a contiguous array."""
    return array.reshape(-1).view(np.uint8)


@lru_cache(maxsize=1)
def ranks() -> Ranks:
    """The ranks of this job; the first call is collective."""
    return Ranks()


@lru_cache(maxsize=MOST_ENGINES)
def some_ranks(members: tuple[int, ...]) -> Ranks:
    """Some ranks of the job, or all in another order; the first call is collective among them."""
    return Ranks(ranks(), members)


def placement_on_ranks(grid: Grid, owners: Sequence[int] | None) -> tuple[Ranks, RankPlacement]:
    """The ranks that run the processes of a grid, and which of them runs which process.

    Args:
        grid: The processes.
        owners: The rank of each in the job; None: equal blocks on all ranks in order.

    Raises:
        ArgumentValueError: There are fewer processes than ranks, a rank does not exist, or this one
            has no process.
    """
    job = ranks()
    if owners is None:
        return job, RankPlacement.in_blocks(grid, job.size)
    members = tuple(dict.fromkeys(owners))
    missing = [rank for rank in members if not 0 <= rank < job.size]
    if missing:
        message = (
            f"there is no rank {missing[0]}: the MPI job has {job.size}, started by mpiexec -n"
        )
        raise ArgumentValueError(message)
    if job.rank not in members:
        message = f"the program runs on ranks {sorted(members)}, of which {job.rank} is none"
        raise ArgumentValueError(message)
    in_order = members == tuple(range(job.size))
    placement = RankPlacement(grid, tuple(map(members.index, owners)))
    return (job if in_order else some_ranks(members)), placement
