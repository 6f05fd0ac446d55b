"""Which items of two bodies are the same: by what they are computed from, then by their neighbors.

First items are paired whose whole past is equal. From each pair the search goes on to those that
use its results and to those that made its operands, at first to items that say the same, then to
items of the same name, at last to any: so a changed item is paired with what it was.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product
from typing import Final

from stablemate.analysis.structure.outline import OutlineBlock, OutlineOperation, OutlineValue

LEVELS: Final = 4  # same facts and operands; same facts; same name; any name
SAME: Final = 2  # the levels at which items say the same
COMPARED: Final = 2_000  # pairs of users of one value that are ordered
WAITING: Final = 64  # users of one value that are looked at for each user of another


class HashNumbering:
    """Small numbers for what is equal: an exact hash."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}

    def __call__(self, value: Hashable) -> int:
        """The number of a value."""
        return self.numbers.setdefault(value, len(self.numbers))


class Pairing:
    """The pairs of two definitions.

    Attributes:
        partners: The item of the second program that an item of the first one is.
        owners: The other way around.
        slots: The value of the second program that a value of the first one is.
        equal: What two values have in common that are computed in the same way from the same.
    """

    def __init__(self) -> None:
        self.number = HashNumbering()
        self.partners: dict[OutlineOperation, OutlineOperation] = {}
        self.owners: dict[OutlineOperation, OutlineOperation] = {}
        self.slots: dict[OutlineValue, OutlineValue] = {}
        self.equal: dict[OutlineValue, int] = {}
        self.keys: dict[OutlineOperation, int] = {}

    def bodies(self, a: OutlineBlock, b: OutlineBlock) -> None:
        """Pairs what is in two bodies, and in the bodies of what is paired."""
        pending = [(a, b)]
        while pending:
            ours, theirs = pending.pop()
            self.body(ours, theirs)
            for item in ours.items:
                partner = self.partners.get(item)
                if partner is None:
                    continue
                self.join(item, partner)
                if len(partner.bodies) == len(item.bodies):
                    pending += zip(item.bodies, partner.bodies, strict=True)

    def body(self, a: OutlineBlock, b: OutlineBlock) -> None:
        """Pairs what is in two bodies."""
        for x, y in align_arguments(a.arguments, b.arguments):
            self.slots[x] = y
            self.equal[x] = self.equal[y] = self.number(("paired", id(y)))
        ValueNumbering(self, a).number_items()
        ValueNumbering(self, b).number_items()
        search = MatchSearch(self, a, b)
        search.equal_pasts(all_of_them=True)
        search.ends()
        search.spread(SAME)
        search.equal_pasts(all_of_them=False)
        search.spread(LEVELS)
        search.rest()
        search.spread(LEVELS)

    def join(self, x: OutlineOperation, y: OutlineOperation) -> None:
        """Lets the results of two items be the same to what is inside other bodies."""
        for p, q in zip(x.results, y.results, strict=False):
            if self.equal.get(p) != self.equal.get(q):
                self.equal[p] = self.equal[q] = self.number(("paired", id(q)))

    def pair(self, x: OutlineOperation, y: OutlineOperation) -> None:
        """Records that two operations are partners, and so are their results."""
        self.partners[x] = y
        self.owners[y] = x
        self.slots.update(zip(x.results, y.results, strict=False))

    def key(self, item: OutlineOperation) -> int:
        """A key that items with equal attributes share, whatever their operands are."""
        number = self.keys.get(item)
        if number is None:
            facts = tuple(sorted([(name, fact.key) for name, fact in item.facts.items()]))
            types = tuple([result.type for result in item.results])
            shape = tuple([len(body.arguments) for body in item.bodies])
            number = self.keys[item] = self.number((item.name, facts, types, shape))
        return number

    def same(self, x: OutlineValue, y: OutlineValue) -> bool:
        """Whether two values are one: paired, or computed in the same way from the same."""
        if self.slots.get(x) is y:
            return True
        ours, theirs = self.equal.get(x), self.equal.get(y)
        return ours is not None and ours == theirs


def align_arguments(
    a: Sequence[OutlineValue], b: Sequence[OutlineValue]
) -> Iterator[tuple[OutlineValue, OutlineValue]]:
    """Arguments of two bodies that are the same: by position, or by their types."""
    if len(a) == len(b):
        yield from zip(a, b, strict=True)
        return
    ours, theirs = ([slot.type for slot in every] for every in (a, b))
    for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        for i in range(block.size):
            yield a[block.a + i], b[block.b + i]


class ValueNumbering:
    """Numbers the values of a body by all that they are computed from."""

    def __init__(self, pairing: Pairing, body: OutlineBlock) -> None:
        self.pairing = pairing
        self.body = body
        self.times: defaultdict[int, int] = defaultdict(int)

    def number_items(self) -> None:
        """Numbers all values of the body, and inside it."""
        for item in self.body.items:
            self.item(item)

    def item(self, item: OutlineOperation) -> int:
        """The number of an item; one with effects is another each time."""
        pairing = self.pairing
        operands = tuple([self.slot(operand) for operand in item.operands])
        bodies = tuple([self.inner(body) for body in item.bodies])
        number = pairing.number((pairing.key(item), operands, bodies))
        if not item.pure:
            self.times[number] += 1
            number = pairing.number((number, "again", self.times[number]))
        for slot in item.results:
            pairing.equal[slot] = pairing.number((number, slot.index))
        return number

    def slot(self, slot: OutlineValue) -> int:
        """The number of a value; one from outside that is in no pair is like no other."""
        pair = self.pairing.equal.get(slot)
        return self.pairing.number(("alone", id(slot))) if pair is None else pair

    def inner(self, body: OutlineBlock) -> int:
        """The number of a body inside the body."""
        for slot in body.arguments:
            self.pairing.equal[slot] = self.pairing.number(("argument", slot.index, slot.type))
        return self.pairing.number(tuple([self.item(item) for item in body.items]))


class MatchSearch:
    """The search for the pairs of two bodies."""

    def __init__(self, pairing: Pairing, a: OutlineBlock, b: OutlineBlock) -> None:
        self.pairing = pairing
        self.a = a
        self.b = b
        self.places: dict[object, int] = {
            item: i for body in (a, b) for i, item in enumerate(body.items)
        }
        self.free = {item for body in (a, b) for item in body.items}
        self.left = [len(a.items), len(b.items)]
        self.users: defaultdict[OutlineValue, list[tuple[int, OutlineOperation]]] = defaultdict(
            list
        )
        for body in (a, b):
            for item in body.items:
                for position, slot in enumerate(item.operands):
                    self.users[slot].append((position, item))
        self.queues: list[deque[tuple[OutlineOperation, OutlineOperation]]] = [
            deque() for _ in range(LEVELS)
        ]

    def pair_items(self, x: OutlineOperation, y: OutlineOperation) -> None:
        """Pairs two items, and queues their neighbors."""
        self.pairing.pair(x, y)
        self.free -= {x, y}
        self.left = [count - 1 for count in self.left]
        self.queues[0].append((x, y))

    def equal_pasts(self, *, all_of_them: bool) -> None:
        """Pairs items whose whole past is equal, in order.

        Args:
            all_of_them: Only where both bodies have as many of them; else the nearest ones.
        """
        groups: defaultdict[int, tuple[list[OutlineOperation], list[OutlineOperation]]] = (
            defaultdict(lambda: ([], []))
        )
        for side, body in enumerate((self.a, self.b)):
            for item in body.items:
                if item.results and item in self.free:
                    groups[self.pairing.equal[item.results[0]]][side].append(item)
        for ours, theirs in groups.values():
            if len(ours) == len(theirs):
                for x, y in zip(ours, theirs, strict=True):
                    self.pair_items(x, y)
            elif not all_of_them:
                self.nearest(list(product(ours[:COMPARED], theirs[:WAITING])))

    def nearest(
        self, pairs: Sequence[tuple[OutlineOperation, OutlineOperation]], shift: int = 0
    ) -> None:
        """Pairs items whose operands and places have most in common.

        Args:
            pairs: Candidates.
            shift: How much further back places are in the second body.
        """

        def distance(pair: tuple[OutlineOperation, OutlineOperation]) -> tuple[int, int]:
            x, y = pair
            operands = zip(x.operands, y.operands, strict=False)
            different = sum(not self.pairing.same(p, q) for p, q in operands)
            return different, abs(self.places[x] + shift - self.places[y])

        if 1 < len(pairs) <= COMPARED:
            pairs = sorted(pairs, key=distance)
        for x, y in pairs:
            if x in self.free and y in self.free:
                self.pair_items(x, y)

    def ends(self) -> None:
        """Pairs what the bodies end with, and what uses arguments that are the same."""
        if self.a.items and self.b.items:
            x, y = self.a.items[-1], self.b.items[-1]
            if x.name == y.name and x in self.free and y in self.free:
                self.pair_items(x, y)
        for level in range(LEVELS - 1):
            for slot in self.a.arguments:
                other = self.pairing.slots.get(slot)
                if other is not None:
                    self.among_users(slot, other, level)

    def spread(self, levels: int) -> None:
        """Looks around all pairs, as strictly as something is found."""
        level = 0
        while level < levels and all(self.left):
            if not self.queues[level]:
                level += 1
                continue
            x, y = self.queues[level].popleft()
            before = len(self.pairing.partners)
            for ours, theirs in zip(x.results, y.results, strict=False):
                self.among_users(ours, theirs, level)
            for ours, theirs in zip(x.operands, y.operands, strict=False):
                self.makers(ours, theirs, level)
            if level + 1 < LEVELS:
                self.queues[level + 1].append((x, y))
            if len(self.pairing.partners) > before:
                level = 0

    def among_users(self, ours: OutlineValue, theirs: OutlineValue, level: int) -> None:
        """Pairs those who use two values in the same place."""
        waiting: defaultdict[Hashable, list[OutlineOperation]] = defaultdict(list)
        for position, item in self.users[theirs]:
            if item in self.free:
                waiting[position, self.sort(item, level)].append(item)
        if not waiting:
            return
        pairs = [
            (item, candidate)
            for position, item in self.users[ours]
            if item in self.free
            for candidate in waiting.get((position, self.sort(item, level)), ())[:WAITING]
        ]
        shift = 0
        if ours.owner in self.places and theirs.owner in self.places:
            shift = self.places[theirs.owner] - self.places[ours.owner]
        self.nearest([(x, y) for x, y in pairs if self.fits(x, y, level)], shift)

    def makers(self, ours: OutlineValue, theirs: OutlineValue, level: int) -> None:
        """Pairs those who made two values."""
        x, y = ours.owner, theirs.owner
        if (
            not isinstance(x, OutlineOperation)
            or not isinstance(y, OutlineOperation)
            or ours.index != theirs.index
        ):
            return
        if x not in self.free or y not in self.free:
            return
        replaced = level == LEVELS - 1 and not x.bodies and not y.bodies
        if self.sort(x, level) == self.sort(y, level) and (replaced or self.fits(x, y, level)):
            self.pair_items(x, y)

    def sort(self, item: OutlineOperation, level: int) -> object:
        """The key that two items must share to be paired."""
        match level:
            case 0 | 1:
                return self.pairing.key(item)
            case 2:
                return item.name, len(item.results), len(item.bodies)
            case _:
                return len(item.results), len(item.operands), tuple(s.type for s in item.results)

    def fits(self, x: OutlineOperation, y: OutlineOperation, level: int) -> bool:
        """Whether the operands of two items allow that they are one."""
        if level in (1, 2):
            return True
        same = (self.pairing.same(p, q) for p, q in zip(x.operands, y.operands, strict=False))
        if level == 0:
            return len(x.operands) == len(y.operands) and all(same)
        return all(same) and bool(x.operands) and not x.bodies and not y.bodies

    def rest(self) -> None:
        """Pairs the remaining equal items, in order, without regard to their neighbors."""
        waiting: defaultdict[int, deque[OutlineOperation]] = defaultdict(deque)
        for item in self.b.items:
            if item in self.free:
                waiting[self.pairing.key(item)].append(item)
        for item in self.a.items:
            if item in self.free and waiting.get(key := self.pairing.key(item)):
                self.pair_items(item, waiting[key].popleft())
