"""Every element type in native code: the bits that the interpreter gives.

Types of one byte and unary operations are tried with all bits that there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.kernel_functions import generate_functions
from stablemate.compiler.plan.plan import Request
from stablemate.numerics.elements import SIMPLE_ELEMENTS, FloatType
from tests.compiler.object_symbols import imported
from tests.compiler.plans import planned
from tests.compiler.variants import RUNNABLE
from tests.machines import ARM, MACHINES

Array = npt.NDArray[Any]
NARROW_FLOATS: Final = (
    "f16", "bf16", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ",
    "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN",
)  # fmt: skip
NARROW_INTEGERS: Final = ("i2", "i4", "i8", "i16", "ui2", "ui4", "ui8", "ui16")
WIDE: Final = ("i32", "i64", "ui32", "ui64", "f32", "f64")
ALL: Final = ("i1", *NARROW_INTEGERS, *NARROW_FLOATS, *WIDE)
EXACT_OF_FLOATS: Final = ("abs", "ceil", "floor", "negate", "round_nearest_afz",
                          "round_nearest_even", "sign", "sqrt")  # fmt: skip
FUNCTIONS: Final = ("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one",
                    "logistic", "rsqrt", "sine", "tan", "tanh")  # fmt: skip
UNARY: Final = {
    "float": EXACT_OF_FLOATS,
    "signed": ("abs", "count_leading_zeros", "negate", "not", "popcnt", "sign"),
    "unsigned": ("count_leading_zeros", "negate", "not", "popcnt"),
}
OF_NUMBERS: Final = ("add", "divide", "maximum", "minimum", "multiply", "remainder", "subtract")
OF_INTEGERS: Final = (
    *OF_NUMBERS, "power", "and", "or", "xor", "shift_left", "shift_right_arithmetic",
    "shift_right_logical",
)  # fmt: skip
SPECIAL: Final = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.0, -3.0, 1e-40, 6e-5, 7e4)


def kind_of(name: str) -> str:
    """Which operations a type has."""
    if isinstance(SIMPLE_ELEMENTS[name], FloatType):
        return "float"
    return "unsigned" if name[0] == "u" else "signed"


def bits_of(array: Array) -> Array:
    """The bits of elements, as integers; of integers that a byte has room for their values."""
    if array.dtype.name in ("int2", "int4", "uint2", "uint4"):
        return array.astype(np.int8)
    return np.asarray(array).view(f"u{array.dtype.itemsize}")


def every(name: str) -> Array:
    """All elements of a narrow type."""
    element = SIMPLE_ELEMENTS[name]
    size = element.dtype.itemsize
    whole = np.arange(1 << min(element.bits, 8 * size), dtype=f"u{size}")
    if isinstance(element, FloatType):
        return whole.view(element.dtype)
    return whole.astype(f"i{size}" if kind_of(name) == "signed" else f"u{size}").astype(
        element.dtype
    )


def some(name: str, count: int = 3000) -> Array:
    """Elements of a type: drawn by their bits, numbers of usual size, and special ones."""
    element, random = SIMPLE_ELEMENTS[name], np.random.default_rng(0)
    if name == "i1":
        return random.integers(0, 2, count).astype(bool)
    if element.bits <= 8:
        return every(name)[random.integers(0, 1 << element.bits, count)]
    patterns = random.integers(0, (1 << element.bits) - 1, count, "u8", endpoint=True)
    values = patterns.astype(f"u{element.dtype.itemsize}").view(element.dtype)
    usual = random.standard_normal(count) * np.exp(random.uniform(-9, 9, count))
    if kind_of(name) != "float":
        values[::2] = usual[::2].astype(np.int64).astype(element.dtype)
        return values
    with np.errstate(all="ignore"):
        values[::2] = usual[::2].astype(element.dtype)
        values[: len(SPECIAL)] = np.array(SPECIAL).astype(element.dtype)
    return values


def program(operands: Sequence[str], lines: Sequence[tuple[str, str]], size: int) -> str:
    """A function of vectors that returns what each line gives, of the type beside it."""
    names = ", ".join(
        f"%{'xyz'[i]}: tensor<{size}x{operand}>" for i, operand in enumerate(operands)
    )
    types = ", ".join(f"tensor<{size}x{line}>" for _, line in lines)
    body = "\n".join(f"  %{i} = {text}" for i, (text, _) in enumerate(lines))
    results = ", ".join(f"%{i}" for i in range(len(lines)))
    head = f"func.func @main({names}) -> ({types}) {{"
    return f"{head}\n{body}\n  return {results} : {types}\n}}"


def both(text: str, target: Target, *arguments: Array) -> Iterator[tuple[Array, Array]]:
    """Each result, native and interpreted."""
    interpreted = sm.load(text).executable("main", backend="interpreter")
    compiled = CompiledExecutable(interpreted, target)  # type: ignore[arg-type]
    assert not [step for step in compiled.plan.steps if isinstance(step, Request)]
    pairs = zip(compiled.run(arguments), compiled.interpreted.run(arguments), strict=True)
    yield from ((np.asarray(got), np.asarray(expected)) for got, expected in pairs)


def is_nan(values: Array) -> Array:
    """Where NaNs are, which need not have equal bits."""
    if values.dtype.kind in "iub" or "int" in values.dtype.name:
        return np.zeros(values.shape, bool)
    with np.errstate(all="ignore"):
        return np.isnan(values.astype(np.float64))


def differing(got: Array, expected: Array) -> Array:
    """Where bits differ."""
    return (bits_of(got) != bits_of(expected)) & ~(is_nan(got) & is_nan(expected))


def distance(got: Array, expected: Array) -> int:
    """How many numbers of a type two others are apart, at most."""
    both_nan = is_nan(got) & is_nan(expected)
    assert not (is_nan(got) ^ is_nan(expected)).any()
    places: list[Array] = []
    for array in (got, expected):
        bits = bits_of(array).astype(np.int64)
        sign = 1 << (8 * array.dtype.itemsize - 1)
        places.append(np.where(bits & sign, -(bits ^ sign), bits))
    return int(np.where(both_nan, 0, np.abs(places[0] - places[1])).max())


def like(name: str, count: int, element: str) -> str:
    """The line of an operation on elements of one type."""
    tensor = f"tensor<{{size}}x{element}>"
    operands = ", ".join(["%x", "%y"][:count])
    return f'"stablehlo.{name}"({operands}) : ({", ".join([tensor] * count)}) -> {tensor}'


def same_types(names: Sequence[str], count: int, element: str, size: int) -> str:
    """A program of operations on elements of one type."""
    lines = [(like(name, count, element).replace("{size}", str(size)), element) for name in names]
    return program([element] * count, lines, size)


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("element", [*NARROW_INTEGERS, *NARROW_FLOATS])
def test_operations_on_every_element(element: str, target: str) -> None:
    values, names = every(element), UNARY[kind_of(element)]
    text = same_types(names, 1, element, len(values))
    for name, (got, expected) in zip(names, both(text, RUNNABLE[target], values), strict=True):
        wrong = differing(got, expected)
        assert not wrong.any(), (name, values[wrong][:5], got[wrong][:5], expected[wrong][:5])


@pytest.mark.parametrize("element", NARROW_FLOATS)
def test_functions_of_every_element(element: str) -> None:
    values = every(element)
    text = same_types(FUNCTIONS, 1, element, len(values))
    for name, (got, expected) in zip(FUNCTIONS, both(text, host(), values), strict=True):
        assert distance(got, expected) <= 1, name


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("element", [*NARROW_INTEGERS, *NARROW_FLOATS, *WIDE])
def test_operations_on_pairs(element: str, target: str) -> None:
    if SIMPLE_ELEMENTS[element].bits <= 8:
        x, y = (np.ravel(axis) for axis in np.meshgrid(every(element), every(element)))
    else:
        x, y = some(element), some(element)[::-1].copy()
    names = OF_NUMBERS if kind_of(element) == "float" else OF_INTEGERS
    text = same_types(names, 2, element, len(x))
    for name, (got, expected) in zip(names, both(text, RUNNABLE[target], x, y), strict=True):
        wrong = differing(got, expected)
        assert not wrong.any(), (name, x[wrong][:5], y[wrong][:5], got[wrong][:5])


@pytest.mark.parametrize("element", [*NARROW_INTEGERS, *NARROW_FLOATS, "f32", "f64"])
def test_comparisons(element: str) -> None:
    x, y = some(element), some(element)[::-1].copy()
    kinds = ["FLOAT", "TOTALORDER"] if kind_of(element) == "float" else [kind_of(element).upper()]
    tensor, size = f"tensor<{len(x)}x{element}>", len(x)
    signature = f"({tensor}, {tensor}) -> tensor<{size}xi1>"
    lines = [
        (f"stablehlo.compare {direction}, %x, %y, {kind} : {signature}", "i1")
        for kind in kinds
        for direction in ("EQ", "NE", "LT", "LE", "GT", "GE")
    ]
    text = program([element] * 2, lines, size)
    for line, (got, expected) in zip(lines, both(text, host(), x, y), strict=True):
        assert np.array_equal(got, expected), line


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("source", ALL)
def test_conversions(source: str, target: str) -> None:
    narrow = source != "i1" and SIMPLE_ELEMENTS[source].bits <= 16
    values = every(source) if narrow else some(source)
    tensor, size = f"tensor<{len(values)}x{source}>", len(values)
    lines = [
        (f"stablehlo.convert %x : ({tensor}) -> tensor<{size}x{item}>", item)
        for item in ALL
        if item != source
    ]
    text = program([source], lines, size)
    for line, (got, expected) in zip(lines, both(text, RUNNABLE[target], values), strict=True):
        wrong = differing(got, expected)
        assert not wrong.any(), (line, values[wrong][:5], got[wrong][:5], expected[wrong][:5])


@pytest.mark.parametrize("element", NARROW_FLOATS)
def test_numbers_that_are_hard_to_round(element: str) -> None:
    """Midpoints of neighbors, and numbers a little beside them, in ``f32`` and ``f64``."""
    with np.errstate(all="ignore"):  # NaNs that signal
        values = every(element).astype(np.float64)
    values = np.unique(values[np.isfinite(values)])
    values = values[np.abs(values) < 2.0**126]
    middle = (values[1:] + values[:-1]) / 2
    beside = [np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf), middle * (1 + 2.0**-30)]
    hard = np.concatenate([middle, *beside, values * 1.0001, values[-1:] * 1.5])
    for source, numbers in (("f64", hard), ("f32", hard.astype(np.float32))):
        size = len(numbers)
        line = f"stablehlo.convert %x : (tensor<{size}x{source}>) -> tensor<{size}x{element}>"
        ((got, expected),) = both(program([source], [(line, element)], size), host(), numbers)
        wrong = differing(got, expected)
        assert not wrong.any(), (numbers[wrong][:5], got[wrong][:5], expected[wrong][:5])


@pytest.mark.parametrize("element", NARROW_FLOATS)
@pytest.mark.parametrize("form", ["e5m2", "e8m3", "e3m0", "e2m1", "e11m30", "e4m9"])
def test_reduced_precision(element: str, form: str) -> None:
    values = every(element)
    size = len(values)
    line = f"stablehlo.reduce_precision %x, format = {form} : tensor<{size}x{element}>"
    ((got, expected),) = both(program([element], [(line, element)], size), host(), values)
    wrong = differing(got, expected)
    assert not wrong.any(), (values[wrong][:5], got[wrong][:5], expected[wrong][:5])


BITS_OF: Final = {2: ("i2", "ui2"), 4: ("i4", "ui4", "f4E2M1FN"), 6: ("f6E2M3FN", "f6E3M2FN"),
                  8: ("i8", "ui8", "f8E5M2", "f8E4M3FN"), 16: ("i16", "f16", "bf16"),
                  32: ("f32", "ui32"), 64: ("f64", "i64")}  # fmt: skip


@pytest.mark.parametrize("source", [item for row in BITS_OF.values() for item in row])
def test_bits_are_those_of_other_types(source: str) -> None:
    bits = SIMPLE_ELEMENTS[source].bits
    for other, names in BITS_OF.items():
        if max(bits, other) % min(bits, other):
            continue
        inner = max(other // bits, 1)
        values = some(source, 60 * inner)[: 60 * inner].reshape((60, inner) if inner > 1 else (60,))
        value = "x".join(map(str, values.shape))
        shape = f"60x{bits // other}" if bits > other else "60"
        for name in names:
            text = (
                f"func.func @main(%x: tensor<{value}x{source}>) -> tensor<{shape}x{name}> {{\n"
                f"  %0 = stablehlo.bitcast_convert %x : (tensor<{value}x{source}>) -> "
                f"tensor<{shape}x{name}>\n  return %0 : tensor<{shape}x{name}>\n}}"
            )
            ((got, expected),) = both(text, host(), values)
            assert np.array_equal(bits_of(got), bits_of(expected)), name


@pytest.mark.parametrize("element", [*NARROW_FLOATS, *NARROW_INTEGERS, "f32", "i64", "ui32"])
def test_counts(element: str) -> None:
    lines = [(f"stablehlo.iota dim = 0 : tensor<4500x{element}>", element)]
    ((got, expected),) = both(program([], lines, 4500), host())
    assert np.array_equal(bits_of(got), bits_of(expected))


@pytest.mark.parametrize("machine", [*MACHINES, "aarch64"])
@pytest.mark.parametrize("element", ["f16", "f8E8M0FNU", "i4"])
def test_objects_import_nothing(element: str, machine: str) -> None:
    target, kind = MACHINES.get(machine, ARM), kind_of(element)
    tensor = f"tensor<37x{element}>"
    unary = [*UNARY[kind], *(FUNCTIONS if kind == "float" else ())]
    binary = ("atan2", "power", *OF_NUMBERS) if kind == "float" else OF_INTEGERS
    lines = [(f"stablehlo.{name} %x : {tensor}", element) for name in unary]
    lines += [(f"stablehlo.{name} %x, %x : {tensor}", element) for name in binary]
    lines += [
        (f"stablehlo.convert %x : ({tensor}) -> tensor<37x{item}>", item)
        for item in ALL
        if item != element
    ]
    module = sm.load(program([element], lines, 37))
    functions = {
        function_operation.symbol: function_operation
        for function_operation in function_operations(module.ir)
    }
    texts = generate_functions(planned(functions, "main", target), target).functions
    assert not list(imported(assemble("\n".join(texts.values()), target)))


def test_moved_bits_stay_as_they_are() -> None:
    """Signaling NaNs too."""
    for element in ("f16", "bf16", "f8E5M2", "f8E4M3"):
        values = every(element)
        size = len(values)
        text = (
            f"func.func @main(%x: tensor<{size}x{element}>) -> tensor<{2 * size}x{element}> {{\n"
            f"  %0 = stablehlo.reverse %x, dims = [0] : tensor<{size}x{element}>\n"
            f"  %1 = stablehlo.concatenate %x, %0, dim = 0 : (tensor<{size}x{element}>, "
            f"tensor<{size}x{element}>) -> tensor<{2 * size}x{element}>\n"
            f"  return %1 : tensor<{2 * size}x{element}>\n}}"
        )
        ((got, expected),) = both(text, host(), values)
        assert np.array_equal(bits_of(got), bits_of(expected)), element


def test_what_is_zero_before_it_is_rounded_to_a_type_without_zero() -> None:
    """Functions of f8E8M0FNU that are computed in f32 give NaN below its denormals, as products."""
    element = "f8E8M0FNU"
    x, y = (np.ravel(axis) for axis in np.meshgrid(every(element), every(element)))
    text = same_types(("atan2", "power"), 2, element, len(x))
    for got, expected in both(text, host(), x, y):
        wrong = differing(got, expected)
        assert wrong.sum() <= 1  # the square of 2^-75 lies between zero and the smallest denormal
        assert np.isnan(got.astype(np.float32)).any()
