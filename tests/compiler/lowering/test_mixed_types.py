"""Programs that mix element types in native code: fused, they give the interpreter's bits."""

from __future__ import annotations

from typing import Final

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stablemate.compiler.config.target import host
from tests.compiler.config.test_element_types import (
    OF_INTEGERS,
    OF_NUMBERS,
    UNARY,
    both,
    differing,
    kind_of,
    program,
    some,
)

TYPES: Final[tuple[str, ...]] = (
    "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E8M0FNU", "f8E3M4", "i2", "i4", "ui4",
    "i8", "ui16", "i32", "f32", "f64",
)  # fmt: skip
FORMS: Final = ("binary", "binary", "unary", "convert", "convert", "clamp", "reverse")


@st.composite
def operations(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str]], int]:
    """The types of the operands, lines of a program with the types of results, and the size."""
    operands: list[str] = [draw(st.sampled_from(TYPES)) for _ in range(2)]
    size = draw(st.sampled_from((1, 7, 33, 130)))
    values: list[tuple[str, str]] = list(zip(("%x", "%y"), operands, strict=True))
    lines: list[tuple[str, str]] = []
    for number in range(draw(st.integers(2, 10))):
        name, element = draw(st.sampled_from(values))
        other = draw(st.sampled_from([item for item, of in values if of == element]))
        text, result = line(draw, name, other, element, size)
        lines.append((text, result))
        values.append((f"%{number}", result))
    return operands, lines, size


def line(draw: st.DrawFn, x: str, y: str, element: str, size: int) -> tuple[str, str]:
    """An operation on values of one type, and the type of its result."""
    tensor, kind = f"tensor<{size}x{element}>", kind_of(element)
    match draw(st.sampled_from(FORMS)):
        case "binary":
            name = draw(st.sampled_from(OF_NUMBERS if kind == "float" else OF_INTEGERS))
            return f"stablehlo.{name} {x}, {y} : {tensor}", element
        case "unary":
            return f"stablehlo.{draw(st.sampled_from(UNARY[kind]))} {x} : {tensor}", element
        case "convert":
            target = draw(st.sampled_from(TYPES))
            return f"stablehlo.convert {x} : ({tensor}) -> tensor<{size}x{target}>", target
        case "clamp":
            return f"stablehlo.clamp {x}, {y}, {x} : {tensor}", element
        case _:
            return f"stablehlo.reverse {x}, dims = [0] : {tensor}", element


@settings(max_examples=60, deadline=None)
@given(operations(), st.integers(0, 999))
def test_chains_of_operations(
    chain: tuple[list[str], list[tuple[str, str]], int], seed: int
) -> None:
    operands, lines, size = chain
    arguments = [np.resize(np.roll(some(operand, 300), seed), size) for operand in operands]
    text = program(operands, lines, size)
    for number, (got, expected) in enumerate(both(text, host(), *arguments)):
        assert not differing(got, expected).any(), lines[number]
