"""Inputs and outputs of runs, bound to arrays.

Source: ONNX Runtime, Python API, IOBinding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.numerics.elements import Array
from stablemate.onnx.values import CPU, OrtValue, array_at, required_cpu


class Named(Protocol):
    """A session, of which a binding knows the names of inputs and outputs."""

    @property
    def input_names(self) -> list[str]:
        """The names of what a run takes."""
        ...

    @property
    def output_names(self) -> list[str]:
        """The names of what a run gives."""
        ...


class IOBinding:
    """Inputs and outputs of runs, bound to arrays."""

    def __init__(self, session: Named) -> None:
        self.session = session
        self.inputs: dict[str, object] = {}
        self.targets: dict[str, Array | None] = {}
        self.outputs: list[Any] = []

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """Binds an input to an array."""
        self.inputs[self.required(name, self.session.input_names)] = np.asarray(arr_on_cpu)

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any,
        shape: Sequence[int], buffer_ptr: int,
    ) -> None:  # fmt: skip
        """Binds an input to the elements at an address."""
        required_cpu(device_type)
        self.bind_cpu_input(name, array_at(buffer_ptr, shape, element_type))

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an input to a value."""
        self.inputs[self.required(name, self.session.input_names)] = ortvalue.array

    def bind_output(
        self, name: str, device_type: str = CPU, device_id: int = 0, element_type: Any = None,
        shape: Sequence[int] | None = None, buffer_ptr: int | None = None,
    ) -> None:  # fmt: skip
        """Binds an output to the elements at an address, or to an array that the run makes."""
        required_cpu(device_type)
        place = None
        if buffer_ptr is not None and shape is not None:
            place = array_at(buffer_ptr, shape, element_type)
        self.targets[self.required(name, self.session.output_names)] = place

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an output to a value, into which a run writes."""
        self.targets[self.required(name, self.session.output_names)] = ortvalue.array

    @staticmethod
    def required(name: str, names: Sequence[str]) -> str:
        """A name that the model has.

        Raises:
            ArgumentValueError: It has not.
        """
        if name not in names:
            raise ArgumentValueError(f"the model has no {name!r} among {[*names]}")
        return name

    def synchronize_inputs(self) -> None:
        """Has no effect: arrays are where the model runs."""

    def synchronize_outputs(self) -> None:
        """Has no effect: a run has ended when it returns."""

    def get_outputs(self) -> list[OrtValue]:
        """The outputs of the last run."""
        return [OrtValue(output) for output in self.outputs]

    def get_outputs_as_ortvaluevector(self) -> list[OrtValue]:
        """The outputs of the last run, as ``get_outputs`` returns them."""
        return self.get_outputs()

    def copy_outputs_to_cpu(self) -> list[Any]:
        """The outputs of the last run, as arrays."""
        return list(self.outputs)

    def clear_binding_inputs(self) -> None:
        """Forgets the arrays and values that are bound to inputs."""
        self.inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets the arrays into which outputs are written."""
        self.targets.clear()
