"""Calls HLO modules as functions: tuples in and out, results in the order of their layouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

import numpy as np

from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature, flatten_values
from stablemate.execution.streams import Streams
from stablemate.ir.grid import Grid
from stablemate.numerics.elements import Array
from stablemate.xla.module import HloComputation, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.types import type_of
from stablemate.xla.values import ProgramShape


class HloExecutable(AdaptedExecutable):
    """The entry computation of an HLO module, called with its parameters.

    A tuple parameter takes a Python tuple. A tuple root yields several results. An array result is
    stored in the order of its layout; other parts of a layout (tiles, padding, memory spaces) do
    not apply to NumPy.

    Attributes:
        program_shape: Shapes and layouts of parameters and result.
        program: The translated program, whose arguments and results are the parts of the tuples.
    """

    def __init__(self, module: HloModule, program: Executable) -> None:
        super().__init__(signature_of(module.entry_computation), program)
        self.program_shape = program_shape_of(module)

    def __call__(
        self, *arguments: object, streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    ) -> Any:  # fmt: skip
        """Runs the entry computation as a single process; see ``Executable``."""
        handed = super().__call__(*arguments, streams=streams, probe_dir=probe_dir, seed=seed)
        return results_in_layout(handed, self.program_shape.result)

    def run_grid(self, arguments: Any, grid: Grid, **options: Any) -> list[Any]:
        """Runs the entry computation as all processes of a grid; see ``sm.run_grid``."""
        results = super().run_grid(arguments, grid, **options)
        shape = self.program_shape.result  # ranks of MPI do not have the results of others
        return [
            result if result is None else results_in_layout(result, shape) for result in results
        ]

    def program_arguments(self, values: Sequence[object]) -> Sequence[object]:
        """Returns the elements of the tuples."""
        return list(flatten_values(values))

    def caller_results(self, results: Sequence[object]) -> Sequence[Any]:
        """Assembles the results from those of the program."""
        result = self.program_shape.result
        value = assemble_value(result, iter(results))
        return value if result.is_tuple else (value,)


def program_shape_of(module: HloModule) -> ProgramShape:
    """Returns shapes and layouts of parameters and result: as declared, else as they are."""
    return module.entry_layout or module.entry_computation.program_shape


def signature_of(computation: HloComputation) -> Signature:
    """Returns the arguments and results of a computation.

    Raises:
        UnsupportedError: A shape has no type in StableHLO.
    """
    shape = computation.program_shape
    arguments = (
        Argument(name, type_of(parameter))
        for name, parameter in zip(shape.names, shape.parameters, strict=True)
    )
    parts = shape.result.elements if shape.result.is_tuple else (shape.result,)
    results = (Argument(f"result {i}", type_of(part)) for i, part in enumerate(parts))
    return Signature(computation.name, tuple(arguments), tuple(results))


def assemble_value(shape: Shape, parts: Iterator[object]) -> Any:
    """Returns the value of a shape, from its elements in order."""
    if shape.is_tuple:
        return tuple(assemble_value(element, parts) for element in shape.elements)
    return next(parts)


def results_in_layout(handed: object, shape: Shape) -> Any:
    """Returns the results for a caller, with arrays in the memory order of their layouts."""
    if shape.is_tuple and len(shape.elements) == 1:  # a single result is not wrapped in a tuple
        return value_in_layout(handed, shape.elements[0])
    return value_in_layout(handed, shape)


def value_in_layout(value: Any, shape: Shape) -> Any:
    """Returns a value with arrays in the memory order of their layouts."""
    if shape.is_tuple:
        return tuple(value_in_layout(v, s) for v, s in zip(value, shape.elements, strict=True))
    return value if value is None else array_in_layout(value, shape)


def array_in_layout(array: Array, shape: Shape) -> Array:
    """Returns the same elements, in memory in the order of dimensions of the layout."""
    layout = shape.layout
    if layout is None or layout.minor_to_major == tuple(range(array.ndim - 1, -1, -1)):
        return array
    major_to_minor = layout.minor_to_major[::-1]
    return np.ascontiguousarray(array.transpose(major_to_minor)).transpose(
        np.argsort(major_to_minor)
    )
