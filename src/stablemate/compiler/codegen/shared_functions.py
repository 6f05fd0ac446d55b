"""Functions that the kernels of a program share: outlined loops, each emitted once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.instructions import USUAL
from stablemate.compiler.codegen.operator_expansions import Expansion
from stablemate.compiler.codegen.scopes import flatten_lines
from stablemate.compiler.loops.outlined_loops import OutlinedLoop
from stablemate.compiler.loops.statements import Loop


class SharedFunctions:
    """Writes a function for each kind of outlined loop that it meets.

    Args:
        expansions: What stands for operators that the target has no instruction for.
        define: Called with name and text of each function.
        emitter: Makes what writes a function; by default ``OutlineEmitter``.
    """

    def __init__(
        self,
        expansions: Mapping[str, Expansion],
        define: Callable[[str, str], None],
        emitter: Callable[[OutlinedLoop, Mapping[str, Expansion]], OutlineEmitter] | None = None,
    ) -> None:
        self.expansions = expansions
        self.define = define
        self.emitter = emitter or OutlineEmitter
        self.names: dict[Hashable, str] = {}

    def __call__(self, outline: OutlinedLoop) -> str:
        """Returns the name of the function of a loop."""
        identity = outline.identity
        name = self.names.get(identity)
        if name is None:
            name = self.names[identity] = f"common{len(self.names)}"
            outline.kernel.name = name
            self.define(name, self.emitter(outline, self.expansions).text())
        return name


class OutlineEmitter(Emitter):
    """Writes ``void name(ptr p0, ..., i64 n0, ...)``: memory, then numbers.

    Args:
        outline: The loop.
        expansions: What stands for operators that the target has no instruction for.
    """

    def __init__(self, outline: OutlinedLoop, expansions: Mapping[str, Expansion]) -> None:
        super().__init__(outline.kernel, expansions)
        self.outline = outline

    def text(self) -> str:
        """The definition of the function."""
        arguments = self.state.kernel.arguments
        self.state.pointers = {argument: f"%p{i}" for i, argument in enumerate(arguments)}
        self.block(self.state.kernel.body)
        self.state.code.append("  ret void")
        lines = "\n".join(flatten_lines([self.state.entry, self.state.aside]))
        parameters = [f"ptr %p{i}" for i in range(len(arguments))]
        parameters += [f"i64 %n{i}" for i in range(len(self.outline.numbers))]
        tables = self.values.definitions()
        head = f"define void @{self.state.kernel.name}({', '.join(parameters)}) {USUAL} {{"
        return f"{tables}{head}\nentry:\n{lines}\n}}\n"

    def end_of(self, loop: Loop) -> str:
        """The trip count of a loop, an argument of the function."""
        number = self.outline.extents.get(loop.atom)
        return super().end_of(loop) if number is None else f"%n{number}"
