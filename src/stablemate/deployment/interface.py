"""The interface of a library: its name, arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.graph.memory_types import in_memory
from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.step_labels import StepLabel
from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.types import DYNAMIC, TensorType, Type

OPEN: Final = -1  # how the interface writes a size that is the batch, or follows from it


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
class LibraryProgram:
    """A program of a library, for one size of the batch.

    Attributes:
        image: Its image; functions are called as in the objects of the library.
        labels: What its steps are called in traces.
        arguments: Its arguments.
        results: Its results.
    """

    image: ProgramImage
    labels: Mapping[int, StepLabel]
    arguments: Sequence[CValue]
    results: Sequence[CValue]

    @property
    def values(self) -> Sequence[CValue]:
        """The arguments, then the results."""
        return (*self.arguments, *self.results)


@dataclass(frozen=True, slots=True)
class LibraryInterface:
    """The interface of a library.

    Attributes:
        name: The prefix of its functions, a C identifier.
        function: The function of the program.
        programs: The program; for an open number of rows one for each, from 1.
        arguments: Its arguments, of as many bytes as those of the largest batch.
        results: Its results, likewise.
        weights: The name of the file of its constants; empty if the library contains them.
        has_batches: Whether callers say how many rows there are.
    """

    name: str
    function: str
    programs: Sequence[LibraryProgram]
    arguments: Sequence[CValue]
    results: Sequence[CValue]
    weights: str
    has_batches: bool = False

    @property
    def values(self) -> Sequence[CValue]:
        """The arguments, then the results."""
        return (*self.arguments, *self.results)


def library_interface(
    name: str, declared: Signature, images: Sequence[ProgramImage],
    labels: Sequence[Mapping[int, StepLabel]], signatures: Sequence[Signature], weights: str,
) -> LibraryInterface:  # fmt: skip
    """The interface of a library.

    Args:
        name: The prefix of its functions.
        declared: The signature of the function, maybe with open sizes.
        images: The programs.
        labels: What the steps of each program are called.
        signatures: The signature of each program, of static tensors.
        weights: The name of the file of constants.
    """
    programs = [
        LibraryProgram(image, own, *values_of(signature))
        for image, own, signature in zip(images, labels, signatures, strict=True)
    ]
    last = programs[-1]
    has_batches = not all(is_static(a.type) for a in declared.arguments)
    arguments, results = last.arguments, last.results
    if has_batches:
        arguments = [*with_open_sizes(last.arguments, declared.arguments)]
        results = [*with_open_sizes(last.results, declared.results)]
    return LibraryInterface(name, declared.name, programs, arguments, results, weights, has_batches)


def is_static(type_: Type) -> bool:
    """Whether this is no tensor with open sizes."""
    return not isinstance(type_, TensorType) or type_.is_static


def with_open_sizes(values: Sequence[CValue], declared: Sequence[Argument]) -> Iterator[CValue]:
    """Arguments or results of the largest batch, with the open sizes of their declaration."""
    for value, argument in zip(values, declared, strict=True):
        assert isinstance(argument.type, TensorType)
        shape = [OPEN if size == DYNAMIC else size for size in argument.type.shape]
        yield replace(value, type=str(argument.type), shape=shape)


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
