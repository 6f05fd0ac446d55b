"""The known facts about the values of a text: types, and the contents of constants."""

from __future__ import annotations

from stablemate.ir.core import OpResult, Value
from stablemate.ir.types import Type
from stablemate.lsp.documents import Document
from stablemate.lsp.names import Symbol
from stablemate.lsp.programs.mlir_program import MlirProgram

LONGEST = 400  # characters of a constant


def types_by_offset(document: Document) -> dict[int, str]:
    """The type of every value, by the offset of its definition."""
    program = document.program
    if isinstance(program, MlirProgram):
        return {offset: str(value.type) for _, offset, value in program.definitions()}
    return {
        instruction.span.start + instruction.span.text.startswith("%"): str(instruction.shape)
        for instruction in program.instructions()
        if instruction.span
    }


def value_of(document: Document, symbol: Symbol) -> Value[Type] | None:
    """The value that a name means; None if its definition cannot be read."""
    program = document.program
    if not isinstance(program, MlirProgram) or not symbol.definitions:
        return None
    place = symbol.definitions[0][0]
    return next((value for _, offset, value in program.definitions() if offset == place), None)


def constant_text(value: Value[Type] | None) -> str:
    """The content of a constant; empty for other values."""
    if not isinstance(value, OpResult) or not value.operation.name.endswith(".constant"):
        return ""
    text = str(value.operation.attributes.get("value", ""))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
