"""A program that runs: each of its functions is compiled once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stablemate import api
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.program import Program
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.limits import Limits
from stablemate.fork_safety import cached_property

if TYPE_CHECKING:
    from stablemate.api.frozen_arguments import Frozen
    from stablemate.api.sharded_calls import ShardingChoices
    from stablemate.compiler.config.target import Target
    from stablemate.execution.executable import Executable
    from stablemate.execution.streams import Streams
    from stablemate.interpreter.summation_order import Order


class Runnable(Program):
    """A program with what it takes to call its functions."""

    @cached_property
    def _executables(self) -> dict[tuple[object, ...], Executable]:
        """The compiled functions, by version, entry and options."""
        return {}

    @cached_property
    def shared_by(self) -> dict[tuple[object, ...], ShardingChoices]:
        """How grids may share whole arrays, by version, entry and grid."""
        return {}

    def run(
        self, *arguments: object, entry: str | None = None, backend: str = DEFAULT_BACKEND,
        max_iterations: int | None = None, streams: Streams | None = None,
        probe_dir: str | os.PathLike[str] | None = None, seed: int = 0,
        keywords: Mapping[str, object] | None = None, threads: int | None = None,
        check: bool = False,
        order: Order = "reference", attention: bool | None = None,
    ) -> Any:  # fmt: skip
        """Runs a function as a single process; compiles it on the first call.

        Args:
            *arguments: One array per argument. A function that ``jax.export`` made takes what the
                Python function took: tuples, lists and dictionaries of arrays; or all their leaves.
            entry: The function; by default ``main``, or the only one.
            backend: Which executor runs it, as for ``compile``.
            max_iterations: The most iterations that any one loop may take.
            streams: What it reads from the host and writes to it.
            probe_dir: Where ``interpreter.probe`` writes, and ``check`` looks for what it wrote.
            seed: Where the numbers that ``rng`` draws come from; each ``rng`` that is executed
                draws on.
            keywords: Arguments by name, of a function that ``jax.export`` made.
            threads: How many threads native code may use; by default as many as there are.
            check: Whether native code checks every access to memory, as for ``compile``.
            order: In which order the interpreter sums and folds, as for ``compile``.
            attention: Whether attention is computed in tiles, as for ``compile``.

        Returns:
            One result as an array, several as a tuple; of a function that ``jax.export`` made what
            the Python function returned, with tuples in place of types registered with JAX.

        Raises:
            VerifyError: The program is not valid.
            ArgumentError: An argument does not fit.
            EvaluationError: The values break a rule of the specification.
        """
        executable = self.executable(
            entry, backend=backend, max_iterations=max_iterations, threads=threads, check=check,
            order=order, attention=attention,
        )  # fmt: skip
        return call(
            executable, arguments, keywords, streams=streams, probe_dir=probe_dir, seed=seed
        )

    def executable(
        self, entry: str | None = None, *, backend: str = DEFAULT_BACKEND,
        max_iterations: int | None = None, threads: int | None = None, check: bool = False,
        order: Order = "reference", attention: bool | None = None,
    ) -> Executable:  # fmt: skip
        """A function ready to run, as ``run`` runs it; compiled once."""
        key = (self.version, entry, backend, max_iterations, threads, check, order, attention)
        executable = self._executables.get(key)
        if executable is None:
            limits = Limits(iterations=max_iterations)
            executable = self.compiled(
                backend, entry, limits, threads, check=check, order=order, attention=attention
            )
            self._executables[key] = executable
        return executable

    def compiled(
        self, backend: str, entry: str | None, limits: Limits | None, threads: int | None, *,
        check: bool = False, order: Order = "reference", target: Target | None = None,
        attention: bool | None = None, frozen: Frozen = (),
    ) -> Executable:  # fmt: skip
        """A function ready to be called, see ``sm.compile``; or compiled for another machine."""
        return api.executable_of(
            self, backend, entry, limits, threads, check=check, order=order, target=target,
            attention=attention, frozen=frozen,
        )  # fmt: skip


def call(
    executable: Executable, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:  # fmt: skip
    """Calls an executable; one of an exported function as the Python function."""
    if executable.accepts_keywords:
        options["keywords"] = keywords
    elif keywords:
        raise ArgumentValueError(
            "only functions that jax.export or torch.export made have keywords"
        )
    return executable(*arguments, **options)
