"""The parameters of a machine on which the choice of kernels depends."""

from __future__ import annotations

from collections.abc import Iterable


class Machine(int):
    """The bytes of a vector register, and the optional instructions of the machine.

    Most kernels need only the number, so a machine is a number.

    Attributes:
        instructions: The operators of expressions that are single instructions here and worth
            using; only operators are listed that not all processors of the architecture support.
    """

    instructions: frozenset[str]

    def __new__(cls, vector_bytes: int, instructions: Iterable[str] = ()) -> Machine:
        """A machine with vectors of so many bytes."""
        machine = super().__new__(cls, vector_bytes)
        machine.instructions = frozenset(instructions)
        return machine
