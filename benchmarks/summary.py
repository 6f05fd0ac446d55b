"""The tables of the README: what ``bench_peers.py`` measured, one line per program.

    python benchmarks/summary.py benchmarks/results/small.md benchmarks/results/full.md

The first file holds the small programs with the peers interpreter, ref and xla, the second the
full-sized ones with interpreter and xla. The tables go between the marks in README.md.
"""

import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Final

README: Final = pathlib.Path(__file__).resolve().parents[1] / "README.md"
MARKS: Final = re.compile(r"(<!-- table:peers -->\n).*?(<!-- /table:peers -->)", re.DOTALL)
PEERS: Final = {
    "interpreter": ("stablemate", ("load ms", "verify ms", "run ms")),
    "ref": ("upstream interpreter", ("load ms", "verify ms", "run ms")),
    "xla": ("XLA", ("compile ms", "run ms")),
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


def table(path: pathlib.Path) -> Iterator[str]:
    """The lines of a table: one program a line, the peers side by side."""
    found = rows(path)
    present = {peer for _, peer in found}
    peers = [peer for peer in PEERS if peer in present]
    columns = [(peer, column) for peer in peers for column in PEERS[peer][1]]
    heads = [f"{PEERS[peer][0]}: {column.removesuffix(' ms')}" for peer, column in columns]
    yield f"| ms | {' | '.join(heads)} |"
    yield "|" + " --- |" * (len(columns) + 1)
    for program in dict.fromkeys(name for name, _ in found):
        cells = [number(found.get((program, peer), {}), column) for peer, column in columns]
        yield f"| {program} | {' | '.join(cells)} |"


def main() -> None:
    """Writes the tables into the README."""
    small, full = (list(table(pathlib.Path(each))) for each in sys.argv[1:3])
    text = "\n".join(["Small programs:", "", *small, "", "Full size:", "", *full])
    readme = README.read_text()
    README.write_text(MARKS.sub(lambda match: f"{match[1]}{text}\n{match[2]}", readme))


if __name__ == "__main__":
    main()
