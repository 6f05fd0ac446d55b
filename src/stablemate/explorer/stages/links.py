"""Which lines of the compiler's stages belong together: by kernel, operation and statement.

A plan knows the operations that each of its launches computes. The module and the fusion groups
have a line for each operation; loops, LLVM IR and assembly a section for each kernel. In a section,
lines of loops, LLVM IR and assembly belong together by the statement of the loop language for which
they were emitted (``statements``, ``machine_lines``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.fusion.launch_order import fusion_lines
from stablemate.compiler.graph.graph import Node, all_nodes
from stablemate.compiler.loops.printer import kernel_lines
from stablemate.compiler.pipeline import Compilation, module_of, top_operation
from stablemate.compiler.plan.kernel_functions import KernelFunctions
from stablemate.compiler.plan.plan import LaunchStep, Plan, Request
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.source import Span
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.explorer.stages.machine_lines import llvm_lines_of
from stablemate.explorer.stages.statements import (
    StatementNumbers,
    kernels_of,
    statements_of_llvm,
    statements_of_nest,
)
from stablemate.formats.mlir.parser import parse_module
from stablemate.ir.core import Operation

# Of the assembly that LLVM writes: the first line of a function, and the one behind its last.
ASM_HEAD: Final = re.compile(r"(?!\.L)([A-Za-z_.][\w.$]*):")
ASM_END: Final = re.compile(r"\.Lfunc_end")


@dataclass(frozen=True, slots=True)
class StageLine:
    """A line of a stage.

    Attributes:
        text: The line.
        kernels: The kernels that it belongs to, by their names.
        operations: The operations that it is about, by their number in the module.
        statements: The statements of loops that it belongs to, by their number in the program.
    """

    text: str
    kernels: Sequence[str] = ()
    operations: Sequence[int] = ()
    statements: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Links:
    """The kernels and operations in the text of a plan.

    Attributes:
        numbers: The number of each operation in the order of the module's text.
        places: The number of the first operation at each place of the source.
        kernels_of: The kernels that compute each operation.
        operations_of: The operations that each step of the plan computes.
        steps: The kernels that each step of the plan launches.
    """

    numbers: Mapping[Operation, int]
    places: Mapping[Span, int]
    kernels_of: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    operations_of: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    steps: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    def number_of(self, operation: Operation) -> int | None:
        """The number of an operation, or of the one that the compiler expanded to it."""
        number = self.numbers.get(operation)
        if number is None and operation.span is not None:
            return self.places.get(operation.span)
        return number

    def operation_line(self, text: str, operations: Sequence[int]) -> StageLine:
        """A line about operations, with the kernels that compute them."""
        kernels = (name for number in operations for name in self.kernels_of.get(number, ()))
        return StageLine(text, list(dict.fromkeys(kernels)), operations)


def compiled_program(executable: Executable) -> CompiledExecutable:
    """The native code of an executable.

    Raises:
        UnsupportedError: It has none, or one for each shape that it is called with.
    """
    while isinstance(executable, AdaptedExecutable):
        executable = executable.program
    if isinstance(executable, CompiledExecutable):
        return executable
    why = executable.fallback
    raise UnsupportedError([why] if why else "only a program of static shapes has stages")


def linked_stages(executable: Executable) -> dict[str, list[StageLine]]:
    """The lines of all stages, by the name of the stage.

    Raises:
        UnsupportedError: The program is not compiled.
    """
    compilation = compiled_program(executable).inspected
    links = links_of(compilation)
    functions = compilation.kernel_functions
    kernels = kernels_by_function(functions)
    numbers = StatementNumbers(compilation)
    of_llvm = statements_of_llvm(compilation, numbers)
    llvm, asm = compilation.emit("llvm"), compilation.emit("asm")
    origins = llvm_lines_of(llvm, asm, compilation.target)
    of_asm = [() if origin is None else of_llvm[origin] for origin in origins]
    return {
        "module": list(module_lines(compilation, links)),
        "fusion": list(fused_lines(compilation, links)),
        "nest": with_statements(nest_lines(compilation), statements_of_nest(compilation, numbers)),
        "plan": list(plan_lines(compilation.plan, links)),
        "llvm": with_statements(llvm_lines(functions, kernels), of_llvm),
        "asm": with_statements(asm_lines(asm, kernels), of_asm),
    }


def with_statements(
    lines: Iterable[StageLine], statements: Iterable[Sequence[int]]
) -> list[StageLine]:
    """Lines with the statements that they belong to."""
    pairs = zip(lines, statements, strict=True)
    return [replace(line, statements=numbers) for line, numbers in pairs]


def links_of(compilation: Compilation) -> Links:
    """The links of a program."""
    top = top_operation(compilation.functions[compilation.signature.name])
    numbers = {operation: number for number, operation in enumerate(top.walk())}
    places: dict[Span, int] = {}
    for operation, number in numbers.items():
        if operation.span is not None:
            places.setdefault(operation.span, number)
    links = Links(numbers, places)
    for number, step in enumerate(compilation.plan.steps):
        match step:
            case LaunchStep(kernel=kernel, nodes=nodes):
                links.steps[number] = [kernel.name]
            case Request(node=node):
                nodes = (node,)
            case _:
                continue
        members = [links.number_of(node.operation) for node in with_regions(nodes)]
        links.operations_of[number] = [item for item in dict.fromkeys(members) if item is not None]
        for computed in links.operations_of[number]:
            kernels = links.kernels_of.setdefault(computed, [])
            kernels += [name for name in links.steps.get(number, ()) if name not in kernels]
    return links


def with_regions(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes and those inside them."""
    for node in nodes:
        yield node
        for region in node.regions:
            yield from all_nodes(region)


def module_lines(compilation: Compilation, links: Links) -> Iterator[StageLine]:
    """The lines of the module; one that begins no operation continues the one above it."""
    text = module_of(compilation.functions[compilation.signature.name])
    begins: dict[int, list[int]] = {}
    for number, operation in enumerate(parse_module(text).operation.walk()):
        if operation.span is not None:
            begins.setdefault(operation.span.line, []).append(number)
    current: list[int] = []
    for place, line in enumerate(text.splitlines(), start=1):
        current = begins.get(place, [] if line.strip() == "}" else current)
        yield links.operation_line(line, current)


def fused_lines(compilation: Compilation, links: Links) -> Iterator[StageLine]:
    """The lines of the fusion groups, each about one operation."""
    for text, node in fusion_lines(compilation.graph, fuse=compilation.options.fuse):
        number = links.number_of(node.operation)
        yield links.operation_line(text, [] if number is None else [number])


def plan_lines(plan: Plan, links: Links) -> Iterator[StageLine]:
    """The lines of the plan: buffers, then steps; a launch is linked by its kernel."""
    yield from map(StageLine, plan.slot_lines())
    for step, text in enumerate(plan.step_lines()):
        kernels = links.steps.get(step, ())
        yield StageLine(text, kernels, () if kernels else links.operations_of.get(step, ()))


def nest_lines(compilation: Compilation) -> Iterator[StageLine]:
    """The lines of the loops of all kernels, between which lines are empty."""
    for position, kernel in enumerate(kernels_of(compilation)):
        if position:
            yield StageLine("")
        for text, _ in kernel_lines(kernel):
            yield StageLine(text, [kernel.name])


def llvm_lines(
    functions: KernelFunctions, kernels: Mapping[str, Sequence[str]]
) -> Iterator[StageLine]:
    """The lines of the LLVM IR, each of a function that kernels compute with."""
    for position, (name, text) in enumerate(functions.functions.items()):
        if position:
            yield StageLine("")
        for line in text.splitlines():
            yield StageLine(line, kernels.get(name, ()))


def asm_lines(asm: str, kernels: Mapping[str, Sequence[str]]) -> Iterator[StageLine]:
    """The lines of the assembly.

    A function that belongs to another one has its name with a suffix.
    """
    by_length = sorted(kernels, key=len, reverse=True)
    current: Sequence[str] = ()
    for line in asm.splitlines():
        head = ASM_HEAD.match(line)
        if head:
            symbol = head[1]
            owners = (name for name in by_length if symbol == name or symbol.startswith(f"{name}_"))
            current = kernels.get(symbol) or kernels.get(next(owners, ""), ())
        yield StageLine(line, current)
        if ASM_END.match(line):
            current = ()


def kernels_by_function(functions: KernelFunctions) -> dict[str, list[str]]:
    """The kernels of every function; one that others call belongs to the kernels of all of them."""
    kernels: dict[str, list[str]] = {}
    for kernel, function in functions.names.items():
        kernels.setdefault(function, []).append(kernel)
    callers = [(caller, name) for caller, names in functions.callees.items() for name in names]
    for caller, name in callers:  # called functions call none
        called = kernels.setdefault(name, [])
        called += [kernel for kernel in kernels[caller] if kernel not in called]
    return kernels
