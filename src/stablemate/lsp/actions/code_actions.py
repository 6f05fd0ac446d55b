"""Code actions: fixes of diagnostics, operands converted, calls inlined, CHLO expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.formats.mlir.parser import module_text, parse_module, parse_type
from stablemate.ir.types import Type
from stablemate.lsp.actions import hlo_edits
from stablemate.lsp.actions.conversions import conversion
from stablemate.lsp.actions.splicing import free_name, splice_function
from stablemate.lsp.documents import Document
from stablemate.lsp.programs.mlir_program import MlirProgram
from stablemate.lsp.programs.statements import FunctionBlock, Statement
from stablemate.transforms.pass_pipeline import step_of
from stablemate.xla.module import HloModule

SUGGESTION = re.compile(r"did you mean '(.+)'\?|write (\S+)\Z")
MISMATCH = re.compile(r"(%\S+) has type (.+), not (.+)\Z", re.DOTALL)
ALIAS = re.compile(r"^[ \t]*[#!][A-Za-z_][\w$-]*[ \t]*=.*$", re.MULTILINE)  # its definition
INLINE = "inline this call"
EXPANSION = "chlo-legalize-to-stablehlo"


def code_actions(document: Document, where: types.Range) -> list[types.CodeAction]:
    """Lists the code actions in a range."""
    program = document.program
    positions = document.snapshot.positions
    start, end = positions.offset(where.start), positions.offset(where.end)
    actions: list[types.CodeAction] = []
    for diagnostic in program.diagnostics():
        span = diagnostic.span
        if span and span.start <= end and start <= span.end:
            actions += fixes(document, diagnostic)
    if isinstance(program, MlirProgram):
        body, statement = place_of(program, start)
        if body and statement:
            actions += refactorings(document, program, body, statement)
    elif program.module:
        actions += actions_of_hlo(document, program.module, start)
    return actions


def actions_of_hlo(
    document: Document, module: HloModule, offset: int
) -> Iterator[types.CodeAction]:
    """Lists the code actions on the instruction at an offset."""
    place = hlo_edits.place_at(document.snapshot, module, offset)
    if place is None:
        return
    for title, edit in hlo_edits.conversions(document.snapshot, module, place):
        yield action(document, title, types.CodeActionKind.QuickFix, edit)
    inlining = hlo_edits.inline_call(document.snapshot, module, place)
    if inlining is not None:
        yield action(document, INLINE, types.CodeActionKind.RefactorInline, inlining)


def place_of(program: MlirProgram, offset: int) -> tuple[FunctionBlock | None, Statement | None]:
    """The body and the statement at an offset."""
    body = next((one for one in program.bodies if one.begin <= offset <= one.end), None)
    return body, program.statement_at(offset)


def action(
    document: Document, title: str, kind: types.CodeActionKind, *edits: tuple[int, int, str]
) -> types.CodeAction:
    """An action that replaces parts of the text."""
    positions = document.snapshot.positions
    changes = [types.TextEdit(positions.range(start, end), text) for start, end, text in edits]
    return types.CodeAction(
        title, kind=kind, edit=types.WorkspaceEdit(changes={document.uri: changes})
    )


def fixes(document: Document, diagnostic: Diagnostic) -> Iterator[types.CodeAction]:
    """Offers the edits that a diagnostic's notes suggest."""
    span = diagnostic.span
    assert span is not None
    quick = types.CodeActionKind.QuickFix
    for note in diagnostic.notes:
        if match := SUGGESTION.match(note.message):
            text = match[1] or match[2]
            if not match[2]:
                yield action(document, f"replace by {text}", quick, (span.start, span.end, text))
    expected = diagnostic.values.get("expected")
    if isinstance(expected, Type):
        declared = str(diagnostic.values.get("type", ""))
        position = span.text.rfind(declared)
        if declared and position >= 0:
            start = span.start + position
            edit = (start, start + len(declared), str(expected))
            yield action(document, f"change the type to {expected}", quick, edit)
    if match := MISMATCH.match(diagnostic.message):
        yield from conversions(document, span.start, span.end, match)


def conversions(
    document: Document, start: int, end: int, match: re.Match[str]
) -> Iterator[types.CodeAction]:
    """A convert or a reshape in front of a statement whose operand has another type."""
    try:
        actual, wanted = parse_type(match[2]), parse_type(match[3])
    except StablemateError:
        return
    operation = conversion(actual, wanted)
    if operation is None:
        return
    text = document.snapshot.text
    line = text.rfind("\n", 0, start) + 1
    indent = text[line : line + len(text[line:]) - len(text[line:].lstrip(" \t"))]
    names = {symbol.name for symbol in document.snapshot.names.symbols}
    name = free_name(f"%{operation}", names)
    new = f"{indent}{name} = stablehlo.{operation} {match[1]} : ({actual}) -> {wanted}\n"
    title = f"insert a {operation} to {wanted}"
    kind = types.CodeActionKind.QuickFix
    yield action(document, title, kind, (line, line, new), (start, end, name))


def refactorings(
    document: Document, program: MlirProgram, body: FunctionBlock, statement: Statement
) -> Iterator[types.CodeAction]:
    """Lists the refactorings of a valid statement."""
    operation = statement.operation
    if operation is None:
        return
    kind = types.CodeActionKind.RefactorInline
    if operation.name == "func.call":
        replacement = inline_call(document, program, statement)
        if replacement is not None:
            edit = (statement.start, statement.end, replacement)
            yield action(document, INLINE, kind, edit)
    elif operation.name.startswith("chlo."):
        replacement = expand_operation(document, statement)
        if replacement is not None:
            edit = (statement.start, statement.end, replacement)
            title = f"expand {operation.name} to StableHLO"
            yield action(document, title, types.CodeActionKind.RefactorRewrite, edit)


def head_and_operands(document: Document, statement: Statement) -> tuple[list[str], list[str]]:
    """The names of the results and of the operands of a statement without regions."""
    text = document.snapshot.text
    operation = statement.operation
    assert operation is not None
    delta = statement.start - statement.read_at
    parts = operation.parts or {}
    operands = [
        text[start + delta : end + delta]
        for i in range(len(operation.operands))
        for start, end in [parts.get(f"operand {i}", (0, 0))]
    ]
    results = [name for name, _, _ in statement.bound if "#" not in name]
    return results, operands


def inline_call(document: Document, program: MlirProgram, statement: Statement) -> str | None:
    """The statements of the function that is called; None if that cannot be inlined."""
    text = document.snapshot.text
    callee = str(statement.operation.attributes.get("callee")) if statement.operation else ""
    body = next((one for one in program.bodies if function_name(one) == callee.lstrip("@")), None)
    results, operands = head_and_operands(document, statement)
    if body is None or any(one.error for one in body.statements) or statement in body.statements:
        return None
    arguments = body.arguments
    if len(arguments) != len(operands):
        return None
    return join_statements(
        document,
        statement,
        [text[one.start : one.end] for one in body.statements],
        dict(zip(arguments, operands, strict=True)),
        results,
    )


def function_name(body: FunctionBlock) -> str:
    """The name of the function of a body."""
    function = body.block.parent and body.block.parent.parent
    return str(getattr(function, "symbol", ""))


def expand_operation(document: Document, statement: Statement) -> str | None:
    """An operation of CHLO in operations of StableHLO; None if it cannot be expanded."""
    operation = statement.operation
    assert operation is not None
    if operation.regions:
        return None
    text = document.snapshot.text[statement.start : statement.end]
    results, operands = head_and_operands(document, statement)
    by_name = dict(zip(operands, [str(value.type) for value in operation.operands], strict=True))
    listed = ", ".join(f"{name}: {value_type}" for name, value_type in by_name.items())
    returned = ", ".join(str(value.type) for value in operation.results)
    aliases = "".join(f"{line}\n" for line in ALIAS.findall(document.snapshot.text))
    source = (
        f"{aliases}func.func @main({listed}) -> ({returned}) {{\n{text}\n"
        f"return {', '.join(results)} : {returned}\n}}"
    )
    try:
        printed = module_text(step_of(EXPANSION).run(parse_module(source)))
        program = MlirProgram(printed)
    except StablemateError:
        return None
    body = next((one for one in program.bodies if function_name(one) == "main"), None)
    if body is None or "chlo." in printed:
        return None
    statements = [printed[one.start : one.end] for one in body.statements]
    return join_statements(
        document, statement, statements, dict(zip(body.arguments, by_name, strict=True)), results
    )


def join_statements(
    document: Document, statement: Statement, statements: list[str], arguments: dict[str, str],
    results: list[str],
) -> str | None:  # fmt: skip
    """Statements with new names, indented like the one in whose place they come."""
    used = {symbol.name for symbol in document.snapshot.names.symbols} - set(results)
    new = splice_function(statements, arguments, results, used)
    if new is None:
        return None
    text = document.snapshot.text
    line = text.rfind("\n", 0, statement.start) + 1
    indent = text[line : statement.start]
    return ("\n" + indent).join(line_text.strip() for line_text in new.split("\n"))
