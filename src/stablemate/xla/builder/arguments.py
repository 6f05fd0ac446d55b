"""Checks and normalizes arguments of the builder's methods by their annotations.

A number of NumPy is an ``int``, a range a tuple, one dimension number a sequence of one. What
cannot be that is an error with the name of the argument and the line of the call.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from functools import wraps
from inspect import isfunction, unwrap
from numbers import Real
from typing import Any, Final, SupportsIndex, TypeAlias, TypeVar, cast

import numpy as np

from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.xla.builder.caller import caller
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.contraction import (
    DotDimensionNumbers,
    RaggedDotDimensionNumbers,
    dot_numbers,
)
from stablemate.xla.builder.operations.indexing import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.xla.builder.operations.movement import padding_dimension
from stablemate.xla.builder.renaming import other_names
from stablemate.xla.values import (
    ConvolutionDimensions,
    IotaTiles,
    ListedGroups,
    MeshGroups,
    OutputOperandAlias,
    PaddingDimension,
    ResultAccuracy,
)

Converter: TypeAlias = Callable[[Any], object]
ClassT = TypeVar("ClassT", bound=type)


class Unfit(Exception):
    """Raised for an argument of the wrong form; the message says what is expected."""


def integer(value: object) -> int:
    """Converts an argument to an integer, by ``__index__``."""
    if isinstance(value, SupportsIndex):
        with suppress(TypeError):  # of an array of several
            return operator.index(value)
    raise Unfit("an integer")


def is_one(value: object) -> bool:
    """Whether this is no sequence: a text, a handle, a mapping, a scalar."""
    if not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        return True
    return isinstance(value, str | bytes | Mapping | XlaOp)


def items(value: Any, what: str) -> list[object]:
    """The items of a sequence that is no text and no handle."""
    if is_one(value):
        raise Unfit(what)
    return list(cast(Iterable[object], value))


def integers(value: object) -> tuple[int, ...]:
    """Integers; one as a sequence of one."""
    if hasattr(value, "__index__") and not isinstance(value, np.ndarray):
        return (integer(value),)
    try:
        return tuple(integer(item) for item in items(value, "a sequence of integers"))
    except Unfit:
        raise Unfit("a sequence of integers") from None


def rows(value: object) -> tuple[tuple[int, ...], ...]:
    """Converts an argument to a tuple of tuples of integers."""
    try:
        listed = items(value, "")
        return tuple(tuple(integer(item) for item in items(row, "")) for row in listed)
    except Unfit:
        raise Unfit("a sequence of sequences of integers") from None


def pairs(value: object) -> tuple[tuple[int, ...], ...]:
    """Converts an argument to pairs of integers."""
    listed_pairs = rows(value)
    if any(len(pair) != 2 for pair in listed_pairs):
        raise Unfit("a sequence of pairs of integers")
    return listed_pairs


def is_bool(value: object) -> bool:
    """Whether this is a truth value of NumPy."""
    return isinstance(value, np.bool_)


def flag(value: object) -> bool:
    """Converts an argument to a boolean; integers other than 0 and 1 do not fit."""
    try:
        number = int(bool(value)) if is_bool(value) else integer(value)
    except Unfit:
        number = -1
    if number not in (0, 1):
        raise Unfit("true or false")
    return bool(number)


def flags(value: object) -> tuple[bool, ...]:
    """Converts an argument to a tuple of booleans."""
    return tuple(flag(item) for item in items(value, "a sequence of true and false"))


def real(value: object) -> float:
    """Converts a real number of Python or NumPy to a float."""
    if isinstance(value, Real | np.floating | np.integer):
        return float(cast(float, value))
    raise Unfit("a number")


def text(value: object) -> str:
    """A text, or the name of a value of an enumeration."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, str):
        return value
    raise Unfit("a text")


def texts(value: object) -> str | tuple[str, ...]:
    """Converts a text, or a sequence of texts."""
    if isinstance(value, str | Enum):
        return text(value)
    return tuple(text(item) for item in items(value, "a text, or a sequence of texts"))


def handle(value: object) -> XlaOp:
    """Accepts a handle of an instruction."""
    if isinstance(value, XlaOp):
        return value
    raise Unfit("a handle")


def operands(value: object) -> list[object]:
    """Operands; the parts of a tuple."""
    if isinstance(value, XlaOp) and value.shape.is_tuple:
        return list(value)
    return items(value, "a sequence of operands")


def computations(value: object) -> list[object]:
    """Accepts a sequence of computations."""
    return items(value, "a sequence of computations")


def shapes(value: object) -> list[object]:
    """Accepts a sequence of shapes."""
    return items(value, "a sequence of shapes")


def padding(value: object) -> str | tuple[tuple[int, ...], ...]:
    """``SAME``, ``VALID``, or (low, high) for each dimension."""
    try:
        return text(value) if isinstance(value, str | Enum) else pairs(value)
    except Unfit:
        raise Unfit("SAME, VALID, or (low, high) for each dimension") from None


def padding_config(value: object) -> tuple[PaddingDimension, ...]:
    """The padding of each dimension."""
    what = "(low, high, interior) for each dimension"
    try:
        rows: list[Any] = [*items(value, what)]
        dimensions = tuple(map(padding_dimension, rows))
        for dimension in dimensions:
            integers((dimension.low, dimension.high, dimension.interior))
    except (TypeError, Unfit):
        raise Unfit(what) from None
    return dimensions


def groups(value: object) -> ListedGroups | IotaTiles | MeshGroups | tuple[tuple[int, ...], ...]:
    """Accepts groups of processes in any of their forms."""
    return value if isinstance(value, ListedGroups | IotaTiles | MeshGroups) else rows(value)


def channel(value: object) -> int:
    """The number of a channel, which a handle has as its ``handle``."""
    return integer(getattr(value, "handle", value))


def accuracy(value: object) -> ResultAccuracy:
    """How exact a result is."""
    if isinstance(value, str) and value in ("default", "highest"):
        return ResultAccuracy("highest" if value == "highest" else "default")
    if isinstance(value, ResultAccuracy):
        return value
    raise Unfit("a ResultAccuracy")


def dots(value: Any) -> DotDimensionNumbers:
    """Dimension numbers of a dot product."""
    try:
        numbers = dot_numbers(value)
        return DotDimensionNumbers(
            integers(numbers.lhs_contracting_dimensions),
            integers(numbers.rhs_contracting_dimensions),
            integers(numbers.lhs_batch_dimensions),
            integers(numbers.rhs_batch_dimensions),
        )
    except (TypeError, ValueError, Unfit):
        raise Unfit("DotDimensionNumbers") from None


def mapping_of(value: object) -> Mapping[Any, Any] | None:
    """A mapping as itself; None for other values."""
    is_mapping = isinstance(value, Mapping)
    return cast(Mapping[Any, Any], value) if is_mapping else None


def aliases(value: object) -> object:
    """The aliases of results and operands."""
    what = "a mapping of output indices to (operand, index)"
    entries = mapping_of(value)
    if entries is None:
        listed = items(value, what)
        if all(isinstance(alias, OutputOperandAlias) for alias in listed):
            return tuple(listed)
        raise Unfit(what)
    try:
        return {integers(out): (integer(n), integers(part)) for out, (n, part) in entries.items()}
    except (TypeError, ValueError, Unfit):
        raise Unfit(what) from None


def one_of(what: str, *classes: type, **_: object) -> Converter:
    """A converter that accepts values of some classes as they are."""

    def convert(value: object) -> object:
        if isinstance(value, classes):
            return value
        raise Unfit(what)

    return convert


def either(first: type, otherwise: Converter) -> Converter:
    """A converter that accepts values of a class, and passes others to another converter."""
    return lambda value: value if isinstance(value, first) else otherwise(value)


# By the annotation, without `| None`, which lets None through. Others are checked where they are
# used: operands, shapes, element types, computations.
CONVERTERS: Final[Mapping[str, Converter]] = {
    "Channel": channel,
    "ConvolutionNumbersLike": one_of(
        "ConvolutionDimensions or labels like bf01_oi01->bf01", ConvolutionDimensions, str, Mapping
    ),
    "DotNumbersLike": dots,
    "GatherDimensionNumbers": one_of("GatherDimensionNumbers", GatherDimensionNumbers),
    "Groups": groups,
    "Integers": integers,
    "Integers | GatherDimensionNumbers": either(GatherDimensionNumbers, integers),
    "Mapping[Index, tuple[int, Index]] | Sequence[OutputOperandAlias]": aliases,
    "Mapping[str, Any]": one_of("a mapping", Mapping),
    "Mapping[str, Any] | str": one_of("a mapping or a text", Mapping, str),
    "Padding": padding,
    "PaddingConfig": padding_config,
    "RaggedDotDimensionNumbers": one_of("RaggedDotDimensionNumbers", RaggedDotDimensionNumbers),
    "ResultAccuracy": accuracy,
    "ScatterDimensionNumbers": one_of("ScatterDimensionNumbers", ScatterDimensionNumbers),
    "Sequence[Computation]": computations,
    "Sequence[Integers]": pairs,
    "Sequence[Operand]": operands,
    "Sequence[Operand] | XlaOp": either(XlaOp, operands),
    "Sequence[ShapeLike]": shapes,
    "Sequence[bool]": flags,
    "XlaOp": handle,
    "bool": flag,
    "bool | str": either(bool, text),
    "float": real,
    "int": integer,
    "int | ScatterDimensionNumbers": either(ScatterDimensionNumbers, integer),
    "str": text,
    "str | Sequence[str]": texts,
}
OPTIONAL: Final = " | None"
CHECKED: Final = "stablemate.xla.builder."


def checking_arguments(builder: ClassT) -> ClassT:
    """A class decorator: methods of all families check their arguments."""
    for name in dir(builder):
        method = getattr(builder, name)
        if name.startswith("_") or not isfunction(method):
            continue
        if method.__module__.startswith(CHECKED) and not method.__module__.endswith(".core"):
            setattr(builder, name, check_arguments(method, name))
    return builder


def check_arguments(method: Callable[..., object], name: str) -> Callable[..., object]:
    """Wraps a method with checks of its annotated arguments."""
    plain = unwrap(method)
    annotations = cast(Mapping[str, str], plain.__annotations__)
    parameters = plain.__code__.co_varnames[1 : plain.__code__.co_argcount]
    converters = {parameter: converter(annotation) for parameter, annotation in annotations.items()}
    named = {
        parameter: convert
        for parameter, convert in converters.items()
        if convert and parameter != "return"
    }
    placed = [
        (place, parameter) for place, parameter in enumerate(parameters) if parameter in named
    ]
    others = {
        other: other_name
        for other, other_name in other_names(method).items()
        if other_name in named
    }
    if not named:
        return method

    @wraps(method)
    def call(self: object, *arguments: object, **keywords: object) -> object:
        positional = list(arguments)
        for place, parameter in placed:
            if place < len(positional):
                positional[place] = convert_argument(
                    named[parameter], positional[place], name, parameter
                )
        for parameter in named.keys() & keywords.keys():
            keywords[parameter] = convert_argument(
                named[parameter], keywords[parameter], name, parameter
            )
        for other in others.keys() & keywords.keys():
            convert = named[others[other]]
            keywords[other] = convert_argument(convert, keywords[other], name, other)
        return method(self, *positional, **keywords)

    return call


def converter(annotation: str) -> Converter | None:
    """The converter of arguments with an annotation; None if there is none."""
    plain = annotation.removesuffix(OPTIONAL)
    convert = CONVERTERS.get(plain)
    if convert is None or (plain == annotation and annotation != "Channel"):
        return convert
    return lambda value: None if value is None else convert(value)


def convert_argument(convert: Converter, value: object, method: str, argument: str) -> object:
    """An argument in the form that the method takes.

    Raises:
        ArgumentTypeError: It cannot be that.
    """
    try:
        return convert(value)
    except Unfit as unfit:
        kind = type(value).__name__
        message = f"{method}: {argument} is {unfit}, not {kind}"
        raise ArgumentTypeError(message, caller()) from None
