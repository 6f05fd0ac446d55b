"""Orders launches so that few bytes are live at the same time.

Among the launches whose operands are known, the one comes next after which the fewest bytes are
live: from the beginning, or from the end backwards. In loops a third order lets values be made in
the place of those of the iteration before. None is always the best order: plans are compared.

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


def read_before_written(
    launches: Sequence[Launch[ValueT]], carried: Sequence[tuple[ValueT, ValueT]]
) -> list[Launch[ValueT]]:
    """The launches of a loop's body, of which those that read a carried value come first.

    The launch that makes the next value comes after all readers of the one before where that is
    possible. It may then write the next one in the place of the one before.

    Args:
        launches: The launches.
        carried: The values that the loop carries, each with the one of the next iteration.
    """
    before = [set(launch.before) for launch in launches]
    writers = {value: i for i, launch in enumerate(launches) for value in launch.writes}
    for value, following in carried:
        writer = writers.get(following)
        if writer is None:
            continue
        readers = {i for i, launch in enumerate(launches) if value in launch.reads} - {writer}
        if not any(is_after(reader, writer, before) for reader in readers):
            before[writer] |= readers
    return [
        Launch(earlier, launch.reads, launch.writes)
        for earlier, launch in zip(before, launches, strict=True)
    ]


def is_after(number: int, other: int, before: Sequence[Collection[int]]) -> bool:
    """Whether a launch comes after another one."""
    pending, seen = [number], {number}
    while pending:
        earlier = set(before[pending.pop()]) - seen
        if other in earlier:
            return True
        seen |= earlier
        pending += earlier
    return False


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
