"""arith computes what MLIR's own constant folding computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.arith.constant import Constant
from stablemate.dialects.func import FuncOp
from stablemate.ir.core import OpResult
from stablemate.numerics.elements import SIMPLE_ELEMENTS
from tests.oracle.client import Oracle

INTEGERS: Final = ("i1", "i2", "i4", "i8", "i16", "i32", "i64", "index")
FLOATS: Final = ("f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2")
TOTAL: Final = (
    "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui",
)  # fmt: skip
DIVISIONS: Final = ("divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui")
SHIFTS: Final = ("shli", "shrsi", "shrui")
OF_FLOATS: Final = (
    "addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf",
)  # fmt: skip
INTEGER_PREDICATES: Final = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES: Final = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
NUMBERS: Final = ("0.0", "-0.0", "1.0", "-1.5", "0.1", "300.0", "-2.5")


def integer_values(name: str) -> list[int]:
    """Ends of the range, numbers around zero, one in between."""
    element: Any = SIMPLE_ELEMENTS[name]
    if name == "i1":
        return [0, 1]
    values = {
        element.minimum,
        element.maximum,
        element.minimum + 1,
        -2,
        -1,
        0,
        1,
        element.maximum // 3,
    }
    return sorted(value for value in values if element.minimum <= value <= element.maximum)


def constant(value: object, name: str) -> str:
    """The literal of a number."""
    if name == "i1":
        return "true" if value else "false"
    return f"{value} : {name}"


def program(lines: Sequence[tuple[str, str]], results: str) -> str:
    """A program with these operations; each line makes %rN and has its constants before it."""
    body = "\n".join(f"{before}\n%r{i} = {line}" for i, (before, line) in enumerate(lines))
    names = ", ".join(f"%r{i}" for i in range(len(lines)))
    types = ", ".join([results] * len(lines))
    return f"func.func @main() -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"


def folded(text: str) -> list[Any]:
    """The constants that a program returns; None for other values."""
    function = next(op for op in sm.load(text).ir.body.operations if isinstance(op, FuncOp))
    results: list[Any] = []
    for value in function.body.block.terminator.operands:
        assert isinstance(value, OpResult)
        definer = value.operation
        results.append(definer.evaluate() if isinstance(definer, Constant) else None)
    return results


def bits(value: Any) -> bytes:
    """The bytes of a scalar; of a NaN those of any NaN."""
    array = np.asarray(value)
    if array.dtype.kind not in "biu" and np.isnan(array.astype(np.float64)):
        return b"nan"
    return array.tobytes()


def compare(lines: list[tuple[str, str]], results: str, oracle: Oracle) -> None:
    """Runs the lines and compares with what they fold to."""
    text = program(lines, results)
    expected = folded(oracle.transformed(text, "canonicalize"))
    actual = sm.run(text)
    assert sum(value is not None for value in expected) >= 0.5 * len(lines)
    for (before, line), ours, theirs in zip(lines, actual, expected, strict=True):
        if theirs is not None:
            assert bits(ours) == bits(theirs), f"{before}; {line}: {ours}, expected {theirs}"


def pairs(name: str, values: Sequence[object]) -> Iterator[tuple[str, int]]:
    """The constants of every pair of values, as %aN and %bN."""
    for i, (a, b) in enumerate(product(values, values)):
        first = f"%a{i} = arith.constant {constant(a, name)}"
        yield f"{first}\n%b{i} = arith.constant {constant(b, name)}", i


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("op", TOTAL)
def test_arithmetic_of_integers(name: str, op: str, oracle: Oracle) -> None:
    values = integer_values(name)
    lines = [(c, f"arith.{op} %a{i}, %b{i} : {name}") for c, i in pairs(name, values)]
    compare(lines, name, oracle)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("op", DIVISIONS)
def test_division_of_integers(name: str, op: str, oracle: Oracle) -> None:
    values = integer_values(name)
    choices = list(product(values, values))
    lines = [
        (c, f"arith.{op} %a{i}, %b{i} : {name}")
        for c, i in pairs(name, values)
        if choices[i][1] != 0 and not (choices[i][1] == -1 and choices[i][0] == values[0])
    ]
    if name != "i1" or not op.endswith("si"):  # -1 / -1 does not fit
        compare(lines, name, oracle)


@pytest.mark.parametrize("name", INTEGERS[1:])
@pytest.mark.parametrize("op", SHIFTS)
def test_shifts(name: str, op: str, oracle: Oracle) -> None:
    values, width = integer_values(name), SIMPLE_ELEMENTS[name].bits
    lines = [
        (
            f"%a{i} = arith.constant {constant(a, name)}\n%b{i} = arith.constant {b} : {name}",
            f"arith.{op} %a{i}, %b{i} : {name}",
        )
        for i, (a, b) in enumerate(product(values, {0, 1, width - 1}))
    ]
    compare(lines, name, oracle)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("predicate", INTEGER_PREDICATES)
def test_comparison_of_integers(name: str, predicate: str, oracle: Oracle) -> None:
    values = integer_values(name)
    lines = [(c, f"arith.cmpi {predicate}, %a{i}, %b{i} : {name}") for c, i in pairs(name, values)]
    compare(lines, "i1", oracle)


def float_values(name: str) -> list[str]:
    """Numbers of the type, infinities and NaN as bit patterns."""
    element: Any = SIMPLE_ELEMENTS[name]
    digits = element.bits // 4
    special = [np.array(x).astype(element.dtype) for x in (np.inf, -np.inf, np.nan)]
    patterns = [int.from_bytes(value.tobytes(), "little") for value in special]
    return [*NUMBERS, *(f"0x{pattern:0{digits}X}" for pattern in patterns)]


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("op", OF_FLOATS)
def test_arithmetic_of_floats(name: str, op: str, oracle: Oracle) -> None:
    values = float_values(name)
    lines = [(c, f"arith.{op} %a{i}, %b{i} : {name}") for c, i in pairs(name, values)]
    compare(lines, name, oracle)


@pytest.mark.parametrize("name", FLOATS[:3])
@pytest.mark.parametrize("predicate", FLOAT_PREDICATES)
def test_comparison_of_floats(name: str, predicate: str, oracle: Oracle) -> None:
    values = float_values(name)
    lines = [(c, f"arith.cmpf {predicate}, %a{i}, %b{i} : {name}") for c, i in pairs(name, values)]
    compare(lines, "i1", oracle)


def casts() -> Iterator[tuple[str, str, str]]:
    """Every cast of integers between different widths, and those from and to floats."""
    for source, target in product(INTEGERS, INTEGERS):
        a, b = SIMPLE_ELEMENTS[source].bits, SIMPLE_ELEMENTS[target].bits
        if (source == "index") != (target == "index"):
            yield from ((op, source, target) for op in ("index_cast", "index_castui"))
        elif a < b:
            yield from ((op, source, target) for op in ("extsi", "extui"))
        elif a > b:
            yield "trunci", source, target
    for integer, number in product(INTEGERS[:-1], FLOATS):
        yield from ((op, integer, number) for op in ("sitofp", "uitofp"))


@pytest.mark.parametrize(("op", "source", "target"), list(casts()))
def test_casts_of_integers(op: str, source: str, target: str, oracle: Oracle) -> None:
    lines = [
        (
            f"%a{i} = arith.constant {constant(value, source)}",
            f"arith.{op} %a{i} : {source} to {target}",
        )
        for i, value in enumerate(integer_values(source))
    ]
    compare(lines, target, oracle)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(("op", "target"), [("fptosi", "i32"), ("fptoui", "i16"), ("fptosi", "i4")])
def test_casts_of_floats(name: str, op: str, target: str, oracle: Oracle) -> None:
    numbers = ("0.0", "1.0", "3.75", "7.0") + (("-1.5", "-8.0") if op == "fptosi" else ())
    lines = [
        (f"%a{i} = arith.constant {value} : {name}", f"arith.{op} %a{i} : {name} to {target}")
        for i, value in enumerate(numbers)
    ]
    compare(lines, target, oracle)


@pytest.mark.parametrize(
    ("op", "source", "target"),
    [
        ("extf", "f16", "f32"), ("extf", "bf16", "f64"), ("extf", "f8E5M2", "f16"),
        ("truncf", "f64", "f32"), ("truncf", "f32", "f16"), ("truncf", "f32", "bf16"),
        ("bitcast", "f32", "i32"), ("bitcast", "bf16", "i16"), ("bitcast", "f64", "i64"),
    ],
)  # fmt: skip
def test_other_casts_of_floats(op: str, source: str, target: str, oracle: Oracle) -> None:
    lines = [
        (f"%a{i} = arith.constant {value} : {source}", f"arith.{op} %a{i} : {source} to {target}")
        for i, value in enumerate(NUMBERS)
    ]
    compare(lines, target, oracle)
