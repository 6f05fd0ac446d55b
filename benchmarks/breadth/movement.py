"""Movements of data, gathers, scatters and images."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import ndimage

from benchmarks.breadth.program import SIDE, Program, integers, normal, unary


def programs() -> list[Program]:
    """The rows."""
    rows, other, block = normal(SIDE, SIDE), normal(SIDE, SIDE, seed=1), normal(64, 64, 64)
    image, index = normal(128, 128, 3), integers(SIDE, 2000)
    return [
        *unary(
            "jnp",
            {
                "transpose": jnp.transpose,
                "flip": jnp.flip,
                "roll": lambda x: jnp.roll(x, 7, 1),
                "tile": lambda x: jnp.tile(x, (2, 2)),
                "repeat": lambda x: jnp.repeat(x, 3, axis=1),
                "pad": lambda x: jnp.pad(x, 3),
                "pad by reflection": lambda x: jnp.pad(x, 3, mode="reflect"),
                "tril": jnp.tril,
                "rot90": jnp.rot90,
                "diff": jnp.diff,
                "gradient": lambda x: jnp.gradient(x, axis=0),
            },
            rows,
        ),
        *unary(
            "jnp",
            {
                "transpose (2, 1, 0)": lambda x: x.transpose(2, 1, 0),
                "transpose (1, 2, 0)": lambda x: x.transpose(1, 2, 0),
                "transpose (0, 2, 1)": lambda x: x.transpose(0, 2, 1),
                "pad of 3 dimensions": lambda x: jnp.pad(x, 2),
            },
            block,
        ),
        Program("jnp.concatenate", lambda x, y: jnp.concatenate([x, y], 1), (rows, other)),
        Program("jnp.stack", lambda x, y: jnp.stack([x, y], -1), (rows, other)),
        Program("jnp.where", lambda x, y: jnp.where(x > 0, x, y), (rows, other)),
        Program("jnp.take of rows", lambda x, i: x[i], (rows, index)),
        Program("jnp.take of columns", lambda x, i: x[:, i], (rows, index)),
        Program("x.at[i].set", lambda x, i: x.at[i].set(1.0), (rows, index)),
        Program("x.at[i].add", lambda x, i: x.at[i].add(1.0), (rows, index)),
        Program("jax.nn.one_hot", lambda i: jax.nn.one_hot(i, 128), (integers(128, 2000),)),
        *(
            Program(
                f"jax.image.resize, {method}",
                lambda x, method=method: jax.image.resize(x, (200, 200, 3), method),
                (image,),
            )
            for method in ("nearest", "linear", "cubic", "lanczos3")
        ),
        Program(
            "jax.scipy.ndimage.map_coordinates",
            lambda x, at: ndimage.map_coordinates(x, [at * 40 + 200, at * 30 + 200], order=1),
            (rows, normal(20_000)),
        ),
    ]
