"""Options of a command line that describe the inputs of a model of ONNX before it is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.cli.input.arguments import InputReader
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.frontends.onnx.element_types import element_of
from stablemate.frontends.onnx.known_inputs import KnownInputs
from stablemate.frontends.onnx.model import ValueInfo
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


def known_inputs(
    sizes: Mapping[str, int], values: Sequence[str], inputs: Sequence[str]
) -> KnownInputs:
    """Reads the options of a verb that describe the inputs of a model.

    Args:
        sizes: The sizes by their names.
        values: ``NAME=VALUE`` for each input that becomes a constant.
        inputs: The arguments, ``NAME=VALUE`` or in the order of the inputs; those on whose values
            the program depends are read before it is made.

    Raises:
        ArgumentValueError: A value has no name, or an input has two values.
    """
    named: dict[str, str] = {}
    for text in values:
        name, sign, value = text.partition("=")
        if not sign:
            raise ArgumentValueError(f"expected NAME=VALUE, not {text!r}")
        if name in named:
            raise ArgumentValueError(f"the input {name!r} has two values")
        named[name] = value
    reader = TextReader(named, inputs)
    return KnownInputs(sizes, [*named], reader.value, reader.needed_value)


@dataclass(frozen=True, slots=True)
class TextReader:
    """Reads values of inputs.

    Attributes:
        values: The values of constants, by the names of inputs.
        inputs: The values of arguments.
    """

    values: Mapping[str, str]
    inputs: Sequence[str]

    def value(self, value: ValueInfo, position: int) -> Array:
        """The value of an input that becomes a constant."""
        return self.array(value, self.values[value.name])

    def needed_value(self, value: ValueInfo, position: int) -> Array | None:
        """The value of an argument; None if the command line has none."""
        prefix = f"{value.name}="
        named = [text.removeprefix(prefix) for text in self.inputs if text.startswith(prefix)]
        if named:
            return self.array(value, named[0])
        if position < len(self.inputs) and "=" not in self.inputs[position].partition("@")[0]:
            return self.array(value, self.inputs[position])
        return None

    def array(self, value: ValueInfo, text: str) -> Array:
        """An array of the type of an input."""
        declared = value.type.shape or ()
        shape = tuple([size if isinstance(size, int) else DYNAMIC for size in declared])
        what = f"the input {value.name!r}"
        expected = TensorType(shape, element_of(value.type.data_type, what))
        return InputReader().read(text, expected, name=f"<{value.name}>", what=what)
