"""The function of each custom call target."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Final, TypeVar, cast, overload

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.execution.custom_calls.annotations import TARGETS as ANNOTATIONS
from stablemate.execution.custom_calls.buffers import TARGETS as BUFFERS
from stablemate.execution.custom_calls.call import Target, TargetCall
from stablemate.execution.custom_calls.checks import TARGETS as CHECKS
from stablemate.execution.custom_calls.dynamic import TARGETS as DYNAMIC
from stablemate.execution.custom_calls.foreign import TARGETS as FOREIGN
from stablemate.execution.custom_calls.lapack import TARGETS as LAPACK
from stablemate.execution.custom_calls.native import NativeFunction, is_native
from stablemate.execution.custom_calls.registered import REGISTERED, UnknownTargetError
from stablemate.execution.custom_calls.shape_assertion import TARGETS as ASSERTIONS
from stablemate.execution.custom_calls.topk import TARGETS as TOP_K

TargetT = TypeVar("TargetT", bound=Target)
T = TypeVar("T")

BUILT_IN: Final[Mapping[str, Target]] = {
    **ANNOTATIONS,
    **ASSERTIONS,
    **BUFFERS,
    **CHECKS,
    **DYNAMIC,
    **FOREIGN,
    **LAPACK,
    **TOP_K,
}


@overload
def custom_call(name: str) -> Callable[[TargetT], TargetT]: ...


@overload
def custom_call(name: str, function: T) -> T: ...


def custom_call(name: str, function: object = None) -> object:
    """Registers a function as what ``stablehlo.custom_call`` calls by this name.

    ::

        @sm.custom_call("my_scale")
        def my_scale(operands, call):
            (x,) = operands
            return x * call.config["factor"]

        sm.run('''
          func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = stablehlo.custom_call @my_scale(%x)
                {api_version = 4 : i32, backend_config = {factor = 3.0 : f32}}
                : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          }''', x)

    The function is called with the operands and a ``TargetCall``. Operands are NumPy arrays that
    cannot be written, except those that a result stands for (``output_operand_aliases``): these are
    copies of its own. A token is None, a tuple a tuple. It returns one result as itself, several as
    a tuple, none as None; what it returns is copied, and must be of the declared types.

    It holds for the whole process, from the next call on; registering a name again replaces what
    was there, built in or not. Functions of MHLO, such as ``mhlo.erf``, are no targets: they are
    operations of CHLO. Programs that were compiled before a target of LAPACK was replaced, such as
    ``lapack_spotrf_ffi``, still call LAPACK.

    ``custom_call(name, function)`` registers at once, and takes native functions too, of the
    signature ``void function(void* out, void** in)``: a function or pointer of ctypes, or
    ``(library, symbol)``. They read operands and write results where they lie.

    Args:
        name: The name of the target.
        function: What is registered; without it the result is a decorator.

    Returns:
        The function; without one, a decorator that gives the function back.

    Raises:
        ArgumentTypeError: The name is no string, or what is registered no function.
        ArgumentValueError: The name is empty, or there is no such native function.
    """
    if not isinstance(cast(object, name), str):
        raise ArgumentTypeError('custom_call takes the name of the target: @custom_call("name")')
    if not name:
        raise ArgumentValueError("the name of a custom call target is not empty")

    def register(function: T) -> T:
        if is_native(function):
            REGISTERED[name] = NativeFunction(function)
        elif callable(function):
            REGISTERED[name] = function
        else:
            raise ArgumentTypeError(f"custom call target {name} is a function, not {function!r}")
        return function

    return register if function is None else register(function)


def unknown_target(call: TargetCall) -> UnknownTargetError:
    """The error for a name that is not known, with those that look like it."""
    name = call.target
    near = difflib.get_close_matches(name, [*REGISTERED, *BUILT_IN], n=1)
    notes = [Diagnostic(f"there is a target {name}") for name in near]
    notes.append(Diagnostic(f'a function becomes this target by @stablemate.custom_call("{name}")'))
    return UnknownTargetError(
        Diagnostic("there is no custom call target of this name", call.rule, notes=tuple(notes))
    )
