"""Reports about a dump: which tables a user sees, and the same as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Final

from stablemate.analysis.tables import TextTable
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.progress import with_progress
from stablemate.dumps.dump import Dump
from stablemate.dumps.figures import (
    ModuleFigures,
    assignment_of,
    figures_of,
    kernels_of,
    thunks_of,
)
from stablemate.dumps.modules import DumpModule
from stablemate.dumps.programs import PassChange, changes_of, pass_changes, passes_bytes
from stablemate.dumps.stage_changes import StageChanges
from stablemate.dumps.stage_costs import FLOPS_OF_A_BYTE
from stablemate.dumps.tables import (
    assignment_table,
    change_table,
    code_table,
    kernel_table,
    overview_tables,
    pass_table,
)

SCHEMA: Final = 1  # of the JSON; advances when a field changes its meaning or goes away
PASSES_BYTES: Final = 1 << 24  # of programs between passes that are compared without being asked

Report = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class DumpQuestion:
    """A question about a dump.

    Attributes:
        module: The module whose contents are shown; None for the most expensive one.
        first: The stage from which changes are shown; None for that before all passes.
        second: The stage to which they are shown; None for that after all passes.
        passes: Whether each pass is shown, even of large programs.
        listed: How many modules, kernels and buffers are shown.
        with_cost: Whether programs are read for the list of modules.
    """

    module: str | None = None
    first: str | None = None
    second: str | None = None
    passes: bool = False
    listed: int = 10
    with_cost: bool = True


def ignore(text: str) -> None:
    """Discards a line of progress."""


def all_figures(dump: Dump, with_cost: bool = True, report: Report = ignore) -> list[ModuleFigures]:
    """Lists the costs of the modules of a dump, the highest first."""
    figures: list[ModuleFigures] = []
    for module in with_progress(dump.modules, "module"):
        report(module.title)
        figures.append(figures_of(module, with_cost))
    return sorted(figures, key=lambda row: -weight(row))


def weight(row: ModuleFigures) -> float:
    """By what modules are ordered: their cost, else the size of their files."""
    if row.cost is None:
        return row.module.bytes / 1e9
    return max(row.cost.bytes, row.cost.flops / FLOPS_OF_A_BYTE)


def dump_tables(
    dump: Dump, question: DumpQuestion, figures: Sequence[ModuleFigures], report: Report = ignore
) -> Iterator[TextTable]:
    """The tables that answer a question.

    Args:
        dump: The dump.
        question: The question.
        figures: What its modules take, if no module is named.
        report: Told what is read, from time to time.

    Raises:
        ArgumentValueError: There is no such module or stage.
        StablemateError: A stage that is asked for cannot be read.
    """
    if question.module is None:
        yield from overview_tables(dump, figures, question.listed)
        module = figures[0].module if figures else None
    else:
        module = dump.module(question.module)
    if module is not None:
        yield from module_tables(module, question, report)


def module_tables(
    module: DumpModule, question: DumpQuestion, report: Report = ignore
) -> Iterator[TextTable]:
    """The contents of a module.

    Raises:
        ArgumentValueError: There is no such stage.
        StablemateError: A stage that is asked for cannot be read.
    """
    yield TextTable(module.title)
    report(module.title)
    asked = question.first is not None or question.second is not None
    try:
        changes = changes_of(module, question.first, question.second)
        if changes is not None:
            yield change_table(*changes)
        if question.passes or passes_bytes(module) <= PASSES_BYTES:
            passes = list(pass_changes(module, report))
            if len(passes) > 1:
                yield pass_table(passes)
    except StablemateError as error:
        if asked or question.passes:
            raise
        yield TextTable(f"changes: {error.diagnostics[0].message}")
    if memory := assignment_table(module, question.listed):
        yield memory
    try:
        if kernels := kernels_of(module):
            yield kernel_table(kernels, question.listed)
    except StablemateError as error:
        yield TextTable(f"kernels: {error.diagnostics[0].message}")
    if code := code_table(module):
        yield code


def dump_json(
    dump: Dump, question: DumpQuestion, figures: Sequence[ModuleFigures], report: Report = ignore
) -> dict[str, object]:
    """The answer to a question as an object; for arguments see ``dump_tables``.

    Raises:
        ArgumentValueError: There is no such module or stage.
        StablemateError: A stage that is asked for cannot be read.
    """
    if question.module is not None:
        module: DumpModule | None = dump.module(question.module)
    else:
        module = figures[0].module if figures else None
    shown = None if module is None else module_json(module, question, report)
    return {**overview_json(dump, figures), "module": shown}


def overview_json(dump: Dump, figures: Sequence[ModuleFigures]) -> dict[str, object]:
    """Describes the contents of a dump, as an object.

    Args:
        dump: The dump.
        figures: What its modules take.
    """
    return {
        "schema": SCHEMA,
        "folder": str(dump.folder),
        "producers": dump.producers,
        "skipped": {kind.name: number for kind, number in dump.skipped.items()},
        "modules": [figures_json(row) for row in figures],
        "graphs": [
            {
                "file": file.relative,
                "line": graph.line,
                "title": graph.title,
                "hash": graph.hash,
                "place": graph.place,
                "operations": graph.operations,
            }
            for file, graph in dump.saved_graphs
        ],
        "reports": [{"file": file.relative, **asdict(item)} for file, item in dump.torch_reports],
        "log": dump.logged_seconds,
    }


def figures_json(row: ModuleFigures) -> dict[str, object]:
    """A module of the list, as an object; unknown values are null."""
    module, cost = row.module, row.cost
    return {
        "name": module.name,
        "number": module.number,
        "folder": module.folder,
        "producer": module.producer or None,
        "bytes": module.bytes,
        "stages": [{"name": stage.name, "file": stage.file.relative} for stage in module.stages],
        "operations": row.instructions,
        "flops": cost.flops if cost else None,
        "bytes_moved": cost.bytes if cost else None,
        "buffer_bytes": row.memory,
        "compile_seconds": row.compile_seconds,
        "failure": row.failure.diagnostics[0].message if row.failure else None,
    }


def module_json(
    module: DumpModule, question: DumpQuestion, report: Report = ignore
) -> dict[str, object]:
    """The contents of a module as an object.

    Raises:
        ArgumentValueError: There is no such stage.
        StablemateError: A program cannot be read.
    """
    changes = changes_of(module, question.first, question.second)
    shown = question.passes or passes_bytes(module) <= PASSES_BYTES
    passes = list(pass_changes(module, report)) if shown else []
    assignment = assignment_of(module)
    return {
        "name": module.name,
        "number": module.number,
        "changes": None if changes is None else changes_json(changes[2]),
        "passes": [pass_json(item) for item in passes],
        "buffers": None
        if assignment is None
        else {
            "bytes": assignment.bytes,
            "by_kind": assignment.by_kind,
            "largest": [
                {**asdict(value), "allocation": piece.number, "kind": piece.kind}
                for piece, value in assignment.largest_values[: question.listed]
            ],
        },
        "kernels": kernels_json(module, question.listed),
        "thunks": thunks_of(module),
    }


def kernels_json(module: DumpModule, listed: int) -> Sequence[dict[str, object]] | None:
    """The kernels that cost most; null if that is not known."""
    try:
        kernels = kernels_of(module)
    except StablemateError:
        return None
    return [
        {
            "name": kernel.name,
            "what": kernel.what,
            "instructions": kernel.instructions,
            "executions": kernel.executions,
            "flops": kernel.cost.flops,
            "bytes": kernel.cost.bytes,
            "place": kernel.place,
        }
        for kernel in kernels[:listed]
    ]


def pass_json(item: PassChange) -> dict[str, object]:
    """Describes the change of a pass, as an object."""
    return {"stage": item.stage.name, "number": item.stage.rank[1], **changes_json(item.changes)}


def changes_json(changes: StageChanges) -> dict[str, object]:
    """Describes changes, as an object."""
    return {
        "removed": changes.removed,
        "added": changes.added,
        "changed": changes.changed,
        "opcodes": changes.opcode_changes,
        "before": asdict(changes.before),
        "after": asdict(changes.after),
        "layouts": [asdict(item) for item in changes.layouts],
    }
