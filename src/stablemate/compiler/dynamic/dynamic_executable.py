"""The base of executables that are compiled when sizes are known."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from stablemate.execution.executable import Executable
from stablemate.fork_safety import fork_safe_lock
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import Type

# Each saves compilation when its sizes return, and holds code and constants.
MAX_SPECIALIZATIONS: Final = 32  # that stay compiled


class DynamicExecutable(Executable):
    """A function that is compiled when sizes are known.

    Attributes:
        interpreted: The function as the interpreter runs it, for any sizes.
        specializations: The compiled executables by sizes; the latest use last.
    """

    def __init__(self, interpreted: InterpretedExecutable) -> None:
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        self.specializations: OrderedDict[Hashable, Executable] = OrderedDict()
        self.lock = fork_safe_lock()

    def specialization(self, key: Hashable, compile: Callable[[], Executable]) -> Executable:
        """The executable for some sizes; compiled unless it was compiled before.

        Args:
            key: The sizes.
            compile: Compiles it.
        """
        with self.lock:
            executable = self.specializations.get(key)
            if executable is None:
                executable = self.specializations[key] = compile()
                if len(self.specializations) > MAX_SPECIALIZATIONS:
                    self.specializations.popitem(last=False)
            self.specializations.move_to_end(key)
        return executable

    @property
    def latest(self) -> Executable | None:
        """The specialization that was used last; None if there is none."""
        return next(reversed(self.specializations.values()), None)

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs a function of the module, interpreted.

        So processes whose sizes differ still meet at the same operations.
        """
        return self.interpreted.start(function, values)

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.interpreted.start_body(operation, values, targets)

    def name_of(self, value: Value[Type]) -> str:
        """The name of a value in the printed program."""
        return self.interpreted.name_of(value)
