"""Cholesky factorizations as JAX writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tests.compiler.lapack_calls import tensor

DTYPES: Final = {
    "s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128,
}  # fmt: skip
NAN: Final = {
    "s": "0x7FC00000", "d": "0x7FF8000000000000", "c": "(0x7FC00000,0x7FC00000)",
    "z": "(0x7FF8000000000000,0x7FF8000000000000)",
}  # fmt: skip
ZERO: Final = {"s": "0.0", "d": "0.0", "c": "(0.0,0.0)", "z": "(0.0,0.0)"}


def cholesky_text(
    letter: str, order: int, shape: Sequence[int], uplo: str = "L", direction: str = "GE",
    nan: str = "", second_use: bool = False,
) -> str:  # fmt: skip
    """A program: the factors, NaN if the factorization fails, in one triangle.

    Args:
        letter: The letter of the element type.
        order: The order of the matrices.
        shape: The dimensions of the batch.
        uplo: The triangle of the factor.
        direction: The comparison of the number of a row with that of a column in the triangle that
            is selected.
        nan: What replaces factors of matrices that are not positive definite.
        second_use: Whether the result of the factorization is the last result, too.
    """
    a, info = tensor((*shape, order, order), DTYPES[letter]), tensor(shape, np.int32)
    flat, mask = tensor((order, order), np.int32), f"tensor<{order}x{order}xi1>"
    size = "x".join(map(str, shape))
    few, many, masks = (f"tensor<{size}{rest}xi1>" for rest in ("", "x1x1", f"x{order}x{order}"))
    dimensions = ", ".join(map(str, range(len(shape))))
    every = ", ".join(map(str, range(len(shape) + 2)))
    element = a.rsplit("x", 1)[1] if letter in "sd" else a[a.index("complex") :]
    one = f"tensor<{element}"
    result = "%r#0" if second_use else "%masked"
    return f"""func.func @main(%a: {a}) -> ({a}, {info}, {a}) {{
      %r:2 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{uplo = {ord(uplo)} : ui8}}}}
        : ({a}) -> ({a}, {info})
      %c = stablehlo.constant dense<0> : tensor<i32>
      %zeros = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> {info}
      %ok = stablehlo.compare EQ, %r#1, %zeros, SIGNED : ({info}, {info}) -> {few}
      %some = stablehlo.broadcast_in_dim %ok, dims = [{dimensions}] : ({few}) -> {many}
      %nan = stablehlo.constant dense<{nan or NAN[letter]}> : {one}
      %nans = stablehlo.broadcast_in_dim %nan, dims = [] : ({one}) -> {a}
      %all = stablehlo.broadcast_in_dim %some, dims = [{every}] : ({many}) -> {masks}
      %marked = stablehlo.select %all, %r#0, %nans : {masks}, {a}
      %rows = stablehlo.iota dim = 0 : {flat}
      %columns = stablehlo.iota dim = 1 : {flat}
      %triangle = stablehlo.compare {direction}, %rows, %columns, SIGNED
        : ({flat}, {flat}) -> {mask}
      %m = stablehlo.broadcast_in_dim %triangle, dims = [{len(shape)}, {len(shape) + 1}]
        : ({mask}) -> {masks}
      %z = stablehlo.constant dense<{ZERO[letter]}> : {one}
      %zero = stablehlo.broadcast_in_dim %z, dims = [] : ({one}) -> {a}
      %masked = stablehlo.select %m, %marked, %zero : {masks}, {a}
      return %masked, %r#1, {result} : {a}, {info}, {a}
    }}"""
