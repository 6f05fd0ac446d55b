"""``sm.compile``: prepares a function of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.loading import module_of

if TYPE_CHECKING:
    from stablemate.api.frozen_arguments import Frozen
    from stablemate.api.module import Module
    from stablemate.diagnostics.limits import Limits
    from stablemate.execution.executable import Executable
    from stablemate.formats.recognition import Readable
    from stablemate.interpreter.summation_order import Order


def compile(
    module: Module | Readable, *, backend: str = DEFAULT_BACKEND, entry: str | None = None,
    limits: Limits | None = None, threads: int | None = None, check: bool = False,
    order: Order = "reference", attention: bool | None = None, frozen: Frozen = (),
) -> Executable:  # fmt: skip
    """Prepares a function of a module to be called many times.

    Args:
        module: The program, or what ``load`` reads.
        backend: ``cpu``: native code; a program that is not compiled runs in the interpreter, and
            ``fallback`` says why. ``interpreter``: NumPy, by the specification's formulas.
        entry: The function; by default ``main``, or the only one.
        limits: Bounds for what the program may take.
        threads: How many threads native code may use; by default as many as there are processors,
            or as the environment variable ``STABLEMATE_THREADS`` says. Results do not depend on it.
        check: Whether native code looks at every place in memory before it reads or writes there:
            several times slower, and what would leave its buffer ends the run with a
            ``CompileError`` that names step, kernel, buffer, index and extent.
        order: In which order the interpreter sums and folds: ``reference``, that of the reference
            interpreter, with its bits, or ``fast``, that of NumPy. Native code has its own.
        attention: Whether ``softmax(f(Q K^T)) V`` is computed in tiles, which changes roundings; by
            default, unless the environment variable ``STABLEMATE_ATTENTION`` is 0.
        frozen: Arguments that the caller promises never to change, by position or name, such as
            weights. The program is compiled in the first call, in which they become constants:
            what depends on them alone is computed once. They are not copied, and later calls still
            pass them, but do not read them; with ``check``, they are compared.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: There is no such backend, or it cannot run the program.
        ArgumentValueError: There is no such function, or no such argument to be frozen.
        ArgumentTypeError: What is frozen is not a tensor of known shape.
        LimitError: The program asks for more than the limits allow.
    """
    return module_of(module).compiled(
        backend, entry, limits, threads, check=check, order=order, attention=attention,
        frozen=frozen,
    )  # fmt: skip
