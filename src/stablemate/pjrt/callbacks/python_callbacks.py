"""Host callbacks: Python functions that JAX programs call.

JAX lowers a callback to a custom call whose target is in jaxlib. For clients of stablemate it is
lowered to ``stablemate_python_callback`` instead. ``host_callbacks`` binds it to the function.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import sys
from collections.abc import Callable, Generator, Sequence
from inspect import signature
from typing import Any, Final, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from stablemate.bridges import jax_internals
from stablemate.bridges.jax_internals import AbstractValue, LoweringContext
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.execution.custom_calls.call import TargetCall, target_call
from stablemate.execution.custom_calls.registered import CONCURRENT
from stablemate.execution.custom_calls.registry import custom_call
from stablemate.ir.core import Module, Operation
from stablemate.numerics.elements import Array
from stablemate.pjrt.status import HostCallbackError
from stablemate.transforms.partitioning.custom_calls import PARTITIONED

TARGET: Final = "stablemate_python_callback"
# The entries of a call: where its function is in JAX's list, and the number of the function.
INDEX: Final = "index"
NUMBER: Final = "number"
NUMBERS: Final = itertools.count(1)
CALLBACKS: Final[WeakValueDictionary[int, Callback]] = WeakValueDictionary()


# A callback takes arrays and gives those of its results, None for a token.
Function: TypeAlias = Callable[..., Sequence[object]]


class Callback:
    """A function that a program calls; JAX keeps it with the program.

    Attributes:
        function: The function.
        number: Its number.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.number = next(NUMBERS)
        CALLBACKS[self.number] = self


class HeldCallbacks:
    """The functions that loaded programs call.

    JAX forgets a function when its caches are cleared, also while a thread is about to call the
    program. When the process ends none is held: functions refer to the objects of their modules,
    which Python finalizes.

    Attributes:
        programs: The functions by the address of the program.
        has_finished: Whether no more are held.
    """

    def __init__(self) -> None:
        self.programs: dict[int, list[Callback]] = {}
        self.has_finished = False

    def hold(self, address: int, module: Module) -> None:
        """Holds the functions that a program calls."""
        callbacks = [] if self.has_finished else callbacks_of(module)
        if callbacks:
            self.programs[address] = callbacks

    def of(self, address: int) -> list[Callback]:
        """The functions that are held for a program."""
        return self.programs.get(address, [])

    def drop(self, address: int) -> None:
        """Forgets the functions of a program, which is destroyed."""
        self.programs.pop(address, None)

    def finish(self) -> None:
        """Forgets the functions of all programs, and holds none from now on."""
        self.has_finished = True
        self.programs.clear()


HELD: Final = HeldCallbacks()


def callbacks_of(module: Module) -> list[Callback]:
    """The functions that a program calls, but for those that JAX has forgotten."""
    calls = [
        target_call(operation, ())
        for operation in module.operation.walk()
        if getattr(operation, "call_target_name", None) == TARGET
    ]
    found = [CALLBACKS.get(int(target.config[NUMBER])) for target in calls]
    return [callback for callback in found if callback is not None]


def call(operands: Sequence[object], target: TargetCall) -> object:
    """Calls a function by its number.

    Raises:
        HostCallbackError: It has raised an exception.
    """
    function = CALLBACKS[int(target.config[NUMBER])].function
    try:
        results = function(*operands)
    except Exception as error:
        raise HostCallbackError(f"{type(error).__name__}: {error}") from error
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def check_callback_results(
    callback: Function, expected: Sequence[AbstractValue]
) -> Callable[..., tuple[Array, ...]]:
    """A callback whose results are checked against the types in the program."""
    dtypes = jax_internals.dtypes()

    def run(*arguments: object) -> tuple[Array, ...]:
        with without_mesh():
            results = callback(*arguments)
        if len(results) != len(expected):
            message = "Mismatched number of outputs from callback. "
            raise RuntimeError(f"{message}Expected: {len(expected)}, Actual: {len(results)}")
        values = [np.asarray(result) for result in results]
        arrays = tuple(
            value.astype(dtypes.canonicalize_dtype(value.dtype), copy=False) for value in values
        )
        for number, (array, aval) in enumerate(zip(arrays, expected, strict=True)):
            for what, expected_value, actual in (
                ("shape", aval.shape, array.shape),
                ("dtype", aval.dtype, array.dtype),
            ):
                if expected_value != actual:
                    message = f"Incorrect output {what} for return value #{number}: "
                    raise RuntimeError(f"{message}Expected: {expected_value}, Actual: {actual}")
        return arrays

    return run


@contextlib.contextmanager
def without_mesh() -> Generator[None]:
    """Hides the mesh that ``jax.set_mesh`` set in the thread, which is the caller's.

    The arguments of a callback are on one device: with the mesh, operations on them would fail.
    """
    config = jax_internals.config()
    mesh = jax_internals.mesh()

    values = {
        "abstract_mesh_context_manager": getattr(mesh, "empty_abstract_mesh", None),
        "device_context": getattr(mesh, "empty_concrete_mesh", None),
    }
    states: list[tuple[Any, Any]] = [
        (getattr(config, name, None), value) for name, value in values.items()
    ]
    hidden = [(state, value) for state, value in states if hasattr(state, "swap_local")]
    previous = [(state, state.swap_local(value)) for state, value in hidden]
    try:
        yield
    finally:
        for state, value in previous:
            state.set_local(value)


def lowering(original: Callable[..., object]) -> Callable[..., object]:
    """``emit_python_callback`` for clients of stablemate; other clients keep JAX's own."""

    def emit_python_callback(
        ctx: LoweringContext, callback: Function, token: object, operands: Sequence[object],
        operand_avals: object, result_avals: Sequence[AbstractValue], *, has_side_effect: bool,
        sharding: object = None, **options: object,
    ) -> object:  # fmt: skip
        core = jax_internals.core()
        ffi = jax_internals.ffi()
        mlir = jax_internals.mlir()

        if not is_own(ctx):
            return original(
                ctx, callback, token, operands, operand_avals, result_avals,
                has_side_effect=has_side_effect, sharding=sharding, **options,
            )  # fmt: skip
        run = check_callback_results(callback, result_avals)
        registered = Callback(with_token_result(run) if token else run)
        if token:
            operands = [token, *operands]
            sharding = with_token(ctx, sharding)
            ctx = dataclasses.replace(
                ctx,
                avals_in=[core.abstract_token, *ctx.avals_in],
                avals_out=[core.abstract_token, *ctx.avals_out],
            )
        index = list_callback(ctx, registered)
        emit = ffi.build_ffi_lowering_function(TARGET, has_side_effect=has_side_effect)
        call_operation = emit(ctx, *operands, index=index)
        if options.get("partitioned"):
            mark_partitioned(call_operation)
        elif sharding is not None:
            several = len(signature(mlir.set_sharding).parameters) > len(("op", "sharding"))
            context = [ctx.module_context] if several else []  # since JAX 0.10
            mlir.set_sharding(*context, call_operation, sharding)
        results = list(call_operation.results)
        if token:
            token, *results = results
        return results, token, registered

    return emit_python_callback


def list_callback(ctx: LoweringContext, callback: Callback) -> np.uint64:
    """Adds a function to JAX's list of the program that is lowered; returns its place there."""
    ctx.module_context.add_host_callback(callback)
    return np.uint64(len(ctx.module_context.host_callbacks) - 1)


def mark_partitioned(operation: Operation) -> None:
    """Marks a callback that each device calls with its shards."""
    ir = jax_internals.ir()

    marks = {PARTITIONED: ir.StringAttr.get("true")}
    operation.attributes[FRONTEND_ATTRIBUTES] = ir.DictAttr.get(marks)


def with_token_result(run: Function) -> Function:
    """A callback that also receives and returns a token."""

    def run_ordered(_: object, *values: object) -> tuple[object, ...]:
        return None, *run(*values)

    return run_ordered


def with_token(ctx: LoweringContext, sharding: Any) -> object:
    """A sharding of the results of a callback, as one of a token and the results."""
    sharding_impls = jax_internals.sharding_impls()

    lists = getattr(sharding_impls, "SdyArrayList", None)
    single = getattr(sharding_impls, "SdyArray", None)
    if lists is None or single is None or not isinstance(sharding, lists) or not ctx.avals_out:
        return sharding
    ids = sharding.shardings[0].logical_device_ids
    replicated = single(mesh_shape=(), dim_shardings=(), logical_device_ids=ids)
    return lists((replicated, *sharding.shardings))


def is_own(ctx: LoweringContext) -> bool:
    """Whether a program is lowered for a client of stablemate."""
    if len(ctx.module_context.platforms) > 1:
        return False
    get_backend = ctx.module_context.get_backend
    options = {"optional": True} if "optional" in signature(get_backend).parameters else {}
    backend = get_backend(**options)
    return backend is not None and "stablemate" in str(backend.platform_version)


def install() -> None:
    """Replaces JAX's lowering of callbacks wherever it is imported, once."""
    callback = jax_internals.callback()
    original = callback.emit_python_callback
    if original.__module__ == __name__:
        return
    own_rule = lowering(original)
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get("emit_python_callback") is original:
            vars(module)["emit_python_callback"] = own_rule
    custom_call(TARGET, call)
    CONCURRENT.add(TARGET)
