"""A program and its functions, from which executables are created."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from weakref import ref

from stablemate import explorer, transforms
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError, VerifyError
from stablemate.dialects.builtin import stated_grid
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import Signature, declared_signature
from stablemate.fork_safety import cached_property
from stablemate.formats import jax_export
from stablemate.ir import core
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.grid import Grid
from stablemate.ir.verifier import diagnose, errors_among, verify, verify_executable
from stablemate.transforms import vhlo
from stablemate.transforms.symbol_dce import unreachable

if TYPE_CHECKING:
    from stablemate.execution.executable import Executable

LISTED: Final = 8  # names that a note shows
MAIN: Final = "main"  # the function of an exported program that has the calling convention


class Function:
    """A function of a module.

    Attributes:
        operation: Its ``func.func``.
        exported: How JAX calls it, if it is the function that ``jax.export`` made.
    """

    def __init__(self, operation: FuncOp, exported: jax_export.Exported | None = None) -> None:
        self.operation = operation
        self.exported = exported

    @property
    def name(self) -> str:
        """The symbol of the function without ``@``, by which ``entry`` selects it."""
        return self.operation.symbol

    @property
    def is_public(self) -> bool:
        """Whether it may be called from outside the module."""
        return self.operation.sym_visibility in (None, "public")

    @cached_property
    def signature(self) -> Signature:
        """Its parameters and results.

        Of an exported function the leaves of arguments and result.
        """
        return jax_export.signature_of(self.exported) if self.exported else self.own_signature

    @cached_property
    def own_signature(self) -> Signature:
        """The declared parameters and results."""
        return declared_signature(self.operation)

    def __repr__(self) -> str:
        return f"<stablemate.Function {self.signature}>"


@dataclass(frozen=True)
class UnreadProgram:
    """A program that is not read yet.

    Attributes:
        declarations: Its functions without their bodies.
        digest: What identifies it.
        format: The format that it is read from.
        version: The version of the module when it will have been read.
        read: Reads it.
    """

    declarations: core.Module
    digest: bytes
    format: str
    version: int
    read: Callable[[], Program]

    @cached_property
    def program(self) -> Program:
        """The program, read."""
        return self.read()


class Program:
    """The contents of a program; ``Module`` adds the methods that run and transform it.

    Attributes:
        format: The format it was read from.
        exported: How JAX calls it, if it comes from ``jax.export``.
        read_bytes: Size of what it was read from; 0 if it was made in this process.
        read_name: What messages call what it was read from; empty if it was made in this process.
        source: The version that it was read as, and the digest of what it was read from.
        unread: How it is read when it is needed; None if it was read at once, or made in this
            process.
        keep: Keeps in the disk cache what a run needs of it, and returns how it is read again if it
            is large; None if there is nothing to keep.
    """

    def __init__(
        self,
        module: core.Module | None,
        read_from: str = "mlir",
        exported: jax_export.Exported | None = None,
        unread: UnreadProgram | None = None,
    ) -> None:
        self._ir: core.Module | None = module
        self.unread = unread
        self.keep: Callable[[], UnreadProgram | None] | None = None
        self.format = read_from
        self.exported = exported
        self.read_bytes = 0
        self.read_name = ""
        # The version that the container holds.
        self.read_version = None if module is None else module.version
        if unread is not None:
            self.read_version = unread.version
        self._verified: int | None = None  # the version that was found valid
        self._warnings: list[Diagnostic] = []  # of that version
        self._executable: int | None = None  # the version that was found executable
        self.source: tuple[int, bytes] | None = None
        self._shardy: tuple[core.Module, core.Module] | None = None

    @property
    def ir(self) -> core.Module:
        """The module as operations, regions and blocks."""
        module = self._ir
        if module is None:
            assert self.unread is not None, "what has no IR of its own makes it"
            module = self._ir = self.unread.program.ir
        return module

    @property
    def shardy(self) -> core.Module:
        """The module with shardings and manual computations in Shardy's form.

        Raises:
            VerifyError: A sharding cannot be read, or does not fit; a boundary has no partner.
            UnsupportedError: Shardings of HLO have no mesh in common.
        """
        if self._shardy is None or self._shardy[0] is not self.ir:
            self._shardy = self.ir, transforms.in_shardy_form(self.ir)
        return self._shardy[1]

    @property
    def in_shardy(self) -> Program:
        """The program in that form; itself if it is in it already."""
        shardy = self.shardy
        return self if shardy is self.ir else Program(shardy, self.format, self.exported)

    @property
    def pending(self) -> UnreadProgram | None:
        """How it is read when more is asked of it than to run; None if it has been read."""
        return self.unread if self._ir is None else None

    @property
    def is_unread(self) -> bool:
        """Whether it is to be read when more is asked of it than to run."""
        return self.pending is not None

    def forget(self, unread: UnreadProgram) -> None:
        """Drops what was read, unless somebody else holds a part of it.

        Args:
            unread: How it is read again.
        """
        self.keep = None
        module = self.ir
        if module.origin is not None and module.origin.use_orders:  # which hold values
            return
        top = ref(module.operation)
        rest = module.resources, module.external_resources, module.source, module.version
        origin, translated = module.origin, module.translated
        self.unread = unread  # first: other threads may ask for what is dropped
        self._ir = self._shardy = None
        del module
        gc.collect()  # operations and their blocks hold one another
        operation = top()
        if operation is not None:
            self._ir = core.Module(operation, *rest, origin, translated)

    @property
    def version(self) -> int:
        """Advances with every change of the program."""
        pending = self.pending
        return self.ir.version if pending is None else pending.version

    @property
    def declarations(self) -> core.Module:
        """The module, or its functions without bodies if it is not read yet."""
        pending = self.pending
        return self.ir if pending is None else pending.declarations

    @property
    def operation(self) -> core.Operation:
        """The ``builtin.module`` operation at the top."""
        return self.ir.operation

    @property
    def name(self) -> str:
        """The module's name; empty if it has none."""
        name = self.operation.attributes.get("sym_name")
        return name.value if isinstance(name, StringAttribute) else ""

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions by name, in order."""
        operations = (
            operation for operation in self.ir.body.operations if isinstance(operation, FuncOp)
        )
        return MappingProxyType(
            {x.symbol: Function(x, self.exported if x.symbol == MAIN else None) for x in operations}
        )

    def declared(self, name: str | None = None) -> Function:
        """The function that ``entry`` gives, or its declaration if the program is not read yet.

        Raises:
            ArgumentValueError: There is no such function.
        """
        pending = self.pending
        known = self if pending is None else Program(pending.declarations, self.format)
        return known.entry(name)

    def entry(self, name: str | None = None) -> Function:
        """The function of this name; by default ``main``, or the only one.

        Raises:
            ArgumentValueError: There is no such function.
        """
        functions = self.functions
        if name is not None:
            if name not in functions:
                listed = ", ".join(functions) or "none"
                raise ArgumentValueError(
                    f"no function is called {name!r}; the module has: {listed}"
                )
            return functions[name]
        if "main" in functions:
            return functions["main"]
        if not functions and vhlo.holds_vhlo(self.ir):
            raise ArgumentValueError("this program is in VHLO: to_stablehlo() gives one that runs")
        public = [function for function in functions.values() if function.is_public]
        if len(public) != 1:
            listed = ", ".join(functions) or "none"
            hint = Diagnostic("--entry=NAME, in Python entry=, names it")
            message = f"which function is the entry? The module has: {listed}"
            raise ArgumentValueError(Diagnostic(message, notes=(hint,)))
        return public[0]

    @property
    def read_text(self) -> str | None:
        """The text that it was read from; None if it was no text."""
        source = self.ir.source
        return None if source is None or self.format != "mlir" else source.text

    @property
    def grid(self) -> Grid:
        """The declared replicas and partitions; one process by default."""
        return stated_grid(self.declarations.operation)

    def graph(self) -> explorer.ProgramGraph:
        """The graph that is drawn; see ``sm.view``."""
        text = self.read_text if self.version == self.read_version else None
        return explorer.graph_of_module(self.ir, format=self.format, text=text)

    def called_by(self, function: Function, executable: Executable) -> Executable:
        """The executable of a function with the calling convention of the program around it."""
        if function.exported is None:
            return executable
        return jax_export.ExportedExecutable(function.exported, executable)

    @property
    def source_digest(self) -> bytes | None:
        """Identifies what the module was read from; None if it has changed since."""
        digest = self.source
        return digest[1] if digest is not None and digest[0] == self.version else None

    def diagnostics(self) -> list[Diagnostic]:
        """The errors and warnings of the verifier, in the order of the operations.

        The severity of a diagnostic is ``error`` where upstream's verifier rejects the operation or
        it has no meaning, and ``warning`` where the specification forbids what upstream accepts.
        """
        found = diagnose(self.operation)
        return found if errors_among(found) else [*found, *self.sharding_warnings()]

    def sharding_warnings(self) -> list[Diagnostic]:
        """Why shardings in the form in which the program was exported cannot be used."""
        try:
            _ = self.shardy
        except (VerifyError, UnsupportedError) as error:
            return [replace(found, severity="warning") for found in error.diagnostics]
        return []

    def notes(self) -> list[Diagnostic]:
        """The operations of MHLO that reading replaced by those of StableHLO and CHLO."""
        names = [name for name, new in self.ir.translated.items() if name != new]
        if not names:
            return []
        shown = ", ".join(names[:LISTED]) + ", ..." * (len(names) > LISTED)
        message = f"operations of MHLO are read as operations of StableHLO and CHLO: {shown}"
        return [Diagnostic(message, severity="note")]

    def verify(self, *, strict: bool = False) -> None:
        """Checks every rule of the specification.

        Args:
            strict: Whether warnings are errors.

        Raises:
            VerifyError: It breaks rules; the error carries every diagnostic.
        """
        if self._verified != self.version:
            self._warnings = verify(self.ir)
            self._verified = self.version
        if strict and self._warnings:
            verify(self.ir, strict=True)

    def verify_executable(self) -> None:
        """Checks every rule without which an operation cannot be executed or translated.

        Private functions that nothing calls may break such rules, as in XLA.

        Raises:
            VerifyError: It breaks such rules; the error carries every diagnostic.
        """
        self.verify()
        if self._warnings and self._executable != self.version:
            verify_executable(self.ir, [*unreachable(self.ir.operation)])
            self._executable = self.version
