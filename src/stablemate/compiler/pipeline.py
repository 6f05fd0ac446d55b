"""Compiles one function to a program image and objects: all stages of the compiler, in order.

The sizes of its arguments are numbers, or symbolic: then it is a version for many sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from stablemate.compiler.codegen.object_code import Assembler, assembly
from stablemate.compiler.config.machine import Machine
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, machine_of
from stablemate.compiler.fusion.group_formation import NodeOrder
from stablemate.compiler.fusion.launch_order import fuse_regions, fusion_lines
from stablemate.compiler.graph.builder import GraphBuilder, UnrollCount
from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, count_users
from stablemate.compiler.kernels.attention.operation import AttentionOperation
from stablemate.compiler.library_calls.calls import CallSequence
from stablemate.compiler.library_calls.names import PREFIX
from stablemate.compiler.loops.printer import kernel_text
from stablemate.compiler.plan.argument_reuse import ALIAS, DONOR
from stablemate.compiler.plan.buffer_assignment import assign_buffers
from stablemate.compiler.plan.image_builder import ImageBuilder, SymbolicArguments
from stablemate.compiler.plan.kernel_functions import KernelFunctions, Sink, generate_functions
from stablemate.compiler.plan.plan import LaunchStep, Plan, Request
from stablemate.compiler.plan.planner import Planner
from stablemate.compiler.plan.verifier import verify_plan
from stablemate.compiler.program.image import ProgramImage, operations_of
from stablemate.compiler.program.serialization import CompiledProgram, PreparationProgram
from stablemate.compiler.program.sized_image import SizedImage, SizedProgram
from stablemate.compiler.rewrites.attention.graphs import replace_attention
from stablemate.compiler.rewrites.batches.tiling import tile_batch
from stablemate.compiler.rewrites.byte_functions import tabulate_bytes
from stablemate.compiler.rewrites.convolutions.padded_images import pad_images
from stablemate.compiler.rewrites.convolutions.parallel_convolutions import merge_convolutions
from stablemate.compiler.rewrites.decompose import decompose
from stablemate.compiler.rewrites.layouts.assignment import assign_layouts
from stablemate.compiler.rewrites.loop_unrolling import iterations_to_unroll
from stablemate.compiler.rewrites.simplify import remove_dead_nodes, simplify
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, LimitError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.builtin import stated_grid
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.dialects.stablehlo.dynamism import CONSTANTS
from stablemate.execution.allocation import reject_oversized
from stablemate.execution.signature import Signature
from stablemate.formats.mlir.parser import module_text
from stablemate.ir.core import Module, Operation
from stablemate.numerics.array_limits import array_excess
from stablemate.numerics.symbolic_sizes import has_symbolic, is_symbolic

REORDERED: Final[Sequence[NodeOrder]] = ("forward", "backward", "carried")
LARGEST_BUFFERS: Final = 5  # buffers that the error of a large arena names

Functions = Mapping[str, Operation]
Stage = Graph | Plan | KernelFunctions | ProgramImage | SizedImage


def stages(
    functions: Functions,
    signature: Signature,
    target: Target,
    options: CompileOptions,
    limits: Limits,
    sink: Sink | None = None,
    symbolic: SymbolicArguments | None = None,
) -> Iterator[Stage]:
    """Runs the stages of the compiler one after the other, and yields the result of each.

    The dataflow graph comes first, then the plan, then the LLVM IR of its kernels, then the program
    image. A stage runs when its result is asked for.

    Args:
        functions: The functions of the program.
        signature: The function that is compiled.
        target: The machine.
        options: How it is compiled.
        limits: What it may need.
        sink: Receives the LLVM IR of each function as soon as it is generated.
        symbolic: The sizes of its arguments, if they are symbolic.
    """
    # graph: calls are inlined, short loops unrolled
    graph_builder = GraphBuilder(functions, unroll_count(limits), limits)
    graph = graph_builder.function(signature.name)
    check_arrays(graph, limits)  # rewrites compute constants
    # rewrites: quantized, complex and scalar operations become several on tensors of floats
    machine = machine_of(target)
    decompose(graph, graph_builder.new_tensor, machine.instructions)
    if options.simplify:
        simplify(graph, graph_builder.new_tensor)
        if "byte_entry" in machine.instructions and tabulate_bytes(graph, graph_builder.new_tensor):
            remove_dead_nodes(graph, set())
    if options.merge and merge_convolutions(graph, graph_builder.new_tensor):
        remove_dead_nodes(graph, set())
    if options.attention and replace_attention(graph, graph_builder.new_tensor):
        remove_dead_nodes(graph, set())
    arrange_images(graph, graph_builder.new_tensor, machine, options, limits)
    count_users(graph)
    check_value_sizes(graph, limits)
    yield graph
    # fusion: operations that share a kernel, values that are materialized, launch order
    # kernels: loops of each launch, by schedule and lowering; plan: steps on buffers
    plan = make_plan(graph, functions[signature.name], machine, options)
    if symbolic is not None:
        reject_host_requests(plan)
    for part in plan.parts:
        verify_plan(part)
    yield plan
    # codegen: loops to LLVM IR
    check_arena_size(plan, limits)
    generated = generate_functions(plan, target, sink, check=options.check)
    yield generated
    # program: the plan as words, ready to be loaded
    numbers = operation_numbers(functions, plan, limits)
    arguments = len(signature.arguments)
    builder = ImageBuilder(
        plan, arguments, generated, limits.iterations, numbers, check=options.check
    )
    yield builder.image() if symbolic is None else builder.sized_image(symbolic)


def make_plan(graph: Graph, function: Operation, machine: Machine, options: CompileOptions) -> Plan:
    """The plan of a graph, with memory for its values.

    The devices that a program is partitioned over share the memory of the machine: launches of
    such a program come in another order, if they need less memory then.

    Args:
        graph: The graph.
        function: The function that it is made of.
        machine: The machine.
        options: How it is compiled.
    """
    fusions = fuse_regions(graph, fuse=options.fuse)
    is_stated = stated_grid(top_operation(function)).size > 1
    shares_machine = is_stated or any(map(has_collectives, fusions))
    donated = donated_arguments(function)

    def with_buffers(plan: Plan) -> Plan:
        for part in plan.parts:
            assign_buffers(part, donated, shares_machine=shares_machine)
        return plan

    planner = Planner(machine, options)
    plan = with_buffers(planner.plan(graph, fusions))
    if not options.fuse or plan.has_symbolic_sizes or not shares_machine:
        return plan
    for order in REORDERED:
        others = fuse_regions(graph, order=order)
        if any(others[region].nodes != fusion.nodes for region, fusion in fusions.items()):
            other = with_buffers(planner.plan(graph, others))
            plan = min(plan, other, key=lambda plan: plan.arena)
    return plan


def top_operation(operation: Operation) -> Operation:
    """The outermost operation around an operation."""
    while (parent := operation.parent_operation()) is not None:
        operation = parent
    return operation


def has_collectives(graph: Graph) -> bool:
    """Whether devices meet at a node of a graph, outside of its loops and branches."""
    return any(isinstance(node.operation, Collective) for node in graph.nodes)


class Compilation:
    """The stages of one function, each of which runs when its result is first used."""

    def __init__(
        self, functions: Functions, signature: Signature, target: Target,
        options: CompileOptions, limits: Limits, symbolic: SymbolicArguments | None = None,
    ) -> None:  # fmt: skip
        """Creates a compilation of which no stage has run; the parameters are those of `stages`."""
        self.functions = functions
        self.signature = signature
        self.target = target
        self.options = options
        self.limits = limits
        self.results: dict[type[Stage], Any] = {}
        self.sinks: list[Sink] = []
        self.remaining = stages(
            functions, signature, target, options, limits, self.receive, symbolic
        )

    def receive(self, name: str, text: str, declarations: Mapping[str, str]) -> None:
        """Passes a generated function on."""
        for sink in self.sinks:
            sink(name, text, declarations)

    def result(self, kind: type[Stage]) -> Any:
        """The result of a stage; it and all stages before it run if they have not yet."""
        while kind not in self.results:
            result = next(self.remaining)
            self.results[type(result)] = result
        return self.results[kind]

    @property
    def graph(self) -> Graph:
        """The dataflow graph after all rewrites."""
        graph: Graph = self.result(Graph)
        return graph

    @property
    def plan(self) -> Plan:
        """The plan that the last stage has made."""
        plan: Plan = self.result(Plan)
        return plan

    @property
    def kernel_functions(self) -> KernelFunctions:
        """The LLVM IR of the kernels."""
        generated: KernelFunctions = self.result(KernelFunctions)
        return generated

    def program(self, meanwhile: Callable[[], object]) -> CompiledProgram:
        """Compiles a function whose sizes are numbers; see ``assemble``."""
        image, objects = self.assemble(ProgramImage, meanwhile)
        return CompiledProgram(image, objects, self.preparations(image))

    def sized_program(self, meanwhile: Callable[[], object]) -> SizedProgram:
        """Compiles a function for symbolic sizes; see ``assemble``."""
        image, objects = self.assemble(SizedImage, meanwhile)
        return SizedProgram(image, objects, self.preparations(image.image))

    def assemble(
        self, kind: type[Stage], meanwhile: Callable[[], object]
    ) -> tuple[Any, Sequence[bytes]]:
        """The program image and objects, assembled in threads while LLVM IR is generated.

        Args:
            kind: The kind of image.
            meanwhile: Other work for LLVM; it runs in these threads while the plan is made.

        Raises:
            LimitError: The program needs more memory than the limits allow.
        """
        with Assembler(self.target) as assembling:
            assembling.do(meanwhile)
            self.sinks.append(assembling.add)
            if names := library_functions(self.plan):
                assembling.do(partial(load_library_functions, names))
            return self.result(kind), assembling.objects()

    def preparations(self, image: ProgramImage) -> Sequence[PreparationProgram]:
        """The preparations, which compute constants of the program image."""
        numbers = {id(constant): number for number, constant in enumerate(image.constants)}
        found: list[PreparationProgram] = []
        for preparation in self.plan.preparations:
            builder = ImageBuilder(preparation.plan, 0, self.kernel_functions, None, {})
            slots = [(numbers[id(slot.data)], slot.bytes) for slot in preparation.constants]
            found.append(PreparationProgram(builder.image(), slots))
        return found

    def emit(self, stage: str) -> str:
        """The result of a stage as text.

        Raises:
            ArgumentValueError: There is no such stage.
        """
        if stage not in EMITTERS:
            raise ArgumentValueError(f"no stage is called {stage!r}; known: {', '.join(EMITTERS)}")
        return EMITTERS[stage](self)


def arrange_images(
    graph: Graph, new_tensor: NewTensor, machine: Machine, options: CompileOptions, limits: Limits
) -> None:
    """Chooses layouts, how many images are computed at a time, and who writes their padding."""
    if options.layouts and assign_layouts(graph, new_tensor):
        remove_dead_nodes(graph, set())
    near_bytes = options.near_bytes if limits.iterations is None else 0
    if tile_batch(graph, near_bytes, new_tensor):
        remove_dead_nodes(graph, set())
    if options.layouts:
        pad_images(graph, machine, new_tensor)


def reject_host_requests(plan: Plan) -> None:
    """Rejects a plan that leaves native code: operations are evaluated for known sizes only.

    Raises:
        UnsupportedError: A step does.
    """
    for step in plan.steps:
        if isinstance(step, Request) and step.calls is None:
            raise UnsupportedError(f"{step.node.operation.name} is no native code")


def library_functions(plan: Plan) -> list[str]:
    """The functions of libraries that a plan calls."""
    names: dict[str, None] = {}
    for step in plan.steps:
        if isinstance(step, Request) and isinstance(step.calls, CallSequence):
            names.update(dict.fromkeys([step.calls.kernel]))
            names.update(dict.fromkeys(call.function for call in step.calls.calls))
    return list(names)


def load_library_functions(names: Sequence[str]) -> None:
    """Finds functions of libraries, and compiles those of our own, before they are needed."""
    from stablemate.compiler.library_calls.loading import function_address

    for name in names:
        function_address(name.removeprefix(PREFIX))


def unroll_count(limits: Limits) -> UnrollCount | None:
    """How many iterations of a loop are unrolled; none where iterations are counted."""
    return iterations_to_unroll if limits.iterations is None else None


def check_value_sizes(graph: Graph, limits: Limits) -> None:
    """Rejects values that are larger than the limits allow, as the interpreter does.

    Raises:
        LimitError: A value is too large.
    """
    for node in graph.nodes:
        for result in node.results:
            reject_oversized(result.type, limits, node.operation)
        if not isinstance(node.operation, AttentionOperation):  # its regions store nothing
            for region in node.regions:
                check_value_sizes(region, limits)


def check_arrays(graph: Graph, limits: Limits) -> None:
    """Rejects values that no array holds, and constants that are larger than the limits allow.

    Raises:
        LimitError: There is one.
    """
    for node in graph.nodes:
        is_constant = node.operation.name in CONSTANTS
        for result in node.results:
            shape = result.shape
            if has_symbolic(shape):
                shape = tuple([size for size in shape if not is_symbolic(size)])
            if is_constant or array_excess(shape):
                reject_oversized(result.type, limits, node.operation)
        for region in node.regions:
            check_arrays(region, limits)


def check_arena_size(plan: Plan, limits: Limits) -> None:
    """Rejects a program whose local values need more memory than the limits allow.

    Raises:
        LimitError: They do; the error names the largest buffers.
    """
    if plan.arena <= limits.arena_bytes:
        return
    buffers = [slot for slot in plan.slots if slot.origin == "local" and slot.offset >= 0]
    largest = sorted(buffers, key=lambda slot: -slot.bytes)[:LARGEST_BUFFERS]
    notes = [Diagnostic(f"{slot!r} takes {slot.bytes} bytes") for slot in largest]
    notes.append(Diagnostic("the limit is Limits.arena_bytes"))
    values = {"bytes": plan.arena}
    message = f"a program needs at most {limits.arena_bytes} bytes for values on the way"
    raise LimitError(Diagnostic(message, "limits.arena_bytes", None, values, tuple(notes)))


def donated_arguments(function: Operation) -> Sequence[int]:
    """The positions of the arguments that the caller of a function donates."""
    assert isinstance(function, FuncOp)
    return [
        position
        for position, attributes in enumerate(function.argument_attributes)
        if not attributes.keys().isdisjoint((ALIAS, DONOR))
    ]


def operation_numbers(functions: Functions, plan: Plan, limits: Limits) -> Mapping[Operation, int]:
    """The operations of a program by their number; none if no step refers to an operation."""
    counts_iterations = limits.iterations is not None
    if not counts_iterations and not any(isinstance(step, Request) for step in plan.steps):
        return {}
    return {operation: number for number, operation in enumerate(operations_of(functions))}


def module_of(function: Operation) -> str:
    """The text of the module that a function belongs to."""
    return module_text(Module(top_operation(function)))


def loops_text(plan: Plan) -> str:
    """The loops of all kernels, each once."""
    steps = [step for part in plan.parts for step in part.steps]
    launched = dict.fromkeys(step.kernel for step in steps if isinstance(step, LaunchStep))
    return "\n".join(map(kernel_text, launched))


def llvm_text(compilation: Compilation) -> str:
    """The LLVM IR of all kernels."""
    return "\n".join(compilation.kernel_functions.functions.values())


EMITTERS: Final[Mapping[str, Callable[[Compilation], str]]] = {
    "module": lambda compilation: module_of(compilation.functions[compilation.signature.name]),
    "fusion": lambda compilation: "\n".join(
        [line for line, _ in fusion_lines(compilation.graph, fuse=compilation.options.fuse)]
    ),
    "nest": lambda compilation: loops_text(compilation.plan),
    "plan": lambda compilation: str(compilation.plan),
    "llvm": llvm_text,
    "asm": lambda compilation: assembly(llvm_text(compilation), compilation.target),
}
