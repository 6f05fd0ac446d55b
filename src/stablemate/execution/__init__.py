"""Runs programs: what the interpreter and the compiler share, and the processes of a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.execution.backends.mpi import placement_on_ranks as placement_on_ranks
    from stablemate.execution.backends.mpi import ranks as ranks
    from stablemate.execution.backends.rank import run_as_rank as run_as_rank
    from stablemate.execution.backends.rank_run import PeerError as PeerError

__getattr__ = names_on_demand(
    __name__,
    {
        "PeerError": "backends.rank_run",
        "placement_on_ranks": "backends.mpi",
        "ranks": "backends.mpi",
        "run_as_rank": "backends.rank",
    },
)
