"""Which lines of LLVM IR and of loop nests belong to the same statement.

The functions of a plan are emitted again by emitters that write the number of a statement in a
comment behind each line that they emit for it. Without these comments the text is that of the
compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.shared_functions import OutlineEmitter
from stablemate.compiler.loops.outlined_loops import OutlinedLoop
from stablemate.compiler.loops.printer import kernel_lines
from stablemate.compiler.loops.statements import (
    Kernel,
    Loop,
    Statement,
    StoreElement,
    walk_statements,
)
from stablemate.compiler.pipeline import Compilation
from stablemate.compiler.plan.kernel_functions import Emitters, generate_functions
from stablemate.compiler.plan.plan import LaunchStep

COMMENT: Final = re.compile(r" ; statement (\d+)$")


class StatementNumbers:
    """The numbers of all statements of a program.

    Statements whose code is shared have the number of the one for which it was emitted.

    Attributes:
        numbers: The number of each statement, by its identity.
        kept: The statements, whose identities must stay theirs.
        outlined: The numbers of the statements of each outlined loop that was emitted.
    """

    def __init__(self, compilation: Compilation) -> None:
        """Numbers the statements of all kernels in the order in which they are launched."""
        self.numbers: dict[int, int] = {}
        self.kept: list[Statement] = []
        self.outlined: dict[object, Sequence[int]] = {}
        self.same: dict[int, int] = {}  # the number whose code a number shares
        by_name: dict[str, Kernel] = {}
        names = compilation.kernel_functions.names
        for kernel in kernels_of(compilation):
            by_name[kernel.name] = kernel
            for statement in walk_statements(kernel.body):
                self.add(statement, len(self.numbers))
            emitted = by_name[names[kernel.name]]
            if emitted is not kernel:
                self.share(kernel.body, self.numbers_in(emitted.body))

    def add(self, statement: Statement, number: int) -> None:
        """Gives a statement a number."""
        self.numbers[id(statement)] = number
        self.kept.append(statement)

    def numbers_in(self, body: Sequence[Statement]) -> list[int]:
        """The numbers of statements, outermost first."""
        return [self.numbers.get(id(statement), -1) for statement in walk_statements(body)]

    def share(self, body: Sequence[Statement], numbers: Sequence[int]) -> None:
        """Records that statements share the code of others."""
        for number, other in zip(self.numbers_in(body), numbers, strict=False):
            if number != other:
                self.same[number] = other

    def copy(self, body: Sequence[Statement], copies: Sequence[Statement]) -> None:
        """Gives copies of statements the numbers of these."""
        pairs = zip(self.numbers_in(body), walk_statements(copies), strict=False)
        for number, statement in pairs:
            self.add(statement, number)

    def all_of(self, number: int) -> tuple[int, ...]:
        """A number, and that whose code it shares."""
        numbers = [number]
        while numbers[-1] in self.same and self.same[numbers[-1]] not in numbers:
            numbers.append(self.same[numbers[-1]])
        return tuple(numbers)


def kernels_of(compilation: Compilation) -> list[Kernel]:
    """The kernels in the order in which they are launched."""
    steps = compilation.plan.steps
    return list(dict.fromkeys(step.kernel for step in steps if isinstance(step, LaunchStep)))


class StatementComments(Emitter):
    """Writes the number of a statement behind the lines that are emitted for it."""

    statements: StatementNumbers
    emitted_number = -1
    emitted_loop: Loop | None = None

    def emit_comment(self, number: int) -> None:
        """Writes a number behind the instructions that follow; none if it is negative."""
        self.emitted_number = number
        self.state.comment = f" ; statement {number}" if number >= 0 else ""

    def emit_commented(self, emit: Any, statement: Statement, *arguments: object) -> None:
        """Emits a statement, and adds its number to lines that name no result."""
        outer = self.emitted_number
        number = self.statements.numbers.get(id(statement), outer)
        code, begin = self.state.code, len(self.state.code)
        self.emit_comment(number)
        emit(*arguments)
        self.emit_comment(outer)
        for i, item in enumerate(code[begin:], start=begin):
            is_instruction = isinstance(item, str) and item.startswith("  ")
            if number >= 0 and is_instruction and not COMMENT.search(item):
                code[i] = f"{item} ; statement {number}"

    def store_all(self, stores: Sequence[StoreElement]) -> None:
        """Emits stores of neighboring elements behind a comment that names the first."""
        self.emit_commented(super().store_all, stores[0], stores)

    def statement(self, statement: Statement) -> None:
        """Emits a statement behind a comment that names it."""
        outer = self.emitted_loop
        if isinstance(statement, Loop):
            self.emitted_loop = statement
        self.emit_commented(super().statement, statement, statement)
        self.emitted_loop = outer

    def iteration(self, loops: Sequence[Loop], indices: Sequence[int]) -> list[Statement]:
        """An iteration, whose statements have the numbers of those of the loop."""
        copies = super().iteration(loops, indices)
        self.statements.copy(loops[-1].body, copies)
        return copies

    def call_shared_loop(self, outline: OutlinedLoop) -> None:
        """Emits the call of an outlined loop, whose statements have the numbers of the loop's."""
        assert self.emitted_loop is not None
        body, statements = [self.emitted_loop], self.statements
        if outline.identity in statements.outlined:
            statements.share(body, statements.outlined[outline.identity])
        else:
            statements.outlined[outline.identity] = statements.numbers_in(body)
            statements.copy(body, outline.kernel.body)
        super().call_shared_loop(outline)


class KernelComments(StatementComments):
    """Writes the function of a kernel with numbers of statements."""

    def __init__(self, statements: StatementNumbers, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.statements = statements


class OutlineComments(StatementComments, OutlineEmitter):
    """Writes the function of an outlined loop with numbers of statements."""

    def __init__(self, statements: StatementNumbers, *arguments: Any) -> None:
        OutlineEmitter.__init__(self, *arguments)
        self.statements = statements


def statements_of_llvm(
    compilation: Compilation, statements: StatementNumbers
) -> list[tuple[int, ...]]:
    """The numbers of the statement of each line of the LLVM IR; none where there is none."""
    emitters = Emitters(partial(KernelComments, statements), partial(OutlineComments, statements))
    generated = generate_functions(
        compilation.plan, compilation.target, check=compilation.options.check, emitters=emitters
    )
    lines = "\n".join(generated.functions.values()).splitlines()
    matches = [COMMENT.search(line) for line in lines]
    plain = [COMMENT.sub("", line) for line in lines]
    assert plain == compilation.emit("llvm").splitlines(), "comments change no code"
    return [(int(match[1]),) if match else () for match in matches]


def statements_of_nest(
    compilation: Compilation, statements: StatementNumbers
) -> Iterator[tuple[int, ...]]:
    """The numbers of the statement of each line of the loop nests."""
    for position, kernel in enumerate(kernels_of(compilation)):
        if position:
            yield ()
        for _, statement in kernel_lines(kernel):
            number = statements.numbers.get(id(statement), -1) if statement is not None else -1
            yield () if number < 0 else statements.all_of(number)
