"""The exported programs with what JAX computes; a child process with eight devices makes them."""

import os
import pathlib
import pickle
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

ROOT: Final = pathlib.Path(__file__).resolve().parents[2]
SINGLE: Final = (
    "psum", "pmean", "pmax", "pmin_integers", "psum_in_groups", "all_gather", "all_gather_tiled",
    "ppermute", "ppermute_of_some", "psum_scatter", "all_to_all", "all_to_all_untiled",
    "axis_index", "no_collective", "divergent_results", "two_axes", "minor_axis_first", "cube",
    "some_axes", "free_axes_are_constrained", "nested", "nested_with_whole_results", "backwards",
    "called", "twice", "in_a_loop", "loop_inside", "branches", "several_types", "shardings_around",
    "collectives_in_groups",
)  # fmt: skip
IN_LINES: Final = (
    "collectives", "pbroadcast", "types", "ragged_all_to_all", "ring_attention", "pipeline",
    "data_parallel_step", "fully_sharded", "experts", "until_all_are_small",
)  # fmt: skip
IN_SQUARES: Final = (
    "collectives_of_two_axes", "tensor_parallel_loss", "tensor_parallel_gradient", "summa",
)  # fmt: skip
NAMES: Final = (
    *SINGLE,
    *(f"{name}_{count}" for name in IN_LINES for count in (2, 4, 8)),
    *(f"{name}_{count}" for name in IN_SQUARES for count in (4, 8)),
)
# XLA takes what is right at any level; the lowest one is ready first.
FLAGS: Final = "--xla_force_host_platform_device_count=8 --xla_backend_optimization_level=0"


@dataclass(frozen=True)
class Program:
    """A program of global tensors.

    Attributes:
        text: The program.
        devices: For how many devices it is made.
        inputs: What it is called with.
        results: What JAX gives for them.
        forms: The program in other forms in which it is exported: ``gspmd``, ``round_trip``.
    """

    text: str
    devices: int
    inputs: list[Any]
    results: list[Any]
    forms: dict[str, str]


@cache
def exported() -> dict[str, Program]:
    """All programs by name."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    child = subprocess.run(
        [sys.executable, "-m", "tests.sharded.export"],
        cwd=ROOT,
        env={**environment, "XLA_FLAGS": FLAGS, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode(errors="replace")
    return {name: Program(*load) for name, load in pickle.loads(child.stdout).items()}
