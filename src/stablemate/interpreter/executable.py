"""The interpreter as an Executable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.execution.executable import Executable
from stablemate.execution.observe.listener import Listener
from stablemate.execution.signature import Signature
from stablemate.execution.streams import Streams
from stablemate.interpreter.block import Prepared, ProcessBlock, as_process, as_scalar
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order
from stablemate.ir.core import Operation, Value
from stablemate.ir.grid import Grid
from stablemate.ir.request import Listen, Process
from stablemate.ir.types import Type
from stablemate.numerics.floating_point_environment import keeping_subnormals

if TYPE_CHECKING:
    from stablemate.interpreter.prepare import InterpretedProgram


class InterpretedExecutable(Executable):
    """A function that the interpreter runs.

    It may be called from several threads: each call in progress has frames of its own, and so has
    each process.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        signature: Signature,
        limits: Limits = DEFAULT_LIMITS,
        grid: Grid | None = None,
        name_of: Callable[[Value[Type]], str] | None = None,
        *,
        prepare: bool = True,
        listens: bool = False,
        order: Order = REFERENCE_ORDER,
    ) -> None:
        """Prepares a function.

        Args:
            functions: The functions of the module.
            signature: That of the function.
            limits: Its limits.
            grid: The processes that the module is made for.
            name_of: The name of a value in the printed module.
            prepare: Whether to prepare it now; else when it is first run.
            listens: Whether ``Streams.listener`` is notified of what is computed.
            order: The order of sums and folds: that of the reference interpreter or NumPy's.
        """
        super().__init__(signature, grid)
        self.functions = functions
        self.limits = limits
        self.names = name_of
        self.listens = listens
        self.order: Order = order
        self.idle: list[InterpretedProgram] = []
        if prepare:
            self.prepare()

    def prepare(self) -> None:
        """Prepares the function.

        Raises:
            StablemateError: The program cannot be run.
        """
        program = self.program()
        program.function(self.signature.name)
        self.idle.append(program)

    def program(self) -> InterpretedProgram:
        """A prepared program that is not in use."""
        try:
            return self.idle.pop()
        except IndexError:
            return self.new_program()

    def new_program(self, listener: Listener | None = None) -> InterpretedProgram:
        """A program that nothing uses yet; compiled functions never need one."""
        from stablemate.interpreter.prepare import InterpretedProgram

        return InterpretedProgram(self.functions, self.limits, listener, order=self.order)

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[object]:
        """The results; floating-point exceptions produce IEEE default results and no warning."""
        if self.listens:
            return super().run(values, streams, probe_dir, seed)
        program = self.program()
        function = program.function(self.signature.name)
        if isinstance(function, ProcessBlock):
            self.idle.append(program)
            return super().run(values, streams, probe_dir, seed)
        with np.errstate(all="ignore"), keeping_subnormals():
            results = function(*map(as_scalar, values))
        self.idle.append(program)  # after an error the frames hold stale values: they are dropped
        return results

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs a function of the module."""
        if self.listens:
            start = self.functions[function]
            return (yield from self.observe(start, lambda p: p.function(function), values))
        program = self.program()
        results = yield from as_process(program.function(function))(*map(as_scalar, values))
        self.idle.append(program)
        return results

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        if self.listens:
            return (yield from self.observe(operation, lambda p: p.body(operation), values))
        program = self.program()
        results = yield from as_process(program.body(operation))(*map(as_scalar, values))
        self.idle.append(program)
        return results

    def observe(
        self,
        operation: Operation,
        block: Callable[[InterpretedProgram], Prepared],
        values: Sequence[object],
    ) -> Process:
        """A process that runs a block of an operation and notifies its listener."""
        from stablemate.interpreter.observation import observed_block

        listener: Listener = yield Listen(operation)
        prepared = block(self.new_program(listener))
        entered = observed_block(prepared, listener, operation, 0)
        return (yield from as_process(entered)(*map(as_scalar, values)))

    def name_of(self, value: Value[Type]) -> str:
        """The name of a value in the printed program."""
        return self.names(value) if self.names else super().name_of(value)
