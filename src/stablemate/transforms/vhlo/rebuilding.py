"""Rebuilds a module, operation by operation, where types of values change.

What the parts of a program have in common is here: blocks, regions, the new value of each old one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError, VerifyError
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.locations import Location
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.use_orders import LateUses


class Rebuilding:
    """Builds the operations of one module from those of another.

    Attributes:
        values: The new value of each old one.
        blocks: The new block of each old one.
        late_uses: The uses that replaced those of other values, of the old module and the new one.
    """

    def __init__(self, late_uses: LateUses | None = None) -> None:
        self.values: dict[Value[Type], Value[Type]] = {}
        self.blocks: dict[Block, Block] = {}
        self.late_uses = LateUses() if late_uses is None else late_uses

    def module(self, module: Module) -> Module:
        """The new module; resources are shared."""
        block = Block()
        self.place(module.operation, block)
        return Module(
            block.operations[0],
            module.resources,
            module.external_resources,
            module.source,
            module.version + 1,
        )

    @abstractmethod
    def place(self, operation: Operation, block: Block) -> None:
        """Puts what an operation becomes at the end of a new block."""

    @abstractmethod
    def block_types(self, block: Block) -> Sequence[Type]:
        """The types of the arguments of a new block."""

    def regions(self, operation: Operation) -> list[Region]:
        """The new regions of an operation."""
        return [self.region(region) for region in operation.regions]

    def region(self, region: Region) -> Region:
        """Rebuilds a region, block by block, with converted types and operations."""
        pairs: list[tuple[Block, Block]] = []
        for block in region.blocks:
            old = block.arguments
            new = Block(
                self.block_types(block), [self.location(argument.location) for argument in old]
            )
            self.values.update(zip(old, new.arguments, strict=True))
            self.blocks[block] = new
            pairs.append((block, new))
        for block, new in pairs:
            self.enter_block(block, new)
            for operation in block.operations:
                self.place(operation, new)
        return Region([new for _, new in pairs])

    def enter_block(self, old: Block, new: Block) -> None:
        """Adds what stands before the operations of a block; nothing by default."""

    def new_operands(self, operation: Operation) -> list[Value[Type]]:
        """The new values of the operands of an operation.

        Raises:
            VerifyError: It takes a value that is not defined yet.
        """
        try:
            return [self.values[value] for value in operation.operands]
        except KeyError:
            message = "every operand is defined before its use"
            span = operation.span
            raise VerifyError(Diagnostic(message, rule=operation.name, span=span)) from None

    def location(self, location: Location) -> Location:
        """Converts a location; by default it stays."""
        return location

    def make(
        self,
        cls: type[Operation],
        like: Operation,
        operands: Sequence[Value],
        types: Sequence[Type],
        attributes: Mapping[str, Attribute],
        block: Block,
    ) -> Operation:
        """An operation in the place of another, at the end of a block; its results are known.

        Attributes are discardable that neither the class declares nor, if it is the same operation,
        the old one has as inherent ones.
        """
        declared: Collection[str] = definition_of(cls).attributes
        if cls is type(like):
            declared = {*declared, *like.attributes}
        operation = cls(
            operands,
            types,
            {name: value for name, value in attributes.items() if name in declared},
            self.regions(like) if like.regions else (),
            discardable={n: value for n, value in attributes.items() if n not in declared},
            successors=[self.blocks.get(successor, successor) for successor in like.successors],
            location=self.location(like.location),
            span=like.span,
            parts=like.parts,
        )
        block.append(operation)
        self.values.update(zip(like.results, operation.results, strict=True))
        self.late_uses.copy(like, operation)
        return operation


def refuse(
    operation: Operation, message: str, part: str = "", *notes: str, rule: str = ""
) -> NoReturn:
    """Says that an operation cannot be converted.

    Args:
        operation: The operation.
        message: Why.
        part: Which part of it.
        *notes: What may help.
        rule: What it is called; by default its name.

    Raises:
        UnsupportedError: Always.
    """
    span = operation.part(part) if part else operation.span
    remarks = tuple(Diagnostic(note) for note in notes)
    name = rule or operation.name
    raise UnsupportedError(Diagnostic(message, rule=name, span=span, notes=remarks))
