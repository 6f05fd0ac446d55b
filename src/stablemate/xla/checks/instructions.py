"""The checks of each instruction: attributes, the shape of its result, layouts, shardings.

Most instructions of a module resemble others; what was found out once about an opcode, shapes and
attributes holds for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError, VerifyError
from stablemate.xla.checks.attributes import attribute_findings
from stablemate.xla.checks.instruction_attributes import sharding_and_layout_findings
from stablemate.xla.checks.layouts import layout_findings
from stablemate.xla.checks.paired_instructions import pair_findings
from stablemate.xla.kinds import COMMON
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.shape import UNBOUNDED, Shape
from stablemate.xla.shape_inference.inference import result_shape
from stablemate.xla.shape_inference.rules import SHAPE_RULES
from stablemate.xla.translate.elementwise_names import OPERATION_OF
from stablemate.xla.values import HloSharding, Metadata

# Classes of which every value is right where one is.
PLAIN: Final = frozenset({int, bool, Metadata, HloSharding})
COMMON_NAMES: Final = frozenset(COMMON)
# Attributes of all opcodes with findings of their own.
NOTED: Final = frozenset(
    {"sharding", "parameter_replication", "operand_layout_constraints"}
    | {"output_to_operand_aliasing"}
)


class InstructionChecks:
    """The checks of the instructions of one module.

    Attributes:
        computations: Those that may be called.
        replicas: How many replicas run the module.
        partitions: How many partitions run it.
    """

    def __init__(
        self, computations: Mapping[str, HloComputation], replicas: int, partitions: int
    ) -> None:
        self.computations = computations
        self.replicas = replicas
        self.partitions = partitions
        self.shapes = ShapeNumbering()
        self.plain: set[tuple[object, ...]] = set()
        self.scalars: dict[tuple[str, ...], bool] = {}
        self.diagnostics: dict[object, tuple[Diagnostic, ...]] = {}

    def findings(
        self, instruction: HloInstruction, operands: Sequence[HloInstruction]
    ) -> Iterator[Diagnostic]:
        """The errors of an instruction; later checks may assume earlier ones."""
        attributes = instruction.attributes
        yield from self.layouts(instruction)
        if instruction.opcode in OPCODES:
            wrong = self.attributes(instruction)
            yield from wrong
            if wrong:
                return
        for shape_finding in self.shape_findings(instruction, operands):
            yield (
                shape_finding
                if shape_finding.span is instruction.span
                else replace(shape_finding, span=instruction.span)
            )
        yield from pair_findings(instruction, operands)
        if attributes and not NOTED.isdisjoint(attributes):
            yield from sharding_and_layout_findings(
                instruction, [operand.shape for operand in operands]
            )

    def attributes(self, instruction: HloInstruction) -> Sequence[Diagnostic]:
        """The findings about the attributes; those of equal instructions are cached."""
        attributes = instruction.attributes
        if not attributes:
            return (
                ()
                if not OPCODES[instruction.opcode].required
                else list(attribute_findings(instruction))
            )
        kinds = (instruction.opcode, *attributes, *map(type, attributes.values()))
        if kinds in self.plain:
            return ()
        findings = list(attribute_findings(instruction))
        if not findings and all(type(attribute) in PLAIN for attribute in attributes.values()):
            self.plain.add(kinds)
        return findings

    def layouts(self, instruction: HloInstruction) -> Iterator[Diagnostic]:
        """The errors in the layouts of the result."""
        for layout in self.shapes.layouts(instruction.shape):
            yield replace(layout, span=instruction.span)

    def shape_findings(
        self, instruction: HloInstruction, operands: Sequence[HloInstruction]
    ) -> Sequence[Diagnostic]:
        """The errors in operands, attributes and the stated shape."""
        shapes = [operand.shape for operand in operands]
        if instruction.opcode in SHAPE_RULES:
            return self.findings_of(instruction, shapes)
        if instruction.opcode in OPERATION_OF and self.is_known_of_scalars(instruction, shapes):
            return ()
        number = self.shapes.number
        attributes = instruction.attributes
        key = (
            instruction.opcode,
            number(instruction.shape),
            *map(number, shapes),
            *((name, attributes[name]) for name in attributes if name not in COMMON_NAMES),
        )
        try:
            findings = self.diagnostics.get(key)
        except TypeError:  # an attribute that cannot be compared
            return self.findings_of(instruction, shapes)
        if findings is None:
            findings = self.diagnostics[key] = self.findings_of(instruction, shapes)
        return findings

    def is_known_of_scalars(self, instruction: HloInstruction, shapes: Sequence[Shape]) -> bool:
        """Whether an elementwise instruction on static arrays of one shape is right on scalars."""
        result = instruction.shape
        sizes = result.dimensions
        if any(shape.dimensions != sizes or shape.dynamic for shape in shapes) or result.dynamic:
            return False
        key = (instruction.opcode, result.element_type.name, *(e.element_type.name for e in shapes))
        is_known = self.scalars.get(key)
        if is_known is None:
            scalar = replace(instruction, shape=Shape(result.element_type), attributes={})
            operands = [Shape(shape.element_type, (), (), None, shape.elements) for shape in shapes]
            is_known = self.scalars[key] = not self.findings_of(scalar, operands)
        return is_known

    def findings_of(
        self, instruction: HloInstruction, shapes: Sequence[Shape]
    ) -> tuple[Diagnostic, ...]:
        """The findings of shape inference, or that the shape is another one."""
        try:
            expected = result_shape(
                instruction.opcode,
                shapes,
                instruction.attributes,
                self.computations,
                instruction.shape,
                span=instruction.span,
                replicas=self.replicas,
                partitions=self.partitions,
            )
        except VerifyError as error:
            return error.diagnostics
        except UnsupportedError:
            return ()  # a type that only HLO has: nothing is known of it
        if fits(instruction.shape, expected):
            return ()
        values = {"result": bare(instruction.shape), "expected": bare(expected)}
        message = "the result has the shape that follows"
        return (Diagnostic(message, instruction.opcode, instruction.span, values),)


class ShapeNumbering:
    """Numbers of shapes: equal ones, layouts aside, have the same.

    A shape that was seen is found by its identity; modules share the shapes of their instructions.
    """

    def __init__(self) -> None:
        self.by_identity: dict[int, tuple[Shape, int, tuple[Diagnostic, ...]]] = {}
        self.by_text: dict[str, int] = {}

    def entry(self, shape: Shape) -> tuple[Shape, int, tuple[Diagnostic, ...]]:
        """The shape, its number, and what is wrong with its layouts."""
        numbered = self.by_identity.get(id(shape))
        if numbered is None:
            number = self.by_text.setdefault(shape.to_text(layouts=False), len(self.by_text))
            numbered = self.by_identity[id(shape)] = (shape, number, tuple(layout_findings(shape)))
        return numbered

    def number(self, shape: Shape) -> int:
        """The number of a shape."""
        return self.entry(shape)[1]

    def layouts(self, shape: Shape) -> tuple[Diagnostic, ...]:
        """The errors in the layouts of a shape."""
        return self.entry(shape)[2]


def fits(declared: Shape, expected: Shape) -> bool:
    """Whether a declared shape is compatible with the inferred one.

    Layouts do not matter, nor whether a size is a bound; what is unbounded fits any size.
    """
    if declared is expected:
        return True
    if declared.element_type is not expected.element_type:
        return False
    if declared.dimensions != expected.dimensions:
        sizes = zip(declared.dimensions, expected.dimensions, strict=False)
        if declared.rank != expected.rank or not all(
            a == b or UNBOUNDED in (a, b) for a, b in sizes
        ):
            return False
    parts = declared.elements, expected.elements
    return len(parts[0]) == len(parts[1]) and all(map(fits, *parts))


def bare(shape: Shape) -> str:
    """Formats a shape without its layouts."""
    return shape.to_text(layouts=False)
