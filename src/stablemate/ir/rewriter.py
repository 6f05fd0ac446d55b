"""The rewriter: the only code that changes existing IR; it builds a new module from an old one.

A pass is a table of patterns, by operation name. A pattern receives an operation and a builder;
it creates the replacement and returns the values that replace its results, or None to leave it as
it is. Created operations are rewritten in turn. What a ``TypedPattern`` creates is copied for
operations of the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Region, Value

Replacement: TypeAlias = Value | Sequence[Value] | None
Pattern: TypeAlias = Callable[[Any, Builder], Replacement]


@dataclass(frozen=True, slots=True)
class TypedPattern:
    """A pattern whose replacement depends on an operation's types and attributes alone.

    It creates no regions. A rewriting applies it once to operations that differ only in operands,
    attributes that the definition does not declare, and places.

    Attributes:
        pattern: Creates the replacement.
    """

    pattern: Pattern

    def __call__(self, operation: Operation, builder: Builder) -> Replacement:
        """The values that replace the results of an operation."""
        return self.pattern(operation, builder)


class Expansion:
    """The replacement of operations of the same types and attributes.

    Attributes:
        operations: Operations, each with the numbers of its operands among all values: those that
            the expanded operation takes, then the results in order.
        results: The numbers of the values that replace results.
    """

    __slots__ = ("operations", "results")

    def __init__(self, body: Block, results: Sequence[Value]) -> None:
        values: list[Value] = list(body.arguments)
        values += [result for operation in body.operations for result in operation.results]
        numbers = {value: number for number, value in enumerate(values)}
        self.operations = [
            (operation, [numbers[value] for value in operation.operands])
            for operation in body.operations
        ]
        self.results = [numbers[value] for value in results]

    def replace(self, replaced: Operation, block: Block) -> list[Value]:
        """Puts copies at the end of a block; the values that replace an operation's results."""
        values: list[Value] = list(replaced.operands)
        for operation, numbers in self.operations:
            operands = tuple([values[number] for number in numbers])
            copy = operation.clone(operands, replaced.location, replaced.span)
            block.append(copy)
            values += copy.results
        return [values[number] for number in self.results]


def rewrite_module(module: Module, patterns: Mapping[str, Pattern]) -> Module:
    """The module with every operation that has a pattern replaced; itself if there is none."""
    names = {operation.name for operation in module.operation.walk()}
    if not any(name in patterns for name in names):
        return module
    return module.with_operation(Rewriting(patterns).copy_operation(module.operation))


class Rewriting:
    """One pass over one module.

    Attributes:
        patterns: What is replaced, and by what.
        values: The new value of each old one.
        origins: For each new operation the old one it came from, if origins are recorded.
        expansions: What typed patterns have created, by types and attributes; None if nothing.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        origins: dict[Operation, Operation] | None = None,
    ) -> None:
        self.patterns = patterns
        self.origins = origins
        self.values: dict[Value, Value] = {}
        self.blocks: dict[Block, Block] = {}
        self.expansions: dict[Hashable, Expansion | None] = {}

    def copy_operation(self, operation: Operation) -> Operation:
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
        copy = self.copy_operation(operation)
        pattern = self.patterns.get(operation.name)
        new = None if pattern is None else self.replace(pattern, copy, block)
        if new is None:
            block.append(copy)
            new = copy.results
        self.values.update(zip(operation.results, new, strict=True))

    def replace(
        self, pattern: Pattern, operation: Operation, block: Block
    ) -> Sequence[Value] | None:
        """Puts what replaces an operation at the end of a new block.

        Returns:
            The values that replace its results; None if the operation stays.
        """
        if isinstance(pattern, TypedPattern):
            return self.expand(pattern, operation, block)
        return self.apply(pattern, operation, block)

    def apply(self, pattern: Pattern, operation: Operation, block: Block) -> Sequence[Value] | None:
        """Does what ``replace`` does, by applying the pattern."""
        draft = Block()
        replacement = pattern(operation, Builder(draft, operation.location, operation.span))
        if replacement is None:
            return None
        for created in draft.operations:
            self.record_origin(created, operation)
            self.place(created, block)
        new = (replacement,) if isinstance(replacement, Value) else replacement
        return [self.values.get(value, value) for value in new]

    def expand(
        self, pattern: TypedPattern, operation: Operation, block: Block
    ) -> Sequence[Value] | None:
        """Does what ``replace`` does, by copying what replaced an operation of the same types."""
        key = expansion_key(operation)
        if key not in self.expansions:
            self.expansions[key] = self.expansion_of(pattern, operation)
        expansion = self.expansions[key]
        if expansion is None:
            return None
        first = len(block.operations)
        new = expansion.replace(operation, block)
        if self.origins is not None:
            origin = self.origins[operation]
            self.origins.update(dict.fromkeys(block.operations[first:], origin))
        return new

    def expansion_of(self, pattern: TypedPattern, operation: Operation) -> Expansion | None:
        """The replacement of operations of the same types as this one; None if they stay."""
        body = Block([value.type for value in operation.operands])
        model = operation.clone(body.arguments, operation.location, operation.span)
        if self.origins is not None:
            self.origins[model] = self.origins[operation]
        results = self.apply(pattern, model, body)
        return None if results is None else Expansion(body, results)

    def record_origin(self, created: Operation, copy: Operation) -> None:
        """Records the operation from which a pattern created another."""
        if self.origins is not None:
            for operation in created.walk():
                self.origins.setdefault(operation, self.origins[copy])


def expansion_key(operation: Operation) -> Hashable:
    """The key of the facts on which the replacement by a typed pattern depends."""
    return (
        operation.name,
        tuple([value.type for value in operation.operands]),
        tuple([value.type for value in operation.results]),
        tuple(operation.attributes.items()),
    )
