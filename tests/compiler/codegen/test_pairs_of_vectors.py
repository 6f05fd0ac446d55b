"""Long expressions are computed for two vectors at a time where vectors have 32 bytes."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.plans import emitted
from tests.machines import MACHINES

# Vectors of f32 on each machine.
LANES: Final = {"sse2": 4, "avx2": 8, "avx512": 16}


def program(name: str, size: int) -> str:
    """A function of each of so many numbers."""
    kind = f"tensor<{size}xf32>"
    return (
        f"func.func @main(%x: {kind}) -> {kind} {{\n"
        f"  %0 = stablehlo.{name} %x : {kind}\n  return %0 : {kind}\n}}"
    )


def lanes(text: str, machine: str) -> int:
    """How many elements an iteration of the only vector loop has."""
    nest = emitted(text, MACHINES[machine], "nest")
    (extent,) = re.findall(r"for \w+ < (\d+) : vector", nest)
    return int(extent)


@pytest.mark.parametrize("machine", LANES)
@pytest.mark.parametrize("name", ["tanh", "exponential"])
def test_only_long_expressions_and_vectors_of_32_bytes(name: str, machine: str) -> None:
    is_paired = machine == "avx2" and name == "tanh"
    assert lanes(program(name, 1024), machine) == LANES[machine] * (2 if is_paired else 1)


@pytest.mark.parametrize(("size", "expected"), [(48, 8), (64, 16), (72, 8), (75, 16), (80, 16)])
def test_pairs_do_not_overlap_where_vectors_do_not(size: int, expected: int) -> None:
    assert lanes(program("tanh", size), "avx2") == expected


@pytest.mark.parametrize("size", [1, 7, 48, 64, 72, 75, 80, 1000])
def test_every_element_is_computed(size: int) -> None:
    x = np.linspace(-4, 4, size, dtype=np.float32)
    found = np.asarray(sm.compile(program("tanh", size))(x))
    np.testing.assert_allclose(found, np.tanh(x.astype(np.float64)), rtol=1.2e-7)
