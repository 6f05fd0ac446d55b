"""A program that is served: its name, inputs and outputs, and how it is run.

Source: Open Inference Protocol, model metadata.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np

from stablemate.analysis.row_independence import rows_obstacle
from stablemate.api.module import Module
from stablemate.api.program import Function
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import EvaluationError, UnsupportedError
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.signature import Argument, shape_fits
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, DType, StorageError
from stablemate.serving.data_types import NAMES

VERSION: Final = "1"  # of every model
VARYING: Final = -1  # what metadata say of a size that varies


@dataclass(frozen=True, slots=True)
class ServedTensor:
    """An input or output.

    Attributes:
        name: What requests call it.
        type: The type that the program has.
        dtype: NumPy's type of its elements.
        rows: The most rows that a request may have, if there may be fewer than the program takes.
    """

    name: str
    type: TensorType
    dtype: DType
    rows: int | None = None

    @property
    def data_type(self) -> str:
        """The protocol's name of the element type."""
        return NAMES[self.dtype]

    @property
    def shape(self) -> Sequence[int]:
        """The sizes, -1 where they vary."""
        sizes = [VARYING if size == DYNAMIC else size for size in self.type.shape]
        return sizes if self.rows is None else [VARYING, *sizes[1:]]

    @property
    def shape_text(self) -> str:
        """The shape for a message."""
        limit = "" if self.rows is None else f" with at most {self.rows} rows"
        return f"{list(self.shape)}{limit}"

    def accepts(self, shape: Sequence[int]) -> bool:
        """Whether a request may have a tensor of this shape."""
        if self.rows is not None and shape and 0 < shape[0] <= self.rows:
            shape = [self.rows, *shape[1:]]
        return shape_fits(shape, self.type)

    def metadata(self) -> Mapping[str, object]:
        """Describes the model for clients."""
        return {"name": self.name, "datatype": self.data_type, "shape": list(self.shape)}


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A program that is served.

    Attributes:
        name: What requests call it.
        format: The format that it was read from.
        executable: What runs it: an executable, or what is called as one.
        inputs: Its inputs.
        outputs: Its outputs.
        fixed_rows: How many rows the program takes, if requests with fewer of them are padded.
        obstacle: Why requests are not joined; None if they can be.
    """

    name: str
    format: str
    executable: Callable[..., Any]
    inputs: Sequence[ServedTensor]
    outputs: Sequence[ServedTensor]
    fixed_rows: int | None
    obstacle: str | None
    version: str = VERSION

    def metadata(self) -> Mapping[str, object]:
        """Describes the model for clients."""
        return {
            "name": self.name,
            "versions": [self.version],
            "platform": f"stablemate_{self.format}",
            "inputs": [tensor.metadata() for tensor in self.inputs],
            "outputs": [tensor.metadata() for tensor in self.outputs],
        }

    def run(self, arrays: Sequence[Array]) -> Sequence[Array]:
        """The outputs for inputs that fit; rows that a program lacks are zeros."""
        rows = None
        if self.fixed_rows is not None and len(arrays[0]) != self.fixed_rows:
            rows = len(arrays[0])
            arrays = [pad_rows(array, self.fixed_rows) for array in arrays]
        outcome = self.executable(*arrays)
        results = [outcome] if len(self.outputs) == 1 else list(outcome or ())
        return results if rows is None else [result[:rows] for result in results]

    def warm_up(self, most_rows: int) -> None:
        """Compiles what calls of different numbers of rows need.

        Only for a program whose rows alone vary, and which has no loops, since they do not depend
        on each other: zeros come to an end.

        Args:
            most_rows: The most rows of requests that are joined.
        """
        sizes = [tensor.type.shape[1:] for tensor in self.inputs]
        if self.obstacle is not None or self.fixed_rows is not None or DYNAMIC in chain(*sizes):
            return
        rows = 1
        while rows <= most_rows and all(t.accepts([rows, *t.shape[1:]]) for t in self.inputs):
            try:
                self.run([np.zeros((rows, *t.shape[1:]), t.dtype) for t in self.inputs])
            except EvaluationError:  # zeros break a rule of the program
                return
            rows *= 2


def pad_rows(array: Array, rows: int) -> Array:
    """An array with rows of zeros below."""
    result = np.zeros((rows, *array.shape[1:]), array.dtype)
    result[: len(array)] = array
    return result


def served_model(module: Module, name: str, threads: int | None = None) -> ServedModel:
    """A program that can be served: its function ``main``, or the only one.

    Args:
        module: The program.
        name: What requests call it.
        threads: How many threads native code may use; by default as many as there are.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: An argument or result is no tensor, or has elements that the protocol has
            no name for.
    """
    module.verify_executable()
    function = module.entry()
    if module.grid.size > 1:
        raise UnsupportedError(f"{name} is a program of {module.grid.size} processes")
    inputs = [*served_tensors(function, function.own_signature.arguments, "argument", name)]
    outputs = [*served_tensors(function, function.own_signature.results, "result", name)]
    obstacle = rows_obstacle(module.ir, function.operation)
    size = inputs[0].type.shape[0] if obstacle is None else DYNAMIC
    fixed = None if size == DYNAMIC else size
    if fixed is not None:
        inputs, outputs = ([replace(t, rows=fixed) for t in side] for side in (inputs, outputs))
    executable = module.executable(threads=threads)
    while isinstance(executable, AdaptedExecutable):
        executable = executable.program
    return ServedModel(name, module.format, executable, inputs, outputs, fixed, obstacle)


def served_tensors(
    function: Function, values: Sequence[Argument], kind: str, model: str
) -> Iterator[ServedTensor]:
    """The inputs or outputs of a function, with names that differ.

    Raises:
        UnsupportedError: One cannot be in a request or response.
    """
    public = function.signature.arguments if kind == "argument" else function.signature.results
    named = public if len(public) == len(values) else values
    taken: set[str] = set()
    for number, (value, stated) in enumerate(zip(values, named, strict=True)):
        what = f"{kind} {number} of {model}"
        if not isinstance(value.type, TensorType):
            raise UnsupportedError(f"{what} is {value.type}, which no request can have")
        name = re.sub(r"^%|\s+", "", stated.name) or f"{kind}{number}"
        name = name if name not in taken else f"{name}.{number}"
        taken.add(name)
        yield ServedTensor(name, value.type, served_dtype(value.type, what))


def served_dtype(type_: TensorType, what: str) -> DType:
    """NumPy's type of the elements of an input or output."""
    with suppress(StorageError, AttributeError):  # of another dialect, or quantized per block
        dtype = type_.element_type.dtype
        if dtype in NAMES:
            return dtype
    raise UnsupportedError(
        f"{what} is {type_}; the Open Inference protocol has no name for its elements, only "
        f"{', '.join(NAMES.values())}"
    )
