"""A network of ranks in virtual time: who sends which bytes to whom, in which order.

Each algorithm is written as what its ranks do, and carries real data: blocks are sets of the ranks
whose operands they combine. So a schedule that sends too little shows in its results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

Blocks = dict[int, frozenset[int]]  # by number of the block: whose operands are combined in it


@dataclass
class Send:
    """Blocks to a rank."""

    to: int
    blocks: Blocks
    block_bytes: int

    @property
    def bytes(self) -> int:
        return len(self.blocks) * self.block_bytes


@dataclass
class Receive:
    """The next message of a rank; those that ``fold`` takes are combined with what one has."""

    source: int
    reduces: bool = False


@dataclass
class Both:
    """Sends and receives at the same time."""

    send: Send
    receive: Receive


Action = Send | Receive | Both
Rank = Generator[Action, None, None]


@dataclass
class Machine:
    """Ranks with a clock each; a message takes alpha + bytes * beta of both its ends."""

    alpha: float
    beta: float
    gamma: float
    messages: int = 0
    sent: int = 0
    clocks: list[float] = field(default_factory=list[float])

    def run(self, program: Callable[[int, Blocks], Rank], blocks: list[Blocks]) -> float:
        """Runs a program on all ranks; the time at which the last one ends."""
        ranks = [program(i, item) for i, item in enumerate(blocks)]
        self.clocks = [0.0] * len(ranks)
        letters: dict[tuple[int, int], deque[tuple[float, Send]]] = {}
        waiting: dict[int, Action] = {}
        for i, rank in enumerate(ranks):
            self.advance(i, rank, waiting)
        posted: set[int] = set()
        while waiting:
            moved = False
            for i in list(waiting):
                action = waiting[i]
                send = action.send if isinstance(action, Both) else action
                if isinstance(send, Send) and i not in posted:
                    posted.add(i)
                    self.messages += 1
                    self.sent += send.bytes
                    letters.setdefault((i, send.to), deque()).append((self.clocks[i], send))
                    moved = True
                receive = action.receive if isinstance(action, Both) else action
                if isinstance(receive, Receive):
                    queue = letters.get((receive.source, i))
                    if not queue:
                        continue
                    began, letter = queue.popleft()
                    arrived = max(began, self.clocks[i]) + self.seconds(letter)
                    own = self.clocks[i] + self.seconds(send) if isinstance(send, Send) else 0.0
                    self.clocks[i] = max(arrived, own)
                    self.take(blocks[i], letter, i, reduces=receive.reduces)
                else:
                    assert isinstance(send, Send)
                    self.clocks[i] += self.seconds(send)
                posted.discard(i)
                moved = True
                del waiting[i]
                self.advance(i, ranks[i], waiting)
            assert moved, "the ranks wait for one another"
        return max(self.clocks)

    def seconds(self, send: Send) -> float:
        return self.alpha + send.bytes * self.beta

    def advance(self, i: int, rank: Rank, waiting: dict[int, Action]) -> None:
        action = next(rank, None)
        if action is not None:
            waiting[i] = action

    def take(self, blocks: Blocks, letter: Send, rank: int, *, reduces: bool) -> None:
        for number, ranks in letter.blocks.items():
            if reduces:
                assert not blocks[number] & ranks, "an operand is combined twice"
                blocks[number] = blocks[number] | ranks
            else:
                blocks[number] = ranks
        if reduces:
            self.clocks[rank] += letter.bytes * self.gamma


def some(blocks: Blocks, numbers: Any, block_bytes: int, to: int) -> Send:
    """A message with these blocks as they are now."""
    return Send(to, {number: blocks[number] for number in numbers}, block_bytes)


# ---- what ranks do; p ranks, blocks of b bytes


def ring_fold(p: int, b: int) -> Callable[[int, Blocks], Rank]:
    """Around the ring: what comes is combined and goes on; rank i ends with block i."""

    def rank(i: int, blocks: Blocks) -> Rank:
        for step in range(p - 1):
            give, take = (i - 1 - step) % p, (i - 2 - step) % p
            assert give != take
            yield Both(some(blocks, [give], b, (i + 1) % p), Receive((i - 1) % p, reduces=True))

    return rank


def ring_gather(p: int, b: int) -> Callable[[int, Blocks], Rank]:
    """Around the ring: each hands on what came last; rank i begins with block i."""

    def rank(i: int, blocks: Blocks) -> Rank:
        for step in range(p - 1):
            yield Both(some(blocks, [(i - step) % p], b, (i + 1) % p), Receive((i - 1) % p))

    return rank


def exchange(p: int, b: int, give: Callable[[int, int], Any], *, reduces: bool) -> Any:
    """Each rank with each other one, at distance 1, 2, ...; ``give(i, to)`` are the blocks."""

    def rank(i: int, blocks: Blocks) -> Rank:
        original = dict(blocks)  # what it gives is its own, whatever it has taken meanwhile
        for step in range(1, p):
            to, source = (i + step) % p, (i - step) % p
            yield Both(some(original, give(i, to), b, to), Receive(source, reduces=reduces))

    return rank


def distances(p: int) -> Iterator[int]:
    distance = 1
    while distance < p:
        yield distance
        distance *= 2


def tree_down(p: int, b: int, numbers: Callable[[int, int], Any]) -> Any:
    """From rank 0; ``numbers(first, count)`` are the blocks for the subtree of these ranks."""

    def rank(i: int, blocks: Blocks) -> Rank:
        own = i & -i if i else 1 << (p - 1).bit_length()
        if i:
            yield Receive(i - own)
        for distance in reversed([distance for distance in distances(p) if distance < own]):
            if i + distance < p:
                to = i + distance
                yield some(blocks, numbers(to, min(distance, p - to)), b, to)

    return rank


def tree_up(p: int, b: int, numbers: Callable[[int, int], Any], *, reduces: bool) -> Any:
    """To rank 0."""

    def rank(i: int, blocks: Blocks) -> Rank:
        own = i & -i if i else 1 << (p - 1).bit_length()
        for distance in (distance for distance in distances(p) if distance < own):
            if i + distance < p:
                yield Receive(i + distance, reduces=reduces)
        if i:
            yield some(blocks, numbers(i, min(own, p - i)), b, i - own)

    return rank


def halving(p: int, b: int) -> Any:
    """Rank i ends with block i; p is a power of two."""

    def rank(i: int, blocks: Blocks) -> Rank:
        low, size = 0, p
        while size > 1:
            size //= 2
            partner = i ^ size
            mine = low + size if i & size else low
            theirs = low if i & size else low + size
            send = some(blocks, range(theirs, theirs + size), b, partner)
            yield Both(send, Receive(partner, reduces=True))
            low = mine

    return rank


def doubling(p: int, b: int) -> Any:
    """Rank i begins with block i; p is a power of two."""

    def rank(i: int, blocks: Blocks) -> Rank:
        for distance in distances(p):
            first = i // distance * distance
            send = some(blocks, range(first, first + distance), b, i ^ distance)
            yield Both(send, Receive(i ^ distance))

    return rank


def doubling_whole(p: int, b: int) -> Any:
    """All blocks, with a partner twice as far each time; p is a power of two."""

    def rank(i: int, blocks: Blocks) -> Rank:
        for distance in distances(p):
            yield Both(some(blocks, blocks, b, i ^ distance), Receive(i ^ distance, reduces=True))

    return rank


def with_rest(p: int, b: int, core: Callable[[int], Any]) -> Any:
    """Ranks beyond a power of two give to the first ones, which tell them the end."""
    size = 1 << (p.bit_length() - 1)

    def rank(i: int, blocks: Blocks) -> Rank:
        if i >= size:
            yield some(blocks, blocks, b, i - size)
            yield Receive(i - size)
            return
        if i + size < p:
            yield Receive(i + size, reduces=True)
        yield from core(size)(i, blocks)
        if i + size < p:
            yield some(blocks, blocks, b, i + size)

    return rank


def bruck_gather(p: int, b: int) -> Any:
    """Rank i begins with block i."""

    def rank(i: int, blocks: Blocks) -> Rank:
        have = 1
        while have < p:
            count = min(have, p - have)
            numbers = [(i + k) % p for k in range(count)]
            yield Both(some(blocks, numbers, b, (i - have) % p), Receive((i + have) % p))
            have += count

    return rank


def after(*programs: Any) -> Any:
    """One program after the other."""

    def rank(i: int, blocks: Blocks) -> Rank:
        for program in programs:
            yield from program(i, blocks)

    return rank
