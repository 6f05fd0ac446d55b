"""Custom calls that are native functions ``void target(void* out, void** in)``.

Source: XLA, operation semantics, "CustomCall".
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.execution.custom_calls.call import TargetCall
from stablemate.ir.types import TensorType, TupleType, Type
from stablemate.numerics.elements import Array

# A function of ctypes, a pointer of it, or a library (its path or itself) and the name of a symbol.
NativeLike: TypeAlias = Any
SIGNATURE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
FUNCTION_POINTER: Final = ctypes.CFUNCTYPE(None).__mro__[1]  # the base of all functions of ctypes
ORIGINAL: Final = (0, 1)  # versions of the calling convention


class NativeFunction:
    """A native function as the target of custom calls.

    It reads the operands where they lie and writes the result where it will stay: nothing is
    copied unless an operand does not lie in row-major order. ``in`` holds a pointer for each
    operand. ``out`` points to the result, or to a pointer for each of several results. A tuple is
    such a table of pointers.
    """

    def __init__(self, function: NativeLike) -> None:
        self.source = function  # keeps the library loaded
        self.function = SIGNATURE(address_of(function))

    def __call__(self, operands: Sequence[object], call: TargetCall) -> Any:
        """The results, one as itself, several as a tuple.

        Raises:
            EvaluationError: A size is not known, or the calling convention is another one.
        """
        if call.api_version not in ORIGINAL:
            message = "a native function is called as void target(void* out, void** in)"
            raise call.error(message, api_version=call.api_version)
        tables: list[object] = []  # of pointers; they live until the function has returned
        inputs = table([pointer(operand, tables) for operand in operands], tables)
        results = tuple(memory(result_type, call) for result_type in call.result_types)
        if len(results) == 1:
            out = pointer(results[0], tables)
        else:
            out = table([pointer(result, tables) for result in results], tables)
        self.function(out, inputs)
        return results[0] if len(results) == 1 else results


def is_native(function: object) -> bool:
    """Whether this stands for a native function."""
    return isinstance(function, FUNCTION_POINTER | ctypes.c_void_p | tuple)


def address_of(function: NativeLike) -> int:
    """The address of a native function.

    Raises:
        ArgumentTypeError: It is none.
        ArgumentValueError: There is no such library, or no such symbol in it.
    """
    match function:
        case ctypes.c_void_p() if function.value:
            return function.value
        case (library, str() as symbol):
            return symbol_address(library, symbol)
        case _ if isinstance(function, FUNCTION_POINTER):
            pointer: Any = function
            address = ctypes.cast(pointer, ctypes.c_void_p).value
            if address:
                return address
        case _:
            pass
    forms = "a function or pointer of ctypes, or (library, symbol)"
    raise ArgumentTypeError(f"a native function is {forms}, not {function!r}")


def symbol_address(library: object, symbol: str) -> int:
    """The address of a symbol of a library."""
    try:
        if isinstance(library, str | os.PathLike):
            library = ctypes.CDLL(os.fspath(cast(str, library)))
        function = getattr(library, symbol)
    except (OSError, AttributeError) as error:
        raise ArgumentValueError(f"there is no native function {symbol}: {error}") from None
    return address_of(function)


def memory(value_type: Type, call: TargetCall) -> object:
    """Memory for a result, whose contents are what the function leaves.

    Raises:
        EvaluationError: A size is known only at run time.
    """
    if isinstance(value_type, TupleType):
        return tuple(memory(member, call) for member in value_type.types)
    if not isinstance(value_type, TensorType) or not value_type.is_static:
        raise call.error("results of a native function have known sizes", result=value_type)
    return np.zeros(value_type.shape, value_type.element_type.dtype)


def pointer(value: object, tables: list[object]) -> int:
    """Where an array lies; of a tuple the address of the table of its parts."""
    if isinstance(value, tuple):
        return table([pointer(member, tables) for member in cast(Sequence[object], value)], tables)
    if value is None:  # a token
        return 0
    array: Array = np.require(value, requirements=("C", "A"))
    tables.append(array)
    return array.ctypes.data


def table(pointers: Sequence[int], tables: list[object]) -> int:
    """The address of a table of pointers."""
    array = (ctypes.c_void_p * max(len(pointers), 1))(*pointers)
    tables.append(array)
    return ctypes.addressof(array)
