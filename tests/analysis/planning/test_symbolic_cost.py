"""The cost of programs whose arguments have unknown sizes; expected formulas by hand arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import stablemate as sm
from stablemate.analysis.planning.polynomials import fit_polynomials
from stablemate.diagnostics.errors import ArgumentValueError
from tests.symbolic.programs import exported

CONTAINER = Path(__file__).parents[2] / "formats/jax_export/containers/0.10.2/poly.bin"
CHAIN = """func.func @main(%x: tensor<?x512xf32>, %y: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x512xf32>
  %1 = stablehlo.tanh %0 : tensor<?x512xf32>
  return %1 : tensor<?x512xf32>
}
"""
DOT = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
# Its argument has an even number of elements.
HALVES = """func.func @main(%x: tensor<?xf32>) -> tensor<2x?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.divide %n, %two : tensor<i32>
  %a = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x?xf32>
  %1 = stablehlo.negate %0 : tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
"""


def formulas(text: str, sizes: str | None = None) -> tuple[str, str, str]:
    """FLOP, transcendental functions and bytes of a call."""
    cost = sm.load(text).cost(plan=False, sizes=sizes)
    assert cost.formulas is not None
    return str(cost.formulas.flops), str(cost.formulas.transcendentals), str(cost.formulas.bytes)


def test_sizes_that_must_be_equal_have_one_name() -> None:
    """An addition reads 2 * 2048 N bytes and writes 2048 N; tanh reads and writes as many each."""
    assert formulas(CHAIN) == ("512*N", "512*N", "10240*N")


def test_a_product_of_matrices_has_three_sizes() -> None:
    """N x M by M x K: a product and a sum for each of N M K; 4 bytes for each element."""
    assert formulas(DOT) == ("2*N*M*K", "0", "4*N*M + 4*N*K + 4*M*K")


def test_some_sizes_are_given() -> None:
    assert formulas(DOT, "M=10") == ("20*N*K", "0", "4*N*K + 40*N + 40*K")


def test_all_sizes_are_given() -> None:
    cost = sm.load(DOT).cost(plan=False, sizes={"N": 2, "M": 3, "K": 5})
    assert cost.formulas is None
    assert cost.cost.flops == 2 * 2 * 3 * 5
    assert cost.peak.bytes == 4 * (2 * 3 + 3 * 5 + 2 * 5)


def test_formulas_hold_for_multiples() -> None:
    cost = sm.load(HALVES).cost(plan=False)
    assert cost.formulas is not None
    assert (str(cost.formulas.flops), cost.formulas.multiple) == ("N", 2)


def test_formulas_of_jax_export_name_its_variables() -> None:
    module = sm.load(CONTAINER)
    assert module.exported is not None
    cost = module.cost(plan=False)
    assert cost.formulas is not None
    assert list(cost.formulas.flops.names) == module.exported.symbols


@pytest.mark.standard
@pytest.mark.parametrize("name", ["two_sizes", "softmax", "reshape_halves", "while", "attention"])
def test_formulas_give_the_cost_for_sizes(name: str) -> None:
    module = sm.load(exported()[name].text)
    cost = module.cost(plan=False)
    assert cost.formulas is not None
    sizes = {n: 64 * (5 + i) for i, n in enumerate(cost.formulas.flops.names)}
    expected = module.cost(plan=False, sizes=sizes).cost
    values = list(sizes.values())
    assert cost.formulas.flops.value(values) == expected.flops
    assert cost.formulas.bytes.value(values) == expected.bytes


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ("L=3", "no size of an argument is called L: they are N, M, K"),
        ("N", "expected sizes such as N=512,M=4, not 'N'"),
        ("N=1,N=2", "the size N is given twice"),
    ],
)
def test_sizes_that_are_none(sizes: str, message: str) -> None:
    with pytest.raises(ArgumentValueError, match=message):
        sm.load(DOT).cost(sizes=sizes)


def test_a_static_program_has_no_sizes() -> None:
    static = CHAIN.replace("?", "4")
    assert sm.load(static).cost(plan=False).formulas is None
    with pytest.raises(ArgumentValueError, match="there are no unknown sizes"):
        sm.load(static).cost(sizes="N=3")


# ---- polynomials


def cubic(sizes: Sequence[int]) -> Sequence[int]:
    """Quantities of degrees 3, 2 and 0."""
    n, m = sizes
    return n * n * m - 3 * m + 1, n * (n + 1) // 2, 7


def test_polynomials_go_through_samples() -> None:
    found = fit_polynomials(cubic, ["N", "M"])
    assert found is not None
    assert [str(item) for item in found] == ["N^2*M - 3*M + 1", "N^2/2 + N/2", "7"]
    assert found[1].value((4, 0)) == Fraction(10)


@pytest.mark.parametrize("degree", range(5))
def test_samples_of_one_size_are_as_many_as_its_degree_needs(degree: int) -> None:
    """The differences of two samples more than the degree vanish; four samples check."""
    asked: list[Sequence[int]] = []

    def sample(sizes: Sequence[int]) -> Sequence[int]:
        asked.append(sizes)
        return [3 * sizes[0] ** degree + 1]

    found = fit_polynomials(sample, ["N"])
    assert found is not None
    assert found[0].value((10,)) == 3 * 10**degree + 1
    assert len(asked) == degree + 2 + 4


def test_what_is_no_polynomial_has_none() -> None:
    assert fit_polynomials(lambda sizes: [sizes[0] // 3], ["N"]) is None
    assert fit_polynomials(lambda sizes: [2 ** min(sizes[0], 999)], ["N"]) is None
    assert [
        str(item) for item in fit_polynomials(lambda sizes: [sizes[0] // 4], ["N"], 4) or ()
    ] == ["N/4"]
