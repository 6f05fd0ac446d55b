"""The exported programs, with JAX's results for some inputs; a child process exports them."""

import os
import pathlib
import pickle
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from stablemate.ir.types import TensorType
from stablemate.numerics.elements import element_of_dtype

ROOT: Final = pathlib.Path(__file__).resolve().parents[2]
NAMES: Final = (
    "argmax", "argsort", "associative_scan", "attention", "average_pool", "broadcast",
    "causal_mask", "cholesky", "concatenate", "cond", "constraint", "conv", "conv_gradient",
    "conv_valid", "cumsum", "dot", "dynamic_slice", "dynamic_update_slice", "erf", "floor_divide",
    "for_loop", "gather", "gradient", "index", "integers", "iota", "layer_norm", "linspace",
    "map", "max_pool_gradient", "mlp", "nested_jit", "one_hot", "pad", "pad_interior",
    "reduce_window", "repeat", "reshape", "reshape_halves", "reshape_quarters", "scan",
    "scatter", "size_as_value", "slice", "softmax", "sort", "split", "stack", "switch", "tile",
    "top_k", "transpose", "two_sizes", "uniform", "while",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Inputs of a program and the results that JAX computes."""

    inputs: list[Any]
    results: list[Any]

    @property
    def types(self) -> list[TensorType]:
        """The types of the inputs, with their sizes."""
        arrays = [np.asarray(value) for value in self.inputs]
        elements = [element_of_dtype(array.dtype) for array in arrays]
        return [TensorType(a.shape, e) for a, e in zip(arrays, elements, strict=True) if e]


@dataclass(frozen=True)
class Program:
    """A program with unknown sizes."""

    text: str
    cases: list[Case]


@cache
def exported() -> dict[str, Program]:
    """The programs by name."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    child = subprocess.run(
        [sys.executable, "-m", "tests.symbolic.export"],
        cwd=ROOT,
        env=environment | {"JAX_PLATFORMS": "cpu"},
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode(errors="replace")
    programs = pickle.loads(child.stdout)
    return {
        name: Program(text, [Case(inputs, results) for inputs, results in cases])
        for name, (text, cases) in programs.items()
    }
