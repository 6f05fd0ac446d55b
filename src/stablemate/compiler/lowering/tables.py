"""Elements that are entries of tables."""

from __future__ import annotations

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.lowering.elements import Index, KernelElements, lowers
from stablemate.compiler.lowering.representation import Parts


@lowers("byte_function")
def byte_function(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The entry of a table of bytes at a byte."""
    (code,) = elements.at(node.operands[0], index)
    table = elements.table
    entry = table.byte_entry(node.operation.table, table.convert("zext", code, "i32"))
    return (table.convert("trunc", entry, "i8"),)
