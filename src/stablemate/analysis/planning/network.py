"""Networks: the time of a message between two processes, by the levels between them.

A message of n bytes takes ``latency + n / bandwidth``: alpha and n times beta of Hockney's model. A
process sends one message at a time and receives one at a time, both at once; the bandwidth of a
level is what each of its processes has while all of them use it.

Source: R. W. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, 1994.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from stablemate.analysis.quantities import BANDWIDTHS, TIMES, positive, quantity, time_text
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.integers import parse_integer

SYNTAX = "[SIZE@]LATENCY:BANDWIDTH, such as 5us:2GB/s or 8@1us:100GB/s,5us:10GB/s"


@dataclass(frozen=True, slots=True)
class NetworkLevel:
    """A level of a network.

    Attributes:
        latency: Seconds that a message of no bytes takes; alpha.
        bandwidth: Bytes a second; one over beta.
        size: How many processes with consecutive numbers it joins; None for all.
    """

    latency: float
    bandwidth: float
    size: int | None = None

    def __str__(self) -> str:
        size = "" if self.size is None else f"{self.size}@"
        return f"{size}{time_text(self.latency).replace(' ', '')}:{self.bandwidth / 1e9:g}GB/s"


@dataclass(frozen=True, slots=True)
class Network:
    """Levels, the innermost first; a message takes the first one that joins its two ends.

    Raises:
        ArgumentValueError: There is no level, a level is no multiple of the one inside it, or a
            level without a size is not the last one.
    """

    levels: Sequence[NetworkLevel]

    def __post_init__(self) -> None:
        if not self.levels:
            raise ArgumentValueError(f"a network has a level at least: {SYNTAX}")
        for inner, outer in pairwise(self.levels):
            if inner.size is None:
                raise ArgumentValueError(
                    f"only the last level joins all processes: give {inner} a size before '@'"
                )
            if outer.size is not None and (outer.size <= inner.size or outer.size % inner.size):
                message = f"a level of {outer.size} processes is not made of whole levels of "
                raise ArgumentValueError(f"{message}{inner.size}")

    def check(self, processes: int) -> None:
        """Refuses a network that does not join so many processes.

        Raises:
            ArgumentValueError: It does not.
        """
        size = self.levels[-1].size
        if size is not None and size < processes:
            message = f"the network joins {size} processes, but the grid has {processes}: "
            raise ArgumentValueError(f"{message}add a level, which needs no size if it is the last")

    def shape(self, members: Sequence[int]) -> tuple[int, ...]:
        """How the members of a group lie in the levels.

        Args:
            members: The numbers of the processes.

        Returns:
            For each level up to the first one that joins them all, how many parts of the level
            inside it there are in each of its parts: their product is the number of members. Where
            parts differ, it is that one level alone with all members as its parts, and 1 for those
            inside.
        """
        units, width = list(members), 1  # what a level joins: processes, or parts of the one inside
        sizes: list[int] = []
        for level in self.levels:
            if len(units) == 1:
                break
            size = level.size
            outer = [0 if size is None else unit * width // size for unit in units]
            counts = set(Counter(outer).values())
            if len(counts) > 1:
                return self.flat(members)
            sizes.append(counts.pop())
            units, width = list(dict.fromkeys(outer)), size or 0
        return tuple(sizes)

    def flat(self, members: Sequence[int]) -> tuple[int, ...]:
        """The shape of a group that no level divides evenly."""
        for i, level in enumerate(self.levels):
            if level.size is None or len({member // level.size for member in members}) == 1:
                return (1,) * i + (len(members),)
        raise AssertionError("the network joins all processes: check")


def network_of(description: str | Network | None) -> Network | None:
    """The network that is stated, if any.

    Raises:
        ArgumentValueError: A text describes none.
    """
    return network(description) if isinstance(description, str) else description


def network(text: str) -> Network:
    """The network that a text describes: levels with commas between them, the innermost first.

    Raises:
        ArgumentValueError: It describes none.
    """
    return Network(tuple(level(part) for part in text.split(",")))


def level(text: str) -> NetworkLevel:
    """The level that a text describes.

    Raises:
        ArgumentValueError: It describes none.
    """
    size, at, rest = text.rpartition("@")
    latency, colon, bandwidth = rest.partition(":")
    if not colon:
        raise ArgumentValueError(f"{text.strip()!r} is no level of a network: {SYNTAX}")
    if at and (not size.strip().isdecimal() or parse_integer(size.strip()) < 1):
        message = f"the size of a level is a number of processes, but is {size.strip()!r}"
        raise ArgumentValueError(message)
    return NetworkLevel(
        quantity(latency, TIMES, "a latency"),
        positive(quantity(bandwidth, BANDWIDTHS, "a bandwidth"), bandwidth),
        parse_integer(size.strip()) if at else None,
    )
