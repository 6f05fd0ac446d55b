"""Compiles a version: one function for symbolic sizes of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.pipeline import Compilation
from stablemate.compiler.plan.image_builder import SymbolicArguments
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import declared_signature
from stablemate.ir.core import Module
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.symbolic_sizes import NoSymbolicSizeError, SymbolicSize
from stablemate.transforms.refinement.symbolic import symbolic_program
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
        refined = symbolic_program(module, entry, shapes)
        if not refined.assumptions.variables:
            raise NoSymbolicSizeError
        functions = {
            operation.symbol: operation
            for operation in refined.module.body.operations
            if isinstance(operation, FuncOp)
        }
        results = [shape_of(result) for result in functions[entry].type.results]
        self.sizes = refined.sizes
        self.declared = refinement_target(module, entry).type.inputs
        super().__init__(
            functions, declared_signature(functions[entry]), target, options, limits,
            SymbolicArguments(refined.assumptions, refined.sizes, shapes, results),
        )  # fmt: skip

    def emit(self, stage: str) -> str:
        """The result of a stage as text, after a line for each variable."""
        text = super().emit(stage)
        comment = COMMENTS.get(stage, "#")
        return "\n".join([*(f"{comment} {line}" for line in self.variable_lines()), text])

    def variable_lines(self) -> list[str]:
        """The meaning of the variables: ``n0: size 0 of argument 0``."""
        places: dict[SymbolicSize, list[str]] = {}
        sizes = iter(self.sizes)
        for position, value_type in enumerate(self.declared):
            for d, declared in enumerate(shape_of(value_type)):
                size = next(sizes) if declared == DYNAMIC else declared
                if isinstance(size, SymbolicSize):
                    places.setdefault(size, []).append(f"size {d} of argument {position}")
        return [f"{size}: {', '.join(names)}" for size, names in places.items()]


def shape_of(value_type: Type) -> Sequence[int]:
    """The shape of a tensor; none of another type."""
    return value_type.shape if isinstance(value_type, TensorType) else ()
