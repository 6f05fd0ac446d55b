"""Signatures: the arguments and results of a program, and the conversion of arguments to them.

Arrays come in as anything with ``__array__``, ``__dlpack__`` or the buffer protocol and go out as
NumPy arrays. A quantized tensor is an array of its storage type, a token is None, a tuple a Python
tuple.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeGuard, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.request import OperationFuture
from stablemate.ir.shapes import same_size
from stablemate.ir.type_rules import broken_rule
from stablemate.ir.types import DYNAMIC, Attribute, TensorType, TokenType, TupleType, Type
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
    StorageError,
    element_of_dtype,
)

# The attributes by which producers state the names of arguments and results.
ARGUMENT_NAME: Final = "jax.arg_info"
RESULT_NAME: Final = "jax.result_info"


@dataclass(frozen=True)
class Argument:
    """An argument or a result.

    Attributes:
        name: What the program calls it.
        type: Its type.
        attributes: What the program says about it.
    """

    name: str
    type: Type
    attributes: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclass(frozen=True)
class Signature:
    """The arguments and results of a function."""

    name: str
    arguments: tuple[Argument, ...]
    results: tuple[Argument, ...]

    def __str__(self) -> str:
        arguments = ", ".join(map(str, self.arguments))
        return f"{self.name}({arguments}) -> ({', '.join(str(r.type) for r in self.results)})"

    @property
    def number_text(self) -> str:
        """``1 argument``, ``2 arguments``."""
        number = len(self.arguments)
        return f"{number} argument{'s' * (number != 1)}"

    def take(self, values: Sequence[object]) -> list[object]:
        """The arguments, converted to the types that the program has.

        Raises:
            ArgumentTypeError: An argument is missing, superfluous, or of another element type.
            ArgumentValueError: An argument is of another shape.
        """
        if len(values) < len(self.arguments):
            missing = self.arguments[len(values)]
            raise ArgumentTypeError(
                f"{self.name} takes {self.number_text}, but {given_text(len(values))}: "
                f"argument {len(values)} ({missing}) is missing"
            )
        if len(values) > len(self.arguments):
            raise ArgumentTypeError(
                f"{self.name} takes {self.number_text}, but {given_text(len(values))}"
            )
        pairs = zip(values, self.arguments, strict=True)
        return [
            convert_argument(
                value, parameter.type, f"argument {i} ({parameter.name}) of {self.name}"
            )
            for i, (value, parameter) in enumerate(pairs)
        ]


def declared_signature(function: FuncOp) -> Signature:
    """The signature that a function of a program declares."""
    arguments = zip(function.type.inputs, function.argument_attributes, strict=True)
    results = zip(function.type.results, function.result_attributes, strict=True)
    return Signature(
        function.symbol,
        tuple(
            Argument(stated_name(a, ARGUMENT_NAME) or f"%arg{i}", t, a)
            for i, (t, a) in enumerate(arguments)
        ),
        tuple(
            Argument(stated_name(a, RESULT_NAME) or f"result {i}", t, a)
            for i, (t, a) in enumerate(results)
        ),
    )


def stated_name(attributes: Mapping[str, Attribute], attribute: str) -> str:
    """The producer's name of an argument or result; empty if it states none."""
    name = attributes.get(attribute)
    return name.value if isinstance(name, StringAttribute) else ""


def convert_argument(value: Any, expected: Type, what: str) -> object:
    """One argument, converted to its type; ``what`` names it in errors."""
    match expected:
        case TensorType():
            return accepted_tensor(value, expected, what)
        case TokenType():
            if value is not None:
                raise ArgumentTypeError(f"{what} is a token: expected None, not {kind_of(value)}")
            return None
        case TupleType():
            return accepted_tuple(value, expected, what)
        case IntegerType() | FloatType() | IndexType() | ComplexType():
            return accepted_tensor(value, TensorType((), expected), what)[()]
        case _:
            raise ArgumentTypeError(f"{what} has type {expected}, which no argument can have")


def accepted_tuple(value: Any, expected: TupleType, what: str) -> tuple[object, ...]:
    """A tuple whose elements fit."""
    if not isinstance(value, tuple | list) or len(cast(Sequence[object], value)) != len(
        expected.types
    ):
        raise ArgumentTypeError(f"{what} is a tuple: expected {expected}, not {kind_of(value)}")
    parts = enumerate(zip(cast(Sequence[object], value), expected.types, strict=True))
    return tuple(convert_argument(v, t, f"element {i} of {what}") for i, (v, t) in parts)


def accepted_tensor(value: Any, expected: TensorType, what: str) -> Array:
    """An array with the element type and the shape of a tensor type; not copied if it fits."""
    dtype = dtype_of(expected, what)
    array = as_array(value, expected, what)
    if array.dtype == dtype and array.shape == expected.shape:
        return array
    if array.dtype != dtype:
        raise ArgumentTypeError(f"{what} is {expected}, but {text_of(array)} was given")
    if not shape_fits(array.shape, expected) or not scales_fit(array.shape, expected):
        raise ArgumentValueError(f"{what} is {expected}, but {text_of(array)} was given")
    return array


def dtype_of(expected: TensorType, what: str) -> DType:
    """NumPy's type for the arrays of a tensor type."""
    try:
        return expected.element_type.dtype
    except (StorageError, AttributeError):  # of another dialect, or quantized by what is not known
        message = f"{what} has type {expected}, which no argument can have"
        raise ArgumentTypeError(message) from None


def given_text(number: int) -> str:
    """``1 was given``, ``2 were given``."""
    return f"{number} was given" if number == 1 else f"{number} were given"


def as_array(value: Any, expected: TensorType, what: str) -> Array:
    """Any array, or numbers without an element type of their own."""
    if type(value) is np.ndarray:
        return value
    if np.ma.is_masked(value):
        raise ArgumentTypeError(f"{what} is {expected}, but elements of the array are masked")
    if isinstance(value, bool | int | float | complex | list | tuple):
        return array_of_numbers(value, expected, what)
    try:
        return np.asarray(value)
    except Exception as error:
        if hasattr(value, "__dlpack__"):
            return shared_array(value, expected, what)
        raise ArgumentTypeError(f"{what} is {expected}, not {kind_of(value)}") from error


def shared_array(value: Any, expected: TensorType, what: str) -> Array:
    """An array of another library, which shares its memory."""
    try:
        return np.from_dlpack(value)
    except Exception as error:  # of the other library: not in memory, not dense, no such type
        raise ArgumentTypeError(
            f"{what} is {expected}, and this {type(value).__name__} is no array in memory: {error}"
        ) from error


def array_of_numbers(value: Any, expected: TensorType, what: str) -> Array:
    """The array of Python numbers, if each of them has a meaning in the element type."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ArgumentValueError(f"{what} is {expected}, but the lists are ragged") from error
    element = expected.element_type
    storage = element.storage if isinstance(element, QuantizedType) else element
    allowed = (
        "b"
        if storage == IntegerType(1)
        else "biu"
        if isinstance(storage, IntegerType | IndexType)
        else "biufc"
    )
    if array.size and array.dtype.kind not in allowed:
        raise ArgumentTypeError(f"{what} is {expected}, but {text_of(array)} was given")
    if array.dtype.kind == "c" and not str(storage).startswith("complex"):
        raise ArgumentTypeError(f"{what} is {expected}, but complex numbers were given")
    if isinstance(storage, IntegerType | IndexType) and array.size and not storage.is_boolean:
        low, high = int(array.min()), int(array.max())
        if low < storage.minimum or high > storage.maximum:
            raise ArgumentValueError(f"{what} is {expected}, but {low} to {high} was given")
    with np.errstate(all="ignore"):
        return array.astype(element.dtype)


def shape_fits(shape: Sequence[int], expected: TensorType) -> bool:
    """Whether the type allows a shape."""
    bounds = expected.bounds or (DYNAMIC,) * expected.rank
    return len(shape) == expected.rank and all(
        same_size(actual, size) and bound in (DYNAMIC, max(actual, bound))
        for actual, size, bound in zip(shape, expected.shape, bounds, strict=True)
    )


def scales_fit(shape: Sequence[int], expected: TensorType) -> bool:
    """Whether a quantized tensor of this shape has a scale for each of its slices."""
    element = expected.element_type
    if not isinstance(element, QuantizedType) or expected.is_static:
        return True
    return broken_rule(TensorType(tuple(shape), element)) is None


def text_of(array: Array) -> str:
    """The type of an array as MLIR spells it; the dtype if MLIR has none."""
    element = element_of_dtype(array.dtype)
    if element is None:
        return f"an array of dtype {array.dtype}"
    shape = "x".join(map(str, array.shape))
    return f"tensor<{shape}{'x' if shape else ''}{element}>"


def kind_of(value: Any) -> str:
    """The kind of a value, in one word."""
    return "None" if value is None else f"a {type(value).__name__}"


def returned_values(results: Sequence[object], arguments: Sequence[object]) -> object:
    """The results as the caller gets them: one as itself, several as a tuple.

    An array that shares memory with an argument, or that cannot be written, is copied.
    """
    roots = {id(root_of(argument)) for argument in flatten_values(arguments)}
    handed = tuple(owned_copy(result, roots) for result in results)
    return handed[0] if len(handed) == 1 else handed


def is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether a value is a tuple."""
    return isinstance(value, tuple)


def flatten_values(values: Sequence[object]) -> Iterator[object]:
    """All values, including those inside tuples."""
    for value in values:
        if is_tuple(value):
            yield from flatten_values(value)
        else:
            yield value


def root_of(value: Any) -> object:
    """The array that owns the memory of a view."""
    owner: Any = value
    while isinstance(owner, np.ndarray) and cast(Array, owner).base is not None:
        owner = cast(Any, owner).base
    return cast(object, owner)


def owned_copy(value: Any, roots: set[int]) -> object:
    """A result that the caller may keep and change."""
    if value is None:
        return None
    if isinstance(value, OperationFuture):
        (value,) = value.results or (None,)  # it has ended, and async_start gives one result
    if is_tuple(value):
        return tuple(owned_copy(member, roots) for member in value)
    array: Array = np.asarray(value)
    flags = array.flags
    shared = id(root_of(array)) in roots or not flags.writeable
    if shared:
        return array.copy()
    return array if flags.c_contiguous else np.ascontiguousarray(array)
