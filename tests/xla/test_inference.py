"""Shapes follow from operands and attributes, by the rules of the operations."""

from __future__ import annotations

from typing import Any, Final

import pytest

from stablemate.diagnostics.errors import VerifyError
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.primitive_types import (
    BF16,
    F8E4M3FN,
    F8E8M0FNU,
    F32,
    PRED,
    S8,
    S32,
    U32,
    PrimitiveType,
)
from stablemate.xla.shape import TOKEN_SHAPE, Shape
from stablemate.xla.shape_inference.inference import result_shape
from stablemate.xla.values import (
    ConvolutionDimensions,
    IotaTiles,
    ListedGroups,
    PaddingDimension,
    SliceDimension,
    WindowDimension,
)


def array(*sizes: int, of: PrimitiveType = F32) -> Shape:
    """An array."""
    return Shape(of, sizes)


def parameter(number: int, shape: Shape) -> HloInstruction:
    """A parameter."""
    return HloInstruction(f"p{number}", "parameter", shape, attributes={"parameter_number": number})


def computation(name: str, opcode: str, result: Shape, *parameters: Shape) -> HloComputation:
    """A computation of one instruction on all parameters."""
    parameters_of_operands = tuple(parameter(i, item) for i, item in enumerate(parameters))
    root = HloInstruction(
        "root", opcode, result, tuple(entry.name for entry in parameters_of_operands)
    )
    return HloComputation(name, (*parameters_of_operands, root), "root")


SCALAR: Final = array()
COMPUTATIONS: Final = {
    entry.name: entry
    for entry in (
        computation("add", "add", SCALAR, SCALAR, SCALAR),
        computation("less", "compare", array(of=PRED), SCALAR, SCALAR),
        computation("is_small", "is-finite", array(of=PRED), array(3)),
        computation("double", "negate", array(3), array(3)),
    )
}
GROUPS: Final = ListedGroups(((0, 1), (2, 3)))
CONVOLUTION: Final = {
    "window": (WindowDimension(3, low=1, high=1),) * 2,
    "dim_labels": ConvolutionDimensions(0, 3, (1, 2), 2, 3, (0, 1), 0, 3, (1, 2)),
}
SCALED: Final = [
    array(4, 32, of=F8E4M3FN),
    array(4, 1, of=F8E8M0FNU),
    array(32, 4, of=F8E4M3FN),
    array(1, 4, of=F8E8M0FNU),
]
DOT: Final = {"lhs_contracting_dims": (1,), "rhs_contracting_dims": (0,)}

FOLLOWING: Final[list[tuple[str, list[Shape], dict[str, Any], Shape]]] = [
    ("add", [array(2, 3), array(2, 3)], {}, array(2, 3)),
    ("add", [Shape("f32[<=4,2]"), Shape("f32[4,2]")], {}, Shape("f32[<=4,2]")),
    ("compare", [array(2), array(2)], {"direction": "LT"}, array(2, of=PRED)),
    ("select", [array(of=PRED), array(2), array(2)], {}, array(2)),
    ("transpose", [array(2, 3, 4)], {"dimensions": (2, 0, 1)}, array(4, 2, 3)),
    ("concatenate", [array(2, 3), array(2, 4)], {"dimensions": (1,)}, array(2, 7)),
    ("slice", [array(10)], {"slice": (SliceDimension(1, 9, 3),)}, array(3)),
    ("pad", [array(3), SCALAR], {"padding": (PaddingDimension(1, -1, 2),)}, array(7)),
    ("dot", [array(2, 3), array(3, 5)], DOT, array(2, 5)),
    ("convolution", [array(1, 5, 5, 2), array(3, 3, 2, 4)], CONVOLUTION, array(1, 5, 5, 4)),
    ("reduce", [array(2, 3), SCALAR], {"dimensions": (1,), "to_apply": "add"}, array(2)),
    (
        "topk",
        [array(4, 6)],
        {"k": 2, "largest": False},
        Shape.tuple_of([array(4, 2), array(4, 2, of=S32)]),
    ),
    ("get-tuple-element", [Shape.tuple_of([array(2), array(3)])], {"index": 1}, array(3)),
    ("while", [array(3)], {"condition": "is_small", "body": "double"}, array(3)),
    ("all-to-all", [array(4, 6)], {"dimensions": (0,), "replica_groups": GROUPS}, array(4, 6)),
    (
        "all-to-all",
        [array(4, 6)],
        {"dimensions": (1,), "replica_groups": IotaTiles((2, 2), (4,), (0,))},
        array(4, 6),
    ),
    ("after-all", [TOKEN_SHAPE], {}, TOKEN_SHAPE),
]

# Opcodes whose results are stated, with a shape that fits and one that does not.
RESULT_IN_TEXT: Final[list[tuple[str, list[Shape], dict[str, Any], Shape, Shape]]] = [
    ("reshape", [array(4, 6)], {}, array(24), array(25)),
    ("convert", [array(4)], {}, array(4, of=S8), array(5, of=S8)),
    ("bitcast-convert", [array(4, of=U32)], {}, array(4, 4, of=S8), array(4, 2, of=S8)),
    ("broadcast", [array(2)], {"dimensions": (1,)}, array(3, 2), array(2, 3)),
    ("iota", [], {"iota_dimension": 1}, array(3, 2), array(3)),
    (
        "all-gather",
        [array(4, 6)],
        {"dimensions": (0,), "replica_groups": GROUPS},
        array(8, 6),
        array(8, 7),
    ),
    (
        "scaled-dot",
        SCALED,
        DOT,
        array(4, 4, of=BF16),
        array(4, 5, of=BF16),
    ),
    ("recv", [TOKEN_SHAPE], {}, Shape.tuple_of([SCALAR, array(of=U32), TOKEN_SHAPE]), SCALAR),
]

BROKEN: Final[list[tuple[str, list[Shape], dict[str, Any], str]]] = [
    ("add", [array(2, 3), array(2, 4)], {}, "stablehlo.add C1"),
    ("concatenate", [array(2), array(2)], {"dimensions": (1,)}, "stablehlo.concatenate C4"),
    ("concatenate", [array(2), array(2)], {"dimensions": ()}, "concatenate"),
    ("dot", [array(2, 3), array(4, 5)], DOT, "stablehlo.dot_general C10"),
    ("dot", [array(2), array(4, 5)], DOT, "stablehlo.dot_general C6"),
    ("reduce", [array(2), SCALAR], {"dimensions": (5,), "to_apply": "add"}, "stablehlo.reduce C4"),
    (
        "reduce",
        [array(2), array(1)],
        {"dimensions": (0,), "to_apply": "add"},
        "stablehlo.reduce I2",
    ),
    ("reduce", [array(2), SCALAR], {"dimensions": (0,), "to_apply": "less"}, "stablehlo.reduce C6"),
    ("reduce", [array(2), SCALAR], {"dimensions": (0,), "to_apply": "none"}, "computations"),
    ("sort", [array(2)], {"dimensions": (0,), "to_apply": "add"}, "stablehlo.sort C5"),
    ("get-tuple-element", [Shape.tuple_of([SCALAR])], {"index": 1}, "get-tuple-element"),
    ("get-tuple-element", [SCALAR], {"index": 0}, "get-tuple-element"),
    ("negate", [Shape.tuple_of([SCALAR])], {}, "negate"),
    ("negate", [TOKEN_SHAPE], {}, "negate"),
    ("add", [SCALAR], {}, "add"),
    ("while", [SCALAR], {"condition": "is_small", "body": "double"}, "while"),
    ("call", [SCALAR, SCALAR], {"to_apply": "double"}, "call"),
    ("reshape", [array(2)], {}, "reshape"),
    ("conjure", [], {}, "conjure"),
]


def without_layouts(shape: Shape) -> Shape:
    """The shape alone."""
    elements = tuple(map(without_layouts, shape.elements))
    return Shape(shape.element_type, shape.dimensions, shape.dynamic, None, elements)


@pytest.mark.parametrize(("opcode", "operands", "attributes", "expected"), FOLLOWING)
def test_shape_follows(
    opcode: str, operands: list[Shape], attributes: dict[str, Any], expected: Shape
) -> None:
    outcome = result_shape(opcode, operands, attributes, COMPUTATIONS)
    assert without_layouts(outcome) == without_layouts(expected)


@pytest.mark.parametrize(("opcode", "operands", "attributes", "fitting", "wrong"), RESULT_IN_TEXT)
def test_stated_shape_is_checked(
    opcode: str, operands: list[Shape], attributes: dict[str, Any], fitting: Shape, wrong: Shape
) -> None:
    outcome = result_shape(opcode, operands, attributes, COMPUTATIONS, fitting)
    assert without_layouts(outcome) == fitting
    with pytest.raises(VerifyError):
        result_shape(opcode, operands, attributes, COMPUTATIONS, wrong)


@pytest.mark.parametrize(("opcode", "operands", "attributes", "rule"), BROKEN)
def test_broken_rule_is_named(
    opcode: str, operands: list[Shape], attributes: dict[str, Any], rule: str
) -> None:
    with pytest.raises(VerifyError) as caught:
        result_shape(opcode, operands, attributes, COMPUTATIONS)
    assert caught.value.diagnostics[0].rule == rule


def test_facts_are_spelled_as_in_hlo() -> None:
    with pytest.raises(VerifyError, match=r"lhs = f32\[2,3\], rhs = f32\[2,4\]"):
        result_shape("add", [array(2, 3), array(2, 4)], {}, {})
