"""Modules that JAX produces run: unoptimized, optimized and partitioned ones give one result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.module import Module
from stablemate.formats.hlo.text.reader import read_text
from stablemate.numerics.elements import Array
from tests.oracle.client import Oracle
from tests.xla.corpus import modules
from tests.xla.translation import arguments, assert_alike, results, translated

TEXTS = {module.name: module.text for module in modules()}
FUNCTIONS = [name.removesuffix(".optimized") for name in TEXTS if name.endswith(".optimized")]
BACKENDS = ["interpreter", "cpu"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_stages_give_what_xla_gives(name: str, oracle: Oracle) -> None:
    """Sums are formed in another order in optimized modules."""
    text = TEXTS[f"{name}.unoptimized"]
    values = arguments(read_text(text))
    expected = oracle.hlo_run(text, *values)
    for stage in ("unoptimized", "optimized"):
        program = translated(TEXTS[f"{name}.{stage}"])
        for backend in BACKENDS:
            assert_alike(results(program, values, backend), expected, rtol=2e-4, atol=2e-5)


# ---- partitions: device d of four is at (d // 2, d % 2) of the axes x and y

Spec = tuple[str | None, ...]


def piece(array: Array, spec: Spec, device: int) -> Array:
    """The part of an array that a device has."""
    place = {"x": device // 2, "y": device % 2}
    for d, axis in enumerate(spec):
        if axis is not None:
            array = np.split(array, 2, d)[place[axis]]
    return array


def looped(a: Array) -> Array:
    """Three times the sine of the mean along y, added."""
    for _ in range(3):
        mean = (a[:, :2] + a[:, 2:]) / 2
        a = np.sin(np.concatenate([mean, mean], 1)) + a
    return a


def ranks(a: Array) -> Array:
    """Each row with the number of its device added; columns are those of y."""
    x = np.repeat([0, 1], 4)[:, None].astype(np.float32)
    return np.concatenate([a + x, a + x + 1], 1)


PARTITIONED: dict[str, tuple[list[Spec], Callable[..., Array], Spec]] = {
    "product": ([("x", "y"), ("y",)], lambda a, b: a @ b, ("x",)),
    "mean": ([("x", "y")], lambda a: (a - a.mean(0)) / a.std(0), ("x", "y")),
    "transposed": ([("x",)], lambda a: a.T + 1, ("x",)),
    "all_reduce": ([("x",)], lambda a: a[:4] + a[4:], ()),
    "all_gather": ([("x",)], lambda a: np.concatenate([a[:4], a[:4]]), ("x",)),
    "reduce_scatter": (
        [("x",)],
        lambda a: (
            2
            * np.concatenate([np.concatenate([a[i : i + 2], a[i + 2 : i + 4]], 1) for i in (0, 4)])
        ),
        ("x", "y"),
    ),
    "permute": ([("x",)], lambda a: np.roll(a, 4, 0), ("x",)),
    "all_to_all": ([("x",)], lambda a: a, (None, "x")),
    "axis_index": ([("x",)], ranks, ("x", "y")),
    "loop_of_sums": ([("x", "y")], looped, ("x", "y")),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PARTITIONED)
def test_partitioned_modules_run_on_grids(name: str, backend: str) -> None:
    specs, function, result = PARTITIONED[name]
    program = translated(TEXTS[f"{name}.partitioned"])
    whole = global_arguments(name, specs)
    rows: list[Any] = [
        tuple(piece(item, spec, d) for item, spec in zip(whole, specs, strict=True))
        for d in range(4)
    ]
    per_process = sm.run_grid(Module(program, "mlir"), rows, backend=backend)
    expected = function(*whole)
    assert_alike(per_process, [piece(expected, result, d) for d in range(4)], rtol=1e-4)


def global_arguments(name: str, specs: list[Spec]) -> list[Array]:
    """Arrays of which each device has the parts that the module takes."""
    parameters = read_text(TEXTS[f"{name}.partitioned"]).entry_computation.parameters
    rng = np.random.default_rng(0)
    collected = []
    for parameter, spec in zip(parameters, specs, strict=True):
        axes = [*spec, *[None] * (parameter.shape.rank - len(spec))]
        sizes = [
            n * (2 if axis else 1) for n, axis in zip(parameter.shape.dimensions, axes, strict=True)
        ]
        collected.append(rng.standard_normal(sizes).astype(np.float32))
    return collected
