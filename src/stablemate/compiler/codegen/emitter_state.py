"""Code placement: in which loop the code of an expression is emitted.

An expression is emitted once, before the outermost loop inside which everything it mentions is
known, and never before a ``when`` it stands in; what loads a buffer stays in the loops that change
it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from stablemate.compiler.codegen.instructions import literal, type_name
from stablemate.compiler.codegen.operator_expansions import Expansion
from stablemate.compiler.codegen.scopes import Code, CodeScope, EmittedValue, is_literal
from stablemate.compiler.codegen.size_loads import SizeLoads
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.outlined_loops import OutlinedLoop
from stablemate.compiler.loops.statements import Kernel, stored_buffers
from stablemate.numerics.symbolic_sizes import SizeLike, SymbolicSize

INT32: Final = 1 << 31


class ExpressionEmitter(Protocol):
    """Emits one expression whose operands are emitted."""

    def inputs(self, expression: Expression) -> Sequence[Expression]:
        """The operands that instructions on registers compute before an expression."""
        ...

    def emit(self, expression: Expression) -> EmittedValue:
        """Emits an expression whose operands are emitted."""
        ...


class EmitterState:
    """The code of one kernel while it is emitted, and the values that each scope has.

    Attributes:
        values: Emits the expressions that no scope has yet.
        comment: What ends the line of an instruction that has a result.

    Args:
        kernel: The kernel.
        expansions: What stands for operators that the target has no instruction for.
        check: Whether the code looks at every place in memory before it goes there.
        common: Gives the name of the function that an outlined loop is; None if there are none.
    """

    def __init__(
        self, kernel: Kernel, expansions: Mapping[str, Expansion], *, check: bool = False,
        common: Callable[[OutlinedLoop], str] | None = None,
    ) -> None:  # fmt: skip
        self.values: ExpressionEmitter
        self.comment = ""
        self.kernel = kernel
        self.expansions = expansions
        self.check = check
        self.common = common
        self.uses: dict[str, str] = {}  # declarations of functions that it has in common
        self.numbers = {
            argument: i for i, argument in enumerate((*kernel.arguments, *kernel.locals))
        }
        self.constants: dict[tuple[float, ...], str] = {}  # tables that are looked up
        self.functions: list[str] = []  # what stands before it, called in rare branches
        self.aside: Code = []  # blocks that are rarely run, behind all others
        self.apart: list[str] = []  # functions of its own that it calls
        self.entry: Code = []
        self.scopes = [CodeScope(None, self.entry, self.entry)]
        self.label = "entry"
        self.count = 0
        self.pointers: dict[Buffer, str] = {}
        self.registers: dict[tuple[Buffer, int], EmittedValue] = {}
        self.versions: dict[Buffer, int] = dict.fromkeys(stored_buffers(kernel.body), 0)
        self.states: dict[frozenset[Buffer], int] = {}  # of buffers as they are now, by number
        self.state_numbers: dict[object, int] = {(): 0}
        self.vector: Expression | None = None  # the index that lanes differ in
        self.width = 1
        wide = any(argument.elements >= INT32 for argument in kernel.arguments)
        self.index_type = "i64" if wide else "i32"  # of indices in lanes; scalars are i64
        buffers = len(kernel.arguments)  # checked code gets a report and the extents, too
        self.size_loads = SizeLoads(self.line, 2 * buffers + 1 if check else buffers)

    @contextmanager
    def separate_function(
        self, pointers: Mapping[Buffer, str], indices: Mapping[Expression, str]
    ) -> Generator[None, None, None]:
        """Emits code into a function of its own, which has these buffers and indices."""
        outer = self.entry, self.aside, self.scopes, self.label, self.pointers, self.registers
        outer_sizes = self.size_loads.function
        self.entry, self.aside, self.label, self.registers = [], [], "entry", {}
        self.scopes = [CodeScope(None, self.entry, self.entry)]
        self.scopes[0].available.update({a: EmittedValue(text) for a, text in indices.items()})
        self.pointers = dict(pointers)
        yield
        self.entry, self.aside, self.scopes, self.label, self.pointers, self.registers = outer
        self.size_loads.function = outer_sizes

    @property
    def code(self) -> Code:
        """The block of code to which instructions are appended."""
        return self.scopes[-1].code

    def fresh(self) -> str:
        """A name that no value has."""
        self.count += 1
        return f"%v{self.count}"

    def labels(self, *names: str) -> list[str]:
        """Makes labels unique in the function by a common number."""
        self.count += 1
        return [f"{name}{self.count}" for name in names]

    def line(self, instruction: str, code: Code | None = None) -> str:
        """Adds an instruction and names its result."""
        name = self.fresh()
        (self.code if code is None else code).append(f"  {name} = {instruction}{self.comment}")
        return name

    def integer(self, value: SizeLike) -> str:
        """The text of an integer: a number, or the register that a size is loaded into."""
        return self.size_loads.scalar(value) if isinstance(value, SymbolicSize) else str(value)

    def integers(self, value: SizeLike, element: str) -> str:
        """The text of an integer in all lanes."""
        if isinstance(value, SymbolicSize):
            return self.size_loads.vector(value, element, self.width)
        return f"splat ({element} {value})"

    def depth(self, expression: Expression) -> int:
        """The number of the outermost scope in which the expression can be computed."""
        loops, reads = expression.loops, expression.reads
        for i in range(len(self.scopes) - 1, 0, -1):
            scope = self.scopes[i]
            if scope.closed or scope.atom in loops or not reads.isdisjoint(scope.changes):
                return i
        return 0

    def place(self, depth: int) -> Code:
        """Where code of a scope is inserted: before the loop of the next scope, if there is one."""
        inner = depth + 1
        return self.scopes[inner].before if inner < len(self.scopes) else self.scopes[depth].code

    def key(self, expression: Expression) -> object:
        """The identity of the value at this point."""
        reads = expression.reads
        if not reads:
            return expression
        state = self.states.get(reads)
        if state is None:
            changing = sorted((b.name, self.versions[b]) for b in reads if b in self.versions)
            state = self.state_numbers.setdefault(tuple(changing), len(self.state_numbers))
            self.states[reads] = state
        return (expression, state) if state else expression

    def change(self, buffer: Buffer) -> None:
        """Forgets the values loaded from a buffer, which the code changes here."""
        self.versions[buffer] += 1
        self.states.clear()

    def available(self, key: object) -> EmittedValue | None:
        """Returns the value, if an enclosing scope has it."""
        for scope in reversed(self.scopes):
            value = scope.available.get(key)
            if value is not None:
                return value
        return None

    def value(self, expression: Expression) -> EmittedValue:
        """The value of an expression: a scalar where all lanes have the same."""
        if expression.operator == "constant":
            return EmittedValue(literal(expression.detail, expression.type))
        key = self.key(expression)
        value = self.available(key)
        if value is None:
            self.prepare(expression)
            value = self.emit(expression, key)
        return value

    def emit(self, expression: Expression, key: object) -> EmittedValue:
        """Emits an expression whose operands are emitted, where everything it needs is known."""
        value = self.values.emit(expression)
        self.scopes[self.depth(expression)].available[key] = value
        return value

    def prepare(self, expression: Expression) -> None:
        """Emits the operands of an expression, the deepest first, without recursion."""
        pending: list[tuple[Expression, object]] = [
            (operand, None) for operand in self.values.inputs(expression) if self.is_open(operand)
        ]
        while pending:
            last, key = pending.pop()
            if key is None:
                key = self.key(last)
                inner = [
                    (operand, None) for operand in self.values.inputs(last) if self.is_open(operand)
                ]
                if inner:
                    pending.append((last, key))
                    pending += inner
                    continue
            if self.available(key) is None:
                self.emit(last, key)

    def is_open(self, expression: Expression) -> bool:
        """Whether an expression has no value yet."""
        return (
            expression.operator != "constant"
            and expression.type != "index"
            and self.available(self.key(expression)) is None
        )

    def is_vectorized(self, expression: Expression) -> bool:
        """Whether lanes have different values."""
        return self.vector is not None and self.vector in expression.loops

    def register_type(self, expression: Expression, lanes: int) -> str:
        """The type of the register that holds an expression; indices in lanes are narrow."""
        if expression.type != "index":
            return expression.type
        return self.index_type if lanes > 1 else "i64"

    def spread(self, value: EmittedValue, expression: Expression, lanes: int) -> str:
        """The text of a value in as many lanes."""
        if value.lanes == lanes:
            return value.text
        element = self.register_type(expression, lanes)
        if is_literal(value.text):
            return f"splat ({type_name(element)} {value.text})"
        value = self.narrow(value, expression)
        depth = self.depth(expression)
        key = (value.text, lanes)
        splatted = self.available(key)
        if splatted is None:
            code = self.place(depth)
            vector, scalar = type_name(element, lanes), type_name(element)
            one = self.line(f"insertelement {vector} poison, {scalar} {value.text}, i64 0", code)
            splat = (
                f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
            )
            splatted = self.scopes[depth].available[key] = EmittedValue(
                self.line(splat, code), lanes
            )
        return splatted.text

    def narrow(self, value: EmittedValue, index: Expression) -> EmittedValue:
        """A scalar index in the type of lanes; anything else as it is."""
        if index.type != "index" or self.index_type == "i64" or is_literal(value.text):
            return value
        key = ("narrow", value.text)
        narrowed = self.available(key)
        if narrowed is None:
            depth = self.depth(index)
            narrowed = EmittedValue(self.line(f"trunc i64 {value.text} to i32", self.place(depth)))
            self.scopes[depth].available[key] = narrowed
        return narrowed
