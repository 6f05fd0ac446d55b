"""One instruction on its way to StableHLO: its operands as values, its attributes, what it emits.

A rule is a function of a step that emits operations and gives the values that stand for the leaves
of the instruction's result. Translation and shape inference run the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from itertools import accumulate
from typing import Any, Final, NoReturn, Protocol, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError, VerifyError
from stablemate.diagnostics.source import Span
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import ElementType
from stablemate.xla.module import Attributes
from stablemate.xla.primitive_types import BY_ELEMENT
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.emission import create_operation
from stablemate.xla.types import shape_of, type_of
from stablemate.xla.values import ProgramShape

AnyValue: TypeAlias = Value
Values: TypeAlias = Sequence[AnyValue]
Fields: TypeAlias = dict[str, Any]  # operands and attributes of an operation, by name


@dataclass(frozen=True, slots=True)
class StepOperand:
    """The operands of an instruction.

    Attributes:
        shape: The shape of the value.
        values: Its leaves.
        starts: The number of the first leaf of each part of a tuple, once it is known.
    """

    shape: Shape
    values: tuple[AnyValue, ...]
    starts: list[int] = field(default_factory=list[int], repr=False, compare=False)

    def part(self, index: int) -> tuple[AnyValue, ...]:
        """The leaves of one part of a tuple."""
        if not self.starts:
            counts = (element.leaf_count for element in self.shape.elements)
            self.starts.extend(accumulate(counts, initial=0))
        return self.values[self.starts[index] : self.starts[index + 1]]


class TranslationScope(Protocol):
    """The interface of rules to the module around their instruction."""

    @property
    def replicas(self) -> int:
        """How many replicas run it."""
        ...

    @property
    def partitions(self) -> int:
        """How many partitions run it."""
        ...

    @property
    def keep_fusions(self) -> bool:
        """Whether fusions become calls, instead of being inlined."""
        ...

    def signature(self, computation: str, span: Span | None) -> ProgramShape:
        """The parameter shapes and the result shape of a computation."""
        ...

    def region(self, computation: str, step: TranslationStep) -> Region:
        """A computation as a region; the leaves of its parameters are the arguments."""
        ...

    def branch(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Region:
        """A computation as a region without arguments, its parameters these operands."""
        ...

    def function(self, computation: str, step: TranslationStep) -> str:
        """The symbol of a computation that becomes a function."""
        ...

    def call(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """The leaves of the results of a computation on these operands, by a call."""
        ...

    def inline(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """The leaves of the results of a computation on these operands, inlined."""
        ...

    def advanced_state(self, delta: int, step: TranslationStep) -> int:
        """The state of the module's random numbers, which grows by this."""
        ...

    def dictionary(self, text: str, step: TranslationStep) -> object:
        """The attribute that MLIR spells so."""
        ...


@dataclass(slots=True)
class TranslationStep:
    """The instruction that is translated.

    Attributes:
        opcode: As in text.
        operands: What it takes.
        attributes: As in the module.
        shape: Of its result; None if it is to be inferred.
        block: Where operations are put.
        scope: What else there is.
        name: Of the instruction.
        location: Where its producer has it from.
        span: Where its text stands.
        is_paired: Whether it is a start of which nothing but its end makes use.
    """

    opcode: str
    operands: Sequence[StepOperand]
    attributes: Attributes
    shape: Shape | None
    block: Block
    scope: TranslationScope
    name: str = ""
    location: Location = UNKNOWN
    span: Span | None = None
    is_paired: bool = False

    def within(self, block: Block) -> TranslationStep:
        """The same step, putting operations into another block."""
        return replace(self, block=block)

    def get(self, name: str, default: object = None) -> Any:
        """An attribute, or what its absence means."""
        return self.attributes.get(name, default)

    def need(self, name: str) -> Any:
        """An attribute that must be there.

        Raises:
            VerifyError: It is not.
        """
        if name not in self.attributes:
            self.refuse(f"expected the attribute {name}")
        return self.attributes[name]

    def refuse(self, message: str, label: str = "", **values: object) -> NoReturn:
        """Raises the error of a rule that the instruction breaks.

        Raises:
            VerifyError: Always.
        """
        rule = f"{self.opcode} {label}".rstrip()
        raise VerifyError(Diagnostic(message, rule, self.span, values))

    def refuse_unsupported(self, message: str, **values: object) -> NoReturn:
        """Raises the error that StableHLO has no form for the instruction.

        Raises:
            UnsupportedError: Always.
        """
        raise UnsupportedError(Diagnostic(message, self.opcode, self.span, values))

    # ---- operands

    def value(self, number: int) -> AnyValue:
        """The value of an operand that is no tuple.

        Raises:
            VerifyError: It is one, or there is no such operand.
        """
        if number >= len(self.operands):
            self.refuse("an operand is missing", operands=len(self.operands), expected=number + 1)
        operand = self.operands[number]
        if operand.shape.is_tuple:
            self.refuse(f"operand {number} is no tuple", operand=operand.shape)
        return operand.values[0]

    def array(self, number: int) -> Value[TensorType]:
        """The value of an operand that is an array.

        Raises:
            VerifyError: It is a tuple or a token.
        """
        value = self.value(number)
        if not isinstance(value.type, TensorType):
            self.refuse(f"operand {number} is an array", operand=self.operands[number].shape)
        return value

    def arrays(self, start: int = 0, end: int | None = None) -> list[Value[TensorType]]:
        """The values of operands all of which are arrays."""
        return [self.array(i) for i in range(len(self.operands))[start:end]]

    def leaves(self, start: int = 0, end: int | None = None) -> list[AnyValue]:
        """The leaves of operands, in order."""
        return [value for operand in self.operands[start:end] for value in operand.values]

    # ---- the result

    @property
    def declared_shape(self) -> Shape:
        """The declared shape of the result, for operations whose operands do not determine it.

        Raises:
            VerifyError: It was not given.
        """
        if self.shape is None:
            self.refuse("the shape of the result does not follow from the operands: state it")
        return self.shape

    @property
    def result_types(self) -> list[Type]:
        """The types of the leaves of the stated result."""
        return [self.type_of(shape) for _, shape in self.declared_shape.leaves()]

    @property
    def result_type(self) -> TensorType:
        """The type of the stated result, which is an array.

        Raises:
            VerifyError: It is none.
        """
        if not self.declared_shape.is_array:
            self.refuse("the result is an array", result=self.declared_shape)
        result_type = self.type_of(self.declared_shape)
        assert isinstance(result_type, TensorType)
        return result_type

    def type_of(self, shape: Shape) -> Type:
        """The type of a shape.

        Raises:
            UnsupportedError: StableHLO has none.
        """
        try:
            return type_of(shape)
        except UnsupportedError as error:
            self.refuse_unsupported(error.diagnostics[0].message)

    # ---- what it emits

    def emit(
        self, name: str, *, results: Sequence[Type] | None = None, **fields: object
    ) -> Operation:
        """Appends an operation that keeps the rules of its kind.

        Args:
            name: Its full name.
            results: Its result types; inferred if not given.
            **fields: As ``ir.builder.create`` takes them.

        Raises:
            VerifyError: It breaks one of them.
        """
        places = {"location": self.location, "span": self.span}
        try:
            operation = create_operation(OPERATIONS[name], results, **places, **fields)
        except VerifyError as error:
            raise VerifyError([in_shapes(diagnostic) for diagnostic in error.diagnostics]) from None
        self.block.append(operation)
        return operation

    def append(self, name: str, /, *, results: Sequence[Type], **fields: Any) -> Operation:
        """Appends an operation whose rules depend on the enclosing module, without checks."""
        places: Fields = {"location": self.location, "span": self.span}
        operation = create(OPERATIONS[name], results=results, **places, **fields)
        self.block.append(operation)
        return operation

    def one(
        self, name: str, *, results: Sequence[Type] | None = None, **fields: object
    ) -> AnyValue:
        """The one result of an operation that is appended."""
        return self.emit(name, results=results, **fields).results[0]

    def constant(self, array: object, element: ElementType) -> Value[TensorType]:
        """Emits a constant of an element type."""
        data = np.asarray(array).astype(element.dtype)
        tensor = TensorType(data.shape, element)
        return self.one("stablehlo.constant", value=dense_elements(tensor, data))

    def with_contexts(self, values: Sequence[AnyValue]) -> list[AnyValue]:
        """The first leaves of the stated result, then values without contents for all others."""
        rest = self.result_types[len(values) :]
        return [*values, *(self.nothing(value_type) for value_type in rest)]

    def nothing(self, value_type: Type) -> AnyValue:
        """A value without contents: zeros, or a token."""
        if not isinstance(value_type, TensorType):
            return self.one("stablehlo.create_token")
        zero = self.constant(0, value_type.element_type)
        return self.spread(zero, value_type.shape)

    def reshape(self, value: Value[TensorType], shape: Sequence[int]) -> Value[TensorType]:
        """The value in another static shape; itself if it has that one."""
        if value.type.shape == tuple(shape):
            return value
        results = [value.type.with_shape(shape)]
        return self.one("stablehlo.reshape", results=results, operand=value)

    def transpose(self, value: Value[TensorType], order: Sequence[int]) -> Value[TensorType]:
        """The value with its dimensions in another order; itself if that changes nothing."""
        if list(order) == sorted(order):
            return value
        return self.one("stablehlo.transpose", operand=value, permutation=order)

    def spread(
        self, value: Value[TensorType], shape: Sequence[int], dimensions: Sequence[int] = ()
    ) -> Value[TensorType]:
        """The value repeated; its dimensions become these ones of the shape."""
        if value.type.shape == tuple(shape):
            return value
        return self.one(
            "stablehlo.broadcast_in_dim",
            results=[TensorType(tuple(shape), value.type.element_type)],
            operand=value,
            broadcast_dimensions=dimensions,
        )

    def convert(self, value: Value[TensorType], element: ElementType) -> Value[TensorType]:
        """The value with other elements."""
        if value.type.element_type == element:
            return value
        results = [value.type.with_element(element)]
        return self.one("stablehlo.convert", results=results, operand=value)

    def less(self, lhs: Value[TensorType], rhs: Value[TensorType]) -> Value[TensorType]:
        """Whether elements of the one are less than those of the other."""
        direction = ComparisonDirection.LT
        return self.one("stablehlo.compare", lhs=lhs, rhs=rhs, comparison_direction=direction)

    # ---- computations

    def region(self, attribute: str) -> Region:
        """The computation that an attribute names, as a region."""
        return self.scope.region(self.need(attribute), self)

    def body(self, argument_types: Sequence[Type], body: Callable[..., Values]) -> Region:
        """A region of operations; ``body(step, *arguments)`` returns its results."""
        block = Block(argument_types)
        inner = self.within(block)
        inner.emit("stablehlo.return", values=body(inner, *block.arguments))
        return Region([block])


def in_shapes(diagnostic: Diagnostic) -> Diagnostic:
    """The finding with types of arrays spelled as HLO spells them."""
    values = {name: shape_text(value) for name, value in diagnostic.values.items()}
    return replace(diagnostic, values=values)


def shape_text(value: object) -> object:
    """``f32[2,3]`` of a tensor type; other facts are themselves."""
    if not isinstance(value, TensorType) or value.element_type not in BY_ELEMENT:
        return value
    return replace(shape_of(value), layout=None)


Rule: TypeAlias = Callable[[TranslationStep], Values]
Rules: TypeAlias = dict[str, Rule]
NO_VALUES: Final[Values] = ()
