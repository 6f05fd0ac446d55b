"""HLO programs of elementwise operations on special values, for every element type.

Operands are parameters, or constants, which XLA folds by its evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stablemate.formats.hlo.text.literals import literal_text
from stablemate.xla.literal import Literal
from stablemate.xla.primitive_types import ARRAY_TYPES, PRED, PrimitiveType, primitive_type
from stablemate.xla.shape import Shape

Array = npt.NDArray[Any]

EXACT_FLOAT: Final = (
    *("abs", "ceil", "floor", "round-nearest-afz", "round-nearest-even", "sign", "negate", "copy"),
    "is-finite",
)
CLOSE_FLOAT: Final = (
    *("cbrt", "cosine", "sine", "tan", "tanh", "exponential", "exponential-minus-one", "log"),
    *("log-plus-one", "logistic", "sqrt", "rsqrt", "erf"),
)
INTEGRAL: Final = ("abs", "sign", "negate", "not", "popcnt", "count-leading-zeros", "copy")
COMPLEX: Final = (
    *("abs", "negate", "sign", "real", "imag", "exponential", "log", "cosine", "sine", "tanh"),
    *("sqrt", "rsqrt", "exponential-minus-one", "log-plus-one", "logistic", "tan", "cbrt"),
    "is-finite",
)
ARITHMETIC: Final = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder")
BITWISE: Final = ("and", "or", "xor")
SHIFTS: Final = ("shift-left", "shift-right-arithmetic", "shift-right-logical")
DIRECTIONS: Final = ("EQ", "NE", "LT", "LE", "GT", "GE")
CLOSE: Final = frozenset({*CLOSE_FLOAT, "power", "atan2"})
REALS: Final = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.0, 0.1, 100.0, 127.5, -128.5),
    *(255.5, 65504.0, 65520.0, 3e9, -3e9, 1e19, 3e38, -3e38, 1.2e-38, 1e300),
    *(float("inf"), float("-inf"), float("nan")),
)
PARTS: Final = (0.0, -0.0, 1.0, -1.5, 3.0, 1e30, float("inf"), float("-inf"), float("nan"))


@dataclass(frozen=True)
class Case:
    """An operation on operands of one length.

    Attributes:
        opcode: Its name.
        result: Element type of its result.
        operands: Its operands.
        types: Their element types.
        tail: Its attributes.
    """

    opcode: str
    result: PrimitiveType
    operands: tuple[Array, ...]
    types: tuple[PrimitiveType, ...]
    tail: str = ""

    @property
    def name(self) -> str:
        """What is computed."""
        types = ", ".join(map(str, self.types))
        return f"{self.result} {self.opcode}({types}){self.tail}"


def special(element: PrimitiveType) -> Array:
    """Values of a type at which something happens."""
    dtype = element.dtype
    match element.family:
        case "pred":
            return np.array([False, True])
        case "complex":
            parts = np.array(PARTS, np.float64)
            pairs = parts[:, None] + np.zeros_like(parts)[None, :]
            with np.errstate(all="ignore"):
                array = np.empty(pairs.shape, np.complex128)
                array.real, array.imag = pairs, parts[None, :]
                return array.reshape(-1).astype(dtype)
        case "float":
            with np.errstate(all="ignore"):
                values = np.array(REALS).astype(dtype)
            return (
                values
                if element.bits >= 16
                else np.arange(1 << element.bits, dtype=np.uint8).view(dtype)
            )
        case _:
            low, high = bounds(element)
            around = [*range(0, 9), element.bits - 1, element.bits, element.bits + 1]
            wanted = {*around, *(-item for item in around), low, low + 1, high, high - 1, high // 2}
            return np.array(sorted(v for v in wanted if low <= v <= high), object).astype(dtype)


def bounds(element: PrimitiveType) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    if element.family == "signed":
        return -(1 << (element.bits - 1)), (1 << (element.bits - 1)) - 1
    return 0, (1 << element.bits) - 1


def pairs(values: Array) -> tuple[Array, Array]:
    """Each value with each."""
    if len(values) > 64:
        values = values[:: len(values) // 64 + 1]
    return np.repeat(values, len(values)), np.tile(values, len(values))


def cases(element: PrimitiveType) -> Iterator[Case]:
    """The operations on a type."""
    values, family = special(element), element.family
    one, two = (element,), (element, element)
    unary: Sequence[str] = {
        "pred": ("not", "copy"),
        "float": (*EXACT_FLOAT, *CLOSE_FLOAT),
        "complex": COMPLEX,
    }.get(family, INTEGRAL)
    for opcode in unary:
        yield Case(opcode, result_of(opcode, element), (values,), one)
    both = pairs(values)
    binary: Sequence[str] = {
        "pred": (*BITWISE, "maximum", "minimum", "add", "multiply"),
        "float": (*ARITHMETIC, "power", "atan2"),
        "complex": ("add", "subtract", "multiply", "divide", "power"),
    }.get(family, (*ARITHMETIC, *BITWISE, *SHIFTS, "power"))
    for opcode in binary:
        yield Case(opcode, element, both, two)
    for direction in DIRECTIONS[: 2 if family == "complex" else 6]:
        yield Case("compare", PRED, both, two, f", direction={direction}")
        if family == "float":
            yield Case("compare", PRED, both, two, f", direction={direction}, type=TOTALORDER")
    if family in ("float", "signed", "unsigned"):
        low, high = both
        yield Case("clamp", element, (low, np.roll(low, 5), high), (*two, element))


def conversions(element: PrimitiveType) -> Iterator[Case]:
    """A type made every other."""
    values = special(element)
    for other in ARRAY_TYPES:
        if other.element is None or (element.family == "complex") > (other.family == "complex"):
            continue
        yield Case("convert", other, (values,), (element,))
        if other.bits == element.bits and PRED not in (element, other):
            yield Case("bitcast-convert", other, (values,), (element,))


def result_of(opcode: str, element: PrimitiveType) -> PrimitiveType:
    """The type of the result of a unary operation."""
    if opcode == "is-finite":
        return PRED
    if element.family == "complex" and opcode in ("abs", "real", "imag"):
        return primitive_type("f32" if element.bits == 64 else "f64")
    return element


def program(listed: Sequence[Case], *, constant: bool) -> tuple[str, list[Array]]:
    """A module of cases, and its arguments."""
    lines: list[str] = []
    arguments: list[Array] = []
    by_key: dict[tuple[str, bytes], str] = {}
    results: list[tuple[str, str]] = []
    for number, case in enumerate(listed):
        names: list[str] = []
        for values, element in zip(case.operands, case.types, strict=True):
            key = (element.name, values.tobytes())
            if key not in by_key:
                by_key[key] = f"p{len(by_key)}"
                shape = f"{element}[{len(values)}]"
                lines.append(
                    f"{by_key[key]} = {shape} {operand(values, shape, arguments, constant)}"
                )
            names.append(by_key[key])
        shape = f"{case.result}[{len(case.operands[0])}]"
        lines.append(f"r{number} = {shape} {case.opcode}({', '.join(names)}){case.tail}")
        results.append((f"r{number}", shape))
    shapes = ", ".join(shape for _, shape in results)
    lines.append(f"ROOT t = ({shapes}) tuple({', '.join(name for name, _ in results)})")
    body = "\n  ".join(lines)
    return f"HloModule m\n\nENTRY e {{\n  {body}\n}}\n", arguments


def operand(values: Array, shape: str, arguments: list[Array], constant: bool) -> str:
    """A parameter, or a constant."""
    if constant:
        return f"constant({literal_text(Literal(Shape(shape), values))})"
    arguments.append(values)
    return f"parameter({len(arguments) - 1})"
