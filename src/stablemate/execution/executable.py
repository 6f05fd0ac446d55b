"""Executable: a program that can be called, whichever executor made it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from stablemate.execution.signature import Signature, handed_out


class Executable(ABC):
    """A function of a module, ready to be called with arrays.

    Attributes:
        signature: What it takes and gives.
    """

    def __init__(self, signature: Signature) -> None:
        self.signature = signature

    def __call__(self, *arguments: Any) -> Any:
        """Runs the function.

        Args:
            *arguments: One array per argument of the signature, of its element type and shape.

        Returns:
            One result as an array, several as a tuple; the caller may change them.

        Raises:
            ArgumentTypeError: An argument is missing or of another element type.
            ArgumentValueError: An argument is of another shape.
            EvaluationError: The values break a rule of the specification.
            LimitError: The program exceeds a limit.
        """
        values = self.signature.take(arguments)
        return handed_out(self.run(values), values)

    @abstractmethod
    def run(self, values: Sequence[Any]) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
