"""Modules of XLA, as themselves and as programs that run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from stablemate import analysis, api, explorer
from stablemate.api.program import Function
from stablemate.api.runnable import Runnable
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError, VerifyError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import Signature
from stablemate.fork_safety import cached_property
from stablemate.ir import core
from stablemate.ir.grid import Grid

if TYPE_CHECKING:
    from stablemate.api.frozen_arguments import Frozen
    from stablemate.compiler.config.target import Target
    from stablemate.execution.executable import Executable
    from stablemate.interpreter.summation_order import Order
    from stablemate.xla import module as xla
    from stablemate.xla.values import ProgramShape


class HloFunction(Function):
    """The entry computation of an HLO module.

    Attributes:
        operation: The function that it is translated to.
        module: The module.
    """

    def __init__(self, operation: FuncOp, module: xla.HloModule) -> None:
        super().__init__(operation)
        self.module = module

    @property
    def name(self) -> str:
        """The name of the computation."""
        return self.module.entry

    @cached_property
    def signature(self) -> Signature:
        """The parameters and results of the computation, tuples as tuples."""
        return api.hlo_signature(self.module)


class HloProgram(Runnable):
    """A module of XLA: exact in its own formats, and through its translation a program that runs.

    All that a ``Module`` can do, this can do: the translation to StableHLO is made when it is
    asked for. Arrays that come in may lie in memory as they like; arrays that go out lie in the
    order of the layouts at the border of the module.

    Attributes:
        tree: Computations, instructions, shapes and layouts, as frozen values.
        format: ``hlo``, ``hlo_proto`` or ``builder``.
    """

    def __init__(self, tree: xla.HloModule, read_from: str = "hlo") -> None:
        super().__init__(None, read_from)
        self.tree = tree

    @property
    def version(self) -> int:
        """Always the same: neither the tree nor its translation changes."""
        return 0

    @property
    def ir(self) -> core.Module:
        """The translation to StableHLO, which must not be changed.

        ``translated`` returns a new one.
        """
        if self._ir is None:
            self._ir = self.translated()
        return self._ir

    def translated(self, *, keep_fusions: bool = False) -> core.Module:
        """The translation to StableHLO, made anew; fusions may be kept as functions.

        Raises:
            VerifyError: The module breaks a rule.
            UnsupportedError: StableHLO has no form for an instruction.
        """
        self.verify()
        return api.stablehlo_from_hlo(self.tree, keep_fusions=keep_fusions)

    @property
    def name(self) -> str:
        """The name of the module, which its text has after ``HloModule``."""
        return self.tree.name

    @property
    def computations(self) -> Mapping[str, xla.HloComputation]:
        """The computations by name, callees before callers."""
        return MappingProxyType(self.tree.by_name)

    @property
    def entry_layout(self) -> ProgramShape:
        """Shapes and layouts of parameters and result."""
        return api.hlo_border(self.tree)

    @property
    def read_text(self) -> str | None:
        """The text that it was read from; None if it was no text."""
        span = self.tree.entry_computation.span
        return None if span is None or self.format != "hlo" else span.source.text

    @property
    def grid(self) -> Grid:
        """The replicas and partitions in the module's header."""
        return Grid(self.tree.replica_count, self.tree.num_partitions)

    def entry(self, name: str | None = None) -> HloFunction:
        """A computation as the one that runs; by default the entry computation.

        Raises:
            ArgumentValueError: There is no such computation.
        """
        if name is not None and name != self.tree.entry:
            return self.with_entry(name).entry()
        return HloFunction(self.main, self.tree)

    @property
    def main(self) -> FuncOp:
        """The function that the entry computation is translated to."""
        return super().entry().operation

    def with_entry(self, name: str) -> Self:
        """The module with another computation as its entry.

        Raises:
            ArgumentValueError: There is no such computation.
        """
        if name == self.tree.entry:
            return self
        if name not in self.tree.by_name:
            listed = ", ".join(self.tree.by_name)
            raise ArgumentValueError(f"no computation is called {name!r}; the module has: {listed}")
        border = self.tree.by_name[name].program_shape
        changed = replace(
            self.tree,
            entry=name,
            entry_layout=replace(border, names=()),
            input_output_alias=(),
            buffer_donors=(),
        )
        return type(self)(changed, self.format)

    def with_entry_layout(self, layout: ProgramShape | str) -> Self:
        """The module with other layouts at its border, such as ``(f32[2,3]{0,1})->f32[3]{0}``.

        Raises:
            ParseError: A text is no program shape.
            VerifyError: The shapes are not those of the entry computation.
        """
        border = api.program_shape(layout) if isinstance(layout, str) else layout
        changed = type(self)(replace(self.tree, entry_layout=border), self.format)
        changed.verify()
        return changed

    def compiled(
        self, backend: str, entry: str | None, limits: Limits | None, threads: int | None,
        *, check: bool = False, order: Order = "reference", target: Target | None = None,
        attention: bool | None = None, frozen: Frozen = (),
    ) -> Executable:  # fmt: skip
        """A computation ready to be called, see ``sm.compile``; or compiled for a machine."""
        program = self if entry is None else self.with_entry(entry)
        return api.executable_of(
            program, backend, None, limits, threads, check=check, order=order, target=target,
            attention=attention, frozen=frozen,
        )  # fmt: skip

    def called_by(self, function: Function, executable: Executable) -> Executable:
        """The executable of the translation, called with tuples."""
        return api.hlo_called(self.tree, executable)

    @cached_property
    def _findings(self) -> list[Diagnostic]:
        """The errors of the tree, which does not change."""
        return api.hlo_diagnostics(self.tree)

    def graph(self) -> explorer.ProgramGraph:
        """The graph that is drawn: instructions as they are; see ``sm.view``."""
        return api.hlo_graph(self.tree, format=self.format, text=self.read_text)

    def diagnostics(self) -> list[Diagnostic]:
        """The errors of the module; empty if it is valid."""
        return list(self._findings)

    def notes(self) -> list[Diagnostic]:
        """The operations that reading replaced: none."""
        return []

    def verify(self, *, strict: bool = False) -> None:
        """Checks what XLA's own reader does not: shapes, types, dimensions, computations, layouts.

        Args:
            strict: Whether warnings are errors; HLO has none.

        Raises:
            VerifyError: It breaks rules; the error carries every diagnostic.
        """
        if self._findings:
            raise VerifyError(self._findings)

    def contents(self) -> analysis.Contents:
        """The contents: computations, opcodes, custom calls, constants, costs.

        It need not be valid; what only valid modules have is left out then.
        """
        errors = len(self.diagnostics())
        return analysis.hlo_contents_of(
            self.tree,
            None if errors else self.translation_if_any(),
            format=self.format,
            bytes=self.read_bytes,
            errors=errors,
        )

    def translation_if_any(self) -> core.Module | None:
        """The translation to StableHLO; None if that has no form for an instruction."""
        try:
            return self.ir
        except UnsupportedError:
            return None

    def to_text(
        self, *, generic: bool = False, debug_info: bool = True, elide: int | None = None
    ) -> str:
        """The module as HLO text, as XLA prints it; reading it returns an equal module.

        Args:
            generic: Whether to write the shapes of operands too.
            debug_info: Whether to write metadata.
            elide: Literals of more elements than this are left out; the text cannot be run.
        """
        return api.hlo_text(self.tree, operand_shapes=generic, metadata=debug_info, elide=elide)

    def losses_in(self, format: str) -> list[Diagnostic]:
        """The facts of the module that a format cannot express, as warnings.

        Args:
            format: ``hlo`` or ``hlo_proto``.
        """
        return api.format_losses(self.tree, format).diagnostics()

    def to_proto(self) -> bytes:
        """The module as a ``HloModuleProto``; what it has no field for is lost.

        That is the number of replicas and partitions, and how shardings propagate: ``losses_in``
        lists it.
        """
        return api.hlo_proto(self.tree)
