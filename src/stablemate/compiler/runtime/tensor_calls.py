"""Programs as builtin functions of Python, called with lists of tensors of another framework.

Source: DLPack 1.3, the C exchange API.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from stablemate.compiler.runtime.instance import Instance
from stablemate.compiler.runtime.native import tensor_calls
from stablemate.compiler.runtime.native.thread_pool import WORKERS
from stablemate.immortal import immortalize
from stablemate.numerics.elements import Array

FUNCTION_NAME: Final = immortalize(ctypes.create_string_buffer(b"call_tensors"))


@dataclass(frozen=True, slots=True)
class TensorForm:
    """How a tensor lies in memory.

    Attributes:
        shape: Its sizes.
        strides: Its strides, in elements.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TensorFunctions:
    """What a framework does for calls.

    Attributes:
        describe: The address of ``dltensor_from_py_object_no_sync`` of its DLPack exchange API.
        allocate: Allocates a tensor.
    """

    describe: int
    allocate: Callable[..., Any]


class TensorCall:
    """An instance as a function of a list of tensors, which it empties.

    Attributes:
        function: The function; it returns the list of results.
    """

    def __init__(
        self, instance: Instance, functions: TensorFunctions, arguments: Sequence[TensorForm],
        results: Sequence[tuple[TensorForm, tuple[Any, ...]]],
        fallback: Callable[[list[Any]], list[Any]],
    ) -> None:  # fmt: skip
        """Writes the record that native code reads.

        Args:
            instance: The program, which makes no requests; nobody else runs it.
            functions: What the framework does.
            arguments: How each argument lies in memory.
            results: How each result lies in memory, and the arguments of its allocation.
            fallback: Called with the list if tensors lie otherwise, or if the instance is busy.
        """
        self.instance = instance
        self.held: list[Any] = [functions, fallback, instance.resume_at, results]
        places = instance.address_words(len(arguments) + len(results))
        rows = [
            self.row(position, form, words)
            for position, (form, words) in enumerate(zip(arguments, places, strict=False))
            if words
        ]
        result_rows = [
            self.row(id(allocation), form, words)
            for (form, allocation), words in zip(results, places[len(arguments) :], strict=True)
        ]
        words = {
            "length": len(arguments),
            "arguments": len(rows),
            "argument_rows": self.address_of_rows(rows),
            "results": len(result_rows),
            "result_rows": self.address_of_rows(result_rows),
            "table": instance.table,
            "state": instance.state_address,
            "is_busy": 0,
            "is_short": int(instance.is_short),
            "workers": instance.runtime.pool.address + WORKERS if instance.is_shared else 0,
            "fallback": id(fallback),
            "resume": id(self.held[2]),
            "allocate": id(functions.allocate),
            "describe": functions.describe,
        }
        record = [words[name] for name in tensor_calls.WORDS] + tensor_calls.function_addresses()
        self.record = np.array(record, np.int64)
        self.function: Callable[[list[Any]], list[Any]] = tensor_calls.builtin_function(
            method_definition(instance.runtime.call_tensors), self.record
        )

    def row(self, first: int, form: TensorForm, words: Sequence[int]) -> list[int]:
        """The words of a row."""
        sizes, strides = self.address_of(form.shape), self.address_of(form.strides)
        return [first, len(form.shape), sizes, strides, self.address_of(words), len(words), 0, 0]

    def address_of_rows(self, rows: Sequence[Sequence[int]]) -> int:
        """The address of rows in memory."""
        return self.address_of([word for row in rows for word in row])

    def address_of(self, words: Sequence[int]) -> int:
        """The address of words in memory, which lives as long as this."""
        array: Array = np.array(words, np.int64)
        self.held.append(array)
        return int(array.ctypes.data)


@cache
def method_definition(function: int) -> int:
    """The address of the definition of a builtin function with one argument."""
    name = ctypes.addressof(FUNCTION_NAME)
    words = np.array([name, function, tensor_calls.ONE_ARGUMENT, 0], np.int64)
    return int(immortalize(words).ctypes.data)
