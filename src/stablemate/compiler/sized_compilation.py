"""Compiles a version: one function for symbolic sizes of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from stablemate.compiler.codegen.object_code import Assembler
from stablemate.compiler.codegen.sized_emitter import SizedEmitter
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, machine_of
from stablemate.compiler.fusion.launch_order import fuse_regions
from stablemate.compiler.graph.builder import GraphBuilder
from stablemate.compiler.graph.graph import Graph, count_users
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.pipeline import (
    Compilation,
    Stage,
    check_value_sizes,
    library_functions,
    load_library_functions,
    unroll_count,
)
from stablemate.compiler.plan.kernel_functions import Emitters, KernelFunctions, generate_functions
from stablemate.compiler.plan.plan import Plan, Request
from stablemate.compiler.plan.planner import Planner
from stablemate.compiler.plan.sized_image_builder import SizedImageBuilder
from stablemate.compiler.plan.verifier import verify_sized_plan
from stablemate.compiler.program.sized_image import SizedImage, SizedProgram
from stablemate.compiler.rewrites.attention.graphs import replace_attention
from stablemate.compiler.rewrites.decompose import decompose
from stablemate.compiler.rewrites.simplify import remove_dead_nodes, simplify
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import declared_signature
from stablemate.ir.core import Module
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.symbolic_sizes import NoSymbolicSizeError, Size
from stablemate.transforms.refinement.symbolic import SymbolicProgram, symbolic_program
from stablemate.transforms.stablehlo_refine_arguments import refinement_target

COMMENTS: Final[Mapping[str, str]] = {"module": "//", "llvm": ";"}  # others: #


class SizedCompilation(Compilation):
    """The stages of one function for symbolic sizes, each of which runs when it is first used."""

    def __init__(
        self, module: Module, entry: str, shapes: Sequence[Sequence[int]], target: Target,
        options: CompileOptions, limits: Limits,
    ) -> None:  # fmt: skip
        """Refines the function.

        Args:
            module: The program.
            entry: The function.
            shapes: The typical shapes of its arguments.
            target: The machine.
            options: How it is compiled.
            limits: What it may need.

        Raises:
            NoSymbolicSizeError: All sizes are numbers.
            SizeValueError: The value of a size is needed.
            UnsupportedError: A shape depends on data.
        """
        self.refined: SymbolicProgram = symbolic_program(module, entry, shapes)
        if not self.refined.assumptions.variables:
            raise NoSymbolicSizeError
        functions = {
            operation.symbol: operation
            for operation in self.refined.module.body.operations
            if isinstance(operation, FuncOp)
        }
        self.shapes = shapes
        self.types = functions[entry].type
        self.declared = refinement_target(module, entry).type.inputs
        super().__init__(functions, declared_signature(functions[entry]), target, options, limits)
        self.remaining = self.stages()

    def stages(self) -> Iterator[Stage]:
        """Runs the stages; see ``pipeline.stages``.

        Raises:
            UnsupportedError: A step is no native code.
        """
        graph = self.simplified_graph()
        yield graph
        fusions = fuse_regions(graph, fuse=self.options.fuse)
        plan = Planner(machine_of(self.target), self.options).plan(graph, fusions)
        for step in plan.steps:
            if isinstance(step, Request) and step.calls is None:
                raise UnsupportedError(f"{step.node.operation.name} is no native code")
        verify_sized_plan(plan)
        yield plan
        emitters: dict[str, SizedEmitter] = {}
        generated = self.generated(plan, emitters)
        yield generated
        kernel_sizes = {name: list(used.sizes) for name, used in emitters.items()}
        builder = SizedImageBuilder(
            plan, len(self.types.inputs), generated.names, kernel_sizes, check=self.options.check
        )
        refined, results = self.refined, [shape_of(result) for result in self.types.results]
        yield builder.sized_image(refined.assumptions, refined.sizes, self.shapes, results)

    def simplified_graph(self) -> Graph:
        """The dataflow graph after all rewrites."""
        builder = GraphBuilder(self.functions, unroll_count(self.limits), self.limits)
        graph = builder.function(self.signature.name)
        decompose(graph, builder.new_tensor, machine_of(self.target).instructions)
        if self.options.simplify:
            simplify(graph)
        if self.options.attention and replace_attention(graph, builder.new_tensor):
            remove_dead_nodes(graph, set())
        count_users(graph)
        check_value_sizes(graph, self.limits)
        return graph

    def generated(self, plan: Plan, emitters: dict[str, SizedEmitter]) -> KernelFunctions:
        """The LLVM IR of the kernels; the emitters are added to those by function."""

        def emitter(kernel: Kernel, *arguments: Any, **options: Any) -> SizedEmitter:
            emitters[kernel.name] = SizedEmitter(kernel, *arguments, **options)
            return emitters[kernel.name]

        return generate_functions(
            plan, self.target, self.receive, check=self.options.check,
            emitters=Emitters(kernel=emitter),
        )  # fmt: skip

    def sized_program(self, meanwhile: Callable[[], object]) -> SizedProgram:
        """Compiles the function.

        Args:
            meanwhile: Other work for LLVM; it runs in threads while the plan is made.
        """
        with Assembler(self.target) as assembling:
            assembling.do(meanwhile)
            self.sinks.append(assembling.add)
            if names := library_functions(self.plan):
                assembling.do(partial(load_library_functions, names))
            image: SizedImage = self.result(SizedImage)
            return SizedProgram(image, assembling.objects())

    def emit(self, stage: str) -> str:
        """The result of a stage as text, after a line for each variable."""
        text = super().emit(stage)
        comment = COMMENTS.get(stage, "#")
        return "\n".join([*(f"{comment} {line}" for line in self.variable_lines()), text])

    def variable_lines(self) -> list[str]:
        """What the variables are: ``n0: size 0 of argument 0``."""
        places: dict[Size, list[str]] = {}
        sizes = iter(self.refined.sizes)
        for position, value_type in enumerate(self.declared):
            for d, declared in enumerate(shape_of(value_type)):
                size = next(sizes) if declared == DYNAMIC else declared
                if isinstance(size, Size):
                    places.setdefault(size, []).append(f"size {d} of argument {position}")
        return [f"{size}: {', '.join(names)}" for size, names in places.items()]


def shape_of(value_type: Type) -> Sequence[int]:
    """The shape of a tensor; none of another type."""
    return value_type.shape if isinstance(value_type, TensorType) else ()
