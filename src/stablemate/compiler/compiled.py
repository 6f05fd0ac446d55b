"""Compiled programs as Executables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from threading import Lock
from typing import Any, Final

import numpy as np

from stablemate.compiler import stages
from stablemate.compiler.cache import cache, key_of
from stablemate.compiler.graph import Graph
from stablemate.compiler.image import COPY_BLOCKS, Asked, ImageBuilder, operations_of
from stablemate.compiler.instance import Instance, Views
from stablemate.compiler.llvm.loading import Loaded, load
from stablemate.compiler.llvm.objects import all_assembled, assembled, assembly
from stablemate.compiler.llvm.runtime import Expected, Runtime
from stablemate.compiler.llvm.target import Target, compiler_version, host
from stablemate.compiler.options import DEFAULTS, CompileOptions
from stablemate.compiler.plan import Launch, Plan, Request
from stablemate.compiler.stored import Compiled, constant_bytes, read, written
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, LimitError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.execution.executable import Executable
from stablemate.execution.streams import Streams
from stablemate.interpreter.block import FAILURES, at, failure
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.prepare import FunctionPreparation, Program, refuse_huge
from stablemate.ir.collection import uncollected
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array

IDLE: Final = 4  # instances that are kept for callers at the same time
LARGEST: Final = 5  # buffers that the error of a large arena names


@dataclass(frozen=True, slots=True)
class Memory:
    """What a compiled program keeps in memory besides arguments and results.

    Attributes:
        arena: Bytes of values that are computed on the way, for each call at the same time.
        constants: Bytes of constants.
    """

    arena: int
    constants: int


class CompiledExecutable(Executable):
    """A function as native code; what native code does not know is asked of the operation itself.

    Attributes:
        threads: How many threads may work for a call.
        asks: Whether the function asks the world, and so runs as a process.
    """

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target | None = None, *,
        threads: int | None = None, source: bytes | None = None,
        options: CompileOptions = DEFAULTS,
    ) -> None:  # fmt: skip
        """Compiles a function, or takes it from the disk cache.

        Args:
            interpreted: The function as the interpreter runs it.
            target: The machine; by default this one.
            threads: How many threads may work for a call; by default as many as there are.
            source: Identifies the program to the disk cache; without it, it is not kept there.
            options: How it is compiled.

        Raises:
            UnsupportedError: The program is not one that is compiled.
            LimitError: It needs more memory than the limits allow.
        """
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        self.target = target or host()
        self.options = options
        self.runtime = runtime()
        pool = self.runtime.pool
        self.threads = pool.size if threads is None else max(1, min(threads, pool.size))
        self.expected = list(expected_operands(interpreted))
        key = None if source is None else self.key(source)
        self.program, self.is_from_cache = self.found(key)
        refuse_large_arena(self.program.image.arena, interpreted.limits, lambda: self.plan)
        names = [each for each in self.program.image.functions if each != COPY_BLOCKS]
        self.code: Loaded = load(self.program.objects, names)
        self.asks = self.program.image.asks
        self.answers = Answers(interpreted)
        self.idle: list[Instance] = []

    def key(self, source: bytes) -> str:
        """What the program is called in the disk cache."""
        target = self.target
        machine = f"{target} {self.options} {compiler_version()} {np.__version__}"
        return key_of(source, self.signature.name, str(self.interpreted.limits), machine)

    def found(self, key: str | None) -> tuple[Compiled, bool]:
        """The program, and whether it was in the disk cache."""
        if key is not None:
            content = cache().get(key)
            if content is not None:
                return read(content), True
        with uncollected():
            program = self.made()
        if key is not None and constant_bytes(program.image) < MOST_CONSTANT_BYTES:
            cache().put(key, written(program))
        return program, False

    def made(self) -> Compiled:
        """The program, compiled."""
        refuse_large_arena(self.plan.arena, self.interpreted.limits, lambda: self.plan)
        steps = self.plan.steps
        limit = self.interpreted.limits.iterations
        counts = any(isinstance(each, Request) for each in steps) or limit is not None
        numbers = self.numbers() if counts else dict[Operation, int]()
        image = ImageBuilder(
            self.plan, len(self.signature.arguments), self.texts.names, limit, numbers
        ).image()
        functions = list(self.texts.functions.values())
        return Compiled(image, all_assembled(functions, self.target) if functions else [])

    def numbers(self) -> Mapping[Operation, int]:
        """The operations of the program by number."""
        return {each: i for i, each in enumerate(operations_of(self.interpreted.functions))}

    @cached_property
    def graph(self) -> Graph:
        """The function with all calls opened."""
        graph = stages.graphed(self.interpreted.functions, self.signature.name)
        refuse_huge_values(graph, self.interpreted.limits)
        return graph

    @cached_property
    def plan(self) -> Plan:
        """What runs when."""
        return stages.plan_of(self.graph, self.target, self.options)

    @cached_property
    def texts(self) -> stages.Texts:
        """The functions of its kernels, in LLVM."""
        return stages.texts_of(self.plan, self.target)

    @property
    def memory(self) -> Memory:
        """What it keeps in memory."""
        image = self.program.image
        return Memory(image.arena, constant_bytes(image))

    def emit(self, stage: str) -> str:
        """What a stage of the compiler made of the program, as text.

        Args:
            stage: ``fusion``: which operations share a kernel, and which values are kept in memory
                for what reason; ``nest``: the loops of each kernel; ``plan``: what runs when;
                ``llvm`` and ``asm``: the code.

        Raises:
            ArgumentValueError: There is no such stage.
        """
        if stage not in EMITTERS:
            raise ArgumentValueError(f"no stage is called {stage!r}; known: {', '.join(EMITTERS)}")
        return EMITTERS[stage](self)

    def __call__(
        self,
        *arguments: Any,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Any:
        """Runs the function; see ``Executable``."""
        if self.asks:
            return super().__call__(*arguments, streams=streams, probe_dir=probe_dir, seed=seed)
        try:
            instance = self.idle.pop()
        except IndexError:
            instance = self.instance()
        results = instance.brief(arguments)
        if results is None:
            values: Sequence[Any] = arguments
            if not instance.fits(arguments):
                values = self.taken(arguments)
                instance.take(values)
            results = instance.results()
            instance.run(values, results)
        if len(self.idle) < IDLE:
            self.idle.append(instance)  # after an error it is not clean: it is dropped
        # A tuple of the caller's own: in ours an array has one holder when he has dropped it.
        return results[0] if len(results) == 1 else tuple(iter(results))

    def taken(self, arguments: Sequence[Any]) -> list[Array]:
        """The arguments as arrays that fit; what is not laid out in order is copied."""
        return [ordered(each) for each in self.signature.take(arguments)]

    def run(
        self,
        values: Sequence[Any],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        if self.asks:
            return super().run(values, streams, probe_dir, seed)
        result = self(*values)
        return result if len(self.signature.results) != 1 else (result,)

    def instance(self) -> Instance:
        """New memory."""
        return Instance(
            self.program.image,
            self.code,
            self.runtime,
            self.expected,
            len(self.signature.arguments),
            self.answers,
            self.threads,
        )

    def start(self, function: str, values: Sequence[Any]) -> Process:
        """A process that runs a function of the module; the compiled one as native code."""
        if function != self.signature.name:
            return self.interpreted.start(function, values)
        return self.process(values)

    def process(self, values: Sequence[Any]) -> Process:
        """A process that runs the function as native code."""
        try:
            instance = self.idle.pop()
        except IndexError:
            instance = self.instance()
        arguments = [ordered(each) for each in values]
        instance.take(arguments)
        results = instance.results()
        yield from instance.process(arguments, results)
        if len(self.idle) < max(IDLE, self.grid.size):
            self.idle.append(instance)
        return tuple(iter(results))

    def start_body(self, operation: Operation, values: Sequence[Any]) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.interpreted.start_body(operation, values)

    def name_of(self, value: Value[Any]) -> str:
        """What the printed program calls a value."""
        return self.interpreted.name_of(value)


MOST_CONSTANT_BYTES: Final = 1 << 25  # a program with more constants is not put on disk


class Answers:
    """Answers requests by the operations themselves."""

    def __init__(self, interpreted: InterpretedExecutable) -> None:
        self.interpreted = interpreted
        self.functions: dict[int, Callable[..., Any]] = {}

    @cached_property
    def operations(self) -> list[Any]:
        """All operations of the program."""
        return list(operations_of(self.interpreted.functions))

    def __call__(self, asked: Asked, values: Sequence[Any]) -> Sequence[Any]:
        """The results of the operation of a request."""
        operation = self.operations[asked.operation]
        try:
            function = self.functions.get(asked.operation) or self.prepared(asked.operation)
            with np.errstate(all="ignore"):
                result = function(*values)
        except FAILURES as error:
            raise failure(error, operation) from error.__cause__
        return several(asked, result)

    def ask(self, asked: Asked, values: Sequence[Any]) -> Process:
        """The process of a request that asks the world; it gives the results."""
        try:
            function = self.functions.get(asked.operation) or self.prepared(asked.operation)
            result: Any = yield from function(*values)
        except FAILURES as error:
            operation = self.operations[asked.operation]
            raise failure(error, operation) from error.__cause__
        return several(asked, result)

    def prepared(self, number: int) -> Callable[..., Any]:
        """What computes the results of an operation, or the process that does if it asks."""
        program = Program(self.interpreted.functions, self.interpreted.limits)
        function, _ = FunctionPreparation(program).function(self.operations[number])
        self.functions[number] = function
        return function

    def viewed(self, asked: Asked, instance: Instance) -> Views:
        """Operands and results of a request as they stand in memory."""
        operation = self.operations[asked.operation]
        operands = zip(asked.operands, operation.operands, strict=True)
        results = zip(asked.results, operation.results, strict=True)
        return (
            [instance.view(place, value.type) for place, value in operands],
            [instance.view(place, value.type) for place, value in results],
        )

    def overrun(self, operation: int) -> LimitError:
        """The error when a loop runs too long; the interpreter's."""
        limit = self.interpreted.limits.iterations
        message = f"the loop runs longer than {limit} iterations"
        return LimitError(at(self.operations[operation], message))


def several(asked: Asked, result: Any) -> Sequence[Any]:
    """What an operation gave, as a sequence: several results are a tuple, one is itself."""
    if not asked.results:
        return ()
    return result if len(asked.results) > 1 else (result,)


def expected_operands(interpreted: InterpretedExecutable) -> Iterator[Expected]:
    """What arguments and results must be.

    Raises:
        UnsupportedError: They are of types that are not compiled.
    """
    signature = interpreted.signature
    for i, each in enumerate((*signature.arguments, *signature.results)):
        value_type = each.type
        if not isinstance(value_type, TensorType) or not value_type.is_static:
            raise UnsupportedError(f"arguments and results of type {value_type} are not compiled")
        alone = i >= len(signature.arguments)
        yield Expected(value_type.element_type.dtype, value_type.shape, alone=alone)


def ordered(value: Any) -> Array:
    """The value as an array whose elements follow one another where their type may stand."""
    array: Array = np.require(value, requirements=("C", "A"))
    return array


def refuse_huge_values(graph: Graph, limits: Limits) -> None:
    """Refuses values that are larger than the limits allow, as the interpreter does."""
    for node in graph.nodes:
        for result in node.results:
            refuse_huge(result.type, limits, node.operation)
        for region in node.regions:
            refuse_huge_values(region, limits)


def refuse_large_arena(arena: int, limits: Limits, plan: Callable[[], Plan]) -> None:
    """Refuses a program that needs more memory than the limits allow; says what takes most."""
    if arena <= limits.arena_bytes:
        return
    slots = [each for each in plan().slots if each.origin == "local" and each.offset >= 0]
    largest = sorted(slots, key=lambda each: -each.bytes)[:LARGEST]
    notes = [Diagnostic(f"{each!r} takes {each.bytes} bytes") for each in largest]
    notes.append(Diagnostic("the limit is Limits.arena_bytes"))
    values = {"bytes": arena}
    message = f"a program needs at most {limits.arena_bytes} bytes for values on the way"
    raise LimitError(Diagnostic(message, "limits.arena_bytes", None, values, tuple(notes)))


def fusion_text(graph: Graph, options: CompileOptions, depth: int = 0) -> Iterator[str]:
    """How each operation is run, and which values are kept in memory for what reason."""
    kept = stages.kept_values(graph, fuse=options.fuse)
    pad = "  " * depth
    for node in graph.nodes:
        reasons = [f"{each!r} {kept[each]}" for each in node.results if each in kept]
        why = f"    kept: {'; '.join(reasons)}" if reasons else ""
        yield f"{pad}{stages.kind_of(node):8} {node!r}{why}"
        for region in node.regions:
            yield from fusion_text(region, options, depth + 1)


def nest_text(plan: Plan) -> str:
    """The loops of all kernels."""
    launches = [each for each in plan.steps if isinstance(each, Launch)]
    return "\n".join(stages.printed(each.kernel) for each in launches)


EMITTERS: Final[Mapping[str, Callable[[CompiledExecutable], str]]] = {
    "fusion": lambda made: "\n".join(fusion_text(made.graph, made.options)),
    "nest": lambda made: nest_text(made.plan),
    "plan": lambda made: str(made.plan),
    "llvm": lambda made: "\n".join(made.texts.functions.values()),
    "asm": lambda made: assembly("\n".join(made.texts.functions.values()), made.target),
}


RUNTIMES: Final[list[Runtime]] = []
STARTING: Final = Lock()


def runtime() -> Runtime:
    """The runtime of this process; its object is kept in the disk cache."""
    with STARTING:
        if not RUNTIMES:
            RUNTIMES.append(Runtime(kept_object))
    return RUNTIMES[0]


def kept_object(text: str, target: Target) -> bytes:
    """The object of LLVM text, made once per machine."""
    key = key_of(text, f"{target} {compiler_version()}")
    content = cache().get(key)
    if content is None:
        content = assembled(text, target)
        cache().put(key, content)
    return content


def native_or_interpreted(
    interpreted: InterpretedExecutable, target: Target | None = None, *,
    threads: int | None = None, source: bytes | None = None, options: CompileOptions = DEFAULTS,
) -> Executable:  # fmt: skip
    """The function as native code; as the interpreter runs it if it is not one that is compiled.

    Then ``fallback`` of what is returned says why.
    """
    try:
        return CompiledExecutable(
            interpreted, target, threads=threads, source=source, options=options
        )
    except UnsupportedError as error:
        interpreted.prepare()
        interpreted.fallback = error.diagnostics[0]
        return interpreted
