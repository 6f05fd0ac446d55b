"""Functions of ``complex<f64>`` are within two units in the last place, in each part."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.api.executables import interpreted_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from tests.compiler.variants import OLDER, largest_error_on_sse2
from tools.accuracy.exact import CHLO
from tools.accuracy.functions import Case

Array = npt.NDArray[Any]
ARCS: Final = ("acos", "acosh", "asin", "asinh", "atan", "atanh")
# Where rounding errors add up: near branch points, near the circle, beside tiny and huge parts.
POINTS: Final = (
    -0.10067080199365692 - 0.44029459124069614j,
    -1.0000000000308604 + 8.851567482617275e-10j,
    1.124229606872713 + 1.0565136544965925e-280j,
    5.976113648976797e-05 + 0.5102125783567913j,
    -0.9999999999989296 + 1.7032703112196323e-13j,
    1.0000004276910623 + 9.299788161300291e-300j,
    -0.22130110732290031 + 0.4191184123317151j,
    -1.7558842948770563e-05 - 2.787451027768067e-05j,
    -0.007527778945036435 + 4.885137259942769e-07j,
    -9.24224055965338e193 - 4.476531008299907e187j,
    2.8543655228433946e-08 - 0.995990224598276j,
    12.522057182252944 - 0.15408856345899175j,
    0.21340184397036044 - 14.760406516043115j,
    -0.9999662958218997 + 4.096930335623805e-06j,
    0.0009580909802432089 - 0.37661152852555435j,
    0.9999999999999999 + 1.4926214222717799e-05j,
    1.0000000187645626 + 7.388623873892573e-281j,
    0.015540306873829566 - 0.9998792421399034j,
    0.18065946307232578 + 0.012700637285331858j,
    1.6884844546303245e-12 - 0.9999999980266531j,
    -1.937459339891979e-245 + 65.42039878495864j,
    0.03094919735281316 + 0.9995357473473785j,
    -0.0012164892984237866 - 7.189567632288766e-09j,
)
OTHERS: Final = {
    "cosine": (-15.079525286088222 + 0.37156725557832987j, 0.5291999617630221 + 0.85942969619313j),
    "rsqrt": (1.1987323564243976e-10 + 1.5e-323j, -3.558390980291378e-08 - 7.373e-318j),
    "sine": (-0.9230269629258142 - 0.38464914690918367j, 0.9617716245863742 - 0.4116790867024j),
    "sqrt": (-2.6536926764430513e-122 - 5e-324j, 2.1526932561057957e297 - 9.076223596932222e-147j),
    "tan": (
        1.9021668711591355 + 7.197383682826033e-309j,
        -1.5547017444473 + 1.1107e-311j,
    ),
}


PAIRS: Final = ("cbrt", "exponential_minus_one", "logistic", "power")
# Near poles and zeros, the ends of the range, denormal parts.
HARD: Final = (
    8.209577447394487e-17 + 1.2813725022330147e-08j,
    -1.5375090526130447e-05 - 9.068892335934828j,
    -1.2239255182475271e-09 + 9.424777960985436j,
    -14.109155333373153 + 7.853981633974483j,
    231.0863940686399 - 3503.843143665212j,
    201.33634873415127 + 65096900.2866617j,
    2.732477809738811e-240 - 8.189139456991473e-77j,
    28.26429679212181 - 1.9460042565244567e-258j,
    -58.984913367196626 + 2.8716702740352432e-05j,
    700.3 + 1e-310j,
    1.7976931348623157e308 - 1.0000000000000002j,
    -3.9e-322 - 6.735494887323827e-48j,
)
POWERS: Final = (  # near the circle, diagonals and axes, over- and underflow, tiny angles
    (0.9999974922748768 + 0.002239518496900147j, -210.66050676193322 + 0.0008471507994492379j),
    (0.9666373616235953 + 0.2561488065819824j, 914340.3100874778 - 0.0021382461830621686j),
    (1.2310890778865733 + 1.231089077886272j, 20),
    (0.16996407239409125 - 5.781909287987105e-10j, 3),
    (-9.7730728512309 + 5.590937913936785j, 286.3773216011048 - 5.902488609472922j),
    (69820.70264798269 - 7836.01508493549j, -63.464308035318275 - 0.14865844293470618j),
    (3.367015491138999e-135 - 3.315016645029175e-135j, 1.5749351700046086j),
    (9.992485101888572e32 - 4.482662458094597e153j, 1.5290507733511392e-288 + 3.4e-151j),
    (0.999999999985272 + 6.305637868462734e-188j, -2.4212344668843278 + 1993960485.3175778j),
    (-1.443e-321 - 1.1773803590879e-310j, -0.06291578808011973 - 0.34041376747694546j),
    (0.5 - 0.5j, -2 + 1e-310j),
)

ANGLES: Final = (  # near branch points, the cut and real quotients; beside parts that are far off
    (1 + 0j, -1e-200 + 1j),
    (-1e-200j, -1 - 1e-200j),
    (-0.3 - 0.7j, 0.7000000000000001 - 0.3j),
    (0.7 - 0.3j, -0.30000000000000004 - 0.7000000000000001j),
    (1.3 + 2.1j, 3.9 + 6.300000000000001j),
    (1.3 + 2.1j, -2.1 + 1.3000000000000003j),
    (1e-290 + 3e-300j, 2e-290 - 5e-310j),
    (1e-155 + 3e-156j, 1e155 - 2e150j),
    (1e300 - 1e308j, 1e308 + 1e300j),
    (-1e308 - 1.5e308j, 1.7e308 + 1e-308j),
    (5e-324 + 1e-310j, -5e-324 + 3e-312j),
)


def drawn() -> Array:
    """Numbers of all sizes, near 1 and near the circle, the same in every run."""
    generator, count = np.random.default_rng(22), 12
    sizes = np.exp2(generator.uniform(-60, 60, (2, count)))
    every = np.exp2(generator.uniform(-1074, 1023, (2, count)))
    near = np.exp2(generator.uniform(-60, -1, (2, count)))
    turns = np.exp(1j * generator.uniform(-np.pi, np.pi, count))
    return np.concatenate(
        [
            sizes[0] - 1j * sizes[1],
            1j * every[1] - every[0],
            1 - near[0] + 1j * near[1],
            1j * (1 + near[0]) - near[1],
            turns * (1 + np.exp2(generator.uniform(-52, -2, count))),
        ]
    )


def errors_of(name: str, points: Array, backend: str) -> list[float]:
    """The error of each result, of its larger part."""
    case = Case("chlo" if name in CHLO else "stablehlo", name, "complex<f64>")
    results = sm.run(case.program(len(points)), points, backend=backend)
    return [case.error(result, [z]) for result, z in zip(results, points, strict=True)]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", ARCS)
def test_arc_and_area_functions(name: str, backend: str) -> None:
    assert max(errors_of(name, np.concatenate([POINTS, drawn()]), backend)) <= 2


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("name", ARCS)
def test_arc_and_area_functions_of_denormal_parts_without_fused_multiplication(name: str) -> None:
    x = np.array([1.0000022838577574, 0.9999999999999952, 0.9999999999667295, 2.788, 1.0, 1e140])
    y = np.array([1.501260039377e-310, 5.48284983e-315, 4.992e-319, 1.3e-307, 5e-324, 1e145])
    points = np.concatenate([x + 1j * y, y + 1j * x])
    assert largest_error_on_sse2(Case("chlo", name, "complex<f64>"), points) <= 2


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
def test_exponentials_next_to_the_largest_number_without_fused_multiplication() -> None:
    # exp(x) is 214 units below the largest number, and the product of the upper halves of its
    # factors is above it.
    x = np.log(np.finfo(np.float64).max)
    points = np.array([complex(x, y) for y in (-2.2e-16, 5e-324, 1.0, 1.6, -3.1)])
    assert largest_error_on_sse2(Case("stablehlo", "exponential", "complex<f64>"), points) <= 2


@pytest.mark.parametrize("name", OTHERS)
def test_native_functions(name: str) -> None:
    assert max(errors_of(name, np.array(OTHERS[name]), "cpu")) <= 2


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", ARCS)
def test_arc_and_area_functions_are_one_native_operation(name: str, element: str) -> None:
    module = sm.load(Case("chlo", name, element).program(3))
    function = interpreted_of(module, module.entry("main"), DEFAULT_LIMITS, native=True)
    compiled = CompiledExecutable(function)
    assert [node.operation.name for node in compiled.graph.nodes] == [f"chlo.{name}"]
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "power"])
def test_functions_in_double_double_arithmetic(name: str) -> None:
    assert max(errors_of(name, np.array(HARD), "cpu")) <= 2


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", ["atan2", "power"])
def test_functions_of_two_numbers(name: str, backend: str) -> None:
    columns = zip(*(POWERS if name == "power" else ANGLES), strict=True)
    x, y = (np.array(column, complex) for column in columns)
    case = Case("stablehlo", name, "complex<f64>")
    results = sm.run(case.program(len(x)), x, y, backend=backend)
    errors = [case.error(result, operands) for result, *operands in zip(results, x, y, strict=True)]
    assert max(errors) <= 2


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_powers_of_singles_near_roots_of_unity_and_with_large_angles(backend: str) -> None:
    base = [3.7496786 + 1.3928065j, 0.07725425 + 0.23776414j, 0.6 + 0.8j]
    exponent = [26.5, 3.75, 2.0**28 - 0.25j]
    x, y = (np.array(column, np.complex64) for column in (base, exponent))
    case = Case("stablehlo", "power", "complex<f32>")
    results = sm.run(case.program(3), x, y, backend=backend)
    errors = [case.error(result, [x[i], y[i]]) for i, result in enumerate(results)]
    assert np.isfinite(results).all()
    assert max(errors) <= 0.6


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_log_plus_one_of_singles_near_the_circle_around_minus_one(backend: str) -> None:
    generator = np.random.default_rng(3)
    a = -np.exp2(generator.uniform(-40, -1, 400)).astype(np.float32)
    near = np.sqrt(-2 * a.astype(float) - a.astype(float) ** 2).astype(np.float32)
    operand = (a + 1j * near).astype(np.complex64)
    case = Case("stablehlo", "log_plus_one", "complex<f32>")
    results = sm.run(case.program(400), operand, backend=backend)
    errors = [case.error(result, [z]) for result, z in zip(results, operand, strict=True)]
    assert max(errors) <= 0.6


def test_logarithms_of_numbers_below_a_power_of_four_keep_their_rests() -> None:
    x, y = np.array([713.516703747138, 1.3]), np.array([1294537.326592j, 1294537.326592j])
    case = Case("stablehlo", "power", "complex<f64>")
    results = sm.run(case.program(2), x.astype(complex), y)
    assert max(case.error(results[i], [complex(x[i]), y[i]]) for i in range(2)) <= 1


@pytest.mark.parametrize("name", [*PAIRS, "atan2"])
def test_functions_in_double_double_arithmetic_are_native(name: str) -> None:
    module = sm.load(Case("stablehlo", name, "complex<f64>").program(3))
    function = interpreted_of(module, module.entry("main"), DEFAULT_LIMITS, native=True)
    assert not any(isinstance(step, Request) for step in CompiledExecutable(function).plan.steps)
