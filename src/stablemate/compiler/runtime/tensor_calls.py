"""Programs as builtin functions of Python, called with lists of tensors of another framework.

Source: DLPack 1.3, the C exchange API.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Final

import numpy as np

from stablemate.compiler.runtime.instance import Instance
from stablemate.compiler.runtime.native import tensor_calls
from stablemate.compiler.runtime.native.thread_pool import WORKERS
from stablemate.deferred_dataclasses import dataclass
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
    """The functions of a framework that calls need.

    Attributes:
        describe: The address of ``dltensor_from_py_object_no_sync`` of its DLPack exchange API.
        allocate: Allocates a tensor.
    """

    describe: int
    allocate: Callable[..., object]


@dataclass(frozen=True, slots=True)
class CallForm:
    """The arguments in the list of a call, and those that the program reads and writes.

    Attributes:
        length: How many items the list has.
        arguments: The position in the list of each argument of the program, and how it lies.
        held: Items that are these objects themselves, by position; the program knows them.
        results: How each result lies, and the arguments of its allocation.
        donors: The positions in the list of arguments that results are written over, by result.
    """

    length: int
    arguments: Sequence[tuple[int, TensorForm]]
    held: Mapping[int, object]
    results: Sequence[tuple[TensorForm, tuple[object, ...]]]
    donors: Mapping[int, int] = field(default_factory=dict[int, int])


class TensorCall:
    """An instance as a function of a list of tensors, which it empties.

    Attributes:
        function: The function; it returns the list of results.
    """

    def __init__(
        self, instance: Instance, functions: TensorFunctions, form: CallForm,
        fallback: Callable[[list[object]], list[object]],
    ) -> None:  # fmt: skip
        """Writes the record that native code reads.

        Args:
            instance: The program, which makes no requests; nobody else runs it.
            functions: What the framework does.
            form: What the list holds.
            fallback: Called with the list if tensors lie otherwise, or if the instance is busy.
        """
        self.instance = instance
        resume = instance.resume_at
        self.kept_alive: list[object] = [functions, form, fallback, resume]
        rows, result_rows = self.argument_rows(form), self.result_rows(form)
        words = {
            "length": form.length,
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
            "resume": id(resume),
            "allocate": id(functions.allocate),
            "describe": functions.describe,
        }
        record = [words[name] for name in tensor_calls.WORDS] + tensor_calls.function_addresses()
        self.record = np.array(record, np.int64)
        self.function: Callable[[list[object]], list[object]] = tensor_calls.builtin_function(
            method_definition(instance.runtime.call_tensors), self.record
        )

    def argument_rows(self, form: CallForm) -> list[list[int]]:
        """The rows of items that are known, and of the arguments that the program reads."""
        held = [
            [position, tensor_calls.HELD, id(value), 0, 0, 0, 0, 0]
            for position, value in form.held.items()
        ]
        places = self.instance.address_words(len(form.arguments) + len(form.results))
        return held + [
            self.row(position, tensor, words)
            for (position, tensor), words in zip(form.arguments, places, strict=False)
            if words
        ]

    def result_rows(self, form: CallForm) -> list[list[int]]:
        """Describes where each result lies, and which argument may donate its memory."""
        places = self.instance.address_words(len(form.arguments) + len(form.results))
        donors = [form.donors.get(number, -1) for number in range(len(form.results))]
        return [
            self.row(id(allocation), tensor, words, donor + 1)
            for (tensor, allocation), words, donor in zip(
                form.results, places[len(form.arguments) :], donors, strict=True
            )
        ]

    def row(self, first: int, form: TensorForm, words: Sequence[int], donor: int = 0) -> list[int]:
        """The words of a row."""
        sizes, strides = self.address_of(form.shape), self.address_of(form.strides)
        places = self.address_of(words)
        return [first, len(form.shape), sizes, strides, places, len(words), donor, 0]

    def address_of_rows(self, rows: Sequence[Sequence[int]]) -> int:
        """The address of rows in memory."""
        return self.address_of([word for row in rows for word in row])

    def address_of(self, words: Sequence[int]) -> int:
        """The address of words in memory, which lives as long as this."""
        array: Array = np.array(words, np.int64)
        self.kept_alive.append(array)
        return int(array.ctypes.data)


@cache
def method_definition(function: int) -> int:
    """The address of the definition of a builtin function with one argument."""
    name = ctypes.addressof(FUNCTION_NAME)
    words = np.array([name, function, tensor_calls.ONE_ARGUMENT, 0], np.int64)
    return int(immortalize(words).ctypes.data)
