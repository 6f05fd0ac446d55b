"""The exported functions, and what JAX computes; a child process makes them."""

import os
import pathlib
import pickle
import subprocess
import sys
from functools import cache
from typing import Any, Final

import numpy as np

ROOT: Final = pathlib.Path(__file__).resolve().parents[3]
CONTAINERS: Final = pathlib.Path(__file__).parent / "containers"
NAMES: Final = (
    "tree", "poly", "multi", "dropped", "vjp", "none", "single", "no_results", "floors", "products",
    "maxima", "multi_poly", "types", "named", "cholesky", "effect", "key",
)  # fmt: skip
VERSIONS: Final = ("0.4.30", "0.5.3", "0.6.2", "0.8.2", "0.9.0", "0.9.2", "0.10.2")
STORED: Final = ("tree", "poly", "multi", "dropped", "vjp", "sharded")  # of each version

Call = tuple[list[Any], dict[str, Any], Any]


@cache
def rows() -> dict[str, tuple[bytes, list[Call]]]:
    """By name a container, and calls of its function: arguments, keywords, what JAX returned."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    child = subprocess.run(
        [sys.executable, "-m", "tests.formats.jax_export.export"],
        cwd=ROOT,
        env=environment | {"JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    return pickle.loads(child.stdout)


def container(version: str, name: str) -> bytes:
    """A container that a version of JAX wrote."""
    return (CONTAINERS / version / f"{name}.bin").read_bytes()


def assert_same(actual: Any, expected: Any) -> None:
    """The trees are the same, and their leaves close: JAX sums in another order."""
    match expected:
        case None:
            assert actual is None
        case dict():
            assert actual.keys() == expected.keys()
            for key, item in expected.items():
                assert_same(actual[key], item)
        case list() | tuple():
            assert type(actual) is type(expected)
            for one, other in zip(actual, expected, strict=True):
                assert_same(one, other)
        case _:
            assert actual.dtype == expected.dtype
            wide = np.complex128 if expected.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(
                actual.astype(wide), expected.astype(wide), rtol=1e-5, atol=1e-6
            )
