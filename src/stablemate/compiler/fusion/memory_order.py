"""Orders launches so that few bytes are live at the same time.

Among the launches whose operands are known, the one comes next after which the fewest bytes are
live: from the beginning, or from the end backwards. Neither is always the best order: plans of
both are compared.

Source: Bruno and Sethi, "Code Generation for a One-Register Machine" (1976): the problem is
NP-complete; XLA's list scheduler, which also takes the best of several orders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from stablemate.deferred_dataclasses import dataclass

ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class Launch(Generic[ValueT]):
    """A launch as far as its order is concerned.

    Attributes:
        before: The launches that must come before it, by their numbers.
        reads: The values that it reads.
        writes: The values that it makes.
    """

    before: Collection[int]
    reads: Collection[ValueT]
    writes: Collection[ValueT]


def forward_order(launches: Sequence[Launch[ValueT]], sizes: Mapping[ValueT, int]) -> list[int]:
    """The numbers of launches in the order in which the fewest bytes are live after each.

    Args:
        launches: The launches, in an order that is possible.
        sizes: The bytes of the values that take memory from the launch that makes them, or from the
            beginning, to the last one that reads them.
    """
    readers = dict[ValueT, int]()
    for launch in launches:
        for value in set(launch.reads):
            readers[value] = readers.get(value, 0) + 1

    def growth(number: int) -> int:
        launch = launches[number]
        made = sum(sizes.get(value, 0) for value in launch.writes if readers.get(value))
        dead = sum(sizes.get(value, 0) for value in set(launch.reads) if readers[value] == 1)
        return made - dead

    def take(number: int) -> None:
        for value in set(launches[number].reads):
            readers[value] -= 1

    return greedy_order([launch.before for launch in launches], growth, take)


def backward_order(launches: Sequence[Launch[ValueT]], sizes: Mapping[ValueT, int]) -> list[int]:
    """As the forward order, but from the last launch to the first."""
    after: list[list[int]] = [[] for _ in launches]
    for number, launch in enumerate(launches):
        for other in launch.before:
            after[other].append(number)
    live: set[ValueT] = set()

    def growth(number: int) -> int:
        launch = launches[number]
        read = sum(sizes.get(value, 0) for value in set(launch.reads) if value not in live)
        return read - sum(sizes.get(value, 0) for value in launch.writes if value in live)

    def take(number: int) -> None:
        live.difference_update(launches[number].writes)
        live.update(launches[number].reads)

    last = len(launches) - 1
    mirrored = [[last - other for other in others] for others in reversed(after)]
    order = greedy_order(mirrored, lambda number: growth(last - number), lambda n: take(last - n))
    return [last - number for number in reversed(order)]


def greedy_order(
    before: Sequence[Collection[int]],
    growth: Callable[[int], int],
    take: Callable[[int], None],
) -> list[int]:
    """The order in which the possible launch that grows the live bytes least comes next.

    Args:
        before: For each launch, those that must come before it.
        growth: By how many bytes a launch would grow what is live.
        take: What happens when a launch is chosen.
    """
    missing = [len(set(others)) for others in before]
    after: list[list[int]] = [[] for _ in before]
    for number, others in enumerate(before):
        for other in set(others):
            after[other].append(number)
    ready = [number for number, count in enumerate(missing) if not count]
    order: list[int] = []
    while ready:
        number = min(ready, key=lambda number: (growth(number), number))
        ready.remove(number)
        take(number)
        order.append(number)
        for user in after[number]:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    return order
