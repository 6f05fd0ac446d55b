"""Collective operations give what the upstream interpreter gives, over whole grids."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from tests.execution.grids import MAKERS, Case, bits, case
from tests.oracle.client import Oracle

CASES: Final = 40  # of each operation
# The upstream interpreter gives each process a thread, and has as many as there are processors.
PROCESSORS: Final = """
#define _GNU_SOURCE
#include <sched.h>
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  CPU_ZERO_S(size, set);
  for (int i = 0; i < 16; ++i) CPU_SET_S(i, size, set);
  return 0;
}
"""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Oracle, int]]:
    """The oracle, and for how many processes it can answer."""
    compiler = shutil.which("cc")
    with pytest.MonkeyPatch.context() as patch, Oracle() as oracle:
        processors = len(os.sched_getaffinity(0))
        if processors < 8 and compiler:
            library = told_to_see_more(compiler, tmp_path_factory.mktemp("processors"))
            patch.setenv("LD_PRELOAD", str(library))
            processors = 8
        yield oracle, processors


def told_to_see_more(compiler: str, directory: Path) -> Path:
    """A library that tells a program of 16 processors."""
    source, library = directory / "processors.c", directory / "processors.so"
    source.write_text(PROCESSORS)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return library


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.parametrize("name", MAKERS)
def test_collective_gives_what_upstream_gives(
    name: str, seed: int, reference: tuple[Oracle, int]
) -> None:
    oracle, processors = reference
    generated_case = case(name, seed, processors)
    expected = [
        bits(argument)
        for argument in oracle.reference(generated_case.text, *generated_case.arguments)
    ]
    assert [bits(item) for item in on_grid(generated_case)] == expected
    assert [bits(item) for item in within_main(generated_case)] == expected


def on_grid(generated_case: Case) -> list[object]:
    """The results of the function ``work``."""
    grid = generated_case.grid
    module = sm.load(generated_case.text)
    return sm.run_grid(
        module, generated_case.arguments, grid.num_replicas, grid.num_partitions, entry="work"
    )


def within_main(generated_case: Case) -> list[object]:
    """The results of the function ``main``, which runs the others."""
    results = sm.run(generated_case.text, *generated_case.arguments)
    return list(results) if isinstance(results, tuple) else [results]
