"""A dump as a page: its modules, what each of them takes, and their programs as graphs.

Like the page of a program it is one file that needs no network. Graphs are pages of their own, in
frames that can reach neither the page around them nor the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.analysis.quantities import number_text, size_text, time_text
from stablemate.analysis.tables import TextTable
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.visible import visible
from stablemate.dumps.dump import Dump
from stablemate.dumps.figures import ModuleFigures
from stablemate.dumps.modules import DumpModule, DumpStage
from stablemate.dumps.programs import program_of
from stablemate.dumps.reports import DumpQuestion, module_tables, weight
from stablemate.dumps.tables import headline, kinds_text
from stablemate.explorer.document import document_of
from stablemate.explorer.page import asset, digest, embed_json, html_page, script
from stablemate.explorer.stages.page import theme

DETAILED: Final = 20  # modules whose contents are on the page
LISTED: Final = 20  # kernels and buffers of a module
GRAPHS: Final = 6  # modules whose programs are on the page as graphs
GRAPH_BYTES: Final = 1 << 20  # of a program that is shown as a graph
PLACEHOLDER: Final = "stablemate:program"


def dump_page(dump: Dump, figures: Sequence[ModuleFigures], report: Callable[[str], object]) -> str:
    """The page of a dump: one text that needs nothing else.

    Args:
        dump: The dump.
        figures: What its modules take, those that take most first.
        report: Told what is read.
    """
    title = visible(str(dump.folder))
    code = asset("dump/page.js")
    style = theme() + asset("dump/page.css")
    largest = max(map(weight, figures), default=0.0)
    document: dict[str, object] = {
        "title": title,
        "summary": visible(f"{headline(dump)}; no programs: {kinds_text(dump) or 'none'}"),
        "shell": shell(),
        "placeholder": PLACEHOLDER,
        "modules": [
            {
                "title": visible(row.module.title),
                "facts": facts_of(row),
                "share": weight(row) / largest if largest else 0.0,
                "tables": list(tables_json(row, report)) if number < DETAILED else [],
                "programs": list(graphs_of(row.module)) if number < GRAPHS else [],
            }
            for number, row in enumerate(figures)
        ],
    }
    text = html_page(title, style, asset("dump/page.html"), document, code)
    inner = f"'{digest(script())}'", f"'{digest(asset('page.css'))}'"
    for outer, allowed in zip((digest(code), digest(style)), inner, strict=True):
        text = text.replace(f"'{outer}'", f"'{outer}' {allowed}", 1)
    return text


def shell() -> str:
    """The page of a program without its data, for which a mark stands."""
    text = html_page("", asset("page.css"), asset("page.html"), {}, script())
    return text.replace('id="program">{}<', f'id="program">{PLACEHOLDER}<', 1)


def facts_of(row: ModuleFigures) -> str:
    """Summarizes the cost of a module in a line."""
    parts = [f"{len(row.module.stages)} programs"]
    if row.cost is not None:
        parts += [number_text(row.cost.flops, "FLOP"), size_text(row.cost.bytes)]
    if row.memory is not None:
        parts.append(f"{size_text(row.memory)} of buffers")
    if row.compile_seconds is not None:
        parts.append(f"compiled in {time_text(row.compile_seconds)}")
    return ", ".join(parts)


def tables_json(row: ModuleFigures, report: Callable[[str], object]) -> Iterator[dict[str, object]]:
    """The contents of a module as tables of the page."""
    tables = list(module_tables(row.module, DumpQuestion(listed=LISTED), report))[1:]
    if row.failure is not None:
        tables.insert(0, TextTable(row.failure.diagnostics[0].message))
    for table in tables:
        yield {
            "title": visible(table.title),
            "columns": [column.strip() for column in table.columns],
            "words": list(table.are_words),
            "rows": [list(map(visible, cells)) for cells in table.rows],
            "notes": list(map(visible, table.notes)),
        }


def graphs_of(module: DumpModule) -> Iterator[dict[str, str]]:
    """The programs of a module before and after its passes, as data of the explorer's page."""
    stages = dict.fromkeys(filter(None, (module.unoptimized, module.optimized or module.final)))
    for stage in stages:
        if stage.file.size <= GRAPH_BYTES:
            yield from graph_of(stage)


def graph_of(stage: DumpStage) -> Iterator[dict[str, str]]:
    """A program as data of the explorer's page; nothing if it cannot be read."""
    try:
        graph = program_of(stage).graph()
    except StablemateError:
        return
    yield {"name": stage.name, "data": embed_json(document_of(graph))}
