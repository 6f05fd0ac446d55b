"""The interface of a library: its name, arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stablemate.compiler.graph.memory_types import in_memory
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.types import TensorType


@dataclass(frozen=True, slots=True)
class CValue:
    """An argument or a result, as C sees it.

    Attributes:
        label: What messages call it: ``argument 0 (x)``.
        name: What the program calls it; empty if it has no name.
        type: Its type, as StableHLO writes it.
        element_type: The type of its elements.
        shape: Its shape.
        bytes: Its size.
        alignment: The bytes of which its address is a multiple.
    """

    label: str
    name: str
    type: str
    element_type: str
    shape: Sequence[int]
    bytes: int
    alignment: int


@dataclass(frozen=True, slots=True)
class LibraryInterface:
    """The interface of a library.

    Attributes:
        name: The prefix of its functions, a C identifier.
        function: The function of the program.
        arguments: Its arguments.
        results: Its results.
        weights: The name of the file of its constants; empty if the library contains them.
    """

    name: str
    function: str
    arguments: Sequence[CValue]
    results: Sequence[CValue]
    weights: str

    @property
    def values(self) -> Sequence[CValue]:
        """The arguments, then the results."""
        return (*self.arguments, *self.results)


def values_of(signature: Signature) -> tuple[list[CValue], list[CValue]]:
    """The arguments and the results of a signature of static tensors."""
    return list(describe_values(signature.arguments, "argument")), list(
        describe_values(signature.results, "result")
    )


def describe_values(values: Sequence[Argument], kind: str) -> Iterator[CValue]:
    """Arguments or results, as C sees them."""
    for number, value in enumerate(values):
        tensor = in_memory(value.type)
        assert isinstance(tensor, TensorType)  # others are not compiled
        dtype = tensor.element_type.dtype
        name = "" if value.name in (kind, f"{kind} {number}") else value.name.lstrip("%")
        yield CValue(
            f"{kind} {number} ({name})" if name else f"{kind} {number}",
            name,
            str(value.type),
            str(tensor.element_type),
            tensor.shape,
            tensor.size * dtype.itemsize,
            dtype.alignment,
        )


def identifier(text: str) -> str:
    """A C identifier that resembles a text."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return f"_{name}" if not name or name[0].isdigit() else name
