"""The rewriter: the only code that changes existing IR; it builds a new module from an old one.

A pass is a table of patterns, by operation name. A pattern receives an operation and a builder;
it creates the replacement and returns the values that replace its results, or None to leave it as
it is. Created operations are rewritten in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Region, Value

Replacement: TypeAlias = Value[Any] | Sequence[Value[Any]] | None
Pattern: TypeAlias = Callable[[Any, Builder], Replacement]


def rewrite_module(module: Module, patterns: Mapping[str, Pattern]) -> Module:
    """The module with every operation that has a pattern replaced; itself if there is none."""
    if not any(operation.name in patterns for operation in module.operation.walk()):
        return module
    return module.with_operation(Rewriting(patterns).copied(module.operation))


class Rewriting:
    """One pass over one module.

    Attributes:
        patterns: What is replaced, and by what.
        values: The new value of each old one.
        origins: For each new operation the old one it came from, if origins are recorded.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        origins: dict[Operation, Operation] | None = None,
    ) -> None:
        self.patterns = patterns
        self.origins = origins
        self.values: dict[Value[Any], Value[Any]] = {}
        self.blocks: dict[Block, Block] = {}

    def copied(self, operation: Operation) -> Operation:
        """A copy of an operation on the new values, with rewritten regions."""
        regions = [self.copied_region(region) for region in operation.regions]
        copy = type(operation)(
            [self.values.get(value, value) for value in operation.operands],
            [value.type for value in operation.results],
            operation.attributes,
            regions,
            discardable=operation.discardable,
            successors=[self.blocks.get(block, block) for block in operation.successors],
            location=operation.location,
            span=operation.span,
            parts=operation.parts,
        )
        if self.origins is not None:
            self.origins[copy] = self.origins.get(operation, operation)
        return copy

    def copied_region(self, region: Region) -> Region:
        """A copy of a region, its operations rewritten."""
        pairs: list[tuple[Block, Block]] = []
        for block in region.blocks:
            arguments = block.arguments
            copy = Block([a.type for a in arguments], [a.location for a in arguments])
            self.values.update(zip(arguments, copy.arguments, strict=True))
            self.blocks[block] = copy
            pairs.append((block, copy))
        for block, copy in pairs:
            self.fill(copy, block)
        return Region([copy for _, copy in pairs])

    def fill(self, block: Block, source: Block) -> None:
        """Puts the operations of a block, or what replaces them, into a new one."""
        for operation in source.operations:
            self.place(operation, block)

    def place(self, operation: Operation, block: Block) -> None:
        """Puts an operation, or what replaces it, at the end of a new block."""
        copy = self.copied(operation)
        pattern = self.patterns.get(operation.name)
        if pattern is not None:
            draft = Block()
            replacement = pattern(copy, Builder(draft, operation.location, operation.span))
            if replacement is not None:
                for created in draft.operations:
                    self.record_origin(created, copy)
                    self.place(created, block)
                new = (replacement,) if isinstance(replacement, Value) else tuple(replacement)
                for old, value in zip(operation.results, new, strict=True):
                    self.values[old] = self.values.get(value, value)
                return
        block.append(copy)
        self.values.update(zip(operation.results, copy.results, strict=True))

    def record_origin(self, created: Operation, copy: Operation) -> None:
        """Records the operation from which a pattern created another."""
        if self.origins is not None:
            for operation in created.walk():
                self.origins.setdefault(operation, self.origins[copy])
