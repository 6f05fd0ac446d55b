"""Builds a computation: its instructions, and the instruction of each value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array
from stablemate.xla.kinds import ATTRIBUTES, Kind
from stablemate.xla.layout import Layout
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.primitive_types import BY_ELEMENT, PrimitiveType
from stablemate.xla.shape import UNBOUNDED, Shape
from stablemate.xla.translate.from_stablehlo.metadata import annotate_instructions
from stablemate.xla.translate.from_stablehlo.program import HloModuleBuilder
from stablemate.xla.types import shape_of

MOST_COPIED: Final = 16  # operations that are made once more inside of a region
QUANTIZED: Final = frozenset({"stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"})


@dataclass(frozen=True, slots=True)
class BuiltInstruction:
    """An instruction that was made: its name, the shape of its result."""

    name: str
    shape: Shape


@dataclass(slots=True)
class ComputationBuilder:
    """A computation in the making.

    Attributes:
        program: What all computations share.
        instructions: So far.
        nodes: What stands for a value.
        operation: The operation that is translated.
    """

    program: HloModuleBuilder
    instructions: list[HloInstruction] = field(default_factory=list[HloInstruction])
    nodes: dict[Value[Type], BuiltInstruction] = field(
        default_factory=dict[Value, BuiltInstruction]
    )
    operation: Operation | None = None

    # ---- values

    def node(self, value: Value[Type]) -> BuiltInstruction:
        """The instruction of a value; constants from outside are emitted again.

        Raises:
            UnsupportedError: It comes from outside, and is no constant.
        """
        node = self.nodes.get(value)
        if node is not None:
            return node
        if isinstance(value, OpResult) and is_constant(value):
            outer = self.operation
            self.translate(value.operation)
            self.operation = outer
            return self.nodes[value]
        raise self.refusal(
            "its region uses a value from outside, where a computation of HLO has its parameters "
            "only"
        )

    def all_nodes(self, values: Sequence[Value[Type]]) -> list[BuiltInstruction]:
        """The instructions of some values."""
        return [self.node(value) for value in values]

    def refusal(self, reason: str) -> UnsupportedError:
        """The error that HLO has no form for the operation."""
        operation = self.operation
        name = "the program" if operation is None else operation.name
        return UnsupportedError(
            f"HLO has no form for {name}: {reason}", None if operation is None else operation.span
        )

    def shape(self, value: Value) -> Shape:
        """The shape of a value.

        Raises:
            UnsupportedError: HLO has none: it is quantized, or a dimension has no bound.
        """
        try:
            shape = shape_of(value.type)
        except UnsupportedError:
            raise self.refusal(f"a value is of type {value.type}") from None
        if any(UNBOUNDED in leaf.dimensions for _, leaf in shape.leaves()):
            raise self.refusal(
                f"a value is of type {value.type}, of which a dimension has neither size nor bound"
            )
        return shape

    # ---- operations

    def translate(self, operation: Operation) -> None:
        """Emits the instructions of an operation.

        Raises:
            UnsupportedError: HLO cannot say what it says.
        """
        rule = self.program.rules.get(operation.name)
        self.operation = operation
        if rule is None:
            raise self.refusal(reason_for(operation.name))
        first = len(self.instructions)
        emitted: BuiltInstruction | Sequence[BuiltInstruction] = rule(self, operation)
        nodes = [emitted] if isinstance(emitted, BuiltInstruction) else emitted
        self.nodes.update(zip(operation.results, nodes, strict=True))
        fresh = self.instructions[first:]
        self.instructions[first:] = annotate_instructions(self.program, operation, fresh)

    def function(self, symbol: str) -> HloComputation:
        """The computation of a function.

        Raises:
            UnsupportedError: It is a declaration, or calls itself.
        """
        function = self.program.functions.get(symbol)
        if function is None:
            raise self.refusal(f"the function {symbol} has no body, or calls itself")
        return function

    # ---- instructions

    def emit(
        self,
        opcode: str,
        shape: Shape,
        operands: Sequence[BuiltInstruction] = (),
        attributes: Mapping[str, object] | None = None,
    ) -> BuiltInstruction:
        """Emits an instruction; attributes that are None, and flags not set, are left out."""
        items = (attributes or {}).items()
        kept = {name: value for name, value in items if is_said(name, value)}
        name = self.program.fresh(opcode)
        operand_names = tuple(operand.name for operand in operands)
        span = None if self.operation is None else self.operation.span
        self.instructions.append(
            HloInstruction(name, opcode, shape, operand_names, kept, span=span)
        )
        return BuiltInstruction(name, shape)

    def parameter(self, value: Value[Type], number: int) -> BuiltInstruction:
        """The parameter for an argument."""
        node = self.parameter_of(self.shape(value), number)
        self.nodes[value] = node
        return node

    def parameter_of(self, shape: Shape, number: int) -> BuiltInstruction:
        """A parameter of a shape."""
        name = self.program.fresh(f"Arg_{number}")
        attributes = {"parameter_number": number}
        self.instructions.append(HloInstruction(name, "parameter", shape, (), attributes))
        return BuiltInstruction(name, shape)

    def constant(self, array: Array, element: PrimitiveType) -> BuiltInstruction:
        """A constant with these elements."""
        shape = Shape(element, tuple(array.shape), layout=Layout.row_major(array.ndim))
        return self.emit("constant", shape, (), {"literal": Literal(shape, array)})

    def spread(self, scalar: BuiltInstruction, like: Shape) -> BuiltInstruction:
        """A scalar in every place of an array."""
        if not like.dimensions:
            return scalar
        shape = Shape(
            scalar.shape.element_type, like.dimensions, like.dynamic, Layout.row_major(like.rank)
        )
        return self.emit("broadcast", shape, [scalar], {"dimensions": ()})

    def reshape(self, operand: BuiltInstruction, dimensions: Sequence[int]) -> BuiltInstruction:
        """The elements of an array in other dimensions; nothing if it has them already."""
        if operand.shape.dimensions == tuple(dimensions):
            return operand
        layout = Layout.row_major(len(dimensions))
        shape = Shape(operand.shape.element_type, tuple(dimensions), layout=layout)
        return self.emit("reshape", shape, [operand])

    def transpose(self, operand: BuiltInstruction, permutation: Sequence[int]) -> BuiltInstruction:
        """The dimensions of an array in another order."""
        source = operand.shape
        shape = Shape(
            source.element_type,
            tuple(source.dimensions[i] for i in permutation),
            tuple(source.dynamic[i] for i in permutation) if source.dynamic else (),
            Layout.row_major(source.rank),
        )
        return self.emit("transpose", shape, [operand], {"dimensions": tuple(permutation)})

    def tuple(self, parts: Sequence[BuiltInstruction]) -> BuiltInstruction:
        """Emits a ``tuple`` of instructions."""
        return self.emit("tuple", Shape.tuple_of([part.shape for part in parts]), parts)

    def part(self, node: BuiltInstruction, index: int) -> BuiltInstruction:
        """A part of a tuple."""
        return self.emit("get-tuple-element", node.shape.elements[index], [node], {"index": index})

    def parts(self, node: BuiltInstruction) -> list[BuiltInstruction]:
        """The parts of a tuple."""
        return [self.part(node, i) for i in range(len(node.shape.elements))]

    def pack(self, values: Sequence[BuiltInstruction]) -> BuiltInstruction:
        """One value as it is, several or none as a tuple."""
        return values[0] if len(values) == 1 else self.tuple(values)

    def unpack(self, node: BuiltInstruction, count: int) -> list[BuiltInstruction]:
        """The values that were packed."""
        return [node] if count == 1 else self.parts(node)

    def finish(self, name: str, root: BuiltInstruction) -> HloComputation:
        """Returns the computation with all instructions emitted so far."""
        return HloComputation(name, tuple(self.instructions), root.name)


def is_said(name: str, value: object) -> bool:
    """Whether an attribute is printed: a flag if it is set, any other if it is present."""
    return value is not None and not (value is False and ATTRIBUTES[name].kind is Kind.FLAG)


def reason_for(name: str) -> str:
    """Why there is no rule for an operation."""
    dialect = name.partition(".")[0]
    if dialect == "chlo":
        return "it has no opcode; decompose it first (chlo-legalize-to-stablehlo)"
    if name in QUANTIZED:
        return "there are no quantized types"
    return "no opcode stands for it"


def is_constant(value: OpResult[Type]) -> bool:
    """Whether a value is computed from constants alone, without effects or regions."""
    pending: list[Operation] = [value.operation]
    for _ in range(MOST_COPIED):
        if not pending:
            return True
        operation = pending.pop()
        definition = definition_of(operation)
        if operation.regions or definition.effects:
            return False
        if not operation.operands and not isinstance(operation, Constant):
            return False
        for operand in operation.operands:
            if not isinstance(operand, OpResult):
                return False
            pending.append(operand.operation)
    return False


def element_of(value: Value[TensorType]) -> PrimitiveType:
    """The type of the elements of a tensor."""
    return BY_ELEMENT[value.type.element_type]
