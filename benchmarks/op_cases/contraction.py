"""Contractions, convolutions, transforms and linear algebra."""

from typing import Any, Final

import numpy as np
import scipy.linalg
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks.op_cases.case import Case, Work, draw, i64s, square, tensor
from benchmarks.op_cases.movement import matrix, several
from tests.oracle.elements import DTYPES

DOTTED: Final = (
    "f32",
    "f64",
    "f16",
    "bf16",
    "f8E4M3FN",
    "f4E2M1FN",
    "i4",
    "i8",
    "i32",
    "i64",
    "complex<f32>",
    "i1",
)
PLAIN: Final = "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
BATCHED: Final = (
    "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
    "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>"
)
ALGORITHMS: Final = {
    "tf32": ("tf32", "f32", 1),
    "tf32 x3": ("tf32", "f32", 3),
    "bf16": ("bf16", "f32", 1),
    "bf16 x3": ("bf16", "f32", 3),
    "bf16 x6": ("bf16", "f32", 6),
}


def dot_general(element: str, n: int) -> Work:
    """Of square matrices."""
    x = matrix(element, n)
    side = x.shape[0]
    return Work([x, x], [tensor(element, side, side)], PLAIN, numpy=np.matmul, steps=side**3)


def wide_dot(element: str, n: int) -> Work:
    """A tall matrix with a small one, so that elements count and not products."""
    x, y = draw(element, n // 32, 32), draw(element, 32, 32)
    result = {"i8": "i32", "bf16": "f32"}.get(element, element)
    return Work(
        [x, y],
        [tensor(result, n // 32, 32)],
        PLAIN,
        numpy=lambda x, y: np.matmul(x.astype(DTYPES[result]), y.astype(DTYPES[result])),
        steps=n * 32,
    )


def batched_dot(element: str, n: int) -> Work:
    """Many small matrices."""
    x = draw(element, n // 64, 8, 8)
    return Work(
        [x, x],
        [tensor(element, *x.shape)],
        BATCHED,
        numpy=lambda x, y: np.matmul(x, y.swapaxes(1, 2)),
        steps=n * 8,
    )


def dot_algorithm(name: str, n: int) -> Work:
    """Of square matrices of f32."""
    operand, accumulator, primitives = ALGORITHMS[name]
    x = matrix("f32", n)
    side = x.shape[0]
    algorithm = (
        f"algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {operand}, "
        f"rhs_precision_type = {operand}, accumulation_type = {accumulator}, "
        "lhs_component_count = 1, rhs_component_count = 1, "
        f"num_primitive_operations = {primitives}, allow_imprecise_accumulation = false>"
    )
    return Work(
        [x, x],
        [tensor("f32", side, side)],
        f"{PLAIN}, {algorithm}, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]",
        numpy=np.matmul,
        steps=side**3,
    )


QUANTIZED: Final = "!quant.uniform<i8:f32, 0.05:3>"


def quantized_dot(n: int) -> Work:
    """A tall matrix of quantized numbers with a small one."""
    x, y = draw("i8", n // 32, 32, low=-99, high=99), draw("i8", 32, 32, low=-99, high=99)
    kinds = [tensor(QUANTIZED, n // 32, 32), tensor("!quant.uniform<i8:f32, 0.05>", 32, 32)]
    return Work(
        [x, y],
        [tensor("!quant.uniform<i32:f32, 0.0025>", n // 32, 32)],
        PLAIN,
        numpy=lambda x, y: np.matmul(x.astype(np.float32) - 3, y.astype(np.float32)).astype("i4"),
        steps=n * 32,
        types=kinds,
    )


def dot(element: str, n: int) -> Work:
    """The deprecated dot."""
    x = matrix(element, n)
    side = x.shape[0]
    return Work([x, x], [tensor(element, side, side)], numpy=np.matmul, steps=side**3)


def einsum(element: str, n: int) -> Work:
    """The deprecated einsum."""
    x = matrix(element, n)
    side = x.shape[0]
    return Work(
        [x, x], [tensor(element, side, side)], 'einsum_config = "ij,jk->ik"',
        numpy=np.matmul, steps=side**3,
    )  # fmt: skip


IMAGES: Final = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"


def convolution(
    element: str, n: int, *, window: str = "", features: tuple[int, int] = (4, 4),
    groups: int = 1, shape: tuple[int, int] | None = None, reach: int = 3, dilated: int = 1,
) -> Work:  # fmt: skip
    """Images of a few features with kernels of 3x3 and stride 1, without padding."""
    side = square(n // features[0])
    x = draw(element, 1, side, side, features[0])
    k = draw(element, 3, 3, features[0] // groups, features[1], seed=1)
    wide = (side - 1) * dilated + 1 - reach + 1

    def numpy(x: Any, k: Any) -> Any:
        if dilated > 1:
            array = np.zeros(
                (1, (side - 1) * dilated + 1, (side - 1) * dilated + 1, x.shape[3]), x.dtype
            )
            array[:, ::dilated, ::dilated] = x
            x = array
        step = (reach - 1) // 2
        windows = sliding_window_view(x, (reach, reach), (1, 2))[..., ::step, ::step]
        if groups > 1:
            return np.sum(windows * k[:, :, 0].transpose(2, 0, 1), (4, 5))
        return np.tensordot(windows, k, ((4, 5, 3), (0, 1, 2)))

    return Work(
        [x, k],
        [tensor(element, 1, wide, wide, features[1])],
        f"dimension_numbers = {IMAGES}, feature_group_count = {groups} : i64, "
        f"batch_group_count = 1 : i64{window}",
        numpy=numpy,
        steps=side * side * features[0] // groups * features[1] * 9,
    )


def dilated_kernel(element: str, n: int) -> Work:
    """With a kernel of dilation 2."""
    return convolution(element, n, window=f", rhs_dilation = {i64s(2, 2)}", reach=5)


def dilated_image(element: str, n: int) -> Work:
    """With an image of dilation 2, as in the gradient of a stride."""
    return convolution(element, n, window=f", lhs_dilation = {i64s(2, 2)}", dilated=2)


def reversed_window(element: str, n: int) -> Work:
    """With a reversed window."""
    return convolution(element, n, window=", window_reversal = array<i1: true, true>")


def grouped(element: str, n: int) -> Work:
    """Each feature on its own."""
    return convolution(element, n, features=(16, 16), groups=16)


def dynamic_conv(element: str, n: int) -> Work:
    """With padding that is an operand."""
    work = convolution(element, n)
    return Work(
        [*work.arguments, np.zeros((2, 2), np.int64)],
        work.results,
        work.attributes,
        numpy=lambda x, k, _: work.numpy(x, k) if work.numpy else None,
        steps=work.steps,
    )


def convolution_1d(element: str, n: int) -> Work:
    """A signal with a kernel of 64."""
    return Work(
        [draw(element, 1, n, 1), draw(element, 64, 1, 1, seed=1)],
        [tensor(element, 1, n - 63, 1)],
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
        "feature_group_count = 1 : i64, batch_group_count = 1 : i64",
        numpy=lambda x, k: np.correlate(x[0, :, 0], k[:, 0, 0]),
        steps=64 * n,
    )


def fft(kind: str, n: int) -> Work:
    """Rows of a matrix."""
    side = 2 * (square(n) // 2)
    length, half = side, side // 2 + 1
    source, result, columns, formula = {
        "FFT": ("complex<f32>", "complex<f32>", (side, side), np.fft.fft),
        "IFFT": ("complex<f32>", "complex<f32>", (side, side), np.fft.ifft),
        "RFFT": ("f32", "complex<f32>", (side, half), np.fft.rfft),
        "IRFFT": ("complex<f32>", "f32", (half, side), np.fft.irfft),
    }[kind]
    return Work(
        [draw(source, side, columns[0])],
        [tensor(result, side, columns[1])],
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {i64s(length)}",
        numpy=formula,
    )


def fft_plane(_: str, n: int) -> Work:
    """Both dimensions of a matrix."""
    side = square(n)
    return Work(
        [draw("complex<f32>", side, side)],
        [tensor("complex<f32>", side, side)],
        f"fft_type = #stablehlo<fft_type FFT>, fft_length = {i64s(side, side)}",
        numpy=np.fft.fft2,
    )


def definite(element: str, count: int, side: int) -> Any:
    """Positive definite matrices."""
    x = draw(element, count, side, side)
    return (x @ x.conj().swapaxes(1, 2) + 4 * side * np.eye(side)).astype(x.dtype)


def cholesky(element: str, n: int, *, side: int | None = None) -> Work:
    """Of matrices of a size; by default of one."""
    side = side or square(n)
    x = definite(element, max(n // side**2, 1), side)
    return Work(
        [x], [tensor(element, *x.shape)], "lower = true", numpy=np.linalg.cholesky,
        steps=x.size * side,
    )  # fmt: skip


def triangular_solve(element: str, n: int, *, side: int | None = None) -> Work:
    """With matrices of a size; by default with one."""
    side = side or square(n)
    a = definite(element, max(n // side**2, 1), side)
    attributes = (
        "left_side = true, lower = true, unit_diagonal = false, "
        "transpose_a = #stablehlo<transpose NO_TRANSPOSE>"
    )

    def numpy(a: Any, b: Any) -> Any:
        return scipy.linalg.solve_triangular(np.tril(a), b, lower=True)

    return Work([a, a], [tensor(element, *a.shape)], attributes, numpy=numpy, steps=a.size * side)


def ragged_dot(element: str, n: int) -> Work:
    """Groups of rows, each with a matrix of its own."""
    rows = n // 32
    x, y = draw(element, rows, 32), draw(element, 4, 32, 32)
    sizes = np.array([rows // 4, rows // 4, rows // 4, rows - 3 * (rows // 4)])
    ends = np.cumsum(sizes)
    numbers = (
        "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], "
        "rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
        "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>"
    )

    def numpy(x: Any, y: Any, _: Any) -> Any:
        return np.concatenate([part @ k for part, k in zip(np.split(x, ends[:-1]), y, strict=True)])

    return Work([x, y, sizes], [tensor(element, rows, 32)], numbers, numpy=numpy, steps=n * 32)


CASES: Final[tuple[Case, ...]] = (
    *several("dot_general", dot_general, *DOTTED, kind="square"),
    *several("dot_general", wide_dot, *DOTTED, kind="32"),
    *several("dot_general", batched_dot, *DOTTED, kind="batched 8"),
    *(
        Case("stablehlo.dot_general", f"f32 as {name}", lambda n, name=name: dot_algorithm(name, n))
        for name in ALGORITHMS
    ),
    Case("stablehlo.dot_general", "quantized i8 32", quantized_dot),
    *several("dot", dot, "f32"),
    *several("einsum", einsum, "f32"),
    *several("ragged_dot", ragged_dot, "f32", dialect="chlo"),
    *several(
        "convolution",
        convolution,
        "f32",
        "bf16",
        "f8E4M3FN",
        "i4",
        "i8",
        "i32",
        "complex<f32>",
        kind="3x3",
    ),
    *several("convolution", dilated_kernel, "f32", "i32", kind="dilated kernel"),
    *several("convolution", dilated_image, "f32", "i32", kind="dilated image"),
    *several("convolution", reversed_window, "f32", kind="reversed window"),
    *several("convolution", grouped, "f32", "bf16", "i8", kind="16 groups"),
    *several("convolution", convolution_1d, "f32", "i32", kind="64, one dimension"),
    *several("dynamic_conv", dynamic_conv, "f32"),
    *(
        Case("stablehlo.fft", kind, lambda n, kind=kind: fft(kind, n))
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT")
    ),
    *several("fft", fft_plane, "complex<f32>", kind="two dimensions"),
    *several("cholesky", cholesky, "f32", "f64", "complex<f32>"),
    *several(
        "cholesky", lambda e, n: cholesky(e, n, side=4), "f32", "complex<f32>", kind="batch of 4x4"
    ),
    *several("triangular_solve", triangular_solve, "f32", "f64", "complex<f32>"),
    *several(
        "triangular_solve",
        lambda e, n: triangular_solve(e, n, side=4),
        "f32",
        "complex<f32>",
        kind="batch of 4x4",
    ),
)
