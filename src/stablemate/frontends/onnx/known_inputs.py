"""Facts about the inputs of a model that are known before it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.model import ValueInfo


def no_value(value: ValueInfo, position: int) -> object:
    """None: the value of no input is known."""
    return None


@dataclass(frozen=True, slots=True)
class KnownInputs:
    """Facts about the inputs of a model that are known when it is loaded.

    Attributes:
        sizes: Sizes that it leaves open, by their names; one without a name is called after its
            input and dimension, ``x:0``.
        names: The inputs that become constants of the program.
        value: The value of an input, the one of this number, that is such a constant.
        needed: The value of an input that stays an argument, if the program depends on the value;
            None if it is not known.
    """

    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    names: Collection[str] = ()
    value: Callable[[ValueInfo, int], object] = no_value
    needed: Callable[[ValueInfo, int], object] = no_value
