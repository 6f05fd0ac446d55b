"""Floor 4: what every executor shares; computes nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.execution.mpi import check_size as check_size
    from stablemate.execution.mpi import ranks as ranks
    from stablemate.execution.rank import PeerError as PeerError
    from stablemate.execution.rank import run_as_rank as run_as_rank

__getattr__ = names_on_demand(
    __name__, {"PeerError": "rank", "check_size": "mpi", "ranks": "mpi", "run_as_rank": "rank"}
)
