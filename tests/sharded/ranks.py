"""What the ranks of a test run: ``mpiexec -n N python -m tests.sharded.ranks FILE``.

The file holds programs with what lock-step gives for them. Every rank prints a line for each result
that has other bits, and ``ok`` at the end.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import stablemate as sm
from stablemate.execution.backends.mpi import ranks
from stablemate.execution.signature import is_tuple
from tests.execution.grids import bits


def all_bits(results: Any) -> list[Any]:
    """The bits of the results of a process."""
    return [bits(result) for result in (results if is_tuple(results) else (results,))]


def main() -> None:
    """Runs the programs of the file."""
    programs = pickle.loads(Path(sys.argv[1]).read_bytes())
    for name, backend, text, inputs, expected in programs:
        per_process = sm.run_grid(
            text, tuple(inputs), partitions=ranks().size, backend=backend, carrier="mpi"
        )
        if all_bits(per_process[ranks().rank]) != expected[ranks().rank]:
            print(f"{name}, {backend}: rank {ranks().rank} has other bits", flush=True)
    print("ok", flush=True)


if __name__ == "__main__":
    main()
