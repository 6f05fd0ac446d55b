"""The graph of a program under construction: where operations go, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import (
    Add,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    Remainder,
    Subtract,
)
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.locations import Location
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import (
    Array,
    ElementType,
    IntegerType,
    element_of_dtype,
)
from stablemate.numerics.symbolic_sizes import Assumptions, SymbolicSize

SizeLike: TypeAlias = int | SymbolicSize
Shape: TypeAlias = tuple[SizeLike, ...]
Number: TypeAlias = bool | int | float | complex
Scalar: TypeAlias = Value[TensorType]

SIZE: Final = IntegerType(32)  # of the scalars that hold sizes, as get_dimension_size has it
WIDE: Final = IntegerType(64)  # of the scalars that hold numbers that no dimension has
FEW: Final = 64  # elements of a constant that is looked up before it is created
FUNCTIONS: Final[dict[str, type[Operation]]] = {"max": Maximum, "min": Minimum, "rem": Remainder}


class TensorGraph:
    """Where operations go, and what they share.

    Attributes:
        builder: Creates the operations; its location is that of the operator being translated.
        assumptions: The variables of symbolic sizes, and what the program assumes of them.
    """

    def __init__(self, block: Block, assumptions: Assumptions | None = None) -> None:
        self.builder = Builder(block)
        self.assumptions = assumptions or Assumptions()
        # The value of each variable, quotient and result, by the type in which it is computed.
        self._atoms: dict[tuple[int, ElementType], Scalar] = {}
        self._constants: dict[tuple[TensorType, bytes], Scalar] = {}
        # The size that each scalar is which a variable of sizes was bound to, of all regions.
        self._sizes: dict[Scalar, SymbolicSize] = {}
        self._bound: set[int] = set()  # the atoms that have been given a value

    def inside(self, block: Block, *, captures: bool) -> TensorGraph:
        """The graph of a region.

        Args:
            block: The block of the region.
            captures: Whether operations in it may use values of this graph, as in loops and
                branches; computations of reductions may not.
        """
        graph = TensorGraph(block, self.assumptions)
        graph.builder.location = self.builder.location
        graph._sizes = self._sizes
        if captures:
            graph._atoms = dict(self._atoms)
            graph._bound = set(self._bound)
            graph._constants = dict(self._constants)
        return graph

    def at(self, location: Location) -> None:
        """Gives the operations that follow a location."""
        self.builder.location = location

    def create(
        self, cls: type[Operation], result: TensorType, **fields: object
    ) -> Value[TensorType]:
        """The single result of a new operation, whose type the caller knows."""
        return self.builder.create(cls, results=[result], **fields).results[0]

    def constant(self, values: Array, element: ElementType | None = None) -> Value[TensorType]:
        """A constant; equal small ones are created once.

        Args:
            values: The elements, in an array that nobody writes to afterwards.
            element: Their type; by default that of the array.
        """
        known = element or element_of_dtype(values.dtype)
        assert known is not None, f"no element type has the storage {values.dtype}"
        tensor_type = TensorType(values.shape, known)
        if values.size > FEW:
            return self.literal(tensor_type, values)
        key = (tensor_type, values.tobytes())
        if key not in self._constants:
            self._constants[key] = self.literal(tensor_type, values)
        return self._constants[key]

    def literal(self, tensor_type: TensorType, values: Array) -> Value[TensorType]:
        """A new constant; one element fills the type."""
        return self.create(Constant, tensor_type, value=dense_elements(tensor_type, values))

    # sizes

    def bind(self, variable: SymbolicSize, scalar: Scalar) -> None:
        """Gives a variable of sizes its value, a scalar of type ``SIZE`` or ``WIDE``.

        It may be a quotient, or the result of a function, which is then not computed any more.
        """
        number = variable_of(variable)
        self._atoms[number, scalar.type.element_type] = scalar
        self._bound.add(number)
        self._sizes[scalar] = variable

    def bind_dimension(
        self, variable: SymbolicSize, value: Value[TensorType], dimension: int, *, factor: int = 1,
        summand: int = 0,
    ) -> None:  # fmt: skip
        """Gives a variable of sizes its value by the size of a dimension of a tensor.

        Args:
            variable: The variable.
            value: The tensor.
            dimension: Its size is ``factor * variable + summand``.
            factor: What the variable is multiplied by.
            summand: What is added.
        """
        scalar_type = TensorType((), SIZE)
        size = self.create(GetDimensionSize, scalar_type, operand=value, dimension=dimension)
        if summand:
            size = self.arithmetic(Subtract, size, self.size(summand))
        self.bind(
            variable, size if factor == 1 else self.arithmetic(Divide, size, self.size(factor))
        )

    def size_of(self, value: Scalar) -> SymbolicSize | None:
        """The variable of sizes that a scalar is, if one was bound to it."""
        return self._sizes.get(value)

    def is_bound(self, variable: SymbolicSize) -> bool:
        """Whether a variable of sizes has a value here."""
        return self.value_of(variable_of(variable)) is not None

    def value_of(self, number: int) -> Scalar | None:
        """The value of an atom in either type; None if it has none yet."""
        return self._atoms.get((number, WIDE)) or self._atoms.get((number, SIZE))

    def is_known(self, size: SizeLike) -> bool:
        """Whether every variable in a size has a value here."""
        numbers = () if isinstance(size, int) else self.variables_of(size)
        return all(self.value_of(number) is not None for number in numbers)

    def is_wide(self, size: SymbolicSize) -> bool:
        """Whether a number is part of a size that may be beyond those of dimensions."""
        return any((number, WIDE) in self._atoms for number in self.variables_of(size))

    def variables_of(self, size: SymbolicSize) -> set[int]:
        """The atoms of a size that are not computed from others."""
        pending, seen = [*size.terms], set[int]()
        while pending:
            for number in set(pending.pop()) - seen:
                seen.add(number)
                if not self.is_derived(number):
                    continue
                atom = self.assumptions.atoms[number]
                for part in (atom.dividend, atom.divisor, *atom.arguments):
                    pending += part.terms if isinstance(part, SymbolicSize) else ()
        return {number for number in seen if not self.is_derived(number)}

    def is_derived(self, number: int) -> bool:
        """Whether an atom is computed from others."""
        atom = self.assumptions.atoms[number]
        return number not in self._bound and (bool(atom.function) or atom.dividend is not None)

    def size(self, size: SizeLike, element: IntegerType = SIZE) -> Scalar:
        """A size as a scalar of type ``SIZE`` or ``WIDE``."""
        if isinstance(size, int):
            return self.constant(np.array(element.wrap(size), element.dtype), element)
        total: Scalar | None = None
        for monomial, coefficient in size.terms.items():
            term = self.product(monomial, coefficient, element)
            total = term if total is None else self.arithmetic(Add, total, term)
        assert total is not None, "a polynomial without terms is a number"
        return total

    def product(self, monomial: Sequence[int], coefficient: int, element: IntegerType) -> Scalar:
        """A term of a polynomial: its coefficient times its atoms."""
        product = None if coefficient == 1 and monomial else self.size(coefficient, element)
        for number in monomial:
            factor = self.atom(number, element)
            product = factor if product is None else self.arithmetic(Multiply, product, factor)
        assert product is not None
        return product

    def atom(self, number: int, element: IntegerType) -> Scalar:
        """The value of an atom: of a variable as it is bound, else computed once."""
        if (number, element) not in self._atoms:
            derived = self.is_derived(number)
            self._atoms[number, element] = (
                self.derive_size(number, element)
                if derived
                else self.convert_variable(number, element)
            )
        return self._atoms[number, element]

    def convert_variable(self, number: int, element: IntegerType) -> Scalar:
        """The value of a variable, which is bound in the other type."""
        value = self.value_of(number)
        assert value is not None, f"nothing says what n{number} is"
        return self.create(Convert, TensorType((), element), operand=value)

    def derive_size(self, number: int, element: IntegerType) -> Scalar:
        """The value of a quotient or of the result of a function."""
        atom = self.assumptions.atoms[number]
        if atom.function:
            operands = [self.size(cast("SizeLike", a), element) for a in atom.arguments]
            return self.arithmetic(FUNCTIONS[atom.function], *operands)
        assert atom.dividend is not None
        dividend, divisor = self.size(atom.dividend, element), self.size(atom.divisor, element)
        return self.quotient(dividend, divisor, atom.dividend)

    def quotient(self, dividend: Scalar, divisor: Scalar, size: SizeLike) -> Scalar:
        """A quotient, rounded down; the divisor is positive."""
        if isinstance(size, int) or size.low >= 0:
            return self.arithmetic(Divide, dividend, divisor)
        rest = self.arithmetic(Remainder, dividend, divisor)
        rest = self.arithmetic(Remainder, self.arithmetic(Add, rest, divisor), divisor)
        return self.arithmetic(Divide, self.arithmetic(Subtract, dividend, rest), divisor)

    def arithmetic(self, cls: type[Operation], lhs: Scalar, rhs: Scalar) -> Scalar:
        """An operation on two sizes."""
        return self.create(cls, lhs.type, lhs=lhs, rhs=rhs)

    def size_vector(self, sizes: Sequence[SizeLike]) -> Value[TensorType]:
        """Sizes as a tensor of one dimension."""
        numbers = [size for size in sizes if isinstance(size, int)]
        if len(numbers) == len(sizes):
            return self.constant(np.array(numbers, np.int32), SIZE)
        one = TensorType((1,), SIZE)
        parts = [self.create(Reshape, one, operand=self.size(size)) for size in sizes]
        if len(parts) == 1:
            return parts[0]
        return self.create(Concatenate, TensorType((len(parts),), SIZE), inputs=parts, dimension=0)


def variable_of(size: SymbolicSize) -> int:
    """The number of the atom that a variable of sizes is."""
    (((number,), _),) = size.terms.items()
    return number


def is_static(shape: Sequence[SizeLike]) -> bool:
    """Whether every size is a number."""
    return all(isinstance(size, int) for size in shape)


def is_empty(shape: Sequence[SizeLike]) -> bool:
    """Whether a tensor of these sizes is known to have no elements."""
    return any(isinstance(size, int) and size == 0 for size in shape)


def type_of(shape: Sequence[SizeLike], element: ElementType) -> TensorType:
    """The type of a tensor with these sizes."""
    sizes = [size if isinstance(size, int) else DYNAMIC for size in shape]
    return TensorType(tuple(sizes), element)


def array_of(number: Number, element: ElementType) -> Array:
    """A number as an array of rank 0, rounded to an element type; integers wrap."""
    if isinstance(element, IntegerType) and not element.is_boolean:
        number = element.wrap(int(cast("float", number)))
    with np.errstate(over="ignore"):
        return np.array(number).astype(element.dtype)
