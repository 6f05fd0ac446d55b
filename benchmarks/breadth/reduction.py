"""Reductions, prefix sums, sorts and segments."""

from __future__ import annotations

from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special

from benchmarks.breadth.program import SIDE, Program, integers, normal, unary

REDUCTIONS: Final = ["sum", "mean", "var", "std", "max", "prod", "argmax", "all", "any"]
SCANS: Final = {
    "cumsum": lax.cumsum,
    "cumprod": lax.cumprod,
    "cummax": lax.cummax,
    "cumlogsumexp": lax.cumlogsumexp,
}
SEGMENTS: Final = 1000


def along(name: str, axis: int) -> Program:
    """A reduction of `jnp` along an axis."""
    function = getattr(jnp, name)
    return Program(
        f"jnp.{name}, axis {axis}", lambda x: function(x, axis=axis), (normal(SIDE, SIDE),)
    )


def scan(name: str, axis: int) -> Program:
    """A prefix sum, product or maximum along an axis."""
    function = SCANS[name]
    return Program(
        f"lax.{name}, axis {axis}", lambda x: function(x, axis=axis), (normal(SIDE, SIDE),)
    )


def segments(name: str, *, ordered: bool) -> Program:
    """A segment sum or maximum, with sorted or unsorted indices."""
    function = getattr(jax.ops, name)
    index = integers(SEGMENTS, 100_000)
    index = np.sort(index) if ordered else index

    def of_segments(data: Any, segment: Any) -> Any:
        return function(data, segment, num_segments=SEGMENTS, indices_are_sorted=ordered)

    order = "sorted" if ordered else "unsorted"
    return Program(f"jax.ops.{name}, {order}", of_segments, (normal(100_000), index))


def programs() -> list[Program]:
    """The rows."""
    rows, line = normal(SIDE, SIDE), normal(100_000)
    return [
        *(along(name, axis) for name in REDUCTIONS for axis in (0, 1)),
        *(scan(name, axis) for name in SCANS for axis in (0, 1)),
        *(
            segments(name, ordered=ordered)
            for name in ("segment_sum", "segment_max")
            for ordered in (True, False)
        ),
        Program("jax.scipy.special.logsumexp", lambda x: special.logsumexp(x, axis=1), (rows,)),
        *unary("jnp", {"cumsum of a line": jnp.cumsum, "sort of a line": jnp.sort}, line),
        *unary("jnp", {"sort": jnp.sort, "argsort": jnp.argsort, "median": jnp.median}, rows),
        Program("lax.top_k of short rows", lambda x: lax.top_k(x, 4), (normal(4096, 32),)),
        Program("lax.top_k", lambda x: lax.top_k(x, 8), (rows,)),
        Program("jnp.bincount", lambda x: jnp.bincount(x, length=256), (integers(256, 100_000),)),
        Program("jnp.histogram", lambda x: jnp.histogram(x, bins=32)[0], (line,)),
        Program("jnp.searchsorted", jnp.searchsorted, (np.sort(line), normal(1000, seed=1))),
    ]
