"""Literals of every type and layout keep their bits, and are what XLA takes them for."""

from dataclasses import replace
from itertools import permutations
from typing import Final

import numpy as np
import pytest

from stablemate.formats.hlo.proto.literals import literal_proto, read_literal
from stablemate.formats.hlo.proto.messages import message_class
from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.layout import Layout
from stablemate.xla.literal import Literal
from stablemate.xla.primitive_types import ARRAY_TYPES, F32, S32, PrimitiveType
from stablemate.xla.shape import Shape
from tests.oracle.client import Oracle

GENERATOR_SEED: Final = 5


def random_literal(element: PrimitiveType, dimensions: tuple[int, ...], layout: Layout) -> Literal:
    """A literal of random bits."""
    random = np.random.default_rng(GENERATOR_SEED)
    size = int(np.prod(dimensions))
    if element.family == "pred":
        array = random.integers(0, 2, size).astype(np.bool_)
    elif element.is_integral:
        low, high = (-(1 << element.bits - 1), 1 << element.bits - 1)
        if element.family == "unsigned":
            low, high = 0, 1 << element.bits
        array = random.integers(low, high, size, np.uint64 if high > 1 << 63 else np.int64)
        array = array.astype(element.dtype)
    else:
        code_count = 1 << min(element.bits, 8)
        array = random.integers(0, code_count, size * element.dtype.itemsize, np.uint8)
        array = array.view(element.dtype)
    return Literal(Shape(element, dimensions, layout=layout), array.reshape(dimensions))


@pytest.mark.parametrize("element", ARRAY_TYPES, ids=str)
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_all_bits_are_kept(element: PrimitiveType, order: tuple[int, ...]) -> None:
    literal = random_literal(element, (2, 3, 5), Layout(order))
    data = literal_proto(literal).SerializeToString()
    assert read_literal(message_class("LiteralProto").FromString(data)) == literal


# XLA ends the process when it writes types of six bits, and reads no text of types of one.
WRITTEN_BY_XLA: Final = [e for e in ARRAY_TYPES if e.bits not in (1, 6)]


@pytest.mark.parametrize("element", WRITTEN_BY_XLA, ids=str)
def test_elements_are_stored_in_the_order_of_the_layout_as_xla_does_it(
    oracle: Oracle, element: PrimitiveType
) -> None:
    values = "{ {1, 0, 1}, {0, 1, 1} }"
    if element.family == "complex":
        values = "{ {(1, 0), (0, 1), (1, 1)}, {(0, 0), (1, 0), (0, 1)} }"
    if element.name == "f8e8m0fnu":
        values = "{ {1, 2, 4}, {0.5, 1, 8} }"
    text = f"HloModule m\n\nENTRY e {{\n  ROOT c = {element}[2,3]{{0,1}} constant({values})\n}}\n"
    theirs = message_class("HloModuleProto").FromString(oracle.hlo_proto(text))
    (stored,) = (instruction.literal for instruction in theirs.computations[0].instructions)
    literal = read_text(text).entry_computation.result.attributes["literal"]
    assert read_literal(stored) == literal
    assert literal_proto(literal).SerializeToString() == stored.SerializeToString()


@pytest.mark.parametrize("dimensions", [(), (0,), (0, 3), (1, 1)])
def test_no_elements_and_one(dimensions: tuple[int, ...]) -> None:
    literal = random_literal(S32, dimensions, Layout.row_major(len(dimensions)))
    assert read_literal(literal_proto(literal)) == literal


def test_tuples_and_sizes_of_dynamic_dimensions() -> None:
    inner = random_literal(F32, (3,), Layout.row_major(1))
    dynamic = replace(inner, shape=replace(inner.shape, dynamic=(True,)), dynamic_sizes=(2,))
    parts = (inner, dynamic)
    literal = Literal(Shape.tuple_of([part.shape for part in parts]), elements=parts)
    assert read_literal(literal_proto(literal)) == literal
