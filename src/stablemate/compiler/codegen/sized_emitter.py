"""Emits kernels for symbolic sizes: integers that a launch hands in behind the buffers."""

from __future__ import annotations

from typing import Any

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.scopes import Code, Digits, EmittedValue, Scope
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import Loop
from stablemate.numerics.symbolic_sizes import Size, SizeLike, is_not_zero, is_symbolic


class SizedEmitter(Emitter):
    """Writes the function of a kernel whose extents, strides and bounds may be symbolic.

    Attributes:
        sizes: The sizes that it loads, in the order in which the launch hands them in.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.common = None  # functions that kernels share take numbers
        self.sizes: dict[Size, int] = {}
        self.loads: Code = []  # of sizes, where the function begins
        self.loaded_sizes: dict[object, str] = {}

    def point_at_arguments(self) -> None:
        """Loads where the buffers are; sizes are loaded behind that, as they are needed."""
        super().point_at_arguments()
        self.loads, self.loaded_sizes = [], {}
        self.entry.append(self.loads)

    def shared_call(self, loop: Loop) -> None:
        """Emits a loop as a function of its own, which loads the sizes it needs."""
        loads, loaded_sizes = self.loads, self.loaded_sizes
        super().shared_call(loop)
        self.loads, self.loaded_sizes = loads, loaded_sizes

    def integer(self, value: SizeLike) -> str:
        """The text of an integer; of a size, the register that it is loaded into."""
        if not isinstance(value, Size):
            return super().integer(value)
        if value not in self.loaded_sizes:
            buffers = len(self.kernel.arguments)
            before = 2 * buffers + 1 if self.check else buffers  # with the report and the extents
            number = before + self.sizes.setdefault(value, len(self.sizes))
            place = self.line(f"getelementptr i64, ptr %arguments, i64 {number}", self.loads)
            self.loaded_sizes[value] = self.line(f"load i64, ptr {place}", self.loads)
        return self.loaded_sizes[value]

    def integers(self, value: SizeLike, element: str) -> str:
        """The text of an integer in all lanes."""
        if not isinstance(value, Size):
            return super().integers(value, element)
        key = value, element, self.width
        if key not in self.loaded_sizes:
            text = self.integer(value)
            if element != "i64":
                text = self.line(f"trunc i64 {text} to {element}", self.loads)
            vector = type_name(element, self.width)
            one = f"insertelement {vector} poison, {element} {text}, i64 0"
            lanes = f"<{self.width} x i32> zeroinitializer"
            splat = f"shufflevector {vector} {self.line(one, self.loads)}, {vector} poison, {lanes}"
            self.loaded_sizes[key] = self.line(splat, self.loads)
        return self.loaded_sizes[key]

    def at(self, index: Expression) -> EmittedValue:
        """An index as a scalar; quotients of the index of a loop by a size are counted on."""
        scope = self.loop_divided_by(index)
        if scope is None:
            return super().at(index)
        if index.detail not in scope.digits:
            scope.digits[index.detail] = Digits(self.fresh(), self.fresh())
        return EmittedValue(getattr(scope.digits[index.detail], index.operator))

    def loop_divided_by(self, index: Expression) -> Scope | None:
        """The loop whose index is divided by a size, without lanes; None if none is."""
        if index.operator not in ("quotient", "remainder") or not is_symbolic(index.detail):
            return None
        constant, terms = terms_of(index.operands[0])
        if is_not_zero(constant) or len(terms) != 1 or terms[0][1] != 1:
            return None
        atom = terms[0][0]
        scopes = (scope for scope in self.scopes if scope.atom is atom)
        return None if atom is self.vector else next(scopes, None)

    def allocation(self, buffer: Buffer) -> str:
        """The instruction that allocates a buffer on the stack."""
        if not is_symbolic(buffer.bytes):
            return super().allocation(buffer)
        return f"alloca i8, i64 {self.integer(buffer.bytes)}, align 64"
