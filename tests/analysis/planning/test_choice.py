"""Which algorithm is chosen, and what levels cost: by hand."""

import pytest

from stablemate.analysis.planning.algorithms import ALGORITHMS
from stablemate.analysis.planning.choice import AlgorithmCost, estimates
from stablemate.analysis.planning.network import Network, network

FLAT = network("1us:1GB/s")
NODES = network("8@1us:10GB/s,10us:1GB/s")
NEVER = 1e30  # bytes a second: combining takes no time


def names(kind: str, shape: tuple[int, ...], size: float, on: Network = FLAT) -> list[str]:
    return [estimate.algorithm for estimate in estimates(kind, shape, size, on, NEVER)]


def best(kind: str, shape: tuple[int, ...], size: float, on: Network = FLAT) -> AlgorithmCost:
    return estimates(kind, shape, size, on, NEVER)[0]


def test_small_messages_take_few_rounds_and_large_ones_few_bytes() -> None:
    assert names("all_reduce", (16,), 8)[0] == "recursive doubling"
    assert names("all_reduce", (16,), 1e8)[0] == "recursive halving and doubling"
    assert names("all_reduce", (15,), 1e8)[0] == "block exchange"  # as good as a ring
    assert names("all_reduce", (2,), 8)[0] == "direct exchange"
    assert names("collective_broadcast", (16,), 8)[0] == "binomial tree"
    assert names("collective_broadcast", (16,), 1e8)[0] == "scatter and recursive doubling"
    assert names("all_to_all", (16,), 8)[0] == "Bruck"
    assert names("all_to_all", (16,), 1e8)[0] == "direct exchange"


def test_every_algorithm_is_an_estimate() -> None:
    for kind, algorithms in ALGORITHMS.items():
        assert sorted(names(kind, (8,), 1000)) == sorted(algorithms)


def test_a_group_pays_the_slowest_level_that_it_crosses() -> None:
    # a ring of two over nodes: 2 messages of n / 2 at 10 us and 1 GB/s
    ring = {x.algorithm: x for x in estimates("all_reduce", (1, 2), 1e6, NODES, NEVER)}["ring"]
    assert ring.seconds == pytest.approx(2 * 10e-6 + 1e6 / 1e9)
    assert "by levels" not in str(names("all_reduce", (1, 2), 1e6, NODES))


def test_levels_by_hand() -> None:
    """Two nodes of eight, 16 MB: inside 14 MB at 10 GB/s twice, across two halves of 2 MB."""
    best_result = best("all_reduce", (8, 2), 16e6, NODES)
    assert best_result.algorithm.startswith("by levels (recursive halving, ")
    inside = 3 * 1e-6 + 14e6 / 10e9
    across = 10e-6 + 2e6 / 1e9  # the two of a pair exchange what they have
    assert best_result.seconds == pytest.approx(2 * inside + across)
    # each of two nodes: 8 processes, 3 messages, twice; 8 pairs across, a message each way
    assert best_result.traffic.messages == 2 * 2 * 8 * 3 + 8 * 2
    assert best_result.traffic.sent == pytest.approx(2 * 2 * 8 * 14e6 + 8 * 2 * 2e6)


@pytest.mark.parametrize(
    "kind", [algorithm for algorithm in ALGORITHMS if algorithm != "collective_permute"]
)
def test_levels_send_over_the_slow_one_as_little_as_can_be(kind: str) -> None:
    """Seconds when the inner level costs nothing: those of the operation across alone."""
    free_inside = Network((network("8@0s:1PB/s").levels[0], FLAT.levels[0]))
    by_levels = [
        estimate
        for estimate in estimates(kind, (8, 4), 8e6, free_inside, NEVER)
        if estimate.algorithm.startswith("by levels")
    ]
    share = 8e6 if kind in {"all_to_all", "collective_broadcast", "collective_reduce"} else 1e6
    across = best(kind, (4,), share).seconds
    assert by_levels[0].seconds == pytest.approx(across, rel=1e-5)


def test_combining_takes_its_time() -> None:
    (ring,) = [
        estimate
        for estimate in estimates("all_reduce", (4,), 4e6, FLAT, 1e9)
        if estimate.algorithm == "ring"
    ]
    assert ring.seconds == pytest.approx(6 * 1e-6 + 6e6 / 1e9 + 3e6 / 1e9)
