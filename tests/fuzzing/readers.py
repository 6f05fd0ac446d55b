"""The table of readers: what is changed, how, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.fuzzing import corpus, limits
from tests.fuzzing.binary_mutations import (
    Change,
    changed_bytecode,
    changed_container,
    changed_proto,
    of_text,
)
from tests.fuzzing.byte_mutations import changed_bytes
from tests.fuzzing.commands import arrays, lines, read_arrays, run_line
from tests.fuzzing.survival import read_and_survive
from tests.fuzzing.weights import changed_weights, read_weights, weights
from tests.properties.generation.choices import Choices, Seeded

Examine = Callable[[bytes, int], str]


@dataclass(frozen=True)
class Reader:
    """Something that reads what strangers wrote.

    Attributes:
        seeds: The inputs that are changed.
        change: Makes another input of one, with parts of others.
        examine: Reads an input, given its number; says what came of it. A finding raises.
    """

    seeds: Callable[[], Sequence[bytes]]
    change: Change
    examine: Examine

    def input(self, seed: int | str, number: int) -> bytes:
        """An input by its number."""
        choices: Choices = Seeded(f"{seed}:{number}")
        seeds = self.seeds()
        return self.change(choices, choices.of(seeds), seeds)


def encoded(texts: Callable[[], Sequence[str]]) -> Callable[[], Sequence[bytes]]:
    """Texts as bytes."""
    collected: list[bytes] = []

    def read() -> Sequence[bytes]:
        if not collected:
            collected.extend(text.encode("utf-8", "surrogatepass") for text in texts())
        return collected

    return read


def text(data: bytes, number: int) -> str:
    """A text, as a file or as a string; a line break tells it from a path."""
    value = data + b"\n"
    is_string = number % 5 == 0
    return read_and_survive(value.decode("utf-8", "surrogatepass") if is_string else value, number)


def hlo(data: bytes, number: int) -> str:
    """A file of HLO, whatever it looks like."""
    return read_and_survive(data, number, format="hlo")


def proto(data: bytes, number: int) -> str:
    """An HLO proto, whatever it looks like."""
    return read_and_survive(data, number, format="hlo_proto")


READERS: Final[Mapping[str, Reader]] = {
    "text": Reader(encoded(corpus.texts), of_text, text),
    "generic": Reader(encoded(corpus.generic_texts), of_text, text),
    "bytecode": Reader(corpus.bytecodes, changed_bytecode, read_and_survive),
    "artifact": Reader(corpus.artifacts, changed_bytecode, read_and_survive),
    "container": Reader(corpus.containers, changed_container, read_and_survive),
    "hlo": Reader(encoded(corpus.hlo_texts), of_text, hlo),
    "proto": Reader(corpus.hlo_protos, changed_proto, proto),
    "arrays": Reader(arrays, changed_bytes, read_arrays),
    "arguments": Reader(encoded(lines), of_text, run_line),
    "weights": Reader(weights, changed_weights, read_weights),
    "limits": Reader(limits.seeds, limits.enlarged, limits.examine),
    "any": Reader(
        lambda: [*corpus.bytecodes()[:50], *corpus.hlo_protos()[:50], *corpus.containers()[:20]],
        changed_bytes,
        read_and_survive,
    ),
}
