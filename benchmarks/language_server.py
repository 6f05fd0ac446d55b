"""How long the language server takes from an edit to its diagnostics.

    python -m benchmarks.language_server [--md FILE] [--before FILE]

A client of pytest-lsp drives the server over stdio, with texts of 5,000 lines in MLIR and HLO. An
edit sends the changed characters and waits for the diagnostics of that version, so the numbers
contain the 10 ms in which the server waits for further edits. Milliseconds, median and largest of
ten edits of a kind; with --before, also the median in an earlier table.
"""

import argparse
import asyncio
import pathlib
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pytest_lsp
from lsprotocol import types

LINES: Final = 5000
EDITS: Final = 10
COLUMNS: Final = ("text", "edit", "median ms", "largest ms")
TENSOR: Final = "tensor<8x8xf32>"
CAPABILITIES: Final = pytest_lsp.client_capabilities("visual-studio-code")
PATTERN: Final = (
    "  %{n} = stablehlo.add %{a}, %{b} : " + TENSOR,
    "  %{n} = stablehlo.dot_general %{a}, %{b}, contracting_dims = [1] x [0] : "
    f"({TENSOR}, {TENSOR}) -> {TENSOR}",
    "  %{n} = stablehlo.tanh %{a} : " + TENSOR,
    "  %{n} = stablehlo.transpose %{a}, dims = [1, 0] : " + f"({TENSOR}) -> {TENSOR}",
    "  %{n} = stablehlo.maximum %{a}, %{b} : " + TENSOR,
)
HLO_PATTERN: Final = (
    "  v{n} = f32[8,8] add(v{a}, v{b})",
    "  v{n} = f32[8,8] dot(v{a}, v{b}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
    "  v{n} = f32[8,8] tanh(v{a})",
    "  v{n} = f32[8,8] transpose(v{a}), dimensions={{1,0}}",
    "  v{n} = f32[8,8] maximum(v{a}, v{b})",
)


class Edit(NamedTuple):
    """A replacement, which is made and undone in turn.

    Attributes:
        kind: What it is.
        old: What is replaced, the occurrence that is nearest to the middle of the text.
        new: What it is replaced by.
    """

    kind: str
    old: str
    new: str


def statements(pattern: Sequence[str], first: int, count: int) -> list[str]:
    """Operations whose operands are the two values before each."""
    return [
        pattern[n % len(pattern)].format(n=n, a=n - 1, b=n - 2)
        for n in range(first + 2, first + 2 + count)
    ]


def mlir_text(functions: int) -> str:
    """A module of so many functions, which have all its lines together."""
    count = LINES // functions - 2
    parts: list[str] = []
    for number in range(functions):
        body = "\n".join(statements(PATTERN, 0, count))
        parts.append(
            f"func.func @f{number}(%0: {TENSOR}, %1: {TENSOR}) -> {TENSOR} {{\n{body}\n"
            f"  return %{count + 1} : {TENSOR}\n}}"
        )
    return "\n".join(parts) + "\n"


def hlo_text(computations: int) -> str:
    """A module of so many computations."""
    count = LINES // computations - 4
    parts = ["HloModule large\n"]
    for number in range(computations):
        head = "ENTRY e" if number == computations - 1 else f"part{number}"
        lines = ["  v0 = f32[8,8] parameter(0)", "  v1 = f32[8,8] parameter(1)"]
        lines += statements(HLO_PATTERN, 0, count)
        lines[-1] = lines[-1].replace("  v", "  ROOT v", 1)
        parts.append(f"{head} {{\n" + "\n".join(lines) + "\n}\n")
    return "\n".join(parts)


MLIR_EDITS: Final = (
    Edit("another operation", "stablehlo.tanh", "stablehlo.abs"),
    Edit("half a name", "stablehlo.maximum", "stablehlo.max"),
    Edit("a type that does not fit", "= stablehlo.tanh %{a} : tensor<8x8xf32>",
         "= stablehlo.tanh %{a} : tensor<8x9xf32>"),
    Edit("an unknown operand", "= stablehlo.transpose %", "= stablehlo.transpose %z"),
    Edit("a line more", "\n  %", "\n  // a comment\n  %"),
    Edit("an argument's type", "(%0: tensor<8x8xf32>", "(%0: tensor<8x8xf64>"),
    Edit("a brace less", "\n}\n", "\n\n"),
)  # fmt: skip
HLO_EDITS: Final = (
    Edit("another operation", " tanh(", " abs("),
    Edit("half a name", " maximum(", " max("),
    Edit("a type that does not fit", "f32[8,8] tanh(", "f32[8,9] tanh("),
    Edit("an unknown operand", " transpose(v", " transpose(w"),
    Edit("a line more", "\n  v", "\n  // a comment\n  v"),
    Edit("an argument's type", "v0 = f32[8,8] parameter", "v0 = f64[8,8] parameter"),
    Edit("a brace less", "\n}\n", "\n\n"),
)


def position(text: str, offset: int) -> types.Position:
    """The position of an offset."""
    return types.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


def place_of(text: str, edit: Edit) -> tuple[int, Edit]:
    """Where an edit is made, and the edit with the operand that is there."""
    marker = edit.old.partition("{a}")[0]
    offset = text.find(marker, len(text) // 2)
    if offset < 0:
        offset = text.rfind(marker)
    if "{a}" not in edit.old:
        return offset, edit
    operand = text[offset + len(marker) :].split(maxsplit=1)[0]
    return offset, Edit(edit.kind, edit.old.format(a=operand), edit.new.format(a=operand))


async def diagnostics_after(client: Any, uri: str, version: int) -> None:
    """Waits for the diagnostics of a version."""
    while True:
        params = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        if params.uri == uri and params.version == version:
            return


async def times_of(client: Any, uri: str, text: str, edit: Edit, version: int) -> list[float]:
    """The milliseconds of edits of a kind, which leave the text as it was."""
    offset, edit = place_of(text, edit)
    times: list[float] = []
    for number in range(EDITS):
        old, new = (edit.new, edit.old) if number % 2 else (edit.old, edit.new)
        end = position(text[:offset] + old, offset + len(old))
        where = types.Range(position(text, offset), end)
        change = types.TextDocumentContentChangePartial(where, new)
        identifier = types.VersionedTextDocumentIdentifier(version + number, uri)
        start = time.perf_counter()
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        await diagnostics_after(client, uri, version + number)
        times.append((time.perf_counter() - start) * 1e3)
    return times


async def rows_of(client: Any, name: str, uri: str, text: str, edits: Sequence[Edit]) -> list[str]:
    """The lines of a text."""
    item = types.TextDocumentItem(uri, "mlir", 1, text)
    start = time.perf_counter()
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await diagnostics_after(client, uri, 1)
    opening = (time.perf_counter() - start) * 1e3
    assert not client.diagnostics[uri], client.diagnostics[uri][0].message
    rows = [f"| {name} | (opened) | {opening:.0f} | {opening:.0f} |"]
    version = 2
    for edit in edits:
        times = await times_of(client, uri, text, edit, version)
        version += EDITS
        assert not client.diagnostics[uri], edit.kind
        rows.append(f"| {name} | {edit.kind} | {statistics.median(times):.0f} | {max(times):.0f} |")
    return rows


async def measured() -> list[str]:
    """The lines of all texts."""
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "stablemate", "lsp", "--stdio")
    await client.initialize_session(types.InitializeParams(capabilities=CAPABILITIES))
    rows: list[str] = []
    for name, suffix, text, edits in (
        ("MLIR, one function", "mlir", mlir_text(1), MLIR_EDITS),
        ("MLIR, 100 functions", "mlir", mlir_text(100), MLIR_EDITS),
        ("HLO, one computation", "hlo", hlo_text(1), HLO_EDITS),
        ("HLO, 100 computations", "hlo", hlo_text(100), HLO_EDITS),
    ):
        uri = f"file:///{len(rows)}.{suffix}"
        rows += await rows_of(client, name, uri, text, edits)
    await client.shutdown_session()
    await client.stop()
    return rows


def key_of(row: str) -> str:
    """Text and edit of a line of a table."""
    return "|".join(row.split("|")[:3])


def medians_in(table: str) -> dict[str, str]:
    """The medians in a table, by text and edit."""
    rows = [line for line in table.splitlines() if line.count("|") > 4]
    return {key_of(row): row.split("|")[3].strip() for row in rows}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--md", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    options: Any = parser.parse_args(arguments)
    rows, columns = asyncio.run(measured()), COLUMNS
    if options.before:
        medians = medians_in(options.before.read_text())
        rows = [f"{row} {medians.get(key_of(row), '')} |" for row in rows]
        columns = (*COLUMNS, "median ms before")
    lines = [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns), *rows]
    print("\n".join(lines))
    if options.md:
        note = f"Texts of {LINES:,} lines; measured on two quiet cores."
        head = ["# Language server", "", note, ""]
        options.md.write_text("\n".join([*head, *lines, ""]))


if __name__ == "__main__":
    main()
