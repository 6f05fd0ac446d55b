"""Attributes of operations and of opcodes: what hover and completion say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from stablemate.analysis.explain.opcodes import attribute_rows
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.definition import definition_of
from stablemate.lsp.documents import Document
from stablemate.lsp.programs.mlir_program import MlirProgram
from stablemate.lsp.tokens import Language, Token
from stablemate.xla.opcodes import OPCODES

OPERATION: Final = re.compile(r'(?:=\s*|^\s*|")([A-Za-z_]\w*\.\w+)', re.MULTILINE)
OPCODE: Final = re.compile(r"(?<![a-z0-9-])([a-z][a-z0-9-]*)\(")
EQUALS: Final = re.compile(r"\s*=\s*")


class AttributeName(NamedTuple):
    """The name of an attribute in a text: whose it is, and what it is called there."""

    operation: str
    name: str


def of_operation(name: str) -> dict[str, str]:
    """The attributes of an operation, and what each holds."""
    cls = OPERATIONS.get(name)
    if cls is None:
        return {}
    fields = definition_of(cls).attributes
    return {name: field.kind.description for name, field in fields.items()}


def of_opcode(name: str) -> dict[str, str]:
    """The attributes of an opcode, and what each holds."""
    row = OPCODES.get(name)
    rows = attribute_rows(row.all_attributes, row.required) if row else ()
    return {row.name: row.text for row in rows}


TABLES: Final[Mapping[Language, Callable[[str], dict[str, str]]]] = {
    "mlir": of_operation,
    "hlo": of_opcode,
}
HEADS: Final = {"mlir": OPERATION, "hlo": OPCODE}


def attributes_after(language: Language, head: str) -> dict[str, str] | None:
    """The attributes of the last operation that a line names; None if it names none."""
    names: list[str] = HEADS[language].findall(head)
    return TABLES[language](names[-1]) if names else None


def attribute_text(document: Document, token: Token) -> str:
    """The text of the attribute that a token names; empty if it names none."""
    attribute = attribute_at(document, token)
    if attribute is None:
        return ""
    text = TABLES[document.snapshot.language](attribute.operation).get(attribute.name)
    return f"**{attribute.name}** (attribute of {attribute.operation})\n\n{text}" if text else ""


def attribute_at(document: Document, token: Token) -> AttributeName | None:
    """The attribute whose name a token is; None if it is none."""
    text = document.snapshot.text
    equals = EQUALS.match(text, token.end)
    if token.kind != "word" or equals is None:
        return None
    program = document.program
    if isinstance(program, MlirProgram):
        return attribute_of_statement(program, token, equals.end())
    line = text[text.rfind("\n", 0, token.start) + 1 : token.start]
    names: list[str] = OPCODE.findall(line)
    return AttributeName(names[0], token.text) if names else None


def attribute_of_statement(program: MlirProgram, token: Token, value: int) -> AttributeName | None:
    """The attribute in whose place an offset is: its name need not be that in the text."""
    statement = program.statement_at(token.start)
    if statement is None or statement.operation is None:
        return None
    delta = statement.delta
    for operation in reversed(list(statement.operation.walk())):
        if operation.span is None or operation.span.start + delta > token.start:
            continue
        fields = of_operation(operation.name)
        if token.text in fields:
            return AttributeName(operation.name, token.text)
        for name, (start, end) in (operation.parts or {}).items():
            if name in fields and start + delta <= value < end + delta:
                return AttributeName(operation.name, name)
    return None
