"""Compilation: a function on its way to native code, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from stablemate.compiler.codegen.object_code import Assembling, assembly
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.fusion.launch_order import fusion_text
from stablemate.compiler.graph.graph import Graph
from stablemate.compiler.loops.printer import printed
from stablemate.compiler.plan.image_builder import ImageBuilder
from stablemate.compiler.plan.plan import Launch, Plan, Request
from stablemate.compiler.program.image import operations_of
from stablemate.compiler.program.serialization import Compiled
from stablemate.compiler.text_stages import Texts, graphed, plan_of, texts_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, LimitError
from stablemate.diagnostics.limits import Limits
from stablemate.fork_safety import cached_property
from stablemate.formats.mlir.parser import module_text
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.prepare import refuse_huge
from stablemate.ir.core import Module, Operation

LARGEST: Final = 5  # buffers that the error of a large arena names


class Compilation:
    """The stages of one function; each is done when it is first asked for."""

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target, options: CompileOptions
    ) -> None:
        """Begins with nothing.

        Args:
            interpreted: The function as the interpreter runs it.
            target: The machine.
            options: How it is compiled.
        """
        self.functions = interpreted.functions
        self.signature = interpreted.signature
        self.limits = interpreted.limits
        self.target = target
        self.options = options

    @cached_property
    def graph(self) -> Graph:
        """The function with all calls opened."""
        counted = self.limits.iterations is not None
        graph = graphed(self.functions, self.signature.name, self.options, unroll=not counted)
        refuse_huge_values(graph, self.limits)
        return graph

    @cached_property
    def plan(self) -> Plan:
        """What runs when."""
        return plan_of(self.graph, self.target, self.options)

    @cached_property
    def texts(self) -> Texts:
        """The functions of its kernels, in LLVM."""
        return texts_of(self.plan, self.target, check=self.options.check)

    def program(self, beside: Callable[[], object]) -> Compiled:
        """The program, compiled: code is made of kernels while others are still written.

        Args:
            beside: What else has to be done with LLVM; it is done while this is planned.
        """
        with Assembling(self.target) as assembling:
            assembling.do(beside)
            plan = self.plan
            if plan.arena > self.limits.arena_bytes:
                self.refuse_large_arena()
            check, arguments = self.options.check, len(self.signature.arguments)
            names = texts_of(plan, self.target, assembling.add, check=check).names
            builder = ImageBuilder(
                plan, arguments, names, self.limits.iterations, self.numbers(), check=check
            )
            image = builder.image()
            return Compiled(image, assembling.objects())

    def numbers(self) -> Mapping[Operation, int]:
        """The operations of the program by number; none if no step needs them."""
        needed = self.limits.iterations is not None
        if not needed and not any(isinstance(each, Request) for each in self.plan.steps):
            return {}
        return {each: i for i, each in enumerate(operations_of(self.functions))}

    def refuse_large_arena(self) -> None:
        """Says what takes most of the memory of a program that needs more than the limits allow.

        Raises:
            LimitError: Always.
        """
        slots = [each for each in self.plan.slots if each.origin == "local" and each.offset >= 0]
        largest = sorted(slots, key=lambda each: -each.bytes)[:LARGEST]
        notes = [Diagnostic(f"{each!r} takes {each.bytes} bytes") for each in largest]
        notes.append(Diagnostic("the limit is Limits.arena_bytes"))
        values = {"bytes": self.plan.arena}
        most = self.limits.arena_bytes
        message = f"a program needs at most {most} bytes for values on the way"
        raise LimitError(Diagnostic(message, "limits.arena_bytes", None, values, tuple(notes)))

    def emit(self, stage: str) -> str:
        """What a stage made of the program, as text.

        Raises:
            ArgumentValueError: There is no such stage.
        """
        if stage not in EMITTERS:
            raise ArgumentValueError(f"no stage is called {stage!r}; known: {', '.join(EMITTERS)}")
        return EMITTERS[stage](self)


def refuse_huge_values(graph: Graph, limits: Limits) -> None:
    """Refuses values that are larger than the limits allow, as the interpreter does."""
    for node in graph.nodes:
        for result in node.results:
            refuse_huge(result.type, limits, node.operation)
        for region in node.regions:
            refuse_huge_values(region, limits)


def module_of(function: Operation) -> str:
    """The module that a function is in: the program with the operations that are compiled."""
    top = function
    while (around := top.parent_operation()) is not None:
        top = around
    return module_text(Module(top))


def nest_text(plan: Plan) -> str:
    """The loops of all kernels, each once."""
    launched = dict.fromkeys(each.kernel for each in plan.steps if isinstance(each, Launch))
    return "\n".join(map(printed, launched))


EMITTERS: Final[Mapping[str, Callable[[Compilation], str]]] = {
    "module": lambda made: module_of(made.functions[made.signature.name]),
    "fusion": lambda made: "\n".join(fusion_text(made.graph, fuse=made.options.fuse)),
    "nest": lambda made: nest_text(made.plan),
    "plan": lambda made: str(made.plan),
    "llvm": lambda made: "\n".join(made.texts.functions.values()),
    "asm": lambda made: assembly("\n".join(made.texts.functions.values()), made.target),
}
