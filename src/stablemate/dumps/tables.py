"""A dump as tables: its modules, then what one of them holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from typing import Final

from stablemate.analysis.quantities import format_count, number_text, size_text, time_text
from stablemate.analysis.tables import TextTable
from stablemate.diagnostics.errors import StablemateError
from stablemate.dumps.buffer_assignment import BufferAssignment
from stablemate.dumps.dump import Dump
from stablemate.dumps.figures import ModuleFigures, assignment_of, thunks_of
from stablemate.dumps.modules import CODE, DumpModule, DumpStage
from stablemate.dumps.programs import PassChange, stage_label
from stablemate.dumps.stage_changes import StageChanges
from stablemate.dumps.stage_costs import KernelCost

MODULES: Final = (
    "module ", "programs", "files", "operations", "FLOP", "read and written", "buffers", "compile",
)  # fmt: skip
KERNELS: Final = ("FLOP", "read and written", "count", "kernel ", "computes ", "source ")
BUFFERS: Final = ("bytes", "value ", "shape ", "in ")
PASSES: Final = ("removed", "added", "changed", "after the pass ", "opcodes ")
GRAPHS: Final = ("operations", "graph ", "hash ", "source ")
SHOWN_OPCODES: Final = 5  # of a pass
SHOWN_REPEATS: Final = 5  # modules that were compiled several times
SHAPE: Final = 40  # characters of a shape


def overview_tables(
    dump: Dump, figures: Sequence[ModuleFigures], listed: int
) -> Iterator[TextTable]:
    """Tabulates the contents of a dump.

    Args:
        dump: The dump.
        figures: What its modules take, those that take most first.
        listed: How many modules and graphs are shown.
    """
    yield TextTable(headline(dump))
    if figures:
        rows = [module_cells(row) for row in figures[:listed]]
        table = without_empty_columns(MODULES, rows)
        yield replace(table, notes=list(module_notes(dump, figures, listed)))
    yield from torch_tables(dump, listed)
    if dump.skipped:
        yield TextTable("", notes=[f"no programs: {kinds_text(dump)}"])


def headline(dump: Dump) -> str:
    """Describes a dump in a line."""
    files = list(dump.files)
    who = ", ".join(dump.producers) or "programs"
    modules = format_count(len(dump.modules), "module")
    size = size_text(sum(file.size for file in files))
    return f"{dump.folder}: {who}: {modules}, {format_count(len(files), 'file')}, {size}"


def module_cells(row: ModuleFigures) -> list[str]:
    """The row of a module."""
    cost = row.cost
    return [
        row.module.title,
        str(len(row.module.stages)),
        size_text(row.module.bytes),
        "" if row.instructions is None else f"{row.instructions:,}",
        "" if cost is None else number_text(cost.flops),
        "" if cost is None else size_text(cost.bytes),
        "" if row.memory is None else size_text(row.memory),
        "" if row.compile_seconds is None else time_text(row.compile_seconds),
    ]


def module_notes(dump: Dump, figures: Sequence[ModuleFigures], listed: int) -> Iterator[str]:
    """The sentences below the table of modules."""
    if len(figures) > listed:
        yield f"and {len(figures) - listed} more"
    repeats = [
        f"{name} {number} times"
        for name, number in Counter(module.name for module in dump.modules).most_common()
        if number > 1
    ]
    if repeats:
        more = ", ..." if len(repeats) > SHOWN_REPEATS else ""
        yield f"compiled more than once: {', '.join(repeats[:SHOWN_REPEATS])}{more}"
    seconds = sum(row.compile_seconds or 0.0 for row in figures)
    if seconds:
        yield f"compiled in {time_text(seconds)}, by the times at which the files were written"
    for name, times in islice(dump.logged_seconds.items(), listed):
        number = format_count(len(times), "compilation")
        yield f"the log says of {name}: {number}, {time_text(sum(times))}"
    for row in figures:
        if row.failure is not None:
            yield f"{row.module.title}: {row.failure.diagnostics[0].message}"


def torch_tables(dump: Dump, listed: int) -> Iterator[TextTable]:
    """The graphs and reports of PyTorch/XLA."""
    graphs = list(dump.saved_graphs)
    if graphs:
        rows = [
            [str(graph.operations), graph.title, graph.hash, short_place(graph.place)]
            for _, graph in graphs[:listed]
        ]
        more = [f"and {len(graphs) - listed} more"] if len(graphs) > listed else []
        distinct = len({graph.text for _, graph in graphs})
        title = f"{format_count(len(graphs), 'graph')} of PyTorch/XLA, {distinct} distinct"
        yield TextTable(title, GRAPHS, rows, more)
    for file, report in dump.torch_reports:
        notes = [
            f"{format_count(number, 'compilation')} because of: {cause}"
            for cause, number in report.causes.items()
        ]
        notes += [f"{name}: {size}" for name, size in report.sizes.items()]
        if report.compile_seconds is not None:
            notes.append(
                f"{report.compilations} compilations took {time_text(report.compile_seconds)}"
            )
        yield TextTable(
            f"{file.relative}: {format_count(report.executions, 'execution')}", notes=notes
        )


def kinds_text(dump: Dump) -> str:
    """``LLVM IR (32), object file (16)``: how many files hold no program, by their kind."""
    numbers = Counter[str]()
    for kind, number in dump.skipped.items():
        numbers[kind.title] += number
    return ", ".join(f"{title} ({number})" for title, number in numbers.most_common())


def without_empty_columns(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> TextTable:
    """A table of the columns that have an entry."""
    used = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    return TextTable("", [columns[i] for i in used], [[row[i] for i in used] for row in rows])


def change_table(a: DumpStage, b: DumpStage, changes: StageChanges) -> TextTable:
    """Tabulates the changes between two stages."""
    title = f"{stage_label(a)} -> {stage_label(b)}"
    return TextTable(title, notes=[f"  {line}" for line in changes.lines()])


def pass_table(changes: Sequence[PassChange]) -> TextTable:
    """Tabulates the instructions that each pass removed, added and changed."""
    rows = [
        [
            str(item.changes.removed),
            str(item.changes.added),
            str(item.changes.changed),
            stage_label(item.stage).replace(" after ", " ", 1),
            opcode_text(item.changes),
        ]
        for item in changes
    ]
    return TextTable("passes that changed something", PASSES, rows)


def opcode_text(changes: StageChanges) -> str:
    """``+13 fusion -98 multiply``: the opcodes of which there are more or fewer."""
    shown = list(changes.opcode_changes.items())[:SHOWN_OPCODES]
    parts = [f"{delta:+} {name}" for name, delta in shown]
    if len(changes.opcode_changes) > SHOWN_OPCODES:
        parts.append("...")
    if not parts and changes.layouts:
        parts = [f"{format_count(len(changes.layouts), 'layout')}"]
    return " ".join(parts)


def memory_table(assignment: BufferAssignment, listed: int) -> TextTable:
    """The memory of a module: its kinds, and the largest values."""
    kinds = ", ".join(f"{kind} {size_text(size)}" for kind, size in assignment.by_kind.items())
    values = assignment.largest_values
    rows = [
        [
            size_text(value.bytes),
            value.name,
            value.shape if len(value.shape) <= SHAPE else f"{value.shape[:SHAPE]}...",
            f"{piece.kind}, allocation {piece.number}"
            + (f" at {value.offset}" if value.offset else ""),
        ]
        for piece, value in values[:listed]
        if piece.kind != "thread-local"
    ]
    notes = [f"and {len(values) - listed} more"] if len(values) > listed else []
    title = f"memory by buffer: {size_text(assignment.bytes)}: {kinds}"
    return TextTable(title, BUFFERS, rows, notes)


def kernel_table(kernels: Sequence[KernelCost], listed: int) -> TextTable:
    """The kernels that cost most."""
    rows = [
        [
            number_text(kernel.cost.flops),
            size_text(kernel.cost.bytes),
            str(kernel.executions),
            kernel.name,
            kernel.what if kernel.instructions == 1 else f"{kernel.instructions} fused",
            short_place(kernel.place),
        ]
        for kernel in kernels[:listed]
    ]
    notes: list[str] = []
    if len(kernels) > listed:
        rest = kernels[listed:]
        flops = number_text(sum(kernel.cost.flops for kernel in rest), "FLOP")
        size = size_text(sum(kernel.cost.bytes for kernel in rest))
        notes.append(f"and {len(rest)} more: {flops}, {size} read and written")
    return TextTable("most expensive kernels", KERNELS, rows, notes)


def short_place(place: str) -> str:
    """``layers/mlp.py:12:4``: a place in a source without the folders above its own."""
    path, colon, rest = place.partition(":")
    parts = PurePath(path).parts
    return "/".join(parts[-2:]) + colon + rest


def code_table(module: DumpModule) -> TextTable | None:
    """The code that was generated; None if there is none."""
    parts: list[str] = []
    for kind in CODE:
        if files := module.files_of(kind):
            size = size_text(sum(file.size for file in files))
            parts.append(f"{kind.title} ({len(files)}, {size})")
    thunks = thunks_of(module)
    if thunks:
        kinds = ", ".join(f"{number} {kind}" for kind, number in thunks.items())
        parts.append(f"{sum(thunks.values())} thunks: {kinds}")
    return TextTable(f"code: {'; '.join(parts)}") if parts else None


def assignment_table(module: DumpModule, listed: int) -> TextTable | None:
    """The memory of a module, or why it is not known; None without a file."""
    try:
        assignment = assignment_of(module)
    except StablemateError as error:
        return TextTable(f"memory by buffer: {error.diagnostics[0].message}")
    return None if assignment is None else memory_table(assignment, listed)
