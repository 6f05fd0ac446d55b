"""What users hold: load, Module, Function, compile, run, run_grid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final

from stablemate.analysis.contents import Contents, contents_of
from stablemate.compiler.compiled import compiled
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
    VerifyError,
)
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.func import FuncOp
from stablemate.dialects.vhlo.versions import target_version
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature, declared_signature
from stablemate.execution.streams import Streams
from stablemate.formats.bytecode.container import NEWEST_VERSION
from stablemate.formats.bytecode.writer import DEFAULT_PRODUCER, write_bytecode
from stablemate.formats.jax_export.calling import (
    ExportedExecutable,
    leaves_of,
    result_of,
    signature_of,
)
from stablemate.formats.jax_export.exported import Exported
from stablemate.formats.jax_export.reader import read_exported
from stablemate.formats.jax_export.writer import write_exported
from stablemate.formats.mlir.names import Namer
from stablemate.formats.mlir.parser import module_text, parse_module, parse_types
from stablemate.formats.recognition import (
    FORMATS,
    Input,
    Readable,
    bytes_of,
    described,
    read_input,
    recognised,
    text_of,
)
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir import core
from stablemate.ir.attributes import IntegerAttribute, StringAttribute
from stablemate.ir.collection import uncollected
from stablemate.ir.equality import difference
from stablemate.ir.grid import Grid
from stablemate.ir.types import Type
from stablemate.ir.verifier import diagnose, verify
from stablemate.transforms.pipelines import legalized, refined
from stablemate.transforms.vhlo.artifact import (
    artifact_version,
    from_artifact,
    holds_vhlo,
    read_program,
    write_artifact,
)
from stablemate.transforms.vhlo.legality import minimum_version

DIGESTED_BYTES: Final = 1 << 26  # larger programs are not kept in the disk cache
MAIN: Final = "main"  # the function of an exported program that has the calling convention
BACKENDS: Final = ("interpreter", "cpu")


class Function:
    """A function of a module.

    Attributes:
        operation: Its ``func.func``.
        exported: How JAX calls it, if it is the function that ``jax.export`` made.
    """

    def __init__(self, operation: FuncOp, exported: Exported | None = None) -> None:
        self.operation = operation
        self.exported = exported

    @property
    def name(self) -> str:
        """Its name, without ``@``."""
        return self.operation.symbol

    @property
    def is_public(self) -> bool:
        """Whether it may be called from outside the module."""
        return self.operation.sym_visibility in (None, "public")

    @cached_property
    def signature(self) -> Signature:
        """What it takes and gives; of an exported function the leaves of arguments and result."""
        return signature_of(self.exported) if self.exported else self.own_signature

    @cached_property
    def own_signature(self) -> Signature:
        """What the program says that it takes and gives."""
        return declared_signature(self.operation)

    def __repr__(self) -> str:
        return f"<stablemate.Function {self.signature}>"


class Module:
    """A program.

    Attributes:
        ir: The module as IR.
        format: The format it was read from.
        exported: How JAX calls it, if it comes from ``jax.export``.
        read_bytes: Size of what it was read from; 0 if it was made in this process.
        source: The version that it was read as, and the digest of what it was read from.
    """

    def __init__(
        self, module: core.Module, read_from: str = "mlir", exported: Exported | None = None
    ) -> None:
        self.ir = module
        self.format = read_from
        self.exported = exported
        self.read_bytes = 0
        self._exported_version = module.version  # the one that the container holds
        self._executables: dict[tuple[object, ...], Executable] = {}
        self._verified: int | None = None  # the version that was found valid
        self.source: tuple[int, bytes] | None = None

    @property
    def operation(self) -> core.Operation:
        """The top-level operation."""
        return self.ir.operation

    @property
    def name(self) -> str:
        """The module's name; empty if it has none."""
        name = self.operation.attributes.get("sym_name")
        return name.value if isinstance(name, StringAttribute) else ""

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions by name, in order."""
        found = (each for each in self.ir.body.operations if isinstance(each, FuncOp))
        return MappingProxyType(
            {x.symbol: Function(x, self.exported if x.symbol == MAIN else None) for x in found}
        )

    def entry(self, name: str | None = None) -> Function:
        """The function of this name; by default ``main``, or the only one.

        Raises:
            ArgumentValueError: There is no such function.
        """
        functions = self.functions
        if name is not None:
            if name not in functions:
                known = ", ".join(functions) or "none"
                raise ArgumentValueError(f"no function is called {name!r}; the module has: {known}")
            return functions[name]
        if "main" in functions:
            return functions["main"]
        if not functions and holds_vhlo(self.ir):
            raise ArgumentValueError("this program is in VHLO: to_stablehlo() gives one that runs")
        public = [each for each in functions.values() if each.is_public]
        if len(public) != 1:
            known = ", ".join(functions) or "none"
            raise ArgumentValueError(f"which function is the entry? The module has: {known}")
        return public[0]

    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong with it; empty if it is valid."""
        return diagnose(self.operation)

    def verify(self) -> None:
        """Checks every rule of the specification.

        Raises:
            VerifyError: It breaks rules; the error carries every diagnostic.
        """
        if self._verified != self.ir.version:
            verify(self.ir)
            self._verified = self.ir.version

    def run(
        self, *arguments: Any, entry: str | None = None, backend: str = "interpreter",
        max_iterations: int | None = None, streams: Streams | None = None,
        probe_dir: str | os.PathLike[str] | None = None, seed: int = 0,
        keywords: Mapping[str, Any] | None = None, threads: int | None = None,
    ) -> Any:  # fmt: skip
        """Runs a function as a single process; compiles it on the first call.

        Args:
            *arguments: One array per argument. A function that ``jax.export`` made takes what the
                Python function took: tuples, lists and dictionaries of arrays; or all their leaves.
            entry: The function; by default ``main``, or the only one.
            backend: Which executor runs it.
            max_iterations: The most iterations that any one loop may take.
            streams: What it reads from the host and writes to it.
            probe_dir: Where ``interpreter.probe`` writes, and ``check`` looks for what it wrote.
            seed: Where the numbers that ``rng`` draws come from; each ``rng`` that is executed
                draws on.
            keywords: Arguments by name, of a function that ``jax.export`` made.
            threads: How many threads native code may use; by default as many as there are.

        Returns:
            One result as an array, several as a tuple; of a function that ``jax.export`` made what
            the Python function returned, with tuples in place of types registered with JAX.

        Raises:
            VerifyError: The program is not valid.
            ArgumentError: An argument does not fit.
            EvaluationError: The values break a rule of the specification.
        """
        executable = self.executable(
            entry, backend=backend, max_iterations=max_iterations, threads=threads
        )
        if not isinstance(executable, ExportedExecutable):
            if keywords:
                raise ArgumentValueError("only functions that jax.export made have keywords")
            return executable(*arguments, streams=streams, probe_dir=probe_dir, seed=seed)
        exported = executable.exported
        leaves = leaves_of(exported, arguments, keywords or {})
        handed = executable(*leaves, streams=streams, probe_dir=probe_dir, seed=seed)
        return result_of(exported, handed)

    def executable(
        self, entry: str | None = None, *, backend: str = "interpreter",
        max_iterations: int | None = None, threads: int | None = None,
    ) -> Executable:  # fmt: skip
        """A function ready to run, as ``run`` runs it; compiled once."""
        key = (self.ir.version, entry, backend, max_iterations, threads)
        executable = self._executables.get(key)
        if executable is None:
            limits = Limits(iterations=max_iterations)
            executable = compile(self, backend=backend, entry=entry, limits=limits, threads=threads)
            self._executables[key] = executable
        return executable

    @property
    def source_digest(self) -> bytes | None:
        """Identifies what the module was read from; None if it has changed since."""
        known = self.source
        return known[1] if known is not None and known[0] == self.ir.version else None

    def refine(self, types: str | Sequence[str | Type] | None = None) -> Module:
        """The program for these argument types, with all shapes that follow from them.

        Shapes go through calls, loops and branches; computations of sizes become constants, and
        dynamic operations static ones. Assertions about sizes are checked.

        Args:
            types: A type for each argument of ``main``, or of the only function: a text such as
                ``"tensor<4xf32>, tensor<i32>"``, or a sequence; by default the declared types.

        Raises:
            ArgumentValueError: A text is no type, or a type not one that the argument can have.
            VerifyError: With these types an operation breaks a rule, or an assertion fails.
        """
        self.verify()
        return Module(refined(self.ir, None if types is None else stated_types(types)), self.format)

    def to_text(
        self, *, generic: bool = False, debug_info: bool = False, elide: int | None = None
    ) -> str:
        """The program as MLIR text; reading it gives an equal module.

        Args:
            generic: Whether to write the generic form.
            debug_info: Whether to write locations.
            elide: Literals of more elements than this are left out; the text cannot be run.
        """
        return module_text(self.ir, generic=generic, debug_info=debug_info, elide=elide)

    def to_bytecode(self, version: int = NEWEST_VERSION, *, producer: str | None = None) -> bytes:
        """The program as MLIR bytecode, with all locations; reading it gives an equal module.

        Bytecode that MLIR wrote is written as it was, byte for byte, in the version that it had.

        Args:
            version: The version of the format, 0 to 6.
            producer: Who is said to have written it; by default who wrote the file that was read,
                unless that was a portable artifact and this is none.

        Raises:
            UnsupportedError: There is no such version.

        Source: MLIR bytecode format.
        """
        if producer is None and self.artifact_version and not holds_vhlo(self.ir):
            producer = DEFAULT_PRODUCER
        return write_bytecode(self.ir, version, producer)

    def to_artifact(
        self, version: str = "12 weeks", *, mixed: bool = False, expand: bool = False
    ) -> bytes:
        """The program as a portable artifact: what readers of a version of StableHLO can read.

        Args:
            version: The version, such as ``"1.9.0"``, or the age of the oldest reader:
                ``"4 weeks"``, ``"12 weeks"``, ``"max"``; ``"newest"`` is the newest version.
            mixed: Whether operations and attributes of other dialects, such as shardings, stay as
                they are; otherwise they are refused.
            expand: Whether what is newer than the version is written in older operations, where
                that can be done.

        Raises:
            ArgumentValueError: There is no such version, or it is not known here.
            UnsupportedError: The version cannot say what the program says, or artifacts cannot.

        Source: StableHLO, compatibility guarantees.
        """
        return write_artifact(self.ir, target_version(version), mixed=mixed, expand=expand)

    def to_stablehlo(self) -> Module:
        """The program in StableHLO: itself, unless it is in VHLO, as artifacts are.

        Raises:
            VerifyError: An operation of VHLO is not as its revision is declared.
            UnsupportedError: It says something that StableHLO has no form for.
        """
        return Module(from_artifact(self.ir), self.format) if holds_vhlo(self.ir) else self

    def minimum_version(self) -> str:
        """The oldest version of StableHLO that ``to_artifact`` can write the program for.

        Raises:
            UnsupportedError: Artifacts of no version can say what the program says.
        """
        return str(minimum_version(self.ir))

    def contents(self) -> Contents:
        """What is inside: functions, operations, custom calls, constants, versions, costs.

        It need not be valid; what only valid programs have is left out then.
        """
        return contents_of(
            self.ir, format=self.format, bytes=self.read_bytes, exported=self.exported
        )

    def vjp(self) -> Module | None:
        """The function that gives its gradient, if ``jax.export`` was told to put it beside it.

        It takes the leaves of the arguments, then a cotangent for each leaf of the result.
        """
        if self.exported is None or self.exported.vjp is None:
            return None
        name = f"gradient of {self.exported.function_name}"
        return exported_module(self.exported.vjp, name, DEFAULT_LIMITS, upgrade=True)

    def to_jax_export(self) -> bytes:
        """The program as the container of ``jax.export`` that it was read from.

        What JAX wrote is written as it was, byte for byte. A program that has changed since is put
        in its place, as an artifact of the same version.

        Raises:
            ArgumentValueError: It does not come from ``jax.export``.
        """
        if self.exported is None:
            raise ArgumentValueError("only what was read from jax.export says how JAX calls it")
        if self.ir.version == self._exported_version:
            return write_exported(self.exported)
        payload = memoryview(self.to_artifact(self.artifact_version or "12 weeks", mixed=True))
        return write_exported(replace(self.exported, payload=payload))

    @property
    def producer(self) -> str | None:
        """Who wrote the bytecode or artifact that this was read from; None for text."""
        return self.ir.origin.producer if self.ir.origin else None

    @property
    def artifact_version(self) -> str | None:
        """The version of StableHLO that the artifact was written for which this was read from."""
        found = artifact_version(self.ir)
        return None if found is None else str(found)

    def difference(self, other: Module) -> str:
        """The first difference from another module, in words; empty if they are equal."""
        return difference(self.ir, other.ir)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<stablemate.Module {self.name or '(no name)'}: {', '.join(self.functions)}>"


def stated_types(types: str | Sequence[str | Type]) -> list[Type]:
    """The types that a caller states.

    Raises:
        ArgumentValueError: A text is no type, or no list of types.
    """
    parts = [types] if isinstance(types, str) else types
    try:
        return [t for each in parts for t in types_in(each)]
    except ParseError as error:
        raise ArgumentValueError(error.diagnostics) from None


def types_in(stated: str | Type) -> Sequence[Type]:
    """The types in a text; a type is itself."""
    return parse_types(Source(stated, "<types>")) if isinstance(stated, str) else (stated,)


def load(
    source: Readable, *, format: str | None = None, limits: Limits | None = None,
    name: str | None = None, upgrade: bool = True,
) -> Module:  # fmt: skip
    """Reads a program.

    Args:
        source: A path, the text or bytes of the program, or a file object. A string of one line
            that names no operation is a path.
        format: ``mlir`` (text), ``bytecode``, ``artifact`` or ``jax_export``; by default what the
            content begins with: MLIR bytecode, of which one with operations of VHLO is a portable
            artifact; a container of ``jax.export``; otherwise text. Names of files do not matter.
        limits: Bounds for untrusted input.
        name: What messages call the source; by default its path.
        upgrade: Whether a portable artifact becomes StableHLO; otherwise it stays in VHLO, in the
            operations of the version that it was written for. Text stays as it is; ``to_stablehlo``
            converts it.

    Returns:
        The module, which ``verify`` has not yet seen.

    Raises:
        OSError: The file cannot be read.
        ParseError: The content is no program. A note names the format that it was read as.
        VerifyError: Operations of a portable artifact are not as its version declares them.
        UnsupportedError: The format is known, but not read.
        LimitError: The input is too large or too deeply nested.
    """
    if format is not None and format not in FORMATS:
        raise UnsupportedError(f"no format is called {format!r}; known: {', '.join(FORMATS)}")
    bounds = limits or DEFAULT_LIMITS
    given = read_input(source, name, bounds)
    if len(given.content) > bounds.input_bytes:
        raise LimitError(f"{given.name} is larger than {bounds.input_bytes} bytes")
    read_as = format or recognised(given.content)
    if read_as == "mlir":
        module = Module(parse_module(Source(text_of(given), given.name), bounds))
    else:
        module = loaded_binary(given, read_as, bounds, upgrade=upgrade)
    module.read_bytes = given.bytes
    if len(given.content) <= DIGESTED_BYTES:
        module.source = module.ir.version, digest_of(given.content, read_as, upgrade)
    return module


def digest_of(content: Any, *options: object) -> bytes:
    """Identifies what a program was read from, and how."""
    hashed = blake2b(repr(options).encode())
    hashed.update(content.encode(errors="surrogatepass") if isinstance(content, str) else content)
    return hashed.digest()


def loaded_binary(given: Input, read_as: str, limits: Limits, *, upgrade: bool) -> Module:
    """The program in bytecode, a portable artifact or a container of jax.export.

    Raises:
        StablemateError: It cannot be read; a note says what it was read as.
    """
    content = bytes_of(given, read_as)
    try:
        if read_as != "jax_export":
            return loaded_bytecode(content, given.name, limits, upgrade=upgrade)
        exported = read_exported(content, given.name, limits)
        return exported_module(exported, given.name, limits, upgrade=upgrade)
    except (ParseError, VerifyError, UnsupportedError, LimitError) as error:
        note = Diagnostic(f"{given.name} was read as {described(read_as, content)}")
        *others, last = error.diagnostics
        noted = replace(last, notes=(*last.notes, note))
        raise type(error)([*others, noted]) from error.__cause__


def loaded_bytecode(content: Any, name: str, limits: Limits, *, upgrade: bool) -> Module:
    """The program in bytecode or in a portable artifact."""
    with uncollected():
        module = read_program(content, name, limits)
        if not holds_vhlo(module):
            return Module(module, "bytecode")
        return Module(from_artifact(module) if upgrade else module, "artifact")


def exported_module(exported: Exported, name: str, limits: Limits, *, upgrade: bool) -> Module:
    """The program of an exported function."""
    module = loaded_bytecode(exported.payload, name, limits, upgrade=upgrade)
    return Module(module.ir, "jax_export", exported)


def compile(
    module: Module, *, backend: str = "interpreter", entry: str | None = None,
    limits: Limits | None = None, threads: int | None = None,
) -> Executable:  # fmt: skip
    """Makes a function of a module ready to be called many times.

    Args:
        module: The program.
        backend: ``interpreter``: NumPy, by the specification's formulas. ``cpu``: native code; a
            program that is not compiled runs in the interpreter, and ``fallback`` says why.
        entry: The function; by default ``main``, or the only one.
        limits: Bounds for what the program may take.
        threads: How many threads native code may use; by default as many as there are processors,
            or as the environment variable ``STABLEMATE_THREADS`` says. Results do not depend on it.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: There is no such backend, or it cannot run the program.
        ArgumentValueError: There is no such function.
        LimitError: The program asks for more than the limits allow.
    """
    if backend not in BACKENDS:
        raise UnsupportedError(f"no backend is called {backend!r}; known: {', '.join(BACKENDS)}")
    if threads is not None and threads < 1:
        raise ArgumentValueError(f"a program needs at least one thread, not {threads}")
    is_native = backend == "cpu"
    if not is_native or module.source_digest is None:
        module.verify()  # what the disk cache holds was valid
    function = module.entry(entry)
    lowered = Lowered(module)
    executable: Executable = InterpretedExecutable(
        lowered,
        function.own_signature,
        limits or DEFAULT_LIMITS,
        stated_grid(module.ir),
        lambda value: lowered.name_of(value),
        prepare=not is_native,
    )
    if is_native:
        assert isinstance(executable, InterpretedExecutable)
        executable = compiled(executable, threads=threads, source=module.source_digest)
    if function.exported is None:
        return executable
    exported = ExportedExecutable(function.exported, executable)
    exported.fallback = executable.fallback
    return exported


class Lowered(Mapping[str, FuncOp]):
    """The functions of a module in operations that executors know, once they are asked for."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @cached_property
    def lowered(self) -> core.Module:
        """The module in those operations."""
        self.module.verify()
        return legalized(self.module.ir)

    @cached_property
    def functions(self) -> Mapping[str, FuncOp]:
        """The functions by name."""
        return {each.symbol: each for each in function_operations(self.lowered)}

    @cached_property
    def name_of(self) -> Callable[[core.Value[Any]], str]:
        """What the printed module calls a value."""
        return value_names(self.lowered)

    def __getitem__(self, name: str) -> FuncOp:
        return self.functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)


def function_operations(module: core.Module) -> Iterator[FuncOp]:
    """The functions of a module."""
    return (each for each in module.body.operations if isinstance(each, FuncOp))


def stated_grid(module: core.Module) -> Grid:
    """The processes that a module says it is made for; one if it says nothing."""
    names = ("mhlo.num_replicas", "mhlo.num_partitions")
    stated = (module.operation.discardable.get(name) for name in names)
    replicas, partitions = (
        max(each.value, 1) if isinstance(each, IntegerAttribute) else 1 for each in stated
    )
    return Grid(replicas, partitions)


def value_names(module: core.Module) -> Callable[[core.Value[Any]], str]:
    """What the printed module calls the values of an operation, or an argument of a block."""
    namer = cache(lambda: Namer(module.operation))  # made when something is printed

    def name_of(value: core.Value[Any]) -> str:
        if isinstance(value, core.OpResult):
            return namer().groups[value.operation]
        return namer().names[value]

    return name_of


def run_grid(
    source: Readable | Module, arguments: Any = (), replicas: int | None = None,
    partitions: int | None = None, *, entry: str | None = None, backend: str = "interpreter",
    max_iterations: int | None = None, streams: Streams | None = None,
    probe_dir: str | os.PathLike[str] | None = None, seed: int = 0,
) -> list[Any]:  # fmt: skip
    """Runs a function as all processes of a grid, in one thread and always in the same order.

    A program of global tensors, such as JAX exports with ``shard_map``, takes them whole in every
    process, and gives whole results: ``sdy.manual_computation`` cuts out the pieces of a process.

    Args:
        source: The program.
        arguments: A tuple holds the arguments of every process. Anything else, such as a list, has
            an entry for each process, replica-major: a tuple of arguments, or its one argument.
        replicas: Number of replicas; by default ``mhlo.num_replicas`` of the module, or 1.
        partitions: Number of partitions; by default ``mhlo.num_partitions``, or 1.
        entry: The function; by default ``main``, or the only one.
        backend: Which executor runs it.
        max_iterations: The most iterations that any one loop may take.
        streams: What the processes read from the host and write to it.
        probe_dir: Where ``interpreter.probe`` writes, and ``check`` looks for what it wrote.
        seed: Where the numbers that ``rng`` draws come from; every process draws others.

    Returns:
        The results of each process, replica-major: one as an array, several as a tuple.

    Raises:
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit, or there are entries for other processes.
        DeadlockError: Processes wait for one another, or for one that has ended.
        EvaluationError: The values break a rule of the specification; it names the process.
    """
    module = source if isinstance(source, Module) else load(source)
    stated = stated_grid(module.ir)
    grid = Grid(
        stated.num_replicas if replicas is None else replicas,
        stated.num_partitions if partitions is None else partitions,
    )
    if min(grid.num_replicas, grid.num_partitions) < 1:
        text = f"{grid.num_replicas}x{grid.num_partitions}"
        raise ArgumentValueError(f"a grid of {text} has no process")
    executable = module.executable(entry, backend=backend, max_iterations=max_iterations)
    return executable.run_grid(arguments, grid, streams=streams, probe_dir=probe_dir, seed=seed)


def run(source: Readable | Module, *arguments: Any, **options: Any) -> Any:
    """Runs a program: ``load`` if it is none yet, then ``Module.run``."""
    module = source if isinstance(source, Module) else load(source)
    return module.run(*arguments, **options)
