"""Choice: what each algorithm takes on a network, the fastest first.

On a network of levels an algorithm pays the slowest level that its group crosses. Where the group
lies evenly in the levels, the operation can also be made level by level.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from stablemate.analysis.planning.algorithms import ALGORITHMS, Traffic
from stablemate.analysis.planning.network import Network
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlgorithmCost:
    """An operation, made by one algorithm.

    Attributes:
        algorithm: Its name.
        traffic: What it sends.
        seconds: How long it takes.
    """

    algorithm: str
    traffic: Traffic
    seconds: float


class CollectivePhase(NamedTuple):
    """A phase of a hierarchical collective operation.

    Attributes:
        kind: What is done.
        inside: Whether by those who are together in the innermost level, else by those across.
        shrinks: Whether each of them has only its share of the bytes.
        all: Whether all groups of them do it, else one for all.
    """

    kind: str
    inside: bool
    shrinks: bool = False
    all: bool = True


BY_LEVELS: Final[Mapping[str, Sequence[CollectivePhase]]] = {
    "all_reduce": (
        CollectivePhase("reduce_scatter", inside=True),
        CollectivePhase("all_reduce", inside=False, shrinks=True),
        CollectivePhase("all_gather", inside=True),
    ),
    "reduce_scatter": (
        CollectivePhase("reduce_scatter", inside=True),
        CollectivePhase("reduce_scatter", inside=False, shrinks=True),
    ),
    "all_gather": (
        CollectivePhase("all_gather", inside=False, shrinks=True),
        CollectivePhase("all_gather", inside=True),
    ),
    "all_to_all": (
        CollectivePhase("all_to_all", inside=True),
        CollectivePhase("all_to_all", inside=False),
    ),
    "collective_broadcast": (
        CollectivePhase("collective_broadcast", inside=False, all=False),
        CollectivePhase("collective_broadcast", inside=True),
    ),
    "collective_reduce": (
        CollectivePhase("collective_reduce", inside=True),
        CollectivePhase("collective_reduce", inside=False, all=False),
    ),
}


def estimates(
    kind: str, shape: Sequence[int], size: float, network: Network, fold_bytes_per_second: float
) -> list[AlgorithmCost]:
    """The time of each algorithm, the fastest first.

    Args:
        kind: The operation.
        shape: How its group lies in the levels of the network; see ``Network.shape``.
        size: The bytes that the formulas speak of.
        network: The network.
        fold_bytes_per_second: How many bytes a process combines in a second.
    """
    processes = math.prod(shape)
    level = network.levels[max(len(shape) - 1, 0)]
    candidates: list[AlgorithmCost] = []
    for name, formula in ALGORITHMS[kind].items():
        traffic = formula(processes, size)
        if traffic is not None:
            seconds = traffic.rounds * level.latency + traffic.bytes / level.bandwidth
            seconds += traffic.folded / fold_bytes_per_second
            candidates.append(AlgorithmCost(name, traffic, seconds))
    if kind in BY_LEVELS and sum(extent > 1 for extent in shape) > 1:
        candidates.append(by_levels(kind, shape, size, network, fold_bytes_per_second))
    return sorted(candidates, key=lambda estimate: estimate.seconds)


def by_levels(
    kind: str, shape: Sequence[int], size: float, network: Network, fold_bytes_per_second: float
) -> AlgorithmCost:
    """The operation inside the innermost level, and across, each by its fastest algorithm."""
    first = next(i for i, extent in enumerate(shape) if extent > 1)
    inner, outer = shape[: first + 1], (*(1,) * (first + 1), *shape[first + 1 :])
    members, groups = shape[first], math.prod(outer)
    chosen: list[AlgorithmCost] = []
    for phase in BY_LEVELS[kind]:
        part = size / members if phase.shrinks else size
        level_shape = inner if phase.inside else outer
        best = estimates(phase.kind, level_shape, part, network, fold_bytes_per_second)[0]
        number = groups if phase.inside else members if phase.all else 1
        chosen.append(AlgorithmCost(best.algorithm, best.traffic.concurrent(number), best.seconds))
    return AlgorithmCost(
        f"by levels ({', '.join(phase_estimate.algorithm for phase_estimate in chosen)})",
        sum((phase_estimate.traffic for phase_estimate in chosen), Traffic()),
        sum(phase_estimate.seconds for phase_estimate in chosen),
    )
