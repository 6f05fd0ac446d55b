"""What users hold: load, Module, Function, compile, run, run_grid."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Final, TextIO, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.func import FuncOp
from stablemate.dialects.vhlo.versions import target_version
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature
from stablemate.execution.streams import Streams
from stablemate.formats.bytecode.container import MAGIC as MAGIC_OF_BYTECODE
from stablemate.formats.bytecode.container import NEWEST_VERSION
from stablemate.formats.bytecode.writer import write_bytecode
from stablemate.formats.jax_export.calling import (
    ExportedExecutable,
    leaves_of,
    result_of,
    signature_of,
)
from stablemate.formats.jax_export.exported import Exported
from stablemate.formats.jax_export.reader import is_exported, read_exported
from stablemate.formats.jax_export.writer import write_exported
from stablemate.formats.mlir.names import Namer
from stablemate.formats.mlir.parser import module_text, parse_module, parse_types
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir import core
from stablemate.ir.attributes import IntegerAttribute, StringAttribute
from stablemate.ir.collection import uncollected
from stablemate.ir.equality import difference
from stablemate.ir.grid import Grid
from stablemate.ir.types import Attribute, Type
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

Readable: TypeAlias = str | bytes | bytearray | memoryview | os.PathLike[str] | BinaryIO | TextIO

FORMATS: Final = ("mlir", "bytecode", "artifact", "jax_export")
BINARY: Final = ("bytecode", "artifact")
MAIN: Final = "main"  # the function of an exported program that has the calling convention
BACKENDS: Final = ("interpreter",)
MAGIC: Final = {b"HloModule": "HLO text"}
MAPPED_BYTES: Final = 1 << 20  # bytecode files from this size on are mapped into memory, not read


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
        function_type = self.operation.type
        arguments = zip(function_type.inputs, self.operation.argument_attributes, strict=True)
        results = zip(function_type.results, self.operation.result_attributes, strict=True)
        return Signature(
            self.name,
            tuple(Argument(f"%arg{i}", t, a) for i, (t, a) in enumerate(arguments)),
            tuple(Argument(result_name(i, a), t, a) for i, (t, a) in enumerate(results)),
        )

    def __repr__(self) -> str:
        return f"<stablemate.Function {self.signature}>"


def result_name(position: int, attributes: Mapping[str, Attribute]) -> str:
    """What the producer calls a result, or its number."""
    info = attributes.get("jax.result_info")
    return info.value if isinstance(info, StringAttribute) and info.value else f"result {position}"


class Module:
    """A program.

    Attributes:
        ir: The module as IR.
        format: The format it was read from.
        exported: How JAX calls it, if it comes from ``jax.export``.
    """

    def __init__(
        self, module: core.Module, read_from: str = "mlir", exported: Exported | None = None
    ) -> None:
        self.ir = module
        self.format = read_from
        self.exported = exported
        self._exported_version = module.version  # the one that the container holds
        self._executables: dict[tuple[object, ...], Executable] = {}
        self._verified: int | None = None  # the version that was found valid

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
        keywords: Mapping[str, Any] | None = None,
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

        Returns:
            One result as an array, several as a tuple; of a function that ``jax.export`` made what
            the Python function returned, with tuples in place of types registered with JAX.

        Raises:
            VerifyError: The program is not valid.
            ArgumentError: An argument does not fit.
            EvaluationError: The values break a rule of the specification.
        """
        executable = self.executable(entry, backend=backend, max_iterations=max_iterations)
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
        max_iterations: int | None = None,
    ) -> Executable:  # fmt: skip
        """A function ready to run, as ``run`` runs it; compiled once."""
        key = (self.ir.version, entry, backend, max_iterations)
        executable = self._executables.get(key)
        if executable is None:
            limits = Limits(iterations=max_iterations)
            executable = compile(self, backend=backend, entry=entry, limits=limits)
            self._executables[key] = executable
        return executable

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
            producer: Who is said to have written it; by default who wrote the file that was read.

        Raises:
            UnsupportedError: There is no such version.

        Source: MLIR bytecode format.
        """
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


@dataclass(frozen=True, slots=True)
class Input:
    """What was handed to ``load``: its bytes or text, and its name."""

    content: bytes | memoryview[int] | str
    name: str


def load(
    source: Readable, *, format: str | None = None, limits: Limits | None = None,
    name: str | None = None, upgrade: bool = True,
) -> Module:  # fmt: skip
    """Reads a program.

    Args:
        source: A path, the text or bytes of the program, or a file object. A string of one line
            that names no operation is a path.
        format: The format; by default recognised by content.
        limits: Bounds for untrusted input.
        name: What messages call the source; by default its path.
        upgrade: Whether a portable artifact becomes StableHLO; otherwise it stays in VHLO, in the
            operations of the version that it was written for. Text stays as it is; ``to_stablehlo``
            converts it.

    Returns:
        The module, which ``verify`` has not yet seen.

    Raises:
        OSError: The file cannot be read.
        ParseError: The content is no program.
        UnsupportedError: The format is known, but not read.
        LimitError: The input is too large or too deeply nested.
    """
    if format is not None and format not in FORMATS:
        raise UnsupportedError(f"no format is called {format!r}; known: {', '.join(FORMATS)}")
    bounds = limits or DEFAULT_LIMITS
    given = read_input(source, name, bounds)
    if len(given.content) > bounds.input_bytes:
        raise LimitError(f"{given.name} is larger than {bounds.input_bytes} bytes")
    if format in BINARY or (format is None and is_bytecode(given.content)):
        return loaded_bytecode(given, bounds, upgrade=upgrade)
    if format == "jax_export" or (format is None and is_container(given.content)):
        return loaded_container(given, bounds, upgrade=upgrade)
    return Module(parse_module(Source(text_of(given), given.name), bounds))


def loaded_bytecode(given: Input, limits: Limits, *, upgrade: bool) -> Module:
    """The program in bytecode or in a portable artifact."""
    if isinstance(given.content, str):
        raise ParseError(f"{given.name}: bytecode is bytes, not text")
    with uncollected():
        module = read_program(given.content, given.name, limits)
        if not holds_vhlo(module):
            return Module(module, "bytecode")
        return Module(from_artifact(module) if upgrade else module, "artifact")


def loaded_container(given: Input, limits: Limits, *, upgrade: bool) -> Module:
    """The program in a container of jax.export."""
    if isinstance(given.content, str):
        raise ParseError(f"{given.name}: a container of jax.export is bytes, not text")
    exported = read_exported(given.content, given.name, limits)
    return exported_module(exported, given.name, limits, upgrade=upgrade)


def exported_module(exported: Exported, name: str, limits: Limits, *, upgrade: bool) -> Module:
    """The program of an exported function."""
    module = loaded_bytecode(Input(exported.payload, name), limits, upgrade=upgrade)
    return Module(module.ir, "jax_export", exported)


def read_input(source: Readable, name: str | None, limits: Limits) -> Input:
    """The content behind whatever was handed to ``load``."""
    match source:
        case str() if looks_like_text(source):
            return Input(source, name or "<text>")
        case str() | os.PathLike():
            return read_file(Path(source), name, limits)
        case bytes() | bytearray() | memoryview():
            return Input(bytes(source), name or "<bytes>")
        case _:
            return Input(source.read(), name or str(getattr(source, "name", "<file>")))


def looks_like_text(text: str) -> bool:
    """Whether a string is a program rather than a path."""
    return "\n" in text or "{" in text or '"' in text or not text.strip()


def read_file(path: Path, name: str | None, limits: Limits) -> Input:
    """The bytes of a file, if they are within the limit; large binaries stay in the file."""
    size = path.stat().st_size if path.is_file() else 0
    if size > limits.input_bytes:
        raise LimitError(f"{path} is larger than {limits.input_bytes} bytes")
    with path.open("rb") as file:
        if size >= MAPPED_BYTES:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            if is_bytecode(mapped) or is_container(mapped):
                return Input(mapped, name or str(path))
        return Input(file.read(), name or str(path))


def is_bytecode(content: bytes | memoryview[int] | str) -> bool:
    """Whether these are the first bytes of MLIR bytecode."""
    return not isinstance(content, str) and content[:4] == MAGIC_OF_BYTECODE


def is_container(content: bytes | memoryview[int] | str) -> bool:
    """Whether this is a container of jax.export."""
    return not isinstance(content, str) and is_exported(content)


def text_of(given: Input) -> str:
    """The content as text.

    Raises:
        ParseError: It is empty, or no UTF-8 text.
        UnsupportedError: It is a program in a format that is not read.
    """
    content = given.content
    if not isinstance(content, str):
        content = bytes(content)
        for magic, known in MAGIC.items():
            if content.startswith(magic):
                raise UnsupportedError(f"{given.name}: {known} cannot be read by this version")
        try:
            content = content.decode()
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise ParseError(
                f"{given.name}: not a program: byte {byte:#04x} at offset {error.start} is no text"
            ) from None
    if not content.strip():
        raise ParseError(f"{given.name}: expected a program, found an empty text")
    return content


def compile(
    module: Module, *, backend: str = "interpreter", entry: str | None = None,
    limits: Limits | None = None,
) -> Executable:  # fmt: skip
    """Makes a function of a module ready to be called many times.

    Args:
        module: The program.
        backend: ``interpreter``: NumPy, by the specification's formulas.
        entry: The function; by default ``main``, or the only one.
        limits: Bounds for what the program may take.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: There is no such backend, or it cannot run the program.
        ArgumentValueError: There is no such function.
        LimitError: The program asks for more than the limits allow.
    """
    if backend not in BACKENDS:
        raise UnsupportedError(f"no backend is called {backend!r}; known: {', '.join(BACKENDS)}")
    module.verify()
    function = module.entry(entry)
    lowered = legalized(module.ir)
    functions = {each.symbol: each for each in function_operations(lowered)}
    executable = InterpretedExecutable(
        functions,
        function.own_signature,
        limits or DEFAULT_LIMITS,
        stated_grid(module.ir),
        value_names(lowered),
    )
    return ExportedExecutable(function.exported, executable) if function.exported else executable


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
