"""The shape of an instruction's result.

Where StableHLO has the operation, it is made of values of the operands' types, its constraints are
checked, and its inference is asked: one formula serves both worlds.

Source: StableHLO specification, the constraints of each operation; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.diagnostics.source import Span
from stablemate.ir.core import Block
from stablemate.xla.module import Attributes, HloComputation
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.shape import Shape
from stablemate.xla.shape_inference.case import InferenceCase, flags_of
from stablemate.xla.shape_inference.rules import SHAPE_RULES
from stablemate.xla.translate.to_stablehlo.rules.elementwise import RULES as ELEMENTWISE
from stablemate.xla.translate.to_stablehlo.rules.table import RULES
from stablemate.xla.translate.to_stablehlo.signatures import Signatures, values_of
from stablemate.xla.translate.to_stablehlo.step import StepOperand, TranslationStep
from stablemate.xla.types import shape_of


def result_shape(
    opcode: str,
    operand_shapes: Sequence[Shape],
    attributes: Attributes,
    computations: Mapping[str, HloComputation],
    declared: Shape | None = None,
    *,
    span: Span | None = None,
    replicas: int = 1,
    partitions: int = 1,
) -> Shape:
    """The shape that an instruction has.

    Args:
        opcode: As in text.
        operand_shapes: Of its operands.
        attributes: As in a module.
        computations: What it may call, by name; only their signatures matter.
        declared: The shape it claims to have; parts of it that do not follow are taken from here.
        span: Where it stands, for messages.
        replicas: How many replicas run the module.
        partitions: How many partitions run it.

    Returns:
        The shape, arrays in the default layout where the operands do not say more.

    Raises:
        VerifyError: The instruction breaks a rule, or the shape does not follow and is not stated.
        UnsupportedError: StableHLO has no such type.
    """
    check_counts(opcode, operand_shapes, span)
    scope = Signatures(computations, replicas, partitions)
    if opcode in SHAPE_RULES:
        case = InferenceCase(opcode, operand_shapes, attributes, declared, scope, span)
        return SHAPE_RULES[opcode](case)
    operands = [StepOperand(shape, values_of(shape)) for shape in operand_shapes]
    step = TranslationStep(opcode, operands, attributes, declared, Block(), scope, span=span)
    shapes = [shape_of(value.type) for value in RULES[opcode](step)]
    if opcode in ELEMENTWISE and any(shape.dynamic for shape in operand_shapes):
        shapes = [as_dynamic(shape, operand_shapes) for shape in shapes]
    return pack_shapes(opcode, shapes, declared, span)


def as_dynamic(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The shape with all dimensions dynamic that are in an operand of its rank."""
    flags = [flags_of(shape_) for shape_ in (shape, *operands) if shape_.rank == shape.rank]
    return replace(shape, dynamic=tuple(map(any, zip(*flags, strict=True))))


def check_counts(opcode: str, operand_shapes: Sequence[Shape], span: Span | None) -> None:
    """Refuses unknown opcodes and wrong numbers of operands.

    Raises:
        VerifyError: The opcode is unknown, or takes fewer or more operands.
    """
    row = OPCODES.get(opcode)
    if row is None:
        raise VerifyError(Diagnostic("the opcode is known", opcode, span, {"opcode": opcode}))
    if not row.least <= len(operand_shapes) <= row.most:
        message = f"the number of operands is {count_text(row.least, row.most)}"
        values = {"operands": len(operand_shapes)}
        raise VerifyError(Diagnostic(message, opcode, span, values))


def count_text(least: int, most: int) -> str:
    """``2``, ``1 to 2``, ``at least 1``."""
    if least == most:
        return str(least)
    return f"{least} to {most}" if most < 1 << 20 else f"at least {least}"


def pack_shapes(
    opcode: str, leaves: Sequence[Shape], declared: Shape | None, span: Span | None
) -> Shape:
    """Leaves as one shape: in the declared structure, else one as itself, several as a tuple.

    Raises:
        VerifyError: Another number of leaves is declared.
    """
    if declared is None:
        return leaves[0] if len(leaves) == 1 else Shape.tuple_of(leaves)
    expected = declared.leaf_count
    if expected != len(leaves):
        inferred = pack_shapes(opcode, leaves, None, span)
        values = {"result": declared, "expected": inferred}
        raise VerifyError(Diagnostic("the result has the shape that follows", opcode, span, values))
    return restore_structure(declared, iter(leaves))


def restore_structure(declared: Shape, leaves: Iterable[Shape]) -> Shape:
    """The leaves in the structure of a shape."""
    rest = iter(leaves)
    if not declared.is_tuple:
        return next(rest)
    return Shape.tuple_of([restore_structure(element, rest) for element in declared.elements])
