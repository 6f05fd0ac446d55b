"""Decompositions of CHLO: types, accuracy against SciPy and NumPy, agreement with XLA."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
import scipy.special

import stablemate as sm
from stablemate.dialects.chlo.elementwise import EVALUATORS
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.definition import Op
from stablemate.ir.equality import difference
from stablemate.ir.rewriter import Replacement, TypedPattern, rewrite_module
from stablemate.ir.verifier import diagnose
from stablemate.transforms.chlo_legalize_to_stablehlo import PATTERNS
from stablemate.transforms.legalization import legalize_module
from tests.oracle.client import Oracle
from tools.accuracy.functions import Case

Array = npt.NDArray[Any]

COMPLEX: Final = (
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "conj",
    "cosh",
    "sinh",
    "square",
    "tan",
)
UNARY: Final = (*COMPLEX, "bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma")
PREDICATES: Final = ("is_inf", "is_neg_inf", "is_pos_inf")
BINARY: Final = ("next_after", "polygamma", "zeta")
DTYPES: Final[dict[str, Any]] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}


def program(operation: str, operand: str, result: str, count: int = 1) -> str:
    """A function that applies an elementwise operation."""
    names = ["%a", "%b"][:count]
    arguments = ", ".join(f"{name}: {operand}" for name in names)
    operands = f"{', '.join(names)} : {', '.join([operand] * count)}"
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f"  %0 = chlo.{operation} {operands} -> {result}\n"
        f"  return %0 : {result}\n"
        "}"
    )


def legal(text: str) -> sm.Module:
    """The module of a text; what it is legalized to has been verified."""
    module = sm.load(text)
    module.verify()
    lowered = legalize_module(module.ir).operation
    assert diagnose(lowered) == []
    assert not [
        operation.name for operation in lowered.walk() if operation.name.startswith("chlo.")
    ]
    return module


def applied(operation: str, *operands: Array) -> Array:
    """The results of an elementwise operation on vectors, of which the interpreter is exact."""
    element = next(name for name, dtype in DTYPES.items() if operands[0].dtype == dtype)
    vector = f"tensor<{operands[0].size}x{element}>"
    module = legal(program(operation, vector, vector, len(operands)))
    result: Array = module.run(*operands, backend="interpreter")
    return result


def ulps(actual: Array, expected: Array) -> float:
    """The largest error, in units in the last place of the expected value in the actual type."""
    with np.errstate(all="ignore"):
        rounded = expected.astype(actual.dtype)
        units = np.abs(actual - expected) / np.spacing(np.abs(rounded)).astype(np.float64)
    same = (actual == rounded) | (np.isnan(actual) & np.isnan(rounded))
    return float(np.max(np.where(same, 0, np.where(np.isfinite(rounded), units, np.inf))))


def test_every_operation_has_a_pattern() -> None:
    assert PATTERNS.keys() == {name for name in OPERATIONS if name.startswith("chlo.")}


@pytest.mark.standard
@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (0, 2)], ids=str)
def test_functions_of_floats_become_valid_stablehlo(element: str, shape: tuple[int, ...]) -> None:
    prefix = "".join(f"{size}x" for size in shape)
    floats, booleans = f"tensor<{prefix}{element}>", f"tensor<{prefix}i1>"
    values = np.full(shape, 0.5).astype(DTYPES[element])
    for operation in UNARY:
        assert np.shape(legal(program(operation, floats, floats)).run(values)) == shape
    for operation in PREDICATES:
        assert np.shape(legal(program(operation, floats, booleans)).run(values)) == shape
    for operation in BINARY:
        two = np.full(shape, 2.0).astype(DTYPES[element])
        result = legal(program(operation, floats, floats, 2)).run(two, values)
        assert np.shape(result) == shape


@pytest.mark.parametrize("operation", [*COMPLEX, "_asin_acos_kernel"])
@pytest.mark.parametrize("shape", ["", "3x", "?x2x"])
def test_functions_of_complex_numbers_become_valid_stablehlo(operation: str, shape: str) -> None:
    for part in ("f32", "f64"):
        numbers = f"tensor<{shape}complex<{part}>>"
        legal(program(operation, numbers, numbers))


@pytest.mark.parametrize("operation", [*UNARY, *PREDICATES])
def test_dynamic_shapes_give_what_static_ones_do(operation: str) -> None:
    values = np.array([[0.25, 0.5], [0.75, 1.0]], np.float32)
    element = "i1" if operation in PREDICATES else "f32"
    results = [
        legal(program(operation, f"tensor<{shape}xf32>", f"tensor<{shape}x{element}>")).run(values)
        for shape in ("2x2", "?x2", "?x?")
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


@pytest.mark.parametrize(
    ("operand", "result"),
    [
        ("tensor<?xf32>", "tensor<3xf32>"),
        ("tensor<3xf32>", "tensor<?xf32>"),
        ("tensor<?xf32, #stablehlo.bounds<4>>", "tensor<?xf32, #stablehlo.bounds<4>>"),
    ],
)
@pytest.mark.parametrize("operation", ["erf", "conj", "erfc"])
def test_results_keep_the_declared_type(operation: str, operand: str, result: str) -> None:
    values = np.array([0.0, 1.0, 2.0], np.float32)
    assert np.shape(legal(program(operation, operand, result)).run(values)) == (3,)


def polygamma(n: Array, x: Array) -> Array:
    """SciPy's, in 64 bits."""
    return np.asarray(scipy.special.polygamma(n.astype(int), x))


def points(low: float, high: float, near: float | None = None) -> Array:
    """Numbers in an interval: evenly spread, tiny ones, and ones close to a point inside."""
    rng = np.random.default_rng(1)
    tiny = 10.0 ** rng.uniform(-40, 0, 500)
    close = (
        [] if near is None else near + rng.choice([-1, 1], 500) * 10.0 ** rng.uniform(-7, -1, 500)
    )
    numbers = np.concatenate([rng.uniform(low, high, 3000), tiny, -tiny, close])
    return numbers[(low <= numbers) & (numbers <= high)].astype(np.float32)


# Function, what it is in 64 bits, where, and how many units in the last place it may be off.
ACCURACY: Final[dict[str, tuple[Callable[[Array], Array], Array, float]]] = {
    "acos": (np.arccos, points(-1, 1, near=1), 2),
    "acosh": (np.arccosh, points(1, 20, near=1), 2.5),
    "asin": (np.arcsin, points(-1, 1, near=1), 2),
    "asinh": (np.arcsinh, points(-20, 20, near=0), 2),
    "atan": (np.arctan, points(-20, 20, near=1), 1),
    "atanh": (np.arctanh, points(-1, 1, near=1), 2),
    "bessel_i1e": (scipy.special.i1e, points(-30, 30, near=8), 1),
    "cosh": (np.cosh, points(-90, 90, near=0), 2),
    "digamma": (scipy.special.digamma, points(0, 30, near=1.4616321), 1),
    "erf": (scipy.special.erf, points(-5, 5, near=0.92), 2),
    "erf_inv": (scipy.special.erfinv, points(-1, 1, near=1), 2.5),
    "erfc": (scipy.special.erfc, points(-5, 10.5, near=0.5), 1),
    "lgamma": (scipy.special.gammaln, points(0, 30, near=2), 1),
    "sinh": (np.sinh, points(-90, 90, near=0), 2.5),
    "square": (np.square, points(-9, 9), 0.5),
    "tan": (np.tan, points(-20, 20, near=1.5), 1),
}


@pytest.mark.parametrize("operation", ACCURACY)
def test_functions_of_32_bit_floats_are_accurate(operation: str) -> None:
    function, values, limit = ACCURACY[operation]
    with np.errstate(all="ignore"):
        expected = function(values.astype(np.float64))
    assert ulps(applied(operation, values), expected) <= limit


@pytest.mark.parametrize("operation", ["zeta", "polygamma"])
def test_zeta_functions_of_32_bit_floats_are_accurate(operation: str) -> None:
    rng = np.random.default_rng(2)
    orders = rng.integers(0, 8, 1000) if operation == "polygamma" else rng.uniform(1.01, 12, 1000)
    x, q = orders.astype(np.float32), rng.uniform(0.05, 40, 1000).astype(np.float32)
    function = polygamma if operation == "polygamma" else scipy.special.zeta
    expected = function(x.astype(np.float64), q.astype(np.float64))
    assert ulps(applied(operation, x, q), expected) <= 1


@pytest.mark.parametrize("operation", COMPLEX)
def test_functions_of_complex_numbers_are_accurate_in_both_parts(operation: str) -> None:
    rng = np.random.default_rng(3)
    center = np.repeat([0, 1, -1, 1j, -1j, 3 + 2j], 400)
    distance = 10.0 ** rng.uniform(-6, 0, (2, center.size)) * rng.choice([-1, 1], (2, center.size))
    z = (center + distance[0] + 1j * distance[1]).astype(np.complex64)
    name = {"conj": "conjugate"}.get(operation, operation.replace("a", "arc", 1))
    function = getattr(np, name if hasattr(np, name) else operation)
    vector = f"tensor<{z.size}xcomplex<f32>>"
    actual = legal(program(operation, vector, vector)).run(z)
    expected = function(z.astype(np.complex128))
    assert ulps(actual.real, expected.real) <= 3
    assert ulps(actual.imag, expected.imag) <= 3


@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E5M2FNUZ", "f6E3M2FN", "f4E2M1FN"])
def test_narrow_floats_are_rounded_once(element: str) -> None:
    dtype = DTYPES[element]
    values = np.arange(1 << ml_dtypes.finfo(dtype).bits, dtype=np.uint8).view(dtype)
    values = values[np.isfinite(values.astype(np.float32))]
    expected = scipy.special.erf(values.astype(np.float64)).astype(np.float32).astype(dtype)
    np.testing.assert_array_equal(
        applied("erf", values).astype(np.float32), expected.astype(np.float32)
    )


@pytest.mark.parametrize(
    "operation", ["asin", "asinh", "atan", "atanh", "erf", "erf_inv", "sinh", "tan", "bessel_i1e"]
)
def test_odd_functions_keep_the_sign_of_zero(operation: str) -> None:
    zeros = np.array([0.0, -0.0], np.float32)
    np.testing.assert_array_equal(np.signbit(applied(operation, zeros)), [False, True])


def test_neighbors_of_16_bit_floats() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 1 << 16, (2, 20000)).astype(np.uint16).view(np.float16)
    expected = np.where(x == y, y, np.nextafter(x, y))
    np.testing.assert_array_equal(applied("next_after", x, y), expected)


@pytest.mark.parametrize(("element", "dtype"), [("i8", np.int8), ("ui8", np.uint8)])
def test_upper_halves_of_all_products_of_bytes(element: str, dtype: Any) -> None:
    info = np.iinfo(dtype)
    numbers = np.arange(info.min, info.max + 1)
    x, y = (number.ravel() for number in np.meshgrid(numbers, numbers))
    vector = f"tensor<{x.size}x{element}>"
    actual = legal(program("mulhi", vector, vector, 2)).run(x.astype(dtype), y.astype(dtype))
    np.testing.assert_array_equal(actual, x * y >> 8)


def test_operations_inside_regions_are_replaced() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%a init: %zero) across dimensions = [0]
        : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       reducer(%x: tensor<f32>, %y: tensor<f32>) {
        %1 = chlo.erf %y : tensor<f32> -> tensor<f32>
        %2 = stablehlo.maximum %x, %1 : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    """
    values = np.array([-5.0, -4.0, -3.0, -2.0], np.float32)
    assert np.isfinite(legal(text).run(values, np.float32(-9)))


DYNAMIC_BROADCASTS: Final = [
    ("tensor<?xf32>", "tensor<2xf32>", "tensor<?xf32>", (1,), (2,)),
    ("tensor<?xf32>", "tensor<?x?xf32>", "tensor<?x?xf32>", (3,), (2, 1)),
    ("tensor<f32>", "tensor<?xf32>", "tensor<?xf32>", (), (2,)),
    ("tensor<?xf32>", "tensor<?xf32>", "tensor<?xf32>", (0,), (1,)),
]


@pytest.mark.parametrize(("lhs", "rhs", "result", "a", "b"), DYNAMIC_BROADCASTS)
def test_dynamic_operands_are_broadcast_by_their_sizes(
    lhs: str, rhs: str, result: str, a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    text = f"""
    func.func @main(%a: {lhs}, %b: {rhs}) -> {result} {{
      %0 = chlo.broadcast_subtract %a, %b : ({lhs}, {rhs}) -> {result}
      return %0 : {result}
    }}
    """
    x, y = (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in (a, b))
    np.testing.assert_array_equal(legal(text).run(x, y), x - y)


def test_dynamic_operands_that_do_not_fit_end_the_run() -> None:
    vector = "tensor<?xf32>"
    text = f"""
    func.func @main(%a: {vector}, %b: {vector}) -> {vector} {{
      %0 = chlo.broadcast_add %a, %b : ({vector}, {vector}) -> {vector}
      return %0 : {vector}
    }}
    """
    with pytest.raises(sm.EvaluationError, match="C5"):
        legal(text).run(np.ones(2, np.float32), np.ones(3, np.float32))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            program("bessel_i1e", "tensor<complex<f32>>", "tensor<complex<f32>>"),
            "chlo.bessel_i1e of complex<f32> has no decomposition",
        ),
        (
            "func.func @main(%a: tensor<2xcomplex<f32>>) {\n"
            "  %0, %1 = chlo.top_k(%a, k = 1) : tensor<2xcomplex<f32>> -> "
            "(tensor<1xcomplex<f32>>, tensor<1xi32>)\n  return\n}",
            "complex<f32> has no total order",
        ),
        (
            "func.func @main(%a: tensor<?xf32>, %b: tensor<f32>) {\n"
            "  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {\n"
            "  ^bb0(%x: tensor<f32>, %c: tensor<f32>):\n"
            "    stablehlo.return %x, %c : tensor<f32>, tensor<f32>\n"
            "  } : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)\n  return\n}",
            "chlo.scan needs static shapes",
        ),
    ],
    ids=["bessel_i1e", "top_k", "scan"],
)
def test_what_has_no_decomposition_is_unsupported(text: str, message: str) -> None:
    with pytest.raises(sm.UnsupportedError, match=message):
        legalize_module(sm.load(text).ir)


def test_top_k_orders_special_values_as_xla(oracle: Oracle) -> None:
    text = """
    func.func @main(%a: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi32>) {
      %values, %indices = chlo.top_k(%a, k = 8)
        : tensor<2x8xf32> -> (tensor<2x8xf32>, tensor<2x8xi32>)
      return %values, %indices : tensor<2x8xf32>, tensor<2x8xi32>
    }
    """
    inf, nan = np.inf, np.nan
    values = np.array([[3, nan, -1, 3, inf, 0, -0.0, 7], [0, -0.0, -nan, nan, -inf, 5, 5, 5]])
    actual, expected = legal(text).run(values.astype("f")), oracle.xla(text, values.astype("f"))
    for ours, theirs in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("is_reverse", ["false", "true"])
def test_scan_gives_what_xla_gives(oracle: Oracle, is_reverse: str) -> None:
    text = f"""
    func.func @main(%a: tensor<3x10xi32>, %b: tensor<3xi32>) -> (tensor<3x10xi32>, tensor<3xi32>) {{
      %0:2 = chlo.scan(%a) inits (%b) dimension=1 attributes {{is_reverse = {is_reverse}}} {{
      ^bb0(%x: tensor<3xi32>, %c: tensor<3xi32>):
        %1 = stablehlo.multiply %x, %c : tensor<3xi32>
        %2 = stablehlo.subtract %1, %x : tensor<3xi32>
        stablehlo.return %1, %2 : tensor<3xi32>, tensor<3xi32>
      }} : (tensor<3x10xi32>, tensor<3xi32>) -> (tensor<3x10xi32>, tensor<3xi32>)
      return %0#0, %0#1 : tensor<3x10xi32>, tensor<3xi32>
    }}
    """
    values = np.random.default_rng(5).integers(-3, 4, (3, 10)).astype(np.int32)
    arguments = values, np.array([1, 2, 3], np.int32)
    actual, expected = legal(text).run(*arguments), oracle.xla(text, *arguments)
    for ours, theirs in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


RAGGED: Final = {
    "rows": ("4x7x3", "2x4x3x5", "4x2", "4x7x5", "[2]", "[2]", "[1]", "[1]", [0]),
    "terms": ("4x7x3", "4x3x5", "2", "2x4x7x5", "[2]", "[1]", "[2]", "[0]", []),
    "batches": ("4x7x3", "4x3x5", "2", "4x7x5", "[2]", "[1]", "[0]", "[0]", []),
}


@pytest.mark.parametrize("mode", RAGGED)
def test_ragged_dot_gives_what_the_reference_gives(oracle: Oracle, mode: str) -> None:
    lhs, rhs, sizes, result, left, right, ragged, batch, groups = RAGGED[mode]
    types = f"tensor<{lhs}xi32>", f"tensor<{rhs}xi32>", f"tensor<{sizes}xi64>"
    text = f"""
    func.func @main(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) -> tensor<{result}xi32> {{
      %0 = "chlo.ragged_dot"(%a, %b, %c) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = {batch},
        lhs_contracting_dimensions = {left}, rhs_contracting_dimensions = {right},
        lhs_ragged_dimensions = {ragged}, rhs_group_dimensions = {groups}>}}>
        : ({", ".join(types)}) -> tensor<{result}xi32>
      return %0 : tensor<{result}xi32>
    }}
    """
    rng = np.random.default_rng(6)
    shapes = [tuple(map(int, size.split("x"))) for size in (lhs, rhs, sizes)]
    a, b = (rng.integers(-9, 9, shape).astype(np.int32) for shape in shapes[:2])
    counts = rng.integers(0, 3, shapes[2])
    (expected,) = oracle.reference(text, a, b, counts)
    np.testing.assert_array_equal(legal(text).run(a, b, counts), expected)


@pytest.mark.parametrize("operation", ["broadcast_add", "broadcast_select"])
def test_sizes_that_do_not_meet_end_the_run(operation: str) -> None:
    select = operation == "broadcast_select"
    operands, types = ("%p, %a, %b", "tensor<i1>, ") if select else ("%a, %b", "")
    text = f"""
      func.func @main(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {{
        %0 = chlo.{operation} {operands} : ({types}tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }}"""
    module = sm.load(text)
    assert module.diagnostics() == []
    with pytest.raises(sm.EvaluationError, match=rf"chlo\.{operation}(.|\n)*\[2\], \[3\]"):
        module.run(np.bool_(True), np.zeros(2, np.float32), np.zeros(3, np.float32))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", ["asinh", "acosh"])
def test_area_functions_of_the_largest_numbers(name: str, element: str) -> None:
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    operand = (np.finfo(dtype).max * np.array([0.7, 0.71, 0.9, 1.0], dtype)).astype(dtype)
    text = Case("chlo", name, element).program(4)
    expected = np.log(2) + np.log(operand.astype(np.float64))
    for backend in ("interpreter", "cpu"):
        np.testing.assert_allclose(sm.run(text, operand, backend=backend), expected, rtol=1e-7)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_zeta_at_poles_for_exponents_below_1(element: str, oracle: Oracle) -> None:
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    x = np.array([0, -2, -100, -3, -0.5, -2, 0, -np.inf, 1, 0.5], dtype)
    q = np.array([0, -1, 0, -1, -1, 0.5, -3, 0, -2, 0], dtype)
    text = Case("chlo", "zeta", element).program(len(x))
    expected = oracle.reference(text, x, q)[0]
    assert np.isinf(expected).sum() == 5
    for backend in ("interpreter", "cpu"):
        np.testing.assert_array_equal(sm.run(text, x, q, backend=backend), expected)


EXAMPLES: Final = sorted((Path(__file__).parents[1] / "ops").glob("chlo_*.mlir"))


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES if ".invalid" not in path.name], ids=lambda path: path.stem
)
def test_copies_of_expansions_are_what_patterns_create(path: Path) -> None:
    module = sm.load(path).ir
    plain = {
        name: pattern.pattern if isinstance(pattern, TypedPattern) else pattern
        for name, pattern in PATTERNS.items()
    }
    copied, created = (rewrite_module(module, patterns) for patterns in (PATTERNS, plain))
    assert difference(copied, created, locations=True) == ""


def test_one_expansion_serves_operations_of_the_same_types() -> None:
    calls: list[str] = []

    def pattern(operation: Operation, builder: Builder) -> Replacement:
        calls.append(str(operation.operands[0].type))
        return PATTERNS["chlo.erfc"](operation, builder)

    lines = [f"  %{i} = chlo.erfc %a : tensor<2xf32> -> tensor<2xf32>" for i in range(9)]
    lines += ["  %9 = chlo.erfc %b : tensor<3xf32> -> tensor<3xf32>", "  return"]
    text = "\n".join(["func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {", *lines, "}"])
    rewrite_module(sm.load(text).ir, {"chlo.erfc": TypedPattern(pattern)})
    assert calls == ["tensor<2xf32>", "tensor<3xf32>"]


def test_operations_of_the_same_types_share_a_function() -> None:
    lines = "\n".join(
        f"  %{i} = chlo.erfc %{name} : tensor<{size}xf32> -> tensor<{size}xf32>"
        for i, (name, size) in enumerate(
            [("a", "2"), ("b", "2"), ("c", "3"), ("d", "?"), ("d", "?")]
        )
    )
    arguments = "%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>, %d: tensor<?xf32>"
    module = sm.load(f"func.func @f({arguments}) {{\n{lines}\n  return\n}}").ir
    operations = [item for item in module.operation.walk() if item.name == "chlo.erfc"]
    first, same, *others = [EVALUATORS["chlo.erfc"](cast("Op", item)) for item in operations]
    assert first is same
    assert len({id(function) for function in (first, *others)}) == 4
