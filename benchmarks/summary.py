"""The tables of docs/performance.md: what ``bench_peers.py`` and ``ops.py`` measured.

    python -m benchmarks.summary benchmarks/results/small.md benchmarks/results/full.md
    python -m benchmarks.summary benchmarks/results/ops.md
    python -m benchmarks.summary benchmarks/results/programs.md

The first of two files holds the small programs with the peers interpreter, ref and xla, the second
the full-sized ones with interpreter and xla: one line per program. A single file holds the
full-sized programs with native code and its peers, or operations: one line per family. The tables
go between the marks in docs/performance.md.
"""

import pathlib
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from benchmarks.op_cases import FAMILIES
from benchmarks.pages import write_table

PAGE: Final = pathlib.Path(__file__).resolve().parents[1] / "docs" / "performance.md"
Peers = Mapping[str, tuple[str, Sequence[str]]]

PEERS: Final[Peers] = {
    "interpreter": ("stablemate", ("load ms", "verify ms", "run ms")),
    "ref": ("upstream interpreter", ("load ms", "verify ms", "run ms")),
    "xla": ("XLA", ("compile ms", "run ms")),
}
NATIVE: Final[Peers] = {
    "stablemate": ("stablemate", ("run ms", "peak MB")),
    "xla": ("XLA", ("run ms", "peak MB")),
    "iree": ("IREE", ("run ms",)),
}


def rows(path: pathlib.Path) -> dict[tuple[str, str], dict[str, str]]:
    """The cells of a table by program and peer."""
    lines = [line.strip("| \n").split(" | ") for line in path.read_text().splitlines()]
    return {(cells[0], cells[1]): dict(zip(lines[0], cells, strict=False)) for cells in lines[2:]}


def number(row: dict[str, str], column: str) -> str:
    """A time in milliseconds with three digits; a dash where there is none."""
    try:
        value = float(row.get(column, ""))
    except ValueError:
        return "-"
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(path: pathlib.Path, peers: Peers = PEERS) -> Iterator[str]:
    """The lines of a table: one program a line, the peers side by side."""
    rows_result = rows(path)
    present = {peer for _, peer in rows_result}
    columns = [(peer, column) for peer in peers if peer in present for column in peers[peer][1]]
    heads = [f"{peers[peer][0]}: {column.removesuffix(' ms')}" for peer, column in columns]
    yield f"| ms | {' | '.join(heads)} |"
    yield "|" + " --- |" * (len(columns) + 1)
    for program in dict.fromkeys(name for name, _ in rows_result):
        cells = [number(rows_result.get((program, peer), {}), column) for peer, column in columns]
        yield f"| {program} | {' | '.join(cells)} |"


def operations(path: pathlib.Path) -> Iterator[str]:
    """The lines of the table of operations: one family a line."""
    lines = [line.strip("| \n").split(" | ") for line in path.read_text().splitlines()]
    collected = [dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]]
    yield "| operations | cases | times NumPy: median | largest | times faster than upstream |"
    yield "| --- | --- | --- | --- | --- |"
    for family, cases in FAMILIES.items():
        names = {case.operation.removeprefix("stablehlo.") for case in cases}
        rows = [row for row in collected if row["operation"] in names]
        ratios = [float(row["ratio"].strip("*")) for row in rows if row["ratio"] != "-"]
        faster = [float(row["upstream/ours"]) for row in rows if row["upstream/ours"] != "-"]
        largest = max(rows, key=lambda row: float(row["ratio"].strip("*").replace("-", "0")))
        worst = f"{largest['ratio']} ({largest['operation']}, {largest['on']})"
        middle, upstream = statistics.median(ratios), statistics.median(faster)
        yield f"| {family} | {len(rows)} | {middle:.2g} | {worst} | {upstream:.0f} |"


def main() -> None:
    """Writes the tables into docs/performance.md."""
    files = list(map(pathlib.Path, sys.argv[1:]))
    if len(files) == 1 and rows(files[0]).keys() & {("mlp_b1", "stablemate")}:
        write_table(PAGE, "native", table(files[0], NATIVE))
        return
    if len(files) == 1:
        write_table(PAGE, "ops", operations(files[0]))
        return
    small, full = map(list, map(table, files))
    write_table(PAGE, "peers", ["Small programs:", "", *small, "", "Full size:", "", *full])


if __name__ == "__main__":
    main()
