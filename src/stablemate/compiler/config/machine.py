"""The parameters of a machine on which the choice of kernels depends."""

from __future__ import annotations

from collections.abc import Iterable


class Machine(int):
    """How many bytes a vector register has, and which rare instructions there are.

    Most kernels need the number alone, so it is one.

    Attributes:
        instructions: The operators of expressions that are instructions here and worth using, of
            those that processors of one kind may have or not.
    """

    instructions: frozenset[str]

    def __new__(cls, vector_bytes: int, instructions: Iterable[str] = ()) -> Machine:
        """A machine with vectors of so many bytes."""
        machine = super().__new__(cls, vector_bytes)
        machine.instructions = frozenset(instructions)
        return machine
