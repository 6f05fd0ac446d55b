"""Differences of two programs by structure: what was inserted, removed, changed, moved.

Names of values and locations do not count, nor does the order of functions. Functions are paired by
their names and what they are, then by what they are alone, then by their names, then by who calls
them, then by what they hold. Operations are paired by data flow.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from stablemate.analysis.structure.changes import (
    Detail,
    Diff,
    FunctionDiff,
    OperationChange,
    ProgramPlace,
)
from stablemate.analysis.structure.fingerprint import Hashing
from stablemate.analysis.structure.matching import Pairing
from stablemate.analysis.structure.outline import (
    Fact,
    OutlineBlock,
    OutlineOperation,
    OutlineValue,
    ProgramOutline,
    SymbolDefinition,
)

ALIKE: Final = 0.6  # share of operations that functions with other names have in common
COMPARED: Final = 64  # functions of about its size with which a function is compared

Names = dict[str, str]
Contents = frozenset[tuple[str, int]]  # how often which operation occurs


def difference_of(a: ProgramOutline, b: ProgramOutline) -> Diff:
    """The difference of two programs of the same kind."""
    return StructuralComparison(a, b).result()


class StructuralComparison:
    """The comparison of two programs.

    Attributes:
        partners: The name that a definition of the first program has in the second one.
    """

    def __init__(self, a: ProgramOutline, b: ProgramOutline) -> None:
        self.a = a
        self.b = b
        self.hashes = Hashing(a, False), Hashing(b, False)
        self.partners: Names = {}
        self.paired: set[str] = set()
        self.pairings: dict[str, Pairing] = {}

    def result(self) -> Diff:
        """Pairs all definitions, by equality, name, calls and likeness, and compares each pair."""
        self.pair_equal()
        self.pair_by_name()
        self.follow_calls()
        self.pair_alike()
        changed = [
            self.function(self.a.definitions[name], self.b.definitions[self.partners[name]])
            for name in self.a.definitions
            if name in self.partners
        ]
        removed = [
            self.only(definition, self.a)
            for definition in self.unpaired_definitions(self.a, self.partners)
        ]
        inserted = [
            self.only(definition, self.b)
            for definition in self.unpaired_definitions(self.b, self.paired)
        ]
        module_details = tuple(facts_changed(self.a.facts, self.b.facts, self.partners))
        if sorted(map(str, self.a.others)) != sorted(map(str, self.b.others)):
            module_details += (Detail("others", texts(self.a), texts(self.b)),)
        return Diff(
            self.a.source,
            self.b.source,
            tuple(
                function_diff
                for function_diff in changed
                if function_diff.changes or function_diff.details
            ),
            tuple(removed),
            tuple(inserted),
            module_details,
        )

    # ---- functions

    def unpaired_definitions(
        self, outline: ProgramOutline, paired: Container[str]
    ) -> list[SymbolDefinition]:
        """The definitions that are in no pair."""
        return [
            definition for name, definition in outline.definitions.items() if name not in paired
        ]

    def take(self, ours: str, theirs: str) -> None:
        """Records that two definitions are partners."""
        self.partners[ours] = theirs
        self.paired.add(theirs)

    def pair_equal(self) -> None:
        """Pairs what is the same, under the same name first."""
        ours, theirs = self.hashes
        for name in self.a.definitions:
            if name in self.b.definitions and ours.definition(name) == theirs.definition(name):
                self.take(name, name)
        waiting: dict[str, list[str]] = {}
        for definition in reversed(self.unpaired_definitions(self.b, self.paired)):
            waiting.setdefault(theirs.definition(definition.name), []).append(definition.name)
        for definition in self.unpaired_definitions(self.a, self.partners):
            if names := waiting.get(ours.definition(definition.name)):
                self.take(definition.name, names.pop())

    def pair_by_name(self) -> None:
        """Pairs what has the same name."""
        for definition in self.unpaired_definitions(self.a, self.partners):
            if definition.name in self.b.definitions and definition.name not in self.paired:
                self.take(definition.name, definition.name)
        ours = [
            definition
            for definition in self.unpaired_definitions(self.a, self.partners)
            if definition.public
        ]
        theirs = [
            definition
            for definition in self.unpaired_definitions(self.b, self.paired)
            if definition.public
        ]
        if len(ours) == len(theirs) == 1:
            self.take(ours[0].name, theirs[0].name)

    def follow_calls(self) -> None:
        """Pairs what is called by items that are paired."""
        pending = list(self.partners)
        while pending:
            name = pending.pop()
            for item, other in list(self.pairing_of(name).partners.items()):
                for fact_name, fact in item.facts.items():
                    there = other.facts.get(fact_name)
                    for x, y in zip(fact.symbols, there.symbols if there else (), strict=False):
                        are_defined = x in self.a.definitions and y in self.b.definitions
                        if are_defined and x not in self.partners and y not in self.paired:
                            self.take(x, y)
                            pending.append(x)

    def pair_alike(self) -> None:
        """Pairs what holds mostly the same operations."""
        theirs = Candidates(self.unpaired_definitions(self.b, self.paired))
        for definition in self.unpaired_definitions(self.a, self.partners):
            best = theirs.take_like(names_in(definition))
            if best is not None:
                self.take(definition.name, best)

    def pairing_of(self, name: str) -> Pairing:
        """The pairs of a definition and its partner, made once."""
        pairing = self.pairings.get(name)
        if pairing is None:
            pairing = self.pairings[name] = Pairing()
            x, y = self.a.definitions[name].item, self.b.definitions[self.partners[name]].item
            pairing.pair(x, y)
            if self.hashes[0].definition(name) == self.hashes[1].definition(self.partners[name]):
                same(pairing, x, y)
            else:
                for ours, theirs in zip(x.bodies, y.bodies, strict=False):
                    pairing.bodies(ours, theirs)
        return pairing

    def only(self, definition: SymbolDefinition, outline: ProgramOutline) -> ProgramPlace:
        """Where a function is that only one program has."""
        return ProgramPlace(definition.name, definition.item.line, outline.text_of(definition.item))

    # ---- what a function holds

    def function(self, ours: SymbolDefinition, theirs: SymbolDefinition) -> FunctionDiff:
        """The differences of two functions."""
        a, b = self.only(ours, self.a), self.only(theirs, self.b)
        pairing = self.pairing_of(ours.name)
        if self.hashes[0].definition(ours.name) == self.hashes[1].definition(theirs.name):
            return FunctionDiff(a, b, (), ())
        details = tuple(self.details(ours.item, theirs.item, pairing))
        if ours.public != theirs.public:
            words = ("private", "public")
            details += (Detail("visibility", words[ours.public], words[theirs.public]),)
        changes = list(self.changes(ours.item, theirs.item, pairing))
        return FunctionDiff(a, b, tuple(dict.fromkeys(details)), tuple(changes))

    def changes(
        self, x: OutlineOperation, y: OutlineOperation, pairing: Pairing
    ) -> Iterator[OperationChange]:
        """The differences inside two items in the order of the second, removals in between."""
        for number in range(max(len(x.bodies), len(y.bodies))):
            if number >= len(x.bodies):
                yield from (self.insertion(item) for item in y.bodies[number].items)
            elif number >= len(y.bodies):
                yield from (self.removal(item) for item in x.bodies[number].items)
            else:
                yield from self.body(x.bodies[number], y.bodies[number], pairing)

    def body(self, a: OutlineBlock, b: OutlineBlock, pairing: Pairing) -> Iterator[OperationChange]:
        """The differences of two bodies."""
        pairs = [(i, pairing.partners.get(item)) for i, item in enumerate(a.items)]
        places = {item: i for i, item in enumerate(b.items)}
        order = [places[y] for _, y in pairs if y is not None and y in places]
        kept = longest_increasing_subsequence(order)
        gone = [item for item in a.items if pairing.partners.get(item) not in places]
        before = {item: i for i, item in enumerate(a.items)}
        position = 0
        for item in b.items:
            owner = pairing.owners.get(item)
            if owner is None or owner not in before:
                yield self.insertion(item)
                continue
            while position < len(gone) and before[gone[position]] < before[owner]:
                yield self.removal(gone[position])
                position += 1
            yield from self.pair(owner, item, places[item] in kept, pairing)
        yield from map(self.removal, gone[position:])

    def pair(
        self, x: OutlineOperation, y: OutlineOperation, in_order: bool, pairing: Pairing
    ) -> Iterator[OperationChange]:
        """The differences of two paired items, and of their contents."""
        details = tuple(self.details(x, y, pairing))
        if details:
            yield OperationChange(
                "changed", y.name, self.place(x, self.a), self.place(y, self.b), details
            )
        elif not in_order:
            yield OperationChange("moved", y.name, self.place(x, self.a), self.place(y, self.b))
        yield from self.changes(x, y, pairing)

    def details(
        self, x: OutlineOperation, y: OutlineOperation, pairing: Pairing
    ) -> Iterator[Detail]:
        """The attributes and types in which two paired items differ."""
        if x.name != y.name:
            yield Detail("operation", x.name, y.name)
        yield from facts_changed(x.facts, y.facts, self.partners)
        for number, (ours, theirs) in enumerate(zip_longest(x.results, y.results)):
            if text(ours) != text(theirs):
                yield Detail(f"type of result {number}", text(ours), text(theirs))
        for number, (p, q) in enumerate(zip_longest(x.operands, y.operands)):
            if p is None or q is None or not pairing.same(p, q):
                yield Detail(
                    f"operand {number}", self.value_text(p, self.a), self.value_text(q, self.b)
                )
        if len(x.bodies) != len(y.bodies):
            yield Detail("blocks", str(len(x.bodies)), str(len(y.bodies)))
        for body, other in zip(x.bodies, y.bodies, strict=False):
            for number, (p, q) in enumerate(zip_longest(body.arguments, other.arguments)):
                if text(p) != text(q):
                    yield Detail(f"type of argument {number}", text(p), text(q))

    def value_text(self, slot: OutlineValue | None, outline: ProgramOutline) -> str:
        """Returns a value as text: its defining operation and place."""
        if slot is None:
            return ""
        if not isinstance(slot.owner, OutlineOperation):
            return f"argument {slot.index}"
        item = slot.owner
        number = f" result {slot.index}" if len(item.results) > 1 else ""
        line = f" in line {item.line}" if item.line is not None else ""
        return f"{item.name}{number}{line}" if outline.lines else f"{item.name}{number}"

    def insertion(self, item: OutlineOperation) -> OperationChange:
        """An item that only the second program has."""
        return OperationChange("inserted", item.name, None, self.place(item, self.b))

    def removal(self, item: OutlineOperation) -> OperationChange:
        """An item that only the first program has."""
        return OperationChange("removed", item.name, self.place(item, self.a), None)

    def place(self, item: OutlineOperation, outline: ProgramOutline) -> ProgramPlace:
        """The place of an item."""
        return ProgramPlace(item.name, item.line if outline.lines else None, outline.text_of(item))


def same(pairing: Pairing, x: OutlineOperation, y: OutlineOperation) -> None:
    """Pairs two items that are equal with all inside them, in order."""
    for ours, theirs in zip(x.walk(), y.walk(), strict=True):
        pairing.pair(ours, theirs)


def zip_longest(
    a: Sequence[OutlineValue], b: Sequence[OutlineValue]
) -> Iterator[tuple[OutlineValue | None, OutlineValue | None]]:
    """Values side by side, None where one side has no more."""
    for number in range(max(len(a), len(b))):
        yield (
            a[number] if number < len(a) else None,
            b[number] if number < len(b) else None,
        )


def text(slot: OutlineValue | None) -> str:
    """The type of a value; nothing for none."""
    return "" if slot is None else slot.type


def texts(outline: ProgramOutline) -> str:
    """The parts of a module outside its functions."""
    return "; ".join(map(str, outline.others))


def facts_changed(
    a: Mapping[str, Fact], b: Mapping[str, Fact], partners: Mapping[str, str]
) -> Iterator[Detail]:
    """The facts that are not the same; symbols are if what they name is."""
    for name in [*a, *(name_of_b for name_of_b in b if name_of_b not in a)]:
        ours, theirs = a.get(name), b.get(name)
        if ours is None or theirs is None or not same_fact(ours, theirs, partners):
            yield Detail(name, ours.shown if ours else "", theirs.shown if theirs else "")


def same_fact(a: Fact, b: Fact, partners: Mapping[str, str]) -> bool:
    """Whether two facts say the same."""
    return (
        a.key == b.key and tuple(partners.get(symbol, symbol) for symbol in a.symbols) == b.symbols
    )


def names_in(definition: SymbolDefinition) -> Counter[str]:
    """How often a definition holds which operation."""
    return Counter(operation.name for operation in definition.item.walk())


class Candidates:
    """Definitions from which those are taken that hold mostly the same operations.

    Attributes:
        names: The names of those that hold the same number of each operation, by these numbers.
        places: For each of these groups the number of operations, and the position of the first
            of them in the program.
        sizes: These groups in the order of their places.
    """

    def __init__(self, definitions: Sequence[SymbolDefinition]) -> None:
        self.names: dict[Contents, deque[str]] = {}
        self.places: dict[Contents, tuple[int, int]] = {}
        for position, definition in enumerate(definitions):
            counts = names_in(definition)
            contents = frozenset(counts.items())
            if contents not in self.names:
                self.places[contents] = counts.total(), position
            self.names.setdefault(contents, deque()).append(definition.name)
        entries = ((*place, contents) for contents, place in self.places.items())
        self.sizes = sorted(entries, key=lambda entry: entry[:2])

    def take_like(self, counts: Counter[str]) -> str | None:
        """Removes the name of the definition that has most in common with these operations.

        None has enough, or it is compared with only a number of others of about its size.
        """
        contents = frozenset(counts.items())
        if contents not in self.names:
            place = bisect_left(self.sizes, (counts.total(),))
            near = self.sizes[max(place - COMPARED // 2, 0) : place + COMPARED // 2]
            shares = [(-share(counts, Counter(dict(c))), position, c) for _, position, c in near]
            least, _, contents = min(shares, key=lambda e: e[:2], default=(0.0, 0, contents))
            if -least < ALIKE:
                return None
        name = self.names[contents].popleft()
        if not self.names[contents]:
            del self.names[contents]
            del self.sizes[bisect_left(self.sizes, self.places.pop(contents))]
        return name


def share(a: Counter[str], b: Counter[str]) -> float:
    """The share of operations that two definitions have in common."""
    return 2 * (a & b).total() / max(a.total() + b.total(), 1)


def longest_increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """A longest rising part of some distinct numbers."""
    tails: list[int] = []
    at: list[int] = []
    previous: list[int] = []
    for i, number in enumerate(numbers):
        place = bisect_left(tails, number)
        previous.append(at[place - 1] if place else -1)
        tails[place : place + 1] = [number]
        at[place : place + 1] = [i]
    kept: set[int] = set()
    i = at[-1] if at else -1
    while i >= 0:
        kept.add(numbers[i])
        i = previous[i]
    return kept
