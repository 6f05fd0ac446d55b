"""Versions of a program with dynamic sizes: native code for all sizes that fulfil its assumptions.

A version is compiled once, for symbolic sizes. For each combination of sizes its plan is evaluated:
sizes of buffers, their places in the arena, iterations and chunks of launches, and the sizes that
kernels load. That takes no LLVM. Sizes that do not fulfil the assumptions get another version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.codegen.object_code import Assembler
from stablemate.compiler.codegen.sized_emitter import SizedEmitter
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, machine_of
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.executable import CompiledExecutable, runtime
from stablemate.compiler.fusion.launch_order import fuse_regions
from stablemate.compiler.graph.builder import GraphBuilder
from stablemate.compiler.graph.graph import count_users
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import Kernel, Loop
from stablemate.compiler.pipeline import check_arena_size, check_value_sizes, unrolling
from stablemate.compiler.plan.buffer_assignment import assign_buffers
from stablemate.compiler.plan.image_builder import ImageBuilder
from stablemate.compiler.plan.kernel_functions import Emitters, generate_functions
from stablemate.compiler.plan.plan import (
    Branch,
    Copy,
    Exchange,
    Launch,
    Plan,
    Request,
    Step,
)
from stablemate.compiler.plan.planner import Planner
from stablemate.compiler.program.serialization import CompiledProgram
from stablemate.compiler.rewrites.decompose import decompose
from stablemate.compiler.rewrites.simplify import simplify
from stablemate.compiler.schedule.parallel_chunks import Estimate, seconds_to_move
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.func import FuncOp
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.symbolic_sizes import Size, evaluator, holds
from stablemate.transforms.refinement.symbolic import (
    SymbolicProgram,
    dynamic_sizes,
    symbolic_program,
)

MAX_VERSIONS: Final = 16  # of a program
MAX_FAILURES: Final = 3  # after which sizes are specialized

Values = Mapping[Any, Any]  # of sizes


class SizeVersions:
    """The versions of one function.

    Attributes:
        versions: The versions, the latest use last.
        failures: Why versions could not be compiled.
    """

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target, threads: int | None,
        options: CompileOptions,
    ) -> None:  # fmt: skip
        self.interpreted = interpreted
        self.target = target
        self.threads = threads
        self.options = options
        self.versions: list[SizeVersion] = []
        self.failures: list[Exception] = []

    def executable(self, types: Sequence[Type]) -> Executable | None:
        """The function for arguments of these types; None if it is to be specialized for them."""
        shapes = [t.shape if isinstance(t, TensorType) else () for t in types]
        declared = [argument.type for argument in self.interpreted.signature.arguments]
        sizes = dynamic_sizes(declared, shapes)
        version = self.version(sizes, shapes)
        return None if version is None else self.sized(version, sizes, types)

    def version(self, sizes: Sequence[int], shapes: Sequence[Sequence[int]]) -> SizeVersion | None:
        """The version for these sizes; it is compiled if there is none yet."""
        for version in reversed(self.versions):
            if version.admits(sizes):
                return version
        if len(self.versions) >= MAX_VERSIONS or len(self.failures) >= MAX_FAILURES:
            return None
        functions = self.interpreted.functions
        assert isinstance(functions, SpecializedFunctions)
        try:
            program = symbolic_program(functions.original(), functions.entry, shapes)
            if not program.assumptions.variables:
                return None
            version = SizeVersion(
                program, functions.entry, self.target, self.options, self.interpreted.limits
            )
        except Exception as error:  # whatever is not possible for symbolic sizes is specialized
            self.failures.append(error)
            return None
        self.versions.append(version)
        return version

    def sized(
        self, version: SizeVersion, sizes: Sequence[int], types: Sequence[Type]
    ) -> SizedExecutable:
        """The version for some sizes."""
        program, results = version.program(sizes)
        interpreted, signature = self.interpreted, self.interpreted.signature
        functions = interpreted.functions
        assert isinstance(functions, SpecializedFunctions)
        arguments = zip(signature.arguments, types, strict=True)
        inner = InterpretedExecutable(
            SpecializedFunctions(functions.original, functions.entry, types),
            Signature(
                signature.name,
                tuple(replace(argument, type=value_type) for argument, value_type in arguments),
                tuple(
                    replace(result, type=value_type)
                    for result, value_type in zip(signature.results, results, strict=True)
                ),
            ),
            interpreted.limits,
            interpreted.grid,
            interpreted.names,
            prepare=False,
            order=interpreted.order,
        )
        return SizedExecutable(
            inner, self.target, threads=self.threads, options=self.options, program=program,
            code=version.code,
        )  # fmt: skip


class SizedExecutable(CompiledExecutable):
    """A version of a program for some sizes."""

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target, *, threads: int | None,
        options: CompileOptions, program: CompiledProgram, code: Loaded,
    ) -> None:  # fmt: skip
        self.version_program = program
        self.version_code = code
        super().__init__(interpreted, target, threads=threads, options=options)

    def load_or_compile(self, key: str | None) -> tuple[CompiledProgram, bool]:
        """The program of the version."""
        return self.version_program, False

    def loaded_code(self) -> Loaded:
        """The code of the version."""
        return self.version_code


class SizedEstimate(Estimate):
    """The estimated time of one iteration of a kernel for symbolic sizes.

    Attributes:
        transfers: For each argument, the bytes that are moved, and those that there are.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.seconds = 0.0
        self.bytes = {}
        self.seen = set()
        self.add(kernel)
        self.transfers: list[tuple[Any, Any]] = [
            (size, buffer.bytes) for buffer, size in self.bytes.items()
        ]


class SizeVersion:
    """A program compiled for symbolic sizes.

    Attributes:
        code: Its functions.
    """

    def __init__(
        self, program: SymbolicProgram, entry: str, target: Target, options: CompileOptions,
        limits: Limits,
    ) -> None:  # fmt: skip
        """Compiles a version.

        Raises:
            UnsupportedError: A step is no native code.
        """
        self.limits = limits
        self.assumptions = program.assumptions
        self.sizes = program.sizes
        functions = {
            operation.symbol: operation
            for operation in program.module.body.operations
            if isinstance(operation, FuncOp)
        }
        self.argument_count = len(functions[entry].type.inputs)
        self.result_types = functions[entry].type.results
        self.plan = symbolic_plan(functions, entry, target, options, limits)
        emitters: dict[str, SizedEmitter] = {}

        def emitter(kernel: Kernel, *arguments: Any, **emitter_options: Any) -> SizedEmitter:
            emitters[kernel.name] = SizedEmitter(kernel, *arguments, **emitter_options)
            return emitters[kernel.name]

        with Assembler(target) as assembling:
            assembling.do(runtime)
            generated = generate_functions(
                self.plan, target, assembling.add, emitters=Emitters(kernel=emitter)
            )
            objects = assembling.objects()
        self.names = generated.names
        self.kernel_sizes = {name: list(used.sizes) for name, used in emitters.items()}
        self.code = load(objects, list(generated.functions))
        kernels = {
            generated.names[step.kernel.name]: step.kernel
            for step in self.plan.steps
            if isinstance(step, Launch)
        }
        self.estimates = {name: SizedEstimate(kernel) for name, kernel in kernels.items()}
        self.kernels = kernels
        self.admits_sizes = holds(self.assumptions)
        self.symbols = list(dict.fromkeys(self.used_sizes()))
        self.evaluate = evaluator(self.assumptions, self.symbols)

    def used_sizes(self) -> Sequence[Size]:
        """The sizes that are evaluated."""
        used: list[Any] = [slot.bytes for slot in self.plan.slots]
        for kernel in self.all_kernels():
            used.append(kernel.steps)
        for sizes in self.kernel_sizes.values():
            used += sizes
        for estimate in self.estimates.values():
            used.append(estimate.seconds)
            used += [size for transfer in estimate.transfers for size in transfer]
        for result in self.result_types:
            used += result.shape if isinstance(result, TensorType) else ()
        return [size for size in used if isinstance(size, Size)]

    def all_kernels(self) -> Sequence[Kernel]:
        """The kernels of all launches."""
        return [step.kernel for step in self.plan.steps if isinstance(step, Launch)]

    def admits(self, sizes: Sequence[int]) -> bool:
        """Whether the version is for these sizes."""
        variables: dict[int, int] = {}
        for size, expected in zip(sizes, self.sizes, strict=True):
            if not isinstance(expected, Size):
                if size != expected:
                    return False
                continue
            ((number,),) = expected.terms
            if variables.setdefault(number, size) != size:
                return False
        return self.admits_sizes(*[variables[i] for i in range(len(variables))])

    def program(self, sizes: Sequence[int]) -> tuple[CompiledProgram, Sequence[Type]]:
        """The program for some sizes, and the types of its results."""
        variables: dict[int, int] = {}
        for size, expected in zip(sizes, self.sizes, strict=True):
            if isinstance(expected, Size):
                ((number,),) = expected.terms
                variables[number] = size
        numbers = self.evaluate(*[variables[i] for i in range(len(variables))])
        values = dict(zip(self.symbols, numbers, strict=True))
        plan = plan_for(self.plan, values)
        assign_buffers(plan)
        check_arena_size(plan, self.limits)
        image = SizedImageBuilder(self, plan, values).image()
        results = [type_for(result, values) for result in self.result_types]
        return CompiledProgram(image, ()), results


class SizedImageBuilder(ImageBuilder):
    """Builds the image of a version for some sizes."""

    def __init__(self, version: SizeVersion, plan: Plan, values: Values) -> None:
        super().__init__(plan, version.argument_count, version.names, None, {})
        self.kernel_sizes = version.kernel_sizes
        self.values = values
        for name, estimate in version.estimates.items():
            kernel = version.kernels[name]
            steps = number_of(kernel.steps, values)
            self.estimates[name] = number_of(estimate.seconds, values) + sum(
                seconds_to_move(number_of(size, values), steps, number_of(available, values))
                for size, available in estimate.transfers
            )

    def write_step(self, number: int, step: Step, loop: Any) -> None:
        """Writes the record of a step; the sizes of a kernel follow its buffers."""
        super().write_step(number, step, loop)
        if isinstance(step, Launch):
            function = self.function_names[step.kernel.name]
            self.words += [number_of(size, self.values) for size in self.kernel_sizes[function]]

    def reusable_arguments(self) -> Sequence[tuple[int, int]]:
        """None: which arguments are read last is not known for all sizes."""
        return ()


def symbolic_plan(
    functions: Mapping[str, Any], entry: str, target: Target, options: CompileOptions,
    limits: Limits,
) -> Plan:  # fmt: skip
    """The plan for symbolic sizes.

    Raises:
        UnsupportedError: A step is no native code.
    """
    builder = GraphBuilder(functions, unrolling(limits))
    graph = builder.function(entry)
    machine = machine_of(target)
    decompose(graph, builder.new_tensor, machine.instructions)
    if options.simplify:
        simplify(graph)
    count_users(graph)
    check_value_sizes(graph, limits)
    plan = Planner(machine, options).plan(graph, fuse_regions(graph, fuse=options.fuse))
    for step in plan.steps:
        if isinstance(step, Request):
            raise UnsupportedError(f"{step.node.operation.name} is no native code")
    return plan


def number_of(value: Any, values: Values) -> Any:
    """A number, or the value of a size."""
    return values[value] if isinstance(value, Size) else value


def type_for(value_type: Type, values: Values) -> Type:
    """A type with the values of its sizes."""
    if not isinstance(value_type, TensorType):
        return value_type
    shape = tuple([number_of(size, values) for size in value_type.shape])
    return TensorType(shape, value_type.element_type)


def plan_for(plan: Plan, values: Values) -> Plan:
    """A plan with the values of its sizes; its kernels have iterations only."""
    slots = {slot: replace(slot, bytes=number_of(slot.bytes, values)) for slot in plan.slots}
    for slot, copy in slots.items():
        copy.number = slot.number
    kernels: dict[Kernel, Kernel] = {}

    def kernel(symbolic: Kernel) -> Kernel:
        if symbolic not in kernels:
            steps, repeated = number_of(symbolic.steps, values), symbolic.repeated
            index = Expressions().loop_index("i", steps)
            loop = Loop(index, steps, "serial", (), parallel=repeated is None)
            loop.condition = None if repeated is None else repeated.condition
            kernels[symbolic] = Kernel(symbolic.name, symbolic.arguments, [loop])
        return kernels[symbolic]

    steps: list[Step] = []
    for step in plan.steps:
        match step:
            case Launch(symbolic, operands, nodes):
                new: Step = Launch(kernel(symbolic), [slots[slot] for slot in operands], nodes)
            case Copy(source, target):
                new = Copy(slots[source], slots[target])
            case Exchange(first, second):
                new = Exchange(slots[first], slots[second])
            case Branch(slot, targets, by_index):
                new = Branch(slots[slot], targets, by_index)
            case _:
                new = step
        steps.append(new)
    return Plan(list(slots.values()), steps)
