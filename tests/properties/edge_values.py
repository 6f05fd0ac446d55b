"""Elementwise operations on every number of a narrow type, and on the edges of the wide ones.

``python -m tests.properties.edge_values '^(add|convert)'`` compares the interpreter with native
code, with the upstream interpreter and with XLA, bit by bit; NaN is NaN. It shows all differences:
those with XLA are denormals, those with the upstream interpreter are formats that it converts
wrongly, and what docs/conformance.md lists. CI runs what must be the same
(`tests/properties/test_edge_values.py`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

import stablemate as sm
from tests.oracle.client import Oracle, OracleError
from tests.oracle.elements import DTYPES, Array

SHOWN: Final = 4  # operands of a difference
WIDE: Final = 16  # bits; narrower types are taken whole
INTEGERS: Final = [name for name in DTYPES if re.fullmatch(r"u?i[248]|u?i16|u?i32|u?i64", name)]
SIGNED: Final = [name for name in INTEGERS if name[0] == "i"]
FLOATS: Final = [name for name in DTYPES if name[0] in "fb"]
BITS: Final = ["i1", *INTEGERS]
NUMBERS: Final = [*INTEGERS, *FLOATS]
EVERY: Final = ["i1", *NUMBERS]
UNARY: Final[Mapping[str, Sequence[str]]] = {
    "abs": [*SIGNED, *FLOATS],
    "ceil": FLOATS,
    "floor": FLOATS,
    "round_nearest_afz": FLOATS,
    "round_nearest_even": FLOATS,
    "sqrt": FLOATS,
    "count_leading_zeros": INTEGERS,
    "popcnt": INTEGERS,
    "not": BITS,
    "negate": NUMBERS,
    "sign": [*SIGNED, *FLOATS],
}
BINARY: Final[Mapping[str, Sequence[str]]] = {
    "add": EVERY,
    "subtract": NUMBERS,
    "multiply": EVERY,
    "divide": NUMBERS,
    "remainder": NUMBERS,
    "maximum": EVERY,
    "minimum": EVERY,
    "and": BITS,
    "or": BITS,
    "xor": BITS,
    "shift_left": INTEGERS,
    "shift_right_arithmetic": INTEGERS,
    "shift_right_logical": INTEGERS,
    "power": INTEGERS,
}
DIRECTIONS: Final = ("EQ", "NE", "LT", "LE", "GT", "GE")
WHOLE: Final = (0, 1, 2, 3, 5, 7, 8, 10, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 12345)
POWERS: Final = (2**24 + 1, 2**24 + 3, 2**31 - 1, 2**31, 2**32 - 1, 2**53 + 1, 2**62 + 1)
REAL: Final = (
    *(0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 0.1, 10.0, 100.0, 127.5, 128.5, 255.5, 256.0),
    *(300.0, 1e-3, 32767.5, 65504.0, 65520.0, 65536.0, 1e10, 2.0**31, 2.0**31 - 1, 2.0**32),
    *(2.0**63, 1e20, 1e-20, 3.14159265, 2.0**-24, 2.0**-25, 0.49999997, 2.0**23 + 0.5, 8388609.0),
    *(2.0**52 + 0.5, np.inf, np.nan),
)


@dataclass(frozen=True)
class Case:
    """One operation on many numbers.

    Attributes:
        name: The operation, its types, and what else distinguishes it.
        text: The program.
        operands: The numbers.
    """

    name: str
    text: str
    operands: Sequence[Array]


def cases() -> Iterator[Case]:
    """All of them."""
    for name, kinds in UNARY.items():
        yield from (case(name, [numbers(kind)], kind, kind) for kind in kinds)
    for name, kinds in BINARY.items():
        yield from (case(name, pairs(kind), kind, kind) for kind in kinds)
    yield from (case("is_finite", [numbers(kind)], kind, "i1") for kind in FLOATS)
    for kind in EVERY:
        for sort in comparison_types(kind):
            for direction in DIRECTIONS:
                attribute_text = (
                    f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                    f"compare_type = #stablehlo<comparison_type {sort}>"
                )
                yield case(
                    "compare", pairs(kind), kind, "i1", attribute_text, f"{direction} {sort}"
                )
    for kind in EVERY:
        yield from (case("convert", [numbers(kind)], kind, other) for other in EVERY)


def comparison_types(kind: str) -> Sequence[str]:
    """How numbers of a type can be compared."""
    if kind in FLOATS:
        return ("FLOAT", "TOTALORDER")
    return ("SIGNED",) if kind in SIGNED else ("UNSIGNED",)


def case(
    name: str,
    operands: Sequence[Array],
    kind: str,
    result: str,
    attribute_text: str = "",
    suffix: str = "",
) -> Case:
    """The program of one operation on operands of one type."""
    size = operands[0].size
    own, out = f"tensor<{size}x{kind}>", f"tensor<{size}x{result}>"
    names = [f"%a{i}" for i in range(len(operands))]
    attributes = f" <{{{attribute_text}}}>" if attribute_text else ""
    text = (
        f"func.func @main({', '.join(f'{name}: {own}' for name in names)}) -> {out} {{\n"
        f'  %0 = "stablehlo.{name}"({", ".join(names)}){attributes}'
        f" : ({', '.join([own] * len(names))}) -> {out}\n"
        f"  return %0 : {out}\n}}\n"
    )
    return Case(" ".join(filter(None, (name, kind, result, suffix))), text, operands)


def width(kind: str) -> int:
    """How many bits a number has."""
    return 1 if kind == "i1" else int(kind.lstrip("buif").partition("E")[0])


def numbers(kind: str) -> Array:
    """Every number of a narrow type, the edges of a wide one."""
    dtype, bits = DTYPES[kind], width(kind)
    if kind == "i1":
        return np.array([False, True])
    if kind in INTEGERS:
        low = -(1 << (bits - 1)) if kind in SIGNED else 0
        high = low + (1 << bits) - 1
        some = {*WHOLE, *POWERS, low, low + 1, high, high - 1, high // 2, high // 2 + 1}
        range_result = range(low, high + 1) if bits < WIDE else {x for y in some for x in (y, -y)}
        return np.array(sorted(x for x in range_result if low <= x <= high), object).astype(dtype)
    if bits < WIDE:
        return np.arange(1 << bits, dtype=np.uint8).view(dtype)
    limits = ml_dtypes.finfo(dtype)
    named = [limits.max, limits.tiny, limits.smallest_subnormal, limits.eps]
    positive = [*REAL, *(float(item) for item in named), 1 + float(limits.eps)]
    with np.errstate(over="ignore"):
        return np.array([x for y in positive for x in (y, -y)]).astype(dtype)


def pairs(kind: str) -> list[Array]:
    """Every number with every other."""
    numbers_result = numbers(kind)
    return [
        np.repeat(numbers_result, numbers_result.size),
        np.tile(numbers_result, numbers_result.size),
    ]


def differing(ours: Array, theirs: Array) -> Array:
    """Where two results differ in bits; all NaN are one."""
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    integers = f"u{ours.dtype.itemsize}"
    bits = np.ascontiguousarray(ours).view(integers) != np.ascontiguousarray(theirs).view(integers)
    if ours.dtype not in {DTYPES[kind] for kind in FLOATS}:
        return np.flatnonzero(ours != theirs)
    with np.errstate(invalid="ignore"):
        nan = np.isnan(ours.astype(np.float64)) & np.isnan(theirs.astype(np.float64))
    return np.flatnonzero(bits & ~nan)


def differences(case: Case, answers: Mapping[str, Array]) -> Iterator[str]:
    """What the first of the answers is, and the others are not."""
    (_, ours), *others = answers.items()
    for who, theirs in others:
        differing_result = differing(ours, theirs)
        some = [
            f"({', '.join(str(a[i]) for a in case.operands)}) -> {ours[i]}, {who} {theirs[i]}"
            for i in differing_result[:SHOWN]
        ]
        if some:
            yield f"{case.name}: {differing_result.size} of {ours.size}: {'; '.join(some)}"


def run_here(case: Case) -> dict[str, Array]:
    """The results of the interpreter and of native code."""
    module = sm.load(case.text)
    native: Any = module.run(*case.operands)
    own: Any = module.run(*case.operands, backend="interpreter")
    return {"interpreter": np.asarray(own), "native code": np.asarray(native)}


def run_there(oracle: Oracle, case: Case, counts: Counter[str]) -> dict[str, Array]:
    """The results of others, of those that have one."""
    by_key: dict[str, Array] = {}
    for who, ask in (("reference", oracle.reference), ("XLA", oracle.xla)):
        try:
            (by_key[who],) = ask(case.text, *case.operands)
            counts[who] += 1
        except OracleError:
            counts[f"without {who}"] += 1
    return by_key


def main() -> int:
    """Compares what is named so; the exit code is 1 if native code differs from the interpreter."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.edge_values")
    parser.add_argument("pattern", nargs="?", default="", help="which names to take, such as ^add")
    pattern = re.compile(parser.parse_args().pattern)
    counts: Counter[str] = Counter()
    code = 0
    with Oracle() as oracle:
        for case in cases():
            if not pattern.search(case.name):
                continue
            here = run_here(case)
            counts["programs"] += 1
            for difference in differences(case, here | run_there(oracle, case, counts)):
                print(difference)
                code |= "native code" in difference
    print(dict(counts), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
