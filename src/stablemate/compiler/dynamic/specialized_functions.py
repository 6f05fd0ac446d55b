"""Specializes the functions of a module for the argument types of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from stablemate import transforms
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import Signature, declared_signature
from stablemate.fork_safety import cached_property
from stablemate.formats.mlir.names import value_names
from stablemate.ir.core import Module, Value
from stablemate.ir.types import Type


class SpecializedFunctions(Mapping[str, FuncOp]):
    """The functions of a module as they are compiled; they are specialized when first used.

    Attributes:
        original: Returns the module.
        entry: The function that is compiled.
        types: A type for each of its arguments; None: the declared ones.
        forget_original: Drops the module, if it can be made again.
    """

    def __init__(
        self, original: Callable[[], Module], entry: str, types: Sequence[Type] | None = None,
        forget: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        self.forget_original = forget
        self.original = original
        self.entry = entry
        self.types = types

    @cached_property
    def module(self) -> Module:
        """The module, specialized to the argument types of this call."""
        return transforms.specialize_module(self.original(), self.entry, self.types)

    @cached_property
    def functions(self) -> Mapping[str, FuncOp]:
        """Indexes the functions of the specialized module by name."""
        operations = self.module.body.operations
        return {
            operation.symbol: operation for operation in operations if isinstance(operation, FuncOp)
        }

    @cached_property
    def name_of(self) -> Callable[[Value[Type]], str]:
        """The name of a value in the printed module."""
        return value_names(self.module)

    def forget(self) -> None:
        """Drops the module; it is specialized again when it is needed."""
        for name in ("module", "functions", "name_of"):
            self.__dict__.pop(name, None)
        if self.forget_original is not None:
            self.forget_original()

    @property
    def signature(self) -> Signature:
        """The arguments and results of the entry."""
        return declared_signature(self.functions[self.entry])

    def __getitem__(self, name: str) -> FuncOp:
        return self.functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)
