"""Buffer callbacks: Python functions that write results in place (``jax.experimental``).

jaxlib's target of these calls needs its own client. For clients of stablemate the call is lowered
as other callbacks are, and the function gets buffers that are views of the program's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

import numpy as np

from stablemate.bridges import jax_internals
from stablemate.bridges.jax_internals import AbstractValue
from stablemate.numerics.elements import Array, DType
from stablemate.pjrt.callbacks.python_callbacks import (
    TARGET,
    Callback,
    is_own,
    list_callback,
    without_mesh,
)

ON_HOST: Final = (1, 0)  # DLPack's device
NO_STREAM: Final = "UNIMPLEMENTED: XLA FFI GPU context is not available"
NO_CUDA: Final = "UNIMPLEMENTED: Buffer.__cuda_array_interface__ is only supported on GPUs."


class CallbackBuffer:
    """An argument or a result of a buffer callback, with the interface of jaxlib's ``Buffer``.

    Attributes:
        writeable: Whether it is a result.
    """

    def __init__(self, array: Array, *, writeable: bool) -> None:
        self.array = array
        self.writeable = writeable

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions of the array."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> DType:
        """The element type of the array, as NumPy has it."""
        return self.array.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""
        return int(self.array.ndim)

    def __array__(self, dtype: DType | None = None, copy: bool | None = None) -> Array:
        """The elements themselves, not a copy."""
        if dtype is not None and np.dtype(dtype) != self.array.dtype:
            message = "dtype parameter is not supported by Buffer.__array__."
            raise ValueError(message)
        if copy:
            message = "Buffer.__array__ with copy=True is not supported."
            raise ValueError(message)
        return self.array

    def __dlpack__(
        self, stream: None = None, *, copy: bool | None = None, **options: Any
    ) -> object:
        """The elements themselves, not a copy."""
        if copy:
            message = "Buffer.__dlpack__ with copy=True is not supported."
            raise ValueError(message)
        capsule: object = self.array.__dlpack__(stream=stream, **options)
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        """The device type and number of the host, as in DLPack."""
        return ON_HOST

    @property
    def __cuda_array_interface__(self) -> NoReturn:
        """Not offered.

        Raises:
            JaxRuntimeError: Always.
        """
        raise runtime_error(NO_CUDA)


class ExecutionContext:
    """The context of a buffer callback, with the interface of jaxlib's ``ExecutionContext``."""

    @property
    def stage(self) -> object:
        """The stage in which the function is called: the execution."""
        stage: object = import_module("jax.experimental.buffer_callback").ExecutionStage.EXECUTE
        return stage

    @property
    def stream(self) -> int:
        """Not offered.

        Raises:
            JaxRuntimeError: Always.
        """
        raise runtime_error(NO_STREAM)


def runtime_error(message: str) -> Exception:
    """An exception of the class ``JaxRuntimeError`` with a message."""
    error: Exception = import_module("jax.errors").JaxRuntimeError(message)
    return error


def in_place(
    callback: Callable[..., object], results: Sequence[AbstractValue], aliases: Mapping[int, int]
) -> Callable[..., tuple[Array, ...]]:
    """A function of arrays that lets a callback write the results.

    Args:
        callback: Takes the context, the arguments and the results.
        results: The types of the results.
        aliases: The arguments that are the initial values of results.
    """
    initial = {result: argument for argument, result in aliases.items()}

    def run(*arguments: object) -> tuple[Array, ...]:
        values = [np.asarray(argument) for argument in arguments]
        for argument in aliases:
            values[argument] = values[argument].copy()  # the memory of the result, too
        arrays = [
            values[initial[i]] if i in initial else np.zeros(aval.shape, aval.dtype)
            for i, aval in enumerate(results)
        ]
        buffers = [CallbackBuffer(value, writeable=False) for value in values]
        buffers += [CallbackBuffer(array, writeable=True) for array in arrays]
        with without_mesh():
            callback(ExecutionContext(), *buffers)
        return tuple(arrays)

    return run


def lowering(original: Callable[..., object]) -> Callable[..., object]:
    """The lowering of buffer callbacks for clients of stablemate; others keep JAX's own."""

    def lower(ctx: Any, *operands: Any, **parameters: Any) -> Any:
        if not is_own(ctx):
            return original(ctx, *operands, **parameters)
        ffi = jax_internals.ffi()
        tree_util = jax_internals.tree_util()
        callback, in_tree = parameters["callback"], parameters["in_tree"]

        def call(context: ExecutionContext, *buffers: CallbackBuffer) -> None:
            count = in_tree.num_leaves
            values, keywords = tree_util.tree_unflatten(in_tree, buffers[:count])
            out = tree_util.tree_unflatten(parameters["out_tree"], buffers[count:])
            if callback(context, out, *values, **keywords) is not None:
                message = "buffer_callback callback must not return any values."
                raise ValueError(message)

        aliases = dict(parameters.get("input_output_aliases", ()))
        registered = Callback(in_place(call, list(ctx.avals_out), aliases))
        rule = ffi.ffi_lowering(TARGET, has_side_effect=parameters["has_side_effect"])
        return rule(ctx, *operands, index=list_callback(ctx, registered))

    return lower


def install() -> None:
    """Replaces JAX's lowering of buffer callbacks, if this version of JAX has them."""
    try:
        module: Any = jax_internals.buffer_callback()
        original, primitive = module._buffer_callback_lowering, module.buffer_callback_p
    except (ImportError, AttributeError):
        return
    if original.__module__ == __name__:
        return
    module._buffer_callback_lowering = lowering(original)
    mlir = jax_internals.mlir()
    mlir.register_lowering(primitive, module._buffer_callback_lowering)
