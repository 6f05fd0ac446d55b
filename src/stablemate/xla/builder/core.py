"""The core of the builder: it adds instructions and infers their shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MethodType
from typing import NoReturn, Self, TypeVar, cast

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, VerifyError
from stablemate.xla.builder.argument_types import (
    Computation,
    Integers,
    Operand,
    ShapeLike,
    TypeLike,
    array_shape,
    as_shape,
    as_type,
)
from stablemate.xla.builder.caller import caller
from stablemate.xla.builder.embedding import embed_computations
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.names import UsedNames, valid
from stablemate.xla.builder.values import constant_like, items_of
from stablemate.xla.kinds import ATTRIBUTES, Kind
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.primitive_types import PrimitiveType
from stablemate.xla.shape import Shape
from stablemate.xla.shape_inference.case import alike
from stablemate.xla.shape_inference.inference import result_shape
from stablemate.xla.values import ProgramShape

T = TypeVar("T")
MethodT = TypeVar("MethodT", bound=Callable[..., object])


def creates(operation: str) -> Callable[[MethodT], MethodT]:
    """Marks a method that creates an operation of another name than its own."""

    def mark(method: MethodT) -> MethodT:
        vars(method)["operation"] = operation
        return method

    return mark


class Core:
    """A computation that grows by one instruction at a time.

    Attributes:
        name: The name of the computation, and of the module that is built.
        replica_count: How many replicas run the module.
        num_partitions: How many partitions run it.
    """

    def __init__(
        self, name: str = "computation", *, replica_count: int = 1, num_partitions: int = 1
    ) -> None:
        self.name = name
        self.replica_count = replica_count
        self.num_partitions = num_partitions
        self.instructions: dict[str, HloInstruction] = {}
        self.computations: dict[str, HloComputation] = {}
        self.names = UsedNames()
        self._tree: tuple[int, HloModule] | None = None
        self._embedded: dict[int, tuple[HloModule, str]] = {}

    # ---- instructions

    def add_instruction(
        self,
        opcode: str,
        operands: Sequence[XlaOp] = (),
        attributes: Mapping[str, object] | None = None,
        shape: Shape | None = None,
        *,
        name: str = "",
    ) -> XlaOp:
        """An instruction of any opcode.

        Args:
            opcode: As in text.
            operands: Handles of this builder.
            attributes: By their names in text; those at their defaults are left out.
            shape: Of the result, where it does not follow from the operands.
            name: Of the instruction; by default the opcode and a number.

        Raises:
            VerifyError: The instruction breaks a rule, at the line that calls the builder.
        """
        span = caller()
        for operand in operands:
            self.require_own(operand)
        kept = without_defaults(attributes or {})
        for attribute, value in kept.items():
            words = ATTRIBUTES[attribute].words
            is_known = not words or value in words or ATTRIBUTES[attribute].kind is Kind.WORDS
            message = f"{attribute} is one of {', '.join(words)}"
            self.require(is_known, message, opcode, **{attribute: value})
        shapes = [self.instructions[operand.name].shape for operand in operands]
        inferred = result_shape(
            *(opcode, shapes, kept, self.computations, shape),
            span=span,
            replicas=self.replica_count,
            partitions=self.num_partitions,
        )
        follows = shape is None or alike(shape, inferred)
        message = "the result has the shape that follows"
        self.require(follows, message, opcode, result=shape, expected=inferred)
        name = self.names.take(name) if name else self.names.new_name(opcode)
        listed = tuple(operand.name for operand in operands)
        self.instructions[name] = HloInstruction(
            name, opcode, shape or inferred, listed, kept, span=span
        )
        return XlaOp(self, name)

    def require_own(self, op: XlaOp) -> None:
        """Refuses the handles of other builders."""
        if cast(object, op.builder) is not self:
            self.refuse("operands belong to the builder that they are passed to", operand=op.name)

    def shape(self, op: XlaOp) -> Shape:
        """The shape of a handle's value."""
        self.require_own(op)
        return self.instructions[op.name].shape

    def handle(self, value: Operand, like: XlaOp | None = None) -> XlaOp:
        """A handle as itself; a number or an array as a constant, of the type of ``like``."""
        if isinstance(value, XlaOp):
            self.require_own(value)
            return value
        element_type = None if like is None else self.shape(like).element_type
        return self.literal(self.at_caller(constant_like, value, element_type))

    def literal(self, literal: Literal) -> XlaOp:
        """Adds a ``constant`` instruction with the shape of a literal."""
        return self.add_instruction("constant", (), {"literal": literal}, literal.shape)

    def array(self, op: XlaOp, rule: str) -> Shape:
        """The shape of a handle that must be an array."""
        shape = self.shape(op)
        if not shape.is_array:
            self.refuse("the operand is an array", rule, operand=shape)
        return shape

    def several(self, operands: Operand | Sequence[Operand]) -> list[XlaOp]:
        """One operand or several, as handles."""
        listed = items_of(operands)
        return [self.handle(operand) for operand in ([operands] if listed is None else listed)]

    def shapes_of(self, operands: Sequence[XlaOp], rule: str) -> list[Shape]:
        """Returns the shapes of operands, each of which has to be an array."""
        return [self.array(operand, rule) for operand in operands]

    def fill_array(self, scalar: XlaOp, sizes: Sequence[int]) -> XlaOp:
        """A scalar everywhere in an array of sizes."""
        if not sizes:
            return scalar
        result = array_shape(self.shape(scalar).element_type, sizes)
        return self.add_instruction("broadcast", [scalar], {"dimensions": ()}, result)

    def retype(self, op: XlaOp, element_type: PrimitiveType) -> XlaOp:
        """The last instruction, which was just added, with results of another element type."""
        instruction = self.instructions[op.name]
        shape = replace(instruction.shape, element_type=element_type)
        self.instructions[op.name] = replace(instruction, shape=shape)
        return op

    # ---- errors

    def refuse(self, message: str, rule: str = "", /, **values: object) -> NoReturn:
        """Raises the error of a rule that a call breaks.

        Raises:
            VerifyError: Always, with the line of the call.
        """
        raise VerifyError(Diagnostic(message, rule, caller(), values))

    def require(self, condition: bool, message: str, rule: str = "", /, **values: object) -> None:
        """Refuses unless a rule holds."""
        if not condition:
            self.refuse(message, rule, **values)

    def at_caller(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a function; its errors get the line of the call."""
        try:
            return function(*arguments)
        except (ArgumentTypeError, ArgumentValueError) as error:
            raise type(error)(error.diagnostics[0].message, caller()) from None

    # ---- arguments

    def dimension(self, number: int, rank: int, rule: str) -> int:
        """A dimension number from 0 up; negative ones count from the end."""
        within = -rank <= number < rank
        self.require(within, "-rank <= dimension < rank", rule, dimension=number, rank=rank)
        return number % rank

    def dimensions(self, numbers: Integers, rank: int, rule: str) -> tuple[int, ...]:
        """Dimension numbers from 0 up, each once."""
        valid = tuple(self.dimension(number, rank, rule) for number in numbers)
        unique = len(set(valid)) == len(valid)
        self.require(unique, "dimension numbers are unique", rule, dimensions=tuple(numbers))
        return valid

    def as_shape(self, shape: ShapeLike) -> Shape:
        """A shape, or the shape of a text."""
        return self.at_caller(as_shape, shape)

    def as_type(self, element_type: TypeLike) -> PrimitiveType:
        """An element type, or that of a name."""
        return self.at_caller(as_type, element_type)

    # ---- computations

    def computation(
        self, what: Computation, parameters: Sequence[Shape], hint: str = "computation"
    ) -> str:
        """The name of a computation that instructions of this builder may call.

        Args:
            what: A module that was built, another builder, or a function of handles, which is
                called once with one handle for each parameter and returns the root (several
                handles are a tuple). A parameter called ``builder`` gets the builder of the
                computation. A method of a builder, such as ``b.add``, is that operation.
            parameters: The shapes with which a function is called.
            hint: A name for the computation of a function.
        """
        module = self.module_of(what)
        if module is None:
            if not callable(what):
                kinds = "a module, a builder or a function"
                message = f"a computation is {kinds}, not {type(what).__name__}"
                raise ArgumentTypeError(message, caller())
            module = self.trace(what, parameters, hint)
        if id(module) not in self._embedded:
            computations = embed_computations(module, self.names, self.computations)
            self.computations.update(
                {computation_.name: computation_ for computation_ in computations}
            )
            self._embedded[id(module)] = (module, computations[-1].name)
        return self._embedded[id(module)][1]

    def module_of(self, what: Computation) -> HloModule | None:
        """The module of an object that has one; None for functions."""
        if isinstance(what, Core):
            return what.tree_so_far()
        return what if isinstance(what, HloModule) else None

    def trace(
        self, function: Callable[..., object], parameters: Sequence[Shape], hint: str
    ) -> HloModule:
        """The module of a function of handles."""
        name = getattr(function, "__name__", hint)
        builder = self.new_builder(name if name.isidentifier() else hint)
        if isinstance(function, MethodType) and isinstance(function.__self__, Core):
            function = partial(function.__func__, builder)  # ``b.add`` adds where it is called
        handles = [builder.add_parameter(i, shape) for i, shape in enumerate(parameters)]
        named = {"builder": builder} if takes_builder(function) else {}
        return builder.tree(builder.root_of(function(*handles, **named)))

    def new_builder(self, name: str) -> Self:
        """A builder of the same kind for a computation that this one calls."""
        return type(self)(
            name, replica_count=self.replica_count, num_partitions=self.num_partitions
        )

    def root_of(self, result: object) -> XlaOp:
        """The result of a function: a handle, a constant, or several in a tuple."""
        items = items_of(result)
        if items is not None:
            return self.add_instruction("tuple", [self.root_of(item) for item in items])
        self.require(result is not None, "a computation returns its result, not None")
        return self.handle(result)

    def add_parameter(self, number: int, shape: Shape, name: str = "") -> XlaOp:
        """Adds a ``parameter`` instruction; its number must be new."""
        parameter_instructions = [
            instruction
            for instruction in self.instructions.values()
            if instruction.opcode == "parameter"
        ]
        used = {parameter_.attributes["parameter_number"] for parameter_ in parameter_instructions}
        unused = number >= 0 and number not in used
        self.require(unused, "parameter numbers are used once", "parameter", number=number)
        attributes = {"parameter_number": number}
        return self.add_instruction("parameter", (), attributes, shape, name=name)

    # ---- the module

    def tree(self, root: XlaOp | None = None) -> HloModule:
        """The module of all instructions so far; the last one is the root unless one is given.

        Raises:
            VerifyError: There is no instruction, or parameter numbers have gaps.
        """
        self.require(bool(self.instructions), "a computation has at least one instruction")
        if root is not None:
            self.require_own(root)
        name = next(reversed(self.instructions)) if root is None else root.name
        entry = HloComputation(self.entry_name(), tuple(self.instructions.values()), name)
        numbers = [parameter.attributes["parameter_number"] for parameter in entry.parameters]
        gapless = numbers == list(range(len(numbers)))
        self.require(gapless, "parameter numbers count from 0 without gaps", numbers=numbers)
        shapes = entry.program_shape
        layout = ProgramShape(shapes.parameters, shapes.result)
        computations = (*self.computations.values(), entry)
        return HloModule(
            valid(self.name),
            computations,
            entry.name,
            entry_layout=layout,
            replica_count=self.replica_count,
            num_partitions=self.num_partitions,
        )

    def tree_so_far(self) -> HloModule:
        """``tree()``, the same one until instructions are added."""
        if self._tree is None or self._tree[0] != len(self.instructions):
            self._tree = (len(self.instructions), self.tree())
        return self._tree[1]

    def entry_name(self) -> str:
        """The builder's name, or one like it that no called computation has."""
        name, number = valid(self.name), 0
        while name in self.computations:
            number += 1
            name = f"{valid(self.name)}.{number}"
        return name


def takes_builder(function: Callable[..., object]) -> bool:
    """Whether a function has a parameter for the builder of what it computes."""
    try:
        return "builder" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def without_defaults(attributes: Mapping[str, object]) -> dict[str, object]:
    """The attributes that text would show."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None
        and value != ATTRIBUTES[name].default
        and (value is not False or ATTRIBUTES[name].kind is not Kind.FLAG)
    }
