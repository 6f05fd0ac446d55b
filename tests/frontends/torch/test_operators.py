"""Operators of PyTorch's own catalog, OpInfo, beside what PyTorch computes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any, Final

import pytest

if any(find_spec(name) is None for name in ("torch", "expecttest")):
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

import stablemate as sm
from stablemate.diagnostics.errors import UnsupportedError
from tools.torch_operators import check, entries, traced

pytestmark = pytest.mark.filterwarnings("ignore")
CATALOGUE: Final = {entry.name: entry for entry in entries(modules=False, names=None)}
EVERY: Final = 9  # of the operators that the full set compares
# A few operators of each family, with the element types in which they are compared.
QUICK: Final = {
    "special": ("special.bessel_j1", "special.i0e", "special.ndtri", "special.zeta"),
    "gamma": ("igamma", "igammac", "digamma", "polygamma.polygamma_n_2"),
    "polynomials": ("special.chebyshev_polynomial_t", "special.laguerre_polynomial_l"),
    "pointwise": ("add", "floor_divide", "frexp", "logit"),
    "reductions": ("logsumexp", "var", "argmax"),
    "indexing": ("gather", "index_put", "masked_scatter"),
    "views": ("as_strided_scatter", "nn.functional.pad.replicate", "unfold"),
    "images": ("_upsample_bilinear2d_aa", "grid_sampler_3d", "nn.functional.avg_pool2d"),
    "counting": ("histogram", "histc", "histogramdd"),
    "integers": ("gcd", "lcm", "hash_tensor"),
    "segments": ("_segment_reduce.lengths", "_segment_reduce.offsets"),
    "sorting": ("sort", "topk", "kthvalue"),
    "shapes": ("resize_", "resize_as_"),
    "linear algebra": ("linalg.ldl_factor", "linalg.ldl_solve"),
}
DTYPES: Final = ("float32", "bfloat16", "int64")


def in_catalog(names: Iterable[str]) -> list[str]:
    """The operators among these that the catalog of this version of PyTorch has."""
    return [name for name in names if name in CATALOGUE]


def faults(name: str, dtype: str, *, gradient: bool, samples: int = 1) -> list[str]:
    """What differs in the first samples of an operator."""
    entry, element = CATALOGUE[name], getattr(torch, dtype)
    if not entry.has(element, gradient=gradient):
        return []
    outcomes = [
        check(entry, dtype, number, sample, gradient, "trace", "interpreter")
        for number, sample in enumerate(entry.samples(element, gradient=gradient)[:samples])
    ]
    return [o.message for o in outcomes if o.verdict in ("differs", "failed")]


@pytest.mark.parametrize("name", in_catalog(name for names in QUICK.values() for name in names))
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_compute_what_pytorch_computes(name: str, dtype: str) -> None:
    assert not faults(name, dtype, gradient=False)


@pytest.mark.parametrize(
    "name",
    in_catalog(
        [
            "masked_scatter",
            "nn.functional.pad.replicate",
            "_upsample_bilinear2d_aa",
            "digamma",
            "grid_sampler_3d",
            "nn.functional.embedding_bag",
            "_segment_reduce.lengths",
        ]
    ),
)
def test_gradients_are_those_of_pytorch(name: str) -> None:
    assert not faults(name, "float32", gradient=True)


# Linear algebra is compared by residuals elsewhere; sparse tensors and half-precision complex
# numbers have no form in StableHLO.
ELSEWHERE: Final = ("linalg", "sparse", "to_sparse", "chalf", "matrix_exp")


@pytest.mark.standard
@pytest.mark.parametrize(
    "name", [name for name in list(CATALOGUE)[::EVERY] if not name.startswith(ELSEWHERE)]
)
def test_every_ninth_operator(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not faults(name, "float32", gradient=False, samples=2)


POINTS: Final = [0.0, -0.0, 1e-30, 0.5, 1.0, 2.0, 4.99, 5.01, 8.5, 30.0, 1e4, -0.7, -6.0]


def compared(function: Any, *inputs: Any) -> None:
    """Asserts that a function of tensors gives what PyTorch gives."""
    found = traced(function, "interpreter")(*inputs)
    torch.testing.assert_close(found, function(*inputs), equal_nan=True, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "airy_ai",
        "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
        "scaled_modified_bessel_k1", "spherical_bessel_j0", "erfcx", "log_ndtr", "ndtri", "digamma",
    ],
)  # fmt: skip
def test_special_functions_at_edges(name: str) -> None:
    compared(getattr(torch.special, name), torch.tensor(POINTS, dtype=torch.float64))


def test_fractions_and_exponents_of_small_and_special_numbers() -> None:
    numbers = [0.0, -0.0, 1e-40, 1.4e-45, 3.4e38, -1.0, 0.75, float("inf"), float("nan")]
    compared(torch.frexp, torch.tensor(numbers))


def test_incomplete_gamma_functions_at_edges() -> None:
    a = torch.tensor([0.0, 0.0, 1.0, float("inf"), 2.0, 1e-3, 500.0, 2.0, -1.0])
    x = torch.tensor([0.0, 1.0, 0.0, 1.0, float("inf"), 1e-3, 510.0, 3.0, 1.0])
    compared(torch.special.gammainc, a, x)
    compared(torch.special.gammaincc, a, x)


@pytest.mark.parametrize("name", ["chebyshev_polynomial_u", "legendre_polynomial_p"])
def test_polynomials_of_negative_and_large_degrees(name: str) -> None:
    x = torch.tensor([-1.0, 1.0, 0.3, 0.3, 1.5, 0.0], dtype=torch.float64)
    n = torch.tensor([7.0, 7.0, 40.0, -1.0, 5.9, 0.0], dtype=torch.float64)
    compared(getattr(torch.special, name), x, n)


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_gradients_of_grid_samples_outside_the_image(padding: str, mode: str) -> None:
    x = torch.randn(1, 2, 4, 5, dtype=torch.float64)
    grid = torch.randn(1, 3, 3, 2, dtype=torch.float64) * 2

    def gradients(x: Any, grid: Any) -> Any:
        x, grid = x.detach().requires_grad_(), grid.detach().requires_grad_()
        y = torch.nn.functional.grid_sample(x, grid, mode, padding, align_corners=False)
        return torch.autograd.grad(y.square().sum(), (x, grid))

    compared(gradients, x, grid)


@pytest.mark.parametrize("reduce", ["sum", "mean", "prod", "max", "min"])
def test_gradients_of_segments_with_zeros_ties_and_none(reduce: str) -> None:
    data = torch.tensor([[0.0, 2.0], [3.0, 2.0], [0.0, -1.0], [5.0, 0.0], [4.0, 1.0]])
    lengths = torch.tensor([3, 0, 2])

    def gradients(x: Any, lengths: Any) -> Any:
        x = x.detach().requires_grad_()
        y = torch.segment_reduce(x, reduce, lengths=lengths, initial=1.0)
        return y, torch.autograd.grad(y.sum(), x)

    compared(gradients, data, lengths)


@pytest.mark.parametrize("rank", [2, 3])
def test_fractional_pooling_with_samples_of_the_caller(rank: int) -> None:
    x, samples = torch.randn(2, 3, *[7] * rank), torch.rand(2, 3, rank)
    pool = getattr(torch.nn.functional, f"fractional_max_pool{rank}d")

    def gradients(x: Any, samples: Any) -> Any:
        x = x.detach().requires_grad_()
        sizes = [3, 4, 1][:rank]
        y, at = pool(x, 2, output_size=sizes, return_indices=True, _random_samples=samples)
        return y, at, torch.autograd.grad(y.sum(), x)

    compared(gradients, x, samples)


def test_bias_is_added_before_results_are_rounded() -> None:
    x, weight, bias = (torch.randn(*shape).bfloat16() for shape in ((4, 64), (8, 64), (8,)))
    exact = torch.nn.functional.linear(x.double(), weight.double(), bias.double()).bfloat16()
    found = traced(torch.nn.functional.linear, "interpreter")(x, weight, bias)
    torch.testing.assert_close(found, exact, rtol=2**-8, atol=0.0)


def test_sparse_tensors_are_refused() -> None:
    with pytest.raises(UnsupportedError) as caught:
        traced(lambda x: x.to_sparse() * 2, "interpreter")(torch.eye(2))
    assert str(caught.value).splitlines()[0] == (
        "the result _to_sparse is a sparse_coo tensor; programs have dense ones, as to_dense() "
        "gives"
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
@pytest.mark.parametrize("hermitian", [False, True])
def test_indefinite_matrices(dtype: torch.dtype, hermitian: bool) -> None:
    x = torch.randn(3, 9, 9, dtype=dtype, generator=torch.Generator().manual_seed(1))
    x[2, :, 8] = x[2, 8] = 0  # a singular matrix, whose last pivot no rounding changes
    x = x + (x.mH if hermitian else x.mT)

    def solved(x: Any, b: Any) -> Any:
        factors, pivots, info = torch.linalg.ldl_factor_ex(x, hermitian=hermitian)
        return (
            factors, pivots, info,
            torch.linalg.ldl_solve(factors[:2], pivots[:2], b, hermitian=hermitian),
        )  # fmt: skip

    compared(solved, x, torch.ones(2, 9, 3, dtype=dtype))


@pytest.mark.parametrize("bounds", [{}, {"atol": 0.5}, {"atol": 0.0}, {"rtol": 0.5}])
def test_pseudo_inverses_of_singular_matrices(bounds: dict[str, float]) -> None:
    rows = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.25, 0.0]]
    x = torch.tensor(rows, dtype=torch.float64)
    compared(lambda x: torch.linalg.pinv(x, **bounds), x)


def test_ranges_of_histograms_in_any_order() -> None:
    x, edges = torch.tensor([[0.5], [2.5], [-1.0]]), torch.tensor([0.0, 3.0, 1.0])
    compared(lambda x, edges: torch.histogramdd(x, [edges]).hist, x, edges)


@pytest.mark.parametrize("places", [[0, 0, 0], []])
def test_numbers_are_filled_at_any_places(places: list[int]) -> None:
    index = torch.tensor(places, dtype=torch.int64)
    compared(lambda x, index: x.index_fill(0, index, 2.0), torch.tensor(5.0), index)


CONSTANTS: Final[dict[str, Callable[[int], Any]]] = {
    "hann": lambda n: torch.hann_window(n),
    "hann, symmetric": lambda n: torch.hann_window(n, periodic=False),
    "hamming": lambda n: torch.hamming_window(n, False, 0.4, 0.3),
    "blackman": lambda n: torch.blackman_window(n, dtype=torch.float64),
    "bartlett": lambda n: torch.bartlett_window(n),
    "kaiser": lambda n: torch.kaiser_window(n, True, 3.5),
    "frequencies": lambda n: (torch.fft.fftfreq(n + 1, 0.5), torch.fft.rfftfreq(n + 1)),
    "range": lambda n: torch.range(0.5, n, 0.25),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_operators_of_numbers(name: str) -> None:
    def run(x: Any) -> Any:
        return [CONSTANTS[name](length) for length in (1, 2, 7, 8)], x

    compared(run, torch.ones(1))


@pytest.mark.parametrize("dimension", [0, 1])
def test_angles_of_cumulative_sums_of_exponentials(dimension: int) -> None:
    """Angles turn by the angle of the larger summand; they may leave -pi to pi."""
    angles = torch.linspace(-20, 20, 27, dtype=torch.float64).reshape(3, 9)
    x = torch.complex(torch.sin(7 * angles), angles)
    compared(lambda x: torch.logcumsumexp(x, dimension), x)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_numbers_beside_narrow_floats_are_rounded_where_pytorch_rounds_them(
    dtype: torch.dtype,
) -> None:
    """Factors and divisors keep their digits, summands and their factors do not."""

    def run(x: Any) -> Any:
        third, wide = 1 / 3, torch.tensor(0.7)
        return (
            x * third, x / third, x * wide, x / wide, x + third, third - x, x * 0.5,
            torch.add(x, third, alpha=0.3), torch.sub(x, x.flip(0), alpha=0.3),
            torch.rsub(x, 0.7, alpha=0.3), torch.div(x, third, rounding_mode="floor"),
            torch.div(x, third, rounding_mode="trunc"), x // third, torch.remainder(x, third),
            x * 1e300,
        )  # fmt: skip

    x = torch.linspace(-9, 9, 1024).to(dtype)  # whole vectors: PyTorch rounds the rest otherwise
    with torch.no_grad():
        for found, expected in zip(traced(run, "interpreter")(x), run(x), strict=True):
            torch.testing.assert_close(found, expected, rtol=0.0, atol=0.0)


@pytest.mark.parametrize("size", [(7, 7), (7, 3), 5])
def test_adaptive_pooling_leaves_dimensions_of_its_size_as_they_are(size: Any) -> None:
    compared(lambda x: torch.nn.functional.adaptive_avg_pool2d(x, size), torch.randn(2, 3, 7, 7))


def test_adaptive_pooling_to_the_same_size_computes_nothing() -> None:
    pooling = torch.nn.AdaptiveAvgPool2d((7, 7))
    text = sm.from_torch(pooling, torch.randn(2, 3, 7, 7)).to_text()
    assert "dot_general" not in text


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128, torch.float16, torch.int64])
@pytest.mark.parametrize("numbers", [{}, {"nan": 3.0, "posinf": 5.0}, {"neginf": -1.0}])
def test_numbers_in_the_place_of_nan_and_infinities(
    dtype: torch.dtype, numbers: dict[str, float]
) -> None:
    edges = [float("nan"), float("inf"), -float("inf"), 2.5]
    pairs: list[Any] = [complex(one, other) for one in edges for other in edges]
    values = pairs if dtype.is_complex else edges if dtype.is_floating_point else [1, 0]
    compared(lambda x: torch.nan_to_num(x, **numbers), torch.tensor(values, dtype=dtype))


@pytest.mark.parametrize("value", [0.5, -1.7, 2, 3.0])
@pytest.mark.parametrize("dtype", ["int8", "int64", "bfloat16", "float32", "complex64"])
def test_products_with_a_value_are_added(dtype: str, value: float) -> None:
    x, y, z = (torch.tensor(row).to(getattr(torch, dtype)) for row in ([7, -3], [3, 1], [5, 2]))
    compared(lambda *inputs: torch.addcmul(*inputs, value=value), x, y, z)
    compared(lambda a, b, c: torch.addcmul(a, b.long(), c, value=value), x, y, z)
    compared(lambda a, b, c: torch._foreach_addcmul([a, b], [b, c], [c, a], value), x, y, z)


@pytest.mark.standard
@pytest.mark.parametrize("scale", [0.0, 0.1, 1.0, 3.0, 40.0])
def test_exponentials_of_matrices_are_as_exact_as_those_of_pytorch(scale: float) -> None:
    torch.manual_seed(0)
    matrices = (torch.rand(12, 5, 5) * 2 - 1) * scale
    exact = torch.linalg.matrix_exp(matrices.double())
    most = exact.abs().amax((-2, -1))

    def error(found: torch.Tensor) -> float:
        return float(((found.double() - exact).abs().amax((-2, -1)) / most).median())

    found = traced(torch.linalg.matrix_exp, "interpreter")(matrices)
    assert error(found) <= error(torch.linalg.matrix_exp(matrices))
