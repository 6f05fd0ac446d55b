"""Symbolic sizes in a kernel: integers that a launch passes behind the buffers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.scopes import Code
from stablemate.numerics.symbolic_sizes import SymbolicSize


class LoadedSizes(NamedTuple):
    """The sizes that one function has loaded.

    Attributes:
        code: The loads, where the function begins.
        registers: The register of a size, and of the vector of a size, its type and lanes.
    """

    code: Code
    registers: dict[object, str]


class SizeLoads:
    """Loads sizes as they are needed, each once in a function.

    Attributes:
        numbers: The sizes, in the order in which the launch passes them.
        function: Those that the function that is being written has loaded.
    """

    def __init__(self, emit: Callable[[str, Code], str], first: int) -> None:
        """Creates the loads of a kernel.

        Args:
            emit: Adds an instruction to code, and returns the name of its result.
            first: The number of the argument that is the first size.
        """
        self.emit = emit
        self.first = first
        self.numbers: dict[SymbolicSize, int] = {}
        self.function = LoadedSizes([], {})

    def begin_function(self) -> Code:
        """Begins a function, and returns the code of its loads."""
        self.function = LoadedSizes([], {})
        return self.function.code

    def scalar(self, size: SymbolicSize) -> str:
        """The register that a size is loaded into."""
        code, registers = self.function
        if size not in registers:
            number = self.first + self.numbers.setdefault(size, len(self.numbers))
            place = self.emit(f"getelementptr i64, ptr %arguments, i64 {number}", code)
            registers[size] = self.emit(f"load i64, ptr {place}", code)
        return registers[size]

    def vector(self, size: SymbolicSize, element: str, width: int) -> str:
        """The register that has a size in all lanes."""
        code, registers = self.function
        key = size, element, width
        if key not in registers:
            text = self.scalar(size)
            if element != "i64":
                text = self.emit(f"trunc i64 {text} to {element}", code)
            vector = type_name(element, width)
            one = self.emit(f"insertelement {vector} poison, {element} {text}, i64 0", code)
            mask = f"<{width} x i32> zeroinitializer"
            splat = f"shufflevector {vector} {one}, {vector} poison, {mask}"
            registers[key] = self.emit(splat, code)
        return registers[key]
