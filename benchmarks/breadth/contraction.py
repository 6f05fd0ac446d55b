"""Products, convolutions, windows, transforms and loops."""

from __future__ import annotations

from typing import Any, Final

import jax.numpy as jnp
from jax import lax, random
from jax.scipy import signal

from benchmarks.breadth.program import Program, normal

LAYOUT: Final = ("NHWC", "HWIO", "NHWC")


def convolved(stride: int = 1, dilation: int = 1) -> Any:
    """A convolution of images."""
    return lambda x, w: lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", rhs_dilation=(dilation, dilation), dimension_numbers=LAYOUT
    )


def transposed(x: Any, w: Any) -> Any:
    """A transposed convolution that doubles both sides."""
    return lax.conv_transpose(x, w, (2, 2), "SAME", dimension_numbers=LAYOUT)


def pooled(x: Any) -> Any:
    """The maxima of 3 by 3 windows."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def newton(x: Any) -> Any:
    """A loop of scalars: one update an iteration."""
    return lax.fori_loop(0, 10_000, lambda _, y: 0.5 * (y + x / y), x)


def averaged(xs: Any) -> Any:
    """A scan with one carried scalar."""

    def step(carry: Any, x: Any) -> tuple[Any, Any]:
        carry = 0.9 * carry + 0.1 * x
        return carry, carry

    return lax.scan(step, jnp.float32(0), xs)[1]


def collatz(n: Any) -> Any:
    """A while loop with a condition of its values."""

    def body(state: Any) -> Any:
        n, count = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

    return lax.while_loop(lambda state: state[0] != 1, body, (n, 0))[1]


def programs() -> list[Program]:
    """The rows."""
    a, b, line = normal(256, 256), normal(256, 256, seed=1), normal(10_000)
    images, kernel = normal(2, 32, 32, 32), normal(3, 3, 32, 32)
    return [
        Program("jnp.matmul", jnp.matmul, (a, b)),
        Program("jnp.matmul of a vector", jnp.matmul, (a, a[0])),
        Program("jnp.outer", jnp.outer, (line[:512], line[:512])),
        Program(
            "jnp.einsum bij,bjk", lambda x: jnp.einsum("bij,bjk->bik", x, x), (normal(64, 32, 32),)
        ),
        Program("lax.conv", convolved(), (images, kernel)),
        Program("lax.conv, stride 2", convolved(stride=2), (images, kernel)),
        Program("lax.conv, dilation 2", convolved(dilation=2), (images, kernel)),
        Program("lax.conv_transpose, stride 2", transposed, (images, kernel)),
        Program("lax.reduce_window, max", pooled, (images,)),
        Program("jnp.convolve", jnp.convolve, (line, normal(31))),
        Program("jax.scipy.signal.convolve2d", signal.convolve2d, (a, normal(5, 5))),
        Program("jnp.fft.fft", jnp.fft.fft, (normal(64, 1024),)),
        Program("jnp.fft.rfft2", jnp.fft.rfft2, (a,)),
        Program("lax.fori_loop of a scalar", newton, (jnp.float32(2).item(),)),
        Program("lax.scan of a scalar", averaged, (line,)),
        Program("lax.while_loop of scalars", collatz, (77031,)),
        Program(
            "random.normal",
            lambda k: random.normal(random.wrap_key_data(k), (256, 256)),
            (jnp.array([0, 1], "uint32"),),
        ),
        Program("jnp.interp", jnp.interp, (line, jnp.linspace(-3, 3, 64), normal(64))),
        Program("jnp.polyval", jnp.polyval, (normal(8), line)),
    ]
