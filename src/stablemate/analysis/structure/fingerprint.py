"""Fingerprints that identify programs, independent of names and locations.

What counts: operations in their order, what they take, their attributes where they say more than
their absence, types, functions by what they are and not by what they are called, attributes of the
module. What does not: names of values, functions, symbols and the module, locations, the format,
and the order of functions. Independent operations in another order are another program, because
effects and the order of evaluation are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from hashlib import blake2b
from typing import Final

from stablemate.analysis.structure.outline import (
    Fact,
    OutlineBlock,
    OutlineOperation,
    OutlineValue,
    ProgramOutline,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

SCHEME: Final = "stablemate fingerprint 1"  # changes when the same program gets another one
IGNORABLE: Final = ("constants",)
DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The fingerprint of a program; as a string, 32 hexadecimal digits.

    Attributes:
        program: Of the whole program.
        functions: Of each function or computation, by name.
        ignored: What did not count.
    """

    program: str
    functions: Mapping[str, str] = field(default_factory=dict[str, str])
    ignored: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.program

    def to_json(self) -> dict[str, object]:
        """The fingerprint as an object."""
        return {
            "schema": 1,
            "program": self.program,
            "functions": dict(self.functions),
            "ignored": list(self.ignored),
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{name.replace('<', '&lt;')}</td><td><code>{digest}</code></td></tr>"
            for name, digest in self.functions.items()
        )
        return f"<table><tr><th>program</th><th><code>{self.program}</code></th></tr>{rows}</table>"


def fingerprint_of(outline: ProgramOutline, ignore: Collection[str] = ()) -> Fingerprint:
    """The fingerprint of a program.

    Args:
        outline: The program.
        ignore: ``constants``: their values do not count, their types do.

    Raises:
        ArgumentValueError: Something else is to be ignored.
    """
    for ignored_fact in ignore:
        if ignored_fact not in IGNORABLE:
            raise ArgumentValueError(
                f"{ignored_fact!r} cannot be ignored; {', '.join(IGNORABLE)} can"
            )
    hashing = Hashing(outline, "constants" in ignore)
    functions = {name: hashing.definition(name) for name in outline.definitions}
    parts = [SCHEME, outline.kind, *sorted(functions.values())]
    parts += [f"{name}={hashing.fact(fact)}" for name, fact in sorted(outline.facts.items())]
    numbers: dict[OutlineValue, int] = {}
    for item in outline.others:
        count = len(numbers)
        parts += hashing.parts(item, numbers)
        while len(numbers) > count:  # what is inside the item
            numbers.popitem()
        numbers |= {slot: count + i for i, slot in enumerate(item.results)}
    return Fingerprint(digest(parts), functions, tuple(sorted(set(ignore))))


def digest(parts: Collection[str]) -> str:
    """The digest of some texts, each of which ends where it ends."""
    hashed = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        hashed.update(b"%d:" % len(data))
        hashed.update(data)
    return hashed.hexdigest()


class Hashing:
    """The fingerprints of one program's parts.

    Attributes:
        outline: The program.
        without_constants: Whether values of constants do not count.
        fingerprints: Fingerprints of definitions.
        active: How many definitions are around each one that is being looked at.
    """

    def __init__(self, outline: ProgramOutline, without_constants: bool) -> None:
        self.outline = outline
        self.without_constants = without_constants
        self.fingerprints: dict[str, str] = {}
        self.active: dict[str, int] = {}

    def definition(self, name: str) -> str:
        """The fingerprint of a definition; what it names is looked at first, however deep."""
        pending: list[tuple[str, Iterator[str]]] = []
        wanted: str | None = name
        while wanted is not None or pending:
            if wanted is not None and self.is_new(wanted):
                self.active[wanted] = len(self.active)
                symbols = ordered_symbols(self.outline.definitions[wanted].item)
                pending.append((wanted, symbols))
            if not pending:
                break
            current, rest = pending[-1]
            wanted = next(rest, None)
            if wanted is None:
                self.fingerprints[current] = self.new_fingerprint(current)
                del self.active[current]
                pending.pop()
        return self.symbol_digest(name)

    def is_new(self, name: str) -> bool:
        """Whether a name is that of a definition that was not looked at."""
        is_known = name in self.fingerprints or name in self.active
        return not is_known and name in self.outline.definitions

    def new_fingerprint(self, name: str) -> str:
        """The fingerprint of a definition; those that it names are known or active."""
        definition = self.outline.definitions[name]
        public = "public" if definition.public else "private"
        return digest([SCHEME, public, *self.parts(definition.item, {})])

    def symbol_digest(self, name: str) -> str:
        """The digest of a symbol; of one that is being digested, its distance on the stack."""
        if name in self.active:
            return f"recursion {len(self.active) - self.active[name]}"
        return self.fingerprints.get(name, f"@{name}")

    def fact(self, fact: Fact) -> str:
        """A fact, with fingerprints in the place of names."""
        if not fact.symbols:
            return fact.key
        return " ".join([fact.key, *map(self.symbol_digest, fact.symbols)])

    def parts(self, item: OutlineOperation, numbers: dict[OutlineValue, int]) -> Iterator[str]:
        """The text of an item and its contents that is digested, with numbered values.

        A value that is used before its definition, in blocks that jump, gets a negative number.
        """
        yield item.name
        yield " ".join([str(numbers.setdefault(s, ~len(numbers))) for s in item.operands])
        for name, fact in sorted(item.facts.items()):
            hidden = self.without_constants and name in item.constant
            yield f"{name}={'' if hidden else self.fact(fact)}"
        for slot in item.results:
            if slot in numbers:
                yield f"used before as {numbers[slot]}"
            numbers[slot] = len(numbers)
            yield slot.type
        for body in item.bodies:
            yield from self.body_parts(body, numbers)

    def body_parts(self, body: OutlineBlock, numbers: dict[OutlineValue, int]) -> Iterator[str]:
        """The text of a body that is digested."""
        yield "{"
        for slot in body.arguments:
            numbers[slot] = len(numbers)
            yield slot.type
        for item in body.items:
            yield from self.parts(item, numbers)
        yield "}"


def ordered_symbols(item: OutlineOperation) -> Iterator[str]:
    """The symbols that an item and all inside it name, in the order in which they count."""
    for inner in item.walk():
        for _, fact in sorted(inner.facts.items()):
            yield from fact.symbols
