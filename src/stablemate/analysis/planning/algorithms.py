"""Algorithms of collective operations: how many messages of which size, one after another.

What is counted is the longest chain: a process sends one message at a time and receives one at a
time, both at once. One row an algorithm, in closed form, for p processes and n bytes:

================== =================================================
operation          n is the size of
================== =================================================
all_reduce         the operand
reduce_scatter     the operand; a process keeps n / p
all_gather         the result; a process gives n / p
all_to_all         the operand; a process gives each other one n / p
collective_reduce  the operand
collective_broadcast the operand
collective_permute the operand
================== =================================================

Sources: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations
in MPICH, 2005 (section 4 and 5); J. Bruck et al., Efficient algorithms for all-to-all
communications in multiport message-passing systems, 1997; M. Barnett et al., Interprocessor
collective communication library (InterCom), 1994: broadcast by scatter and all_gather.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """The messages and reductions of an algorithm.

    Attributes:
        rounds: Messages of the longest chain, each sent when the one before has come.
        bytes: Their bytes.
        folded: Bytes that are combined with others along that chain.
        messages: All messages of all processes.
        sent: Their bytes.
    """

    rounds: int = 0
    bytes: float = 0.0
    folded: float = 0.0
    messages: int = 0
    sent: float = 0.0

    def __add__(self, other: Traffic) -> Traffic:
        """Adds the traffic of two phases that run one after the other."""
        return Traffic(
            self.rounds + other.rounds,
            self.bytes + other.bytes,
            self.folded + other.folded,
            self.messages + other.messages,
            self.sent + other.sent,
        )

    def concurrent(self, number: int) -> Traffic:
        """Returns the traffic of so many groups of processes at the same time."""
        return Traffic(
            self.rounds, self.bytes, self.folded, self.messages * number, self.sent * number
        )


Formula: TypeAlias = Callable[[int, float], Traffic | None]


def depth(p: int) -> int:
    """The base-2 logarithm, rounded up."""
    return (p - 1).bit_length()


def is_power_of_two(p: int) -> bool:
    """Whether p is a power of two."""
    return p & (p - 1) == 0


def everyone(p: int, rounds: int, size: float, folded: float = 0.0) -> Traffic:
    """All processes send as much, at the same time.

    Args:
        p: The processes.
        rounds: How many messages each of them sends.
        size: The bytes of these messages together.
        folded: The bytes that each combines.
    """
    return Traffic(rounds, size, folded, p * rounds, p * size)


# ---- phases


def blocks(p: int, n: float) -> Traffic:
    """Each process sends a different block to each other process."""
    return everyone(p, p - 1, (p - 1) * n / p)


def folded_blocks(p: int, n: float) -> Traffic:
    """The same, and each combines what it is given."""
    return everyone(p, p - 1, (p - 1) * n / p, (p - 1) * n / p)


def wholes(p: int, n: float) -> Traffic:
    """Each process sends all its data to each other process, and combines what it receives."""
    return everyone(p, p - 1, (p - 1) * n, (p - 1) * n)


def recursive_halving(p: int, n: float) -> Traffic | None:
    """Recursive halving: a half of what is left, each time to another half of the processes."""
    return everyone(p, depth(p), (p - 1) * n / p, (p - 1) * n / p) if is_power_of_two(p) else None


def recursive_doubling(p: int, n: float) -> Traffic | None:
    """Recursive doubling: each time twice as much, with a process twice as far away."""
    return everyone(p, depth(p), (p - 1) * n / p) if is_power_of_two(p) else None


def tree(p: int, n: float) -> Traffic:
    """A binomial tree away from the root: all n bytes to every process."""
    return Traffic(depth(p), depth(p) * n, 0.0, p - 1, (p - 1) * n)


def tree_fold(p: int, n: float) -> Traffic:
    """A binomial tree towards the root, which combines at every branch."""
    return Traffic(depth(p), depth(p) * n, depth(p) * n, p - 1, (p - 1) * n)


def tree_blocks(p: int, n: float) -> Traffic:
    """A binomial tree that scatters, or gathers, a block of n / p bytes for each process."""
    subtrees = sum(min(rank & -rank, p - rank) for rank in range(1, p))
    return Traffic(depth(p), (p - 1) * n / p, 0.0, p - 1, subtrees * n / p)


# ---- algorithms that are more than their phases


def doubled_sums(p: int, n: float) -> Traffic:
    """Recursive doubling of whole operands.

    Where p is no power of two, those beyond it give theirs to others before, and are told after.
    """
    core = 1 << (p.bit_length() - 1)
    sums = everyone(core, depth(core), depth(core) * n, depth(core) * n)
    return sums + beyond(p - core, n)


def halved_and_doubled(p: int, n: float) -> Traffic:
    """Recursive halving, then doubling, among a power of two; the others as above."""
    core = 1 << (p.bit_length() - 1)
    first, second = recursive_halving(core, n), recursive_doubling(core, n)
    assert first is not None, "a power of two"
    assert second is not None, "a power of two"
    return first + second + beyond(p - core, n)


def beyond(rest: int, n: float) -> Traffic:
    """The extra processes send their operands to others, and receive the results."""
    return Traffic(2, 2 * n, n, 2 * rest, 2 * rest * n) if rest else Traffic()


def bruck_blocks(p: int, n: float) -> Traffic:
    """Bruck's all_gather: each time all that one has, at most what is missing; any p."""
    return everyone(p, depth(p), (p - 1) * n / p)


def bruck_exchange(p: int, n: float) -> Traffic:
    """Bruck's all_to_all: in round k the blocks of all distances that have bit k."""
    moved = sum(round_number.bit_count() for round_number in range(1, p))
    return everyone(p, depth(p), moved * n / p)


def one(p: int, n: float) -> Traffic:
    """Each process sends once and receives once."""
    return everyone(p, 1, n)


def from_root(p: int, n: float) -> Traffic:
    """The root sends to each other process."""
    return Traffic(p - 1, (p - 1) * n, 0.0, p - 1, (p - 1) * n)


def to_root(p: int, n: float) -> Traffic:
    """Each other process sends to the root, which combines."""
    return Traffic(p - 1, (p - 1) * n, (p - 1) * n, p - 1, (p - 1) * n)


def to_root_in_blocks(p: int, n: float) -> Traffic:
    """Each other process sends the root its block of n / p bytes."""
    return Traffic(p - 1, (p - 1) * n / p, 0.0, p - 1, (p - 1) * n / p)


def sequence_phases(*phases: Formula) -> Formula:
    """One phase after another; not where one of them is not."""

    def formula(p: int, n: float) -> Traffic | None:
        total = Traffic()
        for phase in phases:
            traffic = phase(p, n)
            if traffic is None:
                return None
            total += traffic
        return total

    return formula


# By operation: what each algorithm takes; None where it is not for so many processes. A direct
# exchange, and for large operands that are combined a block exchange, is what stablemate's own
# carrier of MPI does (``ir/exchange.py``).
DIRECT: Final = "direct exchange"
BLOCKS: Final = "block exchange"
ALGORITHMS: Final[Mapping[str, Mapping[str, Formula]]] = {
    "all_reduce": {
        DIRECT: wholes,
        BLOCKS: sequence_phases(folded_blocks, blocks),
        "ring": sequence_phases(folded_blocks, blocks),
        "recursive doubling": doubled_sums,
        "recursive halving and doubling": halved_and_doubled,
        "binomial trees": sequence_phases(tree_fold, tree),
    },
    "reduce_scatter": {
        DIRECT: folded_blocks,
        "ring": folded_blocks,
        "recursive halving": recursive_halving,
        "binomial trees": sequence_phases(tree_fold, tree_blocks),
    },
    "all_gather": {
        DIRECT: blocks,
        "ring": blocks,
        "recursive doubling": recursive_doubling,
        "Bruck": bruck_blocks,
        "binomial trees": sequence_phases(tree_blocks, tree),
    },
    "all_to_all": {
        DIRECT: blocks,
        "pairwise exchange": blocks,
        "Bruck": bruck_exchange,
    },
    "collective_broadcast": {
        DIRECT: from_root,
        "binomial tree": tree,
        "scatter and ring": sequence_phases(tree_blocks, blocks),
        "scatter and recursive doubling": sequence_phases(tree_blocks, recursive_doubling),
    },
    "collective_reduce": {
        DIRECT: to_root,
        BLOCKS: sequence_phases(folded_blocks, to_root_in_blocks),
        "binomial tree": tree_fold,
        "direct exchange and gather": sequence_phases(folded_blocks, tree_blocks),
        "recursive halving and gather": sequence_phases(recursive_halving, tree_blocks),
    },
    "collective_permute": {DIRECT: one},
}
