"""Handlers: functions of the typed interface, called with call frames."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from stablemate.execution.custom_calls.call import TargetCall
from stablemate.execution.custom_calls.native import NativeFunction, memory
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.pjrt.foreign_functions.api import Context, FfiApi, FfiFuture, api
from stablemate.pjrt.foreign_functions.attributes import AttributeMemory, UnknownAttributeError
from stablemate.pjrt.foreign_functions.structures import (
    BUFFER,
    DTYPES,
    EXECUTE,
    INSTANTIATE,
    MAJOR_VERSION,
    METADATA,
    STAGES,
    TOKEN,
    Attrs,
    Buffer,
    CallFrame,
    Metadata,
    MetadataExtension,
)

HANDLER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
PART_BYTES: Final = 40  # of Args and of Rets in a call frame
FUTURE_SECONDS: Final = 1e-4  # between two looks at a future
TYPED: Final = 4  # the version of the calling convention


class CallSite:
    """A custom call in a program: its attributes, and the state of its handlers.

    Attributes:
        attributes: The attributes.
        context: The states of the handlers.
    """

    def __init__(self, attributes: AttributeMemory) -> None:
        self.attributes = attributes
        self.context = Context()


class FfiHandler(NativeFunction):
    """A function that is registered with ``jax.ffi``, as the target of custom calls.

    Attributes:
        name: The name of the target.
        stages: The functions by the number of the stage.
    """

    def __init__(self, name: str, functions: Mapping[str, int]) -> None:
        """Prepares calls.

        Args:
            name: The name of the target.
            functions: The addresses of the functions of its stages.
        """
        self.name = name
        self.stages = {STAGES[stage]: HANDLER(address) for stage, address in functions.items()}
        self.by_call: dict[int, tuple[TargetCall, CallSite]] = {}
        self.checked = False

    def __call__(self, operands: Sequence[object], call: TargetCall) -> object:
        """The results, one as itself, several as a tuple.

        Raises:
            EvaluationError: The handler returns an error, or cannot be called.
        """
        if call.api_version != TYPED and call.dictionary is None:
            raise call.error("the target is a typed function", api_version=call.api_version)
        with attach_context(Context()) as run:
            if not self.checked:
                self.check_version(call)
            site = self.site(call)
            run.states.update(site.context.states)
            results = tuple(memory(result_type, call) for result_type in call.result_types)
            inputs: list[object] = [
                None if value is None else np.ascontiguousarray(value) for value in operands
            ]
            for alias in call.aliases:
                position = alias.output_tuple_indices[0] if alias.output_tuple_indices else 0
                result = results[position]
                assert isinstance(result, np.ndarray)
                result[...] = inputs[alias.operand_index]
                inputs[alias.operand_index] = result
            for stage, function in sorted(self.stages.items()):
                if stage != INSTANTIATE:
                    values = (inputs, results) if stage == EXECUTE else ((), ())
                    self.perform(function, stage, site, run, values, call)
        return results[0] if len(results) == 1 else results

    def check_version(self, call: TargetCall) -> None:
        """Queries the version of the interface that the handler was built for.

        Raises:
            EvaluationError: It is another one than ours.
        """
        metadata = Metadata(struct_size=ctypes.sizeof(Metadata), version_struct_size=24)
        extension = MetadataExtension(
            ctypes.sizeof(MetadataExtension), METADATA, 0, ctypes.addressof(metadata)
        )
        frame = new_frame(api(), 0, EXECUTE, AttributeMemory({}))
        frame.extension_start = ctypes.addressof(extension)
        self.raise_failure(self.stages[EXECUTE](ctypes.addressof(frame)), call)
        if metadata.major != MAJOR_VERSION:
            version = f"{metadata.major}.{metadata.minor}"
            raise call.error("the target was built for another version of XLA_FFI", version=version)
        self.checked = True

    def site(self, call: TargetCall) -> CallSite:
        """The custom call that is called; its handler is instantiated with the first call."""
        prepared = self.by_call.get(id(call))
        if prepared is not None:
            return prepared[1]
        dictionary = call.dictionary or DictionaryAttribute()
        try:
            site = CallSite(AttributeMemory(dictionary.entries))
        except UnknownAttributeError as error:
            message = "attributes are numbers, strings, arrays and dictionaries"
            raise call.error(message, attribute=error) from None
        function = self.stages.get(INSTANTIATE)
        if function is not None:
            with attach_context(site.context):
                self.perform(function, INSTANTIATE, site, site.context, ((), ()), call)
        self.by_call[id(call)] = call, site
        return site

    def perform(
        self, function: Any, stage: int, site: CallSite, context: Context,
        values: tuple[Sequence[Any], Sequence[Any]], call: TargetCall,
    ) -> None:  # fmt: skip
        """Calls the function of a stage.

        Raises:
            EvaluationError: It returns an error.
        """
        table = api()
        frame = new_frame(table, context.number, stage, site.attributes)
        arguments, results = [BufferRow(row) for row in values]
        frame.num_args, frame.arg_types, frame.args = arguments.fields
        frame.num_rets, frame.ret_types, frame.rets = results.fields
        self.raise_failure(function(ctypes.addressof(frame)), call)
        if frame.future:
            self.wait(table.futures.pop(frame.future), call)

    def wait(self, future: FfiFuture, call: TargetCall) -> None:
        """Waits for asynchronous work of a handler.

        Raises:
            EvaluationError: That fails.
        """
        while not future.is_ready:
            time.sleep(FUTURE_SECONDS)
        if future.failure is not None:
            raise call.error(future.failure.message.decode("utf-8", "replace"))

    def raise_failure(self, number: int | None, call: TargetCall) -> None:
        """Raises the error that a handler returns."""
        if number:
            failure = api().failures.pop(number)
            message = failure.message.decode("utf-8", "replace")
            raise call.error(message or "the target failed", code=failure.code)


class BufferRow:
    """Buffers of operands or results in memory.

    Attributes:
        fields: How many there are, and the addresses of their types and of pointers to them.
    """

    def __init__(self, values: Sequence[object]) -> None:
        self.buffers = [self.buffer(value) for value in values]
        count = max(len(values), 1)
        self.types = (ctypes.c_int32 * count)(*[BUFFER] * len(values))
        self.pointers = (ctypes.c_void_p * count)(*map(ctypes.addressof, self.buffers))
        addresses = ctypes.addressof(self.types), ctypes.addressof(self.pointers)
        self.fields = (len(values), *addresses)

    def buffer(self, value: Any) -> Any:
        """A buffer; a token has no memory."""
        if value is None:
            return Buffer(ctypes.sizeof(Buffer), 0, TOKEN, 0, 0, 0)
        sizes = (ctypes.c_int64 * max(value.ndim, 1))(*value.shape)
        address = ctypes.addressof(sizes)
        buffer = Buffer(
            ctypes.sizeof(Buffer), 0, DTYPES[value.dtype], value.ctypes.data, value.ndim, address
        )
        buffer.kept = sizes
        return buffer


def new_frame(table: FfiApi, context: int, stage: int, attributes: AttributeMemory) -> Any:
    """A call frame without operands and results."""
    return CallFrame(
        struct_size=CallFrame.future.offset,
        api=table.address, ctx=context, stage=stage,
        args_struct_size=PART_BYTES, rets_struct_size=PART_BYTES,
        attrs_struct_size=ctypes.sizeof(Attrs), num_attrs=attributes.count,
        attr_types=attributes.types, attr_names=attributes.names, attrs=attributes.values,
    )  # fmt: skip


@contextmanager
def attach_context(context: Context) -> Generator[Context]:
    """Attaches a context for handlers."""
    contexts = api().contexts
    contexts[context.number] = context
    try:
        yield context
    finally:
        contexts.pop(context.number, None)
