"""Compares partitioned programs, those of ``sharded_programs`` and ``sharded_kinds``, with XLA's.

    python -m benchmarks.jax.partitioning [WORD ...]
    python -m benchmarks.jax.partitioning --page docs/jax-partitioning.md

It compiles each program for eight devices of stablemate and of XLA's CPU client, compares the
values, and prints a row: number and bytes of the collective operations of a device, and the bytes
that a device needs for arguments, results and values on the way. Words select the rows whose names
contain one. The exit code is 1 if values differ.
"""

from __future__ import annotations

import argparse
import math
import os
import pathlib
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

os.environ["JAX_PLATFORMS"] = "stablemate,cpu"
os.environ["STABLEMATE_DEVICES"] = os.environ["JAX_NUM_CPU_DEVICES"] = "8"

import jax
import numpy as np

from benchmarks.jax.sharded_kinds import KINDS
from benchmarks.jax.sharded_programs import PROGRAMS, ShardedProgram, compile_on

DEVICES: Final = 8
TOLERANCE: Final = 1e-4  # of sums of floats in another order, relative to the largest element
COLLECTIVE: Final = re.compile(
    r"= (?P<types>\([^)]*\)|\S+) (?P<opcode>all-gather|all-reduce|all-to-all|collective-broadcast"
    r"|collective-permute|ragged-all-to-all|reduce-scatter)(?P<start>-start)?\("
)
TENSOR: Final = re.compile(r"(?P<element>[a-z]+\d*)\[(?P<sizes>[\d,]*)\]")
# The three forms of groups: lists of devices, an iota tile assignment, axes of a mesh.
GROUPS: Final = re.compile(
    r"replica_groups=(?:\{\{(?P<first>[\d,]*)\}|\[\d+,(?P<size>\d+)\]"
    r"|mesh\[(?P<mesh>[^\]]*)\] \{(?P<axes>[^}]*)\})"
)
AXIS: Final = re.compile(r"'(?P<name>\w+)'(?:=(?P<size>\d+)|:\(\d+\)(?P<part>\d+))?")
HEADER: Final = (
    "| program | mesh | collectives: stablemate | XLA | bytes received: stablemate | XLA |"
    " bytes of memory: stablemate | XLA | kinds: stablemate | XLA |\n" + "| --- " * 10 + "|"
)
PREAMBLE: Final = """# Partitioned programs beside XLA's

Programs whose arguments are divided over eight devices, compiled by stablemate and by XLA's CPU
client. Values agree in all rows; a dash is what XLA's client does not implement. *Collectives*
counts the collective operations in the program of a device; *bytes received* is what a device
receives from others when each operation runs once, by the cheapest algorithm (a ring); *memory* is
what arguments, results and values on the way take on a device. A number above XLA's is **bold**.
Where the reasons name what XLA allocates, some 650 bytes of it are those of any call.

`python -m benchmarks.jax.partitioning --page docs/jax-partitioning.md` writes this page.
"""
# Why programs need more than XLA's. What XLA allocates was measured by functions in place of malloc
# and free: the least peak of eight calls, divided by the devices. It comes without the arguments;
# a program whose memory XLA counts whole allocates some 650 bytes more than that.
PADDED: Final = "the image is copied with its padding. XLA counts no memory of its convolutions: "
SORTED: Final = (
    "the sorted numbers lie beside the gathered ones. XLA's sort copies them, uncounted: "
)
ALLOCATED: Final = (
    "a call allocates {} bytes on each device, of which it counts {}; here they are {}"
)
LANES: Final = "the routine works on copies, with a matrix in each vector lane"
BLOCKS: Final = "blocks of the matrix are copied, for routines that work by tiles"
INDICES: Final = "positions that several kernels read are stored"
REASONS: Final = {
    "depthwise convolution": PADDED + ALLOCATED.format("2,644", "1,024", "2,112"),
    "convolution over divided rows": PADDED + ALLOCATED.format("38,388", "19,460", "20,096"),
    "gradient of a convolution": PADDED + ALLOCATED.format("65,530", "29,248", "29,888"),
    "convolution of a divided batch of images": PADDED
    + ALLOCATED.format("28,083", "8,192", "18,560"),
    "transposed convolution": PADDED + ALLOCATED.format("20,835", "8,192", "16,384"),
    "transposed convolution over divided rows": PADDED
    + ALLOCATED.format("26,033", "11,268", "16,896"),
    "sort of a divided vector": SORTED + ALLOCATED.format("12,588", "4,612", "8,708"),
    "order of a divided vector": SORTED.rstrip(": "),
    "quantiles": SORTED + ALLOCATED.format("12,568", "2,312", "4,104"),
    "quantiles of divided rows": "a position among the sorted numbers is stored",
    "rotary embeddings": "sines and cosines are stored, not computed for each head",
    "eigenvalues of a batch": LANES,
    "symmetric eigenvalues of a batch": LANES,
    "singular values of a batch": LANES,
    "QR factors of a batch": LANES,
    "inverses of a batch": LANES,
    "system of divided equations": BLOCKS,
    "QR factor of divided rows": BLOCKS,
    "inverse of divided rows": BLOCKS,
    "interpolation": "the steps of the search keep both bounds",
    "products of complex matrices": "real and imaginary parts are matrices of their own",
    "states of beams": INDICES,
    "contrastive loss": INDICES,
}


class Messages(NamedTuple):
    """The collective operations of a program.

    Attributes:
        opcodes: Their opcodes.
        received: The bytes that a device receives.
    """

    opcodes: Sequence[str]
    received: int


class Measurement(NamedTuple):
    """A program on one client.

    Attributes:
        messages: Its collective operations.
        memory: The bytes that a device needs.
        results: The values.
    """

    messages: Messages
    memory: int
    results: Sequence[Any]


def bytes_of(types: str) -> int:
    """The bytes of the tensors in a type of HLO."""
    total = 0
    for tensor in TENSOR.finditer(types):
        sizes = [int(size) for size in tensor["sizes"].split(",") if size]
        bits = re.sub(r"\D", "", tensor["element"]) or "8"
        total += int(np.prod(sizes, dtype=int)) * max(1, int(bits) // 8)
    return total


def group_size(line: str) -> int:
    """How many devices a collective operation joins."""
    groups = GROUPS.search(line)
    if groups is None:
        return DEVICES
    if groups["mesh"] is not None:
        sizes = {axis["name"]: int(axis["size"]) for axis in AXIS.finditer(groups["mesh"])}
        axes = AXIS.finditer(groups["axes"])
        return math.prod(int(axis["part"] or sizes[axis["name"]]) for axis in axes)
    return int(groups["size"] or 0) or len(groups["first"].split(","))


def received_bytes(opcode: str, result: int, group: int) -> int:
    """The bytes that a device receives, by the cheapest algorithm.

    Source: Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in
    MPICH" (2005).
    """
    match opcode:
        case "all-reduce":
            return 2 * result * (group - 1) // group
        case "reduce-scatter":
            return result * (group - 1)
        case "all-gather" | "all-to-all" | "ragged-all-to-all":
            return result * (group - 1) // group
        case _:
            return result


def messages_of(text: str) -> Messages:
    """The collective operations of a program in HLO's syntax."""
    opcodes: list[str] = []
    total = 0
    for line in text.splitlines():
        found = COLLECTIVE.search(line)
        if found is None:
            continue
        opcodes.append(found["opcode"])
        total += received_bytes(found["opcode"], bytes_of(found["types"]), group_size(line))
    return Messages(sorted(opcodes), total)


def measure(program: ShardedProgram, platform: str) -> Measurement | None:
    """Compiles and runs a program on a client; None if the client does not implement it."""
    try:
        compiled, arguments = compile_on(program, platform)
    except jax.errors.JaxRuntimeError as error:
        if platform == "cpu" and "UNIMPLEMENTED" in str(error):
            return None
        raise
    memory = compiled.memory_analysis()
    needed = (
        memory.argument_size_in_bytes
        + memory.output_size_in_bytes
        + memory.temp_size_in_bytes
        - memory.alias_size_in_bytes
    )
    results = [np.asarray(leaf) for leaf in jax.tree.leaves(compiled(*arguments))]
    return Measurement(messages_of(compiled.as_text()), needed, results)


def same_values(ours: Sequence[Any], theirs: Sequence[Any]) -> bool:
    """Whether results are equal up to the rounding of sums."""
    return all(
        np.allclose(own, other, rtol=TOLERANCE, atol=TOLERANCE * float(np.max(np.abs(other))))
        for own, other in zip(ours, theirs, strict=True)
    )


def pair(ours: int, theirs: int | None) -> tuple[str, str]:
    """Two cells; a number above XLA's is bold."""
    if theirs is None:
        return f"{ours:,}", "-"
    return (f"**{ours:,}**" if ours > theirs else f"{ours:,}"), f"{theirs:,}"


def kinds(opcodes: Sequence[str]) -> str:
    """Opcodes with their numbers."""
    return ", ".join(f"{opcodes.count(name)} {name}" for name in dict.fromkeys(opcodes))


def row(name: str, program: ShardedProgram, ours: Measurement, theirs: Measurement | None) -> str:
    """The row of a program."""
    mesh = " x ".join(map(str, program.axes.values()))
    pairs = zip(numbers(ours), numbers(theirs) if theirs else [None] * 3, strict=True)
    cells = [name, mesh, *(cell for numbers_of_both in pairs for cell in pair(*numbers_of_both))]
    cells += [kinds(ours.messages.opcodes), kinds(theirs.messages.opcodes) if theirs else "-"]
    return f"| {' | '.join(cells)} |"


def numbers(measurement: Measurement) -> list[int]:
    """What is compared: collective operations, bytes received, bytes of memory."""
    messages = measurement.messages
    return [len(messages.opcodes), messages.received, measurement.memory]


def rows(words: Sequence[str], different: list[str]) -> Iterator[str]:
    """The rows of the table; names of programs with different values are added to a list."""
    for name, program in (PROGRAMS | KINDS).items():
        if words and not any(word in name for word in words):
            continue
        ours, theirs = measure(program, "stablemate"), measure(program, "cpu")
        assert ours is not None
        if theirs is not None and not same_values(ours.results, theirs.results):
            different.append(name)
        yield row(name, program, ours, theirs)


def reasons(lines: Sequence[str]) -> Iterator[str]:
    """The table of the programs with a number above XLA's, as far as there are any."""
    names = [line.split("|")[1].strip() for line in lines if "**" in line]
    if names:
        yield from ("", "| more than XLA | why |", "| --- | --- |")
    yield from (f"| {name} | {REASONS[name]} |" for name in names)


def main() -> int:
    """Prints the table, or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="what names of rows contain")
    parser.add_argument("--page", type=pathlib.Path, help="the file that is written")
    arguments = parser.parse_args()
    different: list[str] = []
    lines = [HEADER]
    print(HEADER)
    for line in rows(arguments.words, different):
        print(line, flush=True)
        lines.append(line)
    if arguments.page is not None:
        text = "\n".join([PREAMBLE, *lines, *reasons(lines)]) + "\n"
        arguments.page.write_text(text, encoding="utf-8")
    for name in different:
        print(f"values differ: {name}", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
