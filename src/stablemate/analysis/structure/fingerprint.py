"""Fingerprints that identify programs, independent of names and locations.

What counts: operations in their order, what they take, their attributes where they say more than
their absence, types, functions by what they are and not by what they are called, attributes of the
module. What does not: names of values, functions, symbols and the module, locations, the format,
and the order of functions. Independent operations in another order are another program, because
effects and the order of evaluation are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from stablemate.analysis.structure.outline import Body, Fact, Item, Outline, Slot
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

    def to_json(self) -> dict[str, Any]:
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


def fingerprint_of(outline: Outline, ignore: Collection[str] = ()) -> Fingerprint:
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
    numbers: dict[Slot, int] = {}
    for item in outline.others:
        parts += hashing.parts(item, dict(numbers))
        numbers |= {slot: len(numbers) + i for i, slot in enumerate(item.results)}
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
        known: Fingerprints of definitions.
    """

    def __init__(self, outline: Outline, without_constants: bool) -> None:
        self.outline = outline
        self.without_constants = without_constants
        self.fingerprints: dict[str, str] = {}
        self.active: list[str] = []

    def definition(self, name: str) -> str:
        """The fingerprint of a definition; of one that is being looked at, how far it is up."""
        fingerprint = self.fingerprints.get(name)
        if fingerprint is not None:
            return fingerprint
        if name in self.active:
            return f"recursion {len(self.active) - self.active.index(name)}"
        definition = self.outline.definitions.get(name)
        if definition is None:
            return f"@{name}"
        self.active.append(name)
        public = "public" if definition.public else "private"
        fingerprint = self.fingerprints[name] = digest(
            [SCHEME, public, *self.parts(definition.item, {})]
        )
        self.active.pop()
        return fingerprint

    def fact(self, fact: Fact) -> str:
        """A fact, with fingerprints in the place of names."""
        if not fact.symbols:
            return fact.key
        return " ".join([fact.key, *map(self.definition, fact.symbols)])

    def parts(self, item: Item, numbers: dict[Slot, int]) -> Iterator[str]:
        """What counts of an item and of all inside it, values by numbers."""
        yield item.name
        yield " ".join([str(numbers[slot]) for slot in item.operands])
        for name, fact in sorted(item.facts.items()):
            hidden = self.without_constants and name in item.constant
            yield f"{name}={'' if hidden else self.fact(fact)}"
        for slot in item.results:
            numbers[slot] = len(numbers)
            yield slot.type
        for body in item.bodies:
            yield from self.body_parts(body, numbers)

    def body_parts(self, body: Body, numbers: dict[Slot, int]) -> Iterator[str]:
        """What counts of a body."""
        yield "{"
        for slot in body.arguments:
            numbers[slot] = len(numbers)
            yield slot.type
        for item in body.items:
            yield from self.parts(item, numbers)
        yield "}"
