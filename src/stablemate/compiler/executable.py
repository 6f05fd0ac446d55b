"""Compiled programs as executables."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from stablemate.compiler import lazy_stages
from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.config.disk_cache import ConstantsRecord, cache, key_of
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target, compiler_version, host
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.fallback import reason_of
from stablemate.compiler.graph.memory_types import in_memory
from stablemate.compiler.graph.region_outlining import body_of
from stablemate.compiler.library_calls.names import (
    LIBRARY_CALLS_VERSION,
    is_library_function,
    replaced_targets,
)
from stablemate.compiler.program.image import COPY_BLOCKS, ProgramImage, operations_of
from stablemate.compiler.program.serialization import (
    CompiledProgram,
    PreparationProgram,
    constant_bytes,
    deserialize,
    serialize,
    split,
)
from stablemate.compiler.runtime.grid.native_data_movement import NativeMover
from stablemate.compiler.runtime.instance import ALIGNMENT, Instance, aligned_memory
from stablemate.compiler.runtime.native.runtime import ExpectedOperand, Runtime
from stablemate.compiler.runtime.request_handlers import RequestHandlers
from stablemate.compiler.runtime.run_trace import watch
from stablemate.compiler.runtime.tensor_calls import CallForm, TensorCall, TensorFunctions
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import CompileError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.execution.collectives.data_movement import Mover
from stablemate.execution.executable import Executable
from stablemate.execution.streams import Streams
from stablemate.fork_safety import cached_property, fork_safe_lock
from stablemate.formats.mapped_files import release_pages
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation, Value
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

if TYPE_CHECKING:
    from stablemate.compiler.graph.graph import Graph
    from stablemate.compiler.plan.kernel_functions import KernelFunctions
    from stablemate.compiler.plan.plan import Plan

# An instance that is kept saves its preparation at the next call, and holds its memory.
IDLE: Final = 4  # instances that are kept for callers at the same time
# A file of constants is mapped instead of read, and costs opening it and checking samples of it.
MOST_CONSTANT_BYTES: Final = 1 << 20  # of which more are kept on disk in a file of their own
# A copy on a cache line saves a second line for each vector, and takes memory and time once.
MOST_COPIED_BYTES: Final = 1 << 24  # of a constant; memory feeds the vectors of larger ones


@dataclass(frozen=True, slots=True)
class ProgramMemory:
    """The memory of a compiled program besides arguments and results.

    Attributes:
        arena: Bytes of values that are computed on the way, for each call at the same time.
        constants: Bytes of constants.
    """

    arena: int
    constants: int


class LoadedProgram(NamedTuple):
    """A program whose code may be in this process.

    Attributes:
        program: The program.
        code: Its functions in memory; None if the code is not to be loaded.
        is_from_cache: Whether it comes from the disk cache.
    """

    program: CompiledProgram
    code: Loaded | None
    is_from_cache: bool


class CompiledExecutable(Executable):
    """A function as native code.

    Operations that native code lacks are evaluated by the interpreter.

    Attributes:
        threads: How many threads may work for a call.
        runs_as_process: Whether the function makes host requests, and therefore runs as a process.
    """

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target | None = None, *,
        threads: int | None = None, source: bytes | None = None,
        options: CompileOptions = DEFAULTS, load_code: bool = True,
    ) -> None:  # fmt: skip
        """Compiles a function, or takes it from the disk cache.

        Args:
            interpreted: The function as the interpreter runs it.
            target: The machine; by default this one.
            threads: How many threads may work for a call; by default as many as there are.
            source: Identifies the program to the disk cache; without it, it is not kept there.
            options: How it is compiled.
            load_code: Whether its code is loaded into this process. Code for another machine is
                not; such an executable cannot be called.

        Raises:
            UnsupportedError: The program is not one that is compiled.
            LimitError: It needs more memory than the limits allow.
        """
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        self.target = target or host()
        self.options = options if load_code else replace(options, prepare=False)
        self.expected = list(expected_operands(interpreted))
        self.source = source
        self.kept: list[Array] | None = None  # all constants in their file
        key = None if source is None else self.key(source)
        self.program, self.code, self.is_from_cache = self.load_or_compile(key, load_code)
        self.runtime = runtime()
        pool = self.runtime.pool
        self.threads = pool.size if threads is None else max(1, min(threads, pool.size))
        if self.program.image.arena > interpreted.limits.arena_bytes:
            self.reject_arena()
        self.runs_as_process = self.program.image.has_host_requests
        self.bodies: dict[Operation, CompiledExecutable | None] = {}
        self.handlers = RequestHandlers(interpreted, self.threads, self.start_body, self.violation)
        self.native_mover = NativeMover(self.runtime, self.threads, kept_object)
        if not self.is_from_cache:
            self.kept = self.settle_constants(key)
        self.idle: list[Instance] = []
        self.running = self.most_running = 0  # processes at the same time

    def key(self, source: bytes) -> str:
        """The key of the program in the disk cache."""
        limits = self.interpreted.limits
        return cache_key(source, self.signature.name, self.target, self.options, limits)

    def load_or_compile(self, key: str | None, load_code: bool) -> LoadedProgram:
        """The program from the disk cache, or compiled."""

        def decode(content: bytes) -> LoadedProgram:
            assert key is not None
            program = deserialize(content, kept_constants(key))
            return LoadedProgram(program, code_of(program) if load_code else None, True)

        stored = None if key is None else cache().load(key, decode)
        return stored or self.compile_program(load_code)

    def compile_program(self, load_code: bool) -> LoadedProgram:
        """Compiles the program without garbage collection, and loads its code if asked to."""
        with without_garbage_collection():
            program = self.compilation().program(meanwhile=runtime)
        return LoadedProgram(program, code_of(program) if load_code else None, False)

    def settle_constants(self, key: str | None) -> list[Array] | None:
        """Computes constants that depend on others, and puts the program into the disk cache.

        Large constants are written to their file as they are computed: all of them are never in
        memory together with what they are computed from.

        Args:
            key: The key of the program; None if it is not put there.

        Returns:
            Its constants in their file, mapped; None if they are in none.
        """
        image, objects, preparations = self.program
        prepared = prepared_numbers(preparations)
        kept = None
        if key is not None and constant_bytes(image) >= MOST_CONSTANT_BYTES:
            kept = keep_in_file(key, image, self.settled_constants(), self.serialized)
        if kept is None:  # also where the disk had no space for all of them
            constants = list(image.constants)
            for number, constant in self.settled_constants():
                constants[number] = constant
            self.program = CompiledProgram(replace(image, constants=constants), objects)
            if key is not None and constant_bytes(image) < MOST_CONSTANT_BYTES:
                cache().put(key, self.serialized(()))
        release_pages(image.constants)
        self.place_constants(kept, prepared)
        return kept

    def settled_constants(self) -> Iterator[tuple[int, Array]]:
        """Each constant with its number: those that are known, then what each preparation gives."""
        image, _, preparations = self.program
        prepared = prepared_numbers(preparations)
        yield from [
            (number, constant)
            for number, constant in enumerate(image.constants)
            if number not in prepared
        ]
        for preparation in preparations:
            results = self.prepare(preparation)
            release_pages(preparation.image.constants)
            while results:
                yield results.popitem()

    def serialized(self, beside: Sequence[Any]) -> bytes:
        """The program as bytes; see ``serialize``."""
        return serialize(self.program, beside)

    def place_constants(self, kept: list[Array] | None, prepared: Collection[int]) -> None:
        """Puts constants where they begin on cache lines: other vectors of them would lie in two.

        Those that were prepared are read from their file, so that nothing else need hold them;
        others stay if they begin on a line, or are too large for a cache, since whoever gave them
        holds them.

        Args:
            kept: All constants in their file; None if there is none.
            prepared: The numbers of those that were prepared.
        """
        image, objects, _ = self.program
        constants = list(image.constants)
        for number, constant in enumerate(constants):
            if kept is not None and (number in prepared or splits_lines(constant)):
                constants[number] = kept[number]
            else:
                constants[number] = align_constant(constant)
        self.program = CompiledProgram(replace(image, constants=constants), objects)

    def prepare(self, preparation: PreparationProgram) -> dict[int, Array]:
        """The constants that a preparation computes, by their numbers."""
        assert self.code is not None
        # Zeros, because of gaps between rows.
        results = [aligned_memory(size, zeroed=True) for _, size in preparation.constants]
        expected = [
            ExpectedOperand(result.dtype, result.shape, exclusive=True) for result in results
        ]
        instance = Instance(
            preparation.image, self.code, self.runtime, expected, 0, self.handlers,
            self.native_mover, self.threads,
        )  # fmt: skip
        instance.run_at([result.ctypes.data for result in results])
        instance.release()
        return dict(zip([number for number, _ in preparation.constants], results, strict=True))

    def forget_functions(self) -> bool:
        """Holds nothing of the functions but what was compiled, and its constants in their file.

        Returns:
            Whether this is so; not if operations of the functions, or their constants, are needed.
        """
        image, functions = self.program.image, self.interpreted.functions
        if image.requests or image.loops or not isinstance(functions, SpecializedFunctions):
            return False
        if not self.is_from_cache:
            if self.kept is None:
                return False
            self.program = self.program._replace(image=replace(image, constants=self.kept))
        functions.forget()
        vars(self).pop("inspected", None)
        return True

    def reject_arena(self) -> None:
        """Rejects a program that needs too much memory.

        Raises:
            LimitError: It does; the error names the largest buffers.
        """
        list(self.inspected.remaining)

    def compilation(self) -> lazy_stages.Compilation:
        """The stages of the compiler for this program, none of which has run."""
        program = self.interpreted
        return lazy_stages.Compilation(
            program.functions, program.signature, self.target, self.options, program.limits
        )

    @cached_property
    def inspected(self) -> lazy_stages.Compilation:
        """The stages of the compiler for this program, for inspection."""
        return self.compilation()

    @property
    def graph(self) -> Graph:
        """The dataflow graph of the function."""
        return self.inspected.graph

    @property
    def plan(self) -> Plan:
        """The plan: slots, steps and kernels."""
        return self.inspected.plan

    @property
    def kernel_functions(self) -> KernelFunctions:
        """The LLVM IR of its kernels."""
        return self.inspected.kernel_functions

    @property
    def memory(self) -> ProgramMemory:
        """The memory that it needs."""
        image = self.program.image
        return ProgramMemory(image.arena, constant_bytes(image))

    def emit(self, stage: str) -> str:
        """The output of a stage of the compiler, as text.

        Args:
            stage: ``module``: what is compiled, in MLIR; ``fusion``: which operations share a
                kernel, and which values are kept in memory for what reason; ``nest``: the loops of
                each kernel; ``plan``: what runs when; ``llvm`` and ``asm``: the code.

        Raises:
            ArgumentValueError: There is no such stage.
        """
        return self.inspected.emit(stage)

    def __call__(
        self,
        *arguments: object,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Any:
        """Runs the function; see ``Executable``."""
        if self.runs_as_process:
            return super().__call__(*arguments, streams=streams, probe_dir=probe_dir, seed=seed)
        return self.call_with(arguments, self.checked_arguments)

    def call_with(
        self, arguments: tuple[object, ...],
        converted: Callable[[Sequence[Any]], Sequence[Array]] | None,
    ) -> object:  # fmt: skip
        """Runs the function in an idle instance.

        Args:
            arguments: The arguments.
            converted: Makes arrays that fit of arguments that do not, or raises an error; None: if
                they do not fit, the result is ``NotImplemented``.
        """
        try:
            instance = self.idle.pop()
        except IndexError:
            instance = self.instance()
        results = instance.call_short(arguments)
        if results is None:
            values: Sequence[Any] = arguments
            if not instance.fits(arguments):
                if converted is None:
                    self.idle.append(instance)
                    return NotImplemented
                values = converted(arguments)
                instance.write_arguments(values)
            results = instance.allocate_results()
            instance.run(values, results)
        if len(self.idle) < IDLE:
            self.idle.append(instance)  # after an error it is not clean: it is dropped
        # A tuple of the caller's own: in ours an array has one holder when he has dropped it.
        return results[0] if len(results) == 1 else tuple(iter(results))

    @property
    def asks_nothing(self) -> bool:
        """Whether native code runs from its start to its end without a request to Python."""
        return not self.runs_as_process and not self.program.image.requests

    def call_at(self, arguments: Sequence[int], results: Sequence[int]) -> None:
        """Runs the function on memory that the caller answers for.

        Args:
            arguments: The address of each argument, which lies in row-major order.
            results: The address of each result, of memory of its size.
        """
        assert self.asks_nothing
        try:
            instance = self.idle.pop()
        except IndexError:
            instance = self.instance()
        instance.run_at((*arguments, *results))
        if len(self.idle) < IDLE:
            self.idle.append(instance)  # after an error it is not clean: it is dropped

    def tensor_call(
        self, functions: TensorFunctions, form: CallForm,
        fallback: Callable[[list[Any]], list[Any]],
    ) -> TensorCall | None:  # fmt: skip
        """The function as a builtin function of a list of tensors; see ``TensorCall``.

        None if native code cannot read objects of this Python, or reports each access to memory.
        """
        assert self.asks_nothing
        instance = self.instance()
        if not self.runtime.can_read_arrays or instance.report is not None:
            return None
        return TensorCall(instance, functions, form, fallback)

    def checked_arguments(self, arguments: Sequence[object]) -> list[Array]:
        """Checks the arguments against the signature; copies non-contiguous ones."""
        return [contiguous_array(value) for value in self.signature.take(arguments)]

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        if self.runs_as_process:
            return super().run(values, streams, probe_dir, seed)
        result = self(*values)
        return result if len(self.signature.results) != 1 else (result,)

    def instance(self, kind: type[Instance] = Instance) -> Instance:
        """A new program instance, with memory of its own.

        Raises:
            UnsupportedError: The code is not loaded.
        """
        if self.code is None:
            raise UnsupportedError(f"the code is for {self.target.triple}, and was not loaded")
        instance = kind(
            self.program.image,
            self.code,
            self.runtime,
            self.expected,
            len(self.signature.arguments),
            self.handlers,
            self.native_mover,
            self.threads,
        )
        if kind is Instance:
            watch(instance, self)
        return instance

    @property
    def mover(self) -> Mover:
        """Moves elements in native code."""
        return self.native_mover

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs a function of the module; the compiled one as native code."""
        if function != self.signature.name:
            return self.interpreted.start(function, values)
        return self.process(values)

    def process(self, values: Sequence[object], targets: Sequence[Any] = ()) -> Process:
        """A process that runs the function as native code, its results where they may be."""
        try:
            instance = self.idle.pop(0)  # of who had the same place: processes begin in order
        except IndexError:
            instance = self.instance()
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            arguments = instance.bind_arguments(values)
            results = (
                instance.bind_result_targets(targets) if targets else instance.allocate_results()
            )
            yield from instance.process(arguments, results)
        finally:
            self.running -= 1
        if len(self.idle) < max(IDLE, self.most_running):
            insort(self.idle, instance, key=lambda idle: idle.grid_position.position)
        return tuple(iter(results))

    def violation(self, step: int, report: Sequence[int]) -> CompileError:
        """The error when a checked kernel was about to access memory outside its buffers.

        Args:
            step: The number of the launch in the plan.
            report: What the kernel reported; see ``codegen.bounds_checks``.
        """
        return lazy_stages.violation(self.plan, step, report)

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        if operation not in self.bodies:
            self.bodies[operation] = self.body(operation)
        body = self.bodies[operation]
        if body is None:
            return self.interpreted.start_body(operation, values)
        return body.process(values, targets)

    def body(self, operation: Operation) -> CompiledExecutable | None:
        """The body of an operation as native code; None if it is interpreted."""
        source = None
        if self.source is not None:
            operations = operations_of(self.interpreted.functions)
            (number,) = [i for i, candidate in enumerate(operations) if candidate is operation]
            source = self.source + f" body {number}".encode()
        try:
            return CompiledExecutable(
                body_of(operation, self.interpreted),
                self.target,
                threads=self.threads,
                source=source,
                options=self.options,
            )
        except Exception as error:
            reason_of(error)
            return None

    def name_of(self, value: Value[Type]) -> str:
        """The name of a value in the printed program."""
        functions = self.interpreted.functions
        if isinstance(functions, SpecializedFunctions):
            return functions.name_of(value)
        return self.interpreted.name_of(value)


def cache_key(
    source: bytes, name: str, target: Target, options: CompileOptions, limits: Limits
) -> str:
    """The key of a compiled function in the disk cache."""
    machine = f"{target} {options} {compiler_version()} {np.__version__}"
    machine += f" {LIBRARY_CALLS_VERSION} {replaced_targets()}"
    return key_of(source, name, str(limits), machine)


def prepared_numbers(preparations: Iterable[PreparationProgram]) -> set[int]:
    """The numbers of the constants that preparations compute."""
    return {number for preparation in preparations for number, _ in preparation.constants}


def keep_in_file(
    key: str, image: ProgramImage, constants: Iterable[tuple[int, Array]],
    serialized: Callable[[Sequence[Any]], bytes],
) -> list[Array] | None:  # fmt: skip
    """Puts a program into the disk cache, with its constants in a file of their own.

    Args:
        key: Its key.
        image: Its image, whose constants have their sizes.
        constants: Each constant with its number.
        serialized: The program as bytes, with how the file of its constants is found again.

    Returns:
        Its constants in this file, mapped; None if they are in none.
    """
    sizes = [constant.nbytes for constant in image.constants]
    record = cache().put_constants(key, sizes, constants)
    if record is None:
        return None
    cache().put(key, serialized(record))
    try:
        memory = cache().constants(key, record)
    except (OSError, ValueError):  # somebody removed it, or put another one there
        return None
    return split(memory, sizes)


def splits_lines(constant: Array) -> bool:
    """Whether vectors of a constant that a cache can hold lie in two of its lines."""
    return bool(constant.ctypes.data % ALIGNMENT) and constant.nbytes <= MOST_COPIED_BYTES


def align_constant(constant: Array) -> Array:
    """A constant that begins on a cache line, unless it is too large for a cache to hold."""
    if not splits_lines(constant):
        return constant
    copy = aligned_memory(constant.nbytes)
    copy[:] = np.ascontiguousarray(constant).reshape(-1).view(np.uint8)
    return copy


def kept_constants(key: str) -> Callable[..., Array]:
    """Reads the file of constants of a program in the disk cache."""
    return lambda *record: cache().constants(key, ConstantsRecord(*record))


def code_of(program: CompiledProgram) -> Loaded:
    """The functions of a program in memory, with those of libraries that it calls.

    Raises:
        CompileError: A library does not have a function.
    """
    images = [program.image, *[preparation.image for preparation in program.preparations]]
    functions = list(dict.fromkeys(name for image in images for name in image.functions))
    own = [name for name in functions if name != COPY_BLOCKS and not is_library_function(name)]
    code = load(program.objects, own)
    if not any(map(is_library_function, functions)):
        return code
    from stablemate.compiler.library_calls.loading import with_library_functions

    return with_library_functions(code, functions)


def expected_operands(interpreted: InterpretedExecutable) -> Iterator[ExpectedOperand]:
    """The element types and shapes that native code expects of arguments and results.

    Raises:
        UnsupportedError: They are of types that are not compiled.
    """
    signature = interpreted.signature
    for i, argument in enumerate((*signature.arguments, *signature.results)):
        value_type = in_memory(argument.type)
        if not isinstance(value_type, TensorType) or not value_type.is_static:
            raise UnsupportedError(f"arguments and results of type {value_type} are not compiled")
        exclusive = i >= len(signature.arguments)
        yield ExpectedOperand(value_type.element_type.dtype, value_type.shape, exclusive=exclusive)


def contiguous_array(value: object) -> Array:
    """The value as a contiguous, aligned array."""
    array: Array = np.require(value, requirements=("C", "A"))
    return array


RUNTIMES: Final[list[Runtime]] = []
STARTING: Final = fork_safe_lock()


def runtime() -> Runtime:
    """The runtime of this process; its object is kept in the disk cache."""
    if RUNTIMES:
        return RUNTIMES[0]
    with without_garbage_collection(), STARTING:
        if not RUNTIMES:
            RUNTIMES.append(Runtime(kept_object))
    return RUNTIMES[0]


def kept_object(text: str, target: Target) -> bytes:
    """The object of LLVM IR, compiled once per machine."""
    key = key_of(text, f"{target} {compiler_version()}")
    content = cache().get(key)
    if content is None:
        content = lazy_stages.assemble(text, target)
        cache().put(key, content)
    return content
