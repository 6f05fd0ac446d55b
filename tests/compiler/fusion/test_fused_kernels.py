"""Operations that share a kernel give the bits that they give alone, in one launch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.schedule.reduction_order import BLOCK
from tests.compiler.kernels.test_reductions import (
    DTYPES,
    agrees,
    interpreted,
    numbers,
    same_bits,
    tensor,
    whole,
)

few = settings(max_examples=12, deadline=None, derandomize=True)


def launches(text: str) -> int:
    """How many kernels a program launches."""
    compiled = CompiledExecutable(interpreted(text))
    return sum(isinstance(step, LaunchStep) for step in compiled.plan.steps)


class Writer:
    """Writes a program line by line.

    Args:
        shape: Of the argument.
        dimensions: What is reduced.
        element: The element type.
    """

    def __init__(self, shape: tuple[int, ...], dimensions: tuple[int, ...], element: str) -> None:
        self.element = element
        self.dimensions = dimensions
        self.kept = [d for d in range(len(shape)) if d not in dimensions]
        self.full = tensor(shape, element)
        self.row = tensor(tuple([shape[d] for d in self.kept]), element)
        self.scalar = f"tensor<{element}>"
        self.lines: list[str] = []

    def add(self, line: str) -> str:
        """Adds an operation; the name of its result."""
        self.lines.append(f"  %{len(self.lines)} = {line}")
        return f"%{len(self.lines) - 1}"

    def constant(self, value: str) -> str:
        """A scalar."""
        return self.add(f"stablehlo.constant dense<{value}> : {self.scalar}")

    def number(self, value: str, kind: str) -> str:
        """A constant of any shape."""
        return self.add(f"stablehlo.constant dense<{value}> : {kind}")

    def reduction(self, op: str, operand: str, init: str) -> str:
        """A reduction."""
        return self.add(
            f"stablehlo.reduce({operand} init: {self.constant(init)}) applies stablehlo.{op} "
            f"across dimensions = {list(self.dimensions)} "
            f": ({self.full}, {self.scalar}) -> {self.row}"
        )

    def spread(self, operand: str) -> str:
        """The result of a reduction beside each element."""
        return self.add(
            f"stablehlo.broadcast_in_dim {operand}, dims = {self.kept} "
            f": ({self.row}) -> {self.full}"
        )

    def apply(self, op: str, *operands: str, kind: str = "") -> str:
        """An elementwise operation."""
        return self.add(f"stablehlo.{op} {', '.join(operands)} : {kind or self.full}")

    def program(self, *results: tuple[str, str]) -> str:
        """The text of a function that returns values of these types."""
        types = ", ".join(kind for _, kind in results)
        names = ", ".join(name for name, _ in results)
        body = "\n".join(self.lines)
        return (
            f"func.func @main(%x: {self.full}) -> ({types}) {{\n{body}\n"
            f"  return {names} : {types}\n}}"
        )


def softmax(shape: tuple[int, ...], dimensions: tuple[int, ...], element: str) -> str:
    """exp(x - max) / sum."""
    w = Writer(shape, dimensions, element)
    top = w.spread(w.reduction("maximum", "%x", "0xFF80" if element == "bf16" else "-1.0e+30"))
    powers = w.apply("exponential", w.apply("subtract", "%x", top))
    total = w.spread(w.reduction("add", powers, "0.0"))
    return w.program((w.apply("divide", powers, total), w.full))


def layer_norm(shape: tuple[int, ...], dimensions: tuple[int, ...], element: str) -> str:
    """(x - mean) * rsqrt(variance), with the mean as a second result."""
    w = Writer(shape, dimensions, element)
    count = w.number(f"{float(np.prod([shape[d] for d in dimensions]))}", w.row)
    mean = w.apply("divide", w.reduction("add", "%x", "0.0"), count, kind=w.row)
    centered = w.apply("subtract", "%x", w.spread(mean))
    squares = w.reduction("add", w.apply("multiply", centered, centered), "0.0")
    variance = w.apply("divide", squares, count, kind=w.row)
    scale = w.apply("rsqrt", variance, kind=w.row)
    return w.program((w.apply("multiply", centered, w.spread(scale)), w.full), (mean, w.row))


def moments(shape: tuple[int, ...], dimensions: tuple[int, ...], element: str) -> str:
    """The sums of x, of its squares and of its tanh, and a value made of two of them."""
    w = Writer(shape, dimensions, element)
    first, second = (
        w.reduction("add", "%x", "0.0"),
        w.reduction("add", w.apply("multiply", "%x", "%x"), "0.0"),
    )
    third = w.reduction("add", w.apply("tanh", "%x"), "0.0")
    both = w.apply("subtract", second, first, kind=w.row)
    return w.program((first, w.row), (both, w.row), (third, w.row))


shapes = st.lists(st.integers(1, 40), min_size=1, max_size=3).map(tuple)
PROGRAMS = {"softmax": softmax, "layer norm": layer_norm, "moments": moments}


@pytest.mark.parametrize("program", sorted(PROGRAMS))
@few
@given(shapes, st.integers(1, 7), st.sampled_from(["f32", "f64", "bf16"]))
def test_any_shape(program: str, shape: tuple[int, ...], which: int, element: str) -> None:
    dimensions = tuple(d for d in range(len(shape)) if which >> d & 1) or (0,)
    same_bits(PROGRAMS[program](shape, dimensions, element), numbers(shape, element))


# Rows shorter than a vector, odd, as long as a cache, longer than one, in several dimensions, cut
# into blocks; rows of which there are none or that are empty.
SHAPES = [
    ((5, 3), (1,)),
    ((7, 9), (1,)),
    ((6, 33), (1,)),
    ((3, 64), (1,)),
    ((3, 1, 1000, 1), (2,)),
    ((4, 6, 50), (1, 2)),
    ((2, 4097), (1,)),
    ((2, 20000), (1,)),
    ((1, BLOCK + 5), (1,)),
    ((40, 7, 9), (0,)),
    ((9, 20, 5), (1,)),
    ((3, 4, 30), (0, 2)),
    ((0, 20), (1,)),
    ((20, 0), (0,)),
]


@pytest.mark.parametrize("program", sorted(PROGRAMS))
@pytest.mark.parametrize(("shape", "dimensions"), SHAPES)
def test_every_kind_of_row(
    program: str, shape: tuple[int, ...], dimensions: tuple[int, ...]
) -> None:
    same_bits(PROGRAMS[program](shape, dimensions, "f32"), numbers(shape, "f32"))


@pytest.mark.parametrize(("program", "rows"), [("softmax", [1, 2]), ("layer norm", [1, 2, 4])])
def test_nan_and_infinity_stay_in_their_rows(program: str, rows: list[int]) -> None:
    values = numbers((6, 70), "f32")
    values[1, 3], values[2, 69], values[4, 0] = np.nan, np.inf, -np.inf
    same_bit = same_bits(PROGRAMS[program]((6, 70), (1,), "f32"), values)[0]
    assert [i for i, row in enumerate(same_bit) if np.isnan(row).all()] == rows
    assert np.isfinite(np.delete(same_bit, rows, axis=0)).all()


def test_softmax_is_right() -> None:
    values = numbers((12, 100), "f32")
    (value,) = same_bits(softmax((12, 100), (1,), "f32"), values)
    powers = np.exp(values.astype(np.float64) - values.max(1, keepdims=True))
    np.testing.assert_allclose(value, powers / powers.sum(1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_rows_are_one_launch(program: str) -> None:
    assert launches(PROGRAMS[program]((256, 1024), (1,), "f32")) == 1


def test_folds_of_columns_are_one_launch() -> None:
    assert launches(moments((60, 50), (0,), "f32")) == 1


def test_folds_in_blocks_share_their_launches() -> None:
    assert launches(moments((4 * BLOCK,), (0,), "f32")) == 2


@pytest.mark.parametrize("element", sorted(set(DTYPES) - {"i1"}))  # which has no differences
def test_integers_are_exact(element: str) -> None:
    w = Writer((9, 41), (1,), element)
    zero = "0.0" if element in ("f32", "f64", "bf16") else "0"
    least = w.reduction("maximum", "%x", zero)
    rest = w.apply("subtract", "%x", w.spread(least))
    total = w.reduction("add", rest, zero)
    text = w.program((w.apply("add", rest, w.spread(total)), w.full), (least, w.row))
    assert launches(text) == 1
    if element == "bf16":  # sums of the interpreter are rounded on the way
        same_bits(text, whole((9, 41), element))
    else:
        agrees(text, whole((9, 41), element))
