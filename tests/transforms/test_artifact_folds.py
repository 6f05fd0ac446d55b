"""Operations of other dialects fold in artifacts as they do upstream, byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

VERSION: Final = "1.17.0"
HEAD: Final = """func.func @f() {
  %f = arith.constant 7.000000e+00 : f32
  %k = arith.constant 7 : i32
  %a = arith.bitcast %f : f32 to i32
  %x = arith.bitcast %k : i32 to f32
  %b = arith.fptosi %x : f32 to i32
  %i = arith.index_cast %b : i32 to index
  %s = shape.index_to_size %i
"""
TAIL: Final = "  return\n}\n"
INTEGERS: Final = (
    *("addi", "subi", "muli", "divsi", "divui", "remsi", "ceildivsi", "floordivsi", "andi", "ori"),
    *("xori", "shli", "shrsi", "maxsi", "maxui", "minsi", "minui"),
)
FLOATS: Final = (
    *("addf", "subf", "mulf", "divf", "remf"),
    *("maximumf", "minimumf", "maxnumf", "minnumf"),
)
NUMBERS: Final = ("", "0", "1", "-1", "5", "2147483647", "-2147483648")
REALS: Final = ("", "0.0", "-0.0", "1.0", "2.0", "0x7FC00000", "0x7F800000", "0xFF800000")
BODIES: Final = """
%0 = arith.negf %x : f32 ; %1 = arith.negf %0 : f32 ; %2 = arith.negf %1 : f32
%0 = arith.extui %a : i32 to i64 ; %1 = arith.trunci %0 : i64 to i32 ; %2 = arith.addi %1, %b : i32
%0 = arith.extsi %a : i32 to i64 ; %1 = arith.trunci %0 : i64 to i16 ; %2 = arith.addi %1, %1 : i16
%0 = arith.extsi %a : i32 to i64 ; %1 = arith.extsi %0 : i64 to i128
%0 = arith.trunci %a : i32 to i16 ; %1 = arith.trunci %0 : i16 to i8
%0 = arith.extf %x : f32 to f64 ; %1 = arith.truncf %0 : f64 to f32 ; %2 = arith.addf %1, %x : f32
%0 = arith.index_cast %a : i32 to index ; %1 = arith.index_cast %0 : index to i32
%0 = arith.subi %a, %b : i32 ; %1 = arith.addi %b, %0 : i32 ; %2 = arith.muli %1, %b : i32
%0 = arith.addi %a, %b : i32 ; %1 = arith.subi %0, %a : i32 ; %2 = arith.muli %1, %b : i32
%0 = arith.andi %a, %b : i32 ; %1 = arith.andi %0, %b : i32 ; %2 = arith.muli %1, %b : i32
%0 = arith.xori %a, %b : i32 ; %1 = arith.xori %0, %a : i32 ; %2 = arith.muli %1, %b : i32
%m = arith.constant -1 : i32 ; %0 = arith.xori %a, %m : i32 ; %1 = arith.ori %a, %0 : i32 ; \
%2 = arith.muli %1, %b : i32
%0 = arith.muli %a, %b overflow<nsw> : i32 ; %1 = arith.divsi %0, %b : i32
%c = arith.cmpi eq, %a, %b : i32 ; %0 = arith.select %c, %a, %b : i32 ; %1 = arith.addi %0, %b : i32
%c = arith.constant 5 : i32 ; %0 = arith.cmpi sle, %c, %a : i32
%c = arith.constant true ; %0 = arith.select %c, %a, %b : i32 ; %1 = arith.addi %0, %b : i32
%c = arith.constant 0 : i32 ; %0:2 = arith.mului_extended %c, %a : i32
%c = arith.constant 5 : i32 ; %0:2 = arith.mului_extended %c, %a : i32
%0 = shape.size_to_index %i : index ; %1 = arith.addi %0, %i : index
%0 = tensor.from_elements %i, %i : tensor<2xindex> ; %c = arith.constant 1 : index ; \
%1 = tensor.extract %0[%c] : tensor<2xindex> ; %2 = arith.addi %1, %i : index
%c = shape.const_size 7 ; %0 = shape.mul %c, %s : !shape.size, !shape.size -> !shape.size
%0 = shape.max %s, %s : !shape.size, !shape.size -> !shape.size ; \
%1 = shape.size_to_index %0 : !shape.size
%c = shape.const_shape [2] : !shape.shape ; %d = shape.const_shape [2, 1] : !shape.shape ; \
%0 = shape.broadcast %c, %d : !shape.shape, !shape.shape -> !shape.shape ; \
%1 = shape.broadcast %0 : !shape.shape -> !shape.shape ; \
%2 = shape.shape_eq %c, %1 : !shape.shape, !shape.shape ; %w = shape.const_witness true ; \
%v = shape.cstr_eq %0, %c : !shape.shape, !shape.shape ; %3 = shape.assuming_all %w, %v
%c = shape.const_shape [2] : !shape.shape ; %d = shape.const_shape [2, 1] : !shape.shape ; \
%w = shape.const_witness true ; %v = shape.cstr_eq %c, %d : !shape.shape, !shape.shape ; \
%3 = shape.assuming_all %v, %w
"""


def binary_programs() -> Iterator[str]:
    """Operations of two constants, or of a constant and a value that is none."""
    for names, numbers, kind, value in (
        (INTEGERS, NUMBERS, "i32", "%a"),
        (FLOATS, REALS, "f32", "%x"),
    ):
        for name, *pair in product(names, numbers, numbers):
            lines = [
                f"  %c{i} = arith.constant {number} : {kind}\n"
                for i, number in enumerate(pair)
                if number
            ]
            operands = [f"%c{i}" if number else value for i, number in enumerate(pair)]
            other = "f32" if kind == "i32" else "i32"
            yield (
                f"{HEAD}{''.join(lines)}  %0 = arith.{name} {', '.join(operands)} : {kind}\n"
                f"  %1 = arith.bitcast %0 : {kind} to {other}\n{TAIL}"
            )


def bytes_of_both(text: str, oracle: Oracle) -> tuple[bytes, bytes | str]:
    """Our artifact and upstream's."""
    exact = sm.load(text).to_text(generic=True, debug_info=True)
    return sm.load(exact).to_artifact(VERSION), oracle.artifacts(exact, [VERSION])[0]


@pytest.mark.parametrize("body", BODIES.strip().splitlines())
def test_values_that_equal_others_are_replaced(body: str, oracle: Oracle) -> None:
    lines = "".join(f"  {line.strip()}\n" for line in body.split(" ; "))
    ours, theirs = bytes_of_both(f"{HEAD}{lines}{TAIL}", oracle)
    assert ours == theirs


@pytest.mark.standard
def test_neutral_numbers_disappear(oracle: Oracle) -> None:
    differing = [text for text in binary_programs() if len(set(bytes_of_both(text, oracle))) != 1]
    assert differing == []
