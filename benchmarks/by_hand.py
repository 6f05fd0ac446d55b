"""Collective operations as one writes them with mpi4py on NumPy buffers.

Each maker takes a communicator, the operand and an array for the result; all buffers are made
before the first step. Folds go in the order of the group, neighbors first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from stablemate.ir.exchange import BLOCKS_THRESHOLD

Step = Callable[[], Any]


def folded(rows: Any, out: Any) -> None:
    """The rows, added in pairs."""
    partial_sums = list(rows)
    while len(partial_sums) > 2:
        pairs = zip(partial_sums[::2], partial_sums[1::2], strict=False)
        partial_sums = [x + y for x, y in pairs] + partial_sums[
            len(partial_sums) - len(partial_sums) % 2 :
        ]
    np.add(partial_sums[0], partial_sums[1], out=out)


def all_reduce(comm: Any, x: Any, out: Any) -> Step:
    """Small: gather and fold. Large: exchange blocks, fold one, gather."""
    n = comm.size
    if x.nbytes < BLOCKS_THRESHOLD:
        gathered = np.empty((n, x.size), x.dtype)

        def small() -> None:
            comm.Allgather(x, gathered)
            folded(gathered, out)

        return small
    rows, block = np.empty((n, x.size // n), x.dtype), np.empty(x.size // n, x.dtype)

    def large() -> None:
        comm.Alltoall(x, rows)
        folded(rows, block)
        comm.Allgather(block, out)

    return large


def all_gather(comm: Any, x: Any, out: Any) -> Step:
    """The engine's."""
    return lambda: comm.Allgather(x, out)


def reduce_scatter(comm: Any, x: Any, out: Any) -> Step:
    """Exchange blocks, fold one."""
    rows = np.empty((comm.size, out.size), x.dtype)

    def step() -> None:
        comm.Alltoall(x, rows)
        folded(rows, out)

    return step


def all_to_all(comm: Any, x: Any, out: Any) -> Step:
    """The engine's."""
    return lambda: comm.Alltoall(x, out)


def collective_permute(comm: Any, x: Any, out: Any) -> Step:
    """Each to its right, from its left."""
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    return lambda: comm.Sendrecv(x, right, 0, out, left, 0)


def collective_broadcast(comm: Any, x: Any, out: Any) -> Step:
    """The engine's, in and out of separate buffers as the operation has them."""

    def step() -> None:
        if comm.rank == 0:
            out[...] = x
        comm.Bcast(out, 0)

    return step


def collective_reduce(comm: Any, x: Any, out: Any) -> Step:
    """Small: gather at the root and fold. Large: exchange blocks, fold one, gather at the root."""
    n = comm.size
    if x.nbytes < BLOCKS_THRESHOLD:
        gathered = np.empty((n, x.size), x.dtype) if comm.rank == 0 else None

        def small() -> None:
            comm.Gather(x, gathered, 0)
            if comm.rank == 0:
                folded(gathered, out)
            else:
                out[...] = 0

        return small
    rows, block = np.empty((n, x.size // n), x.dtype), np.empty(x.size // n, x.dtype)

    def large() -> None:
        comm.Alltoall(x, rows)
        folded(rows, block)
        comm.Gather(block, out if comm.rank == 0 else None, 0)
        if comm.rank:
            out[...] = 0

    return large


HAND: Final[dict[str, Callable[[Any, Any, Any], Step]]] = {
    item.__name__: item
    for item in (
        all_reduce,
        all_gather,
        reduce_scatter,
        all_to_all,
        collective_permute,
        collective_broadcast,
        collective_reduce,
    )
}
ENGINE: Final[dict[str, Callable[[Any, Any, Any], Step]]] = {
    "all_reduce": lambda comm, x, out: lambda: comm.Allreduce(x, out),
    "reduce_scatter": lambda comm, x, out: lambda: comm.Reduce_scatter_block(x, out),
}
