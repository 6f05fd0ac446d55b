"""The program behind an MLIR text: after an edit, only the statements that it changes are read.

An edit inside of a function's body changes its own statements, and those that use a value whose
type is another one now. Everything else is an edit of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from stablemate.api.loading import load
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.mlir.parser import read_top_level, top_operation
from stablemate.formats.mlir.resources import read_resources
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.dominance import undominated_operands
from stablemate.ir.type_rules import TypeChecker
from stablemate.ir.verifier import errors_among, findings_given_operands, rule_violation
from stablemate.lsp.programs.difference import changed_part
from stablemate.lsp.programs.recovering_reader import (
    Body,
    RecoveringReader,
    Statement,
    defined_names,
    renumbered,
)
from stablemate.numerics.elements import IndexType, IntegerType


class MlirProgram:
    """A program and what is wrong with it.

    Attributes:
        source: The text that it belongs to.
        top: The module; None if the text is broken outside of functions.
        bodies: The bodies of its functions.
        fatal: Errors that end the reading of the text.
        elsewhere: What is wrong outside of functions.
    """

    def __init__(self, text: str) -> None:
        self.types = TypeChecker()
        self.read(text)

    def update(self, text: str) -> None:
        """Makes this the program of another text."""
        if text == self.source.text:
            return
        start, end, delta = changed_part(self.source.text, text)
        body = next((body for body in self.bodies if body.begin <= start and end <= body.end), None)
        is_inside = body is not None and self.top is not None and not self.fatal
        if not (is_inside and body and self.edit(body, Source(text), start, end, delta)):
            self.read(text)

    # ---- the whole text

    def read(self, text: str) -> None:
        """Reads the whole text."""
        self.source = Source(text)
        self.top: Operation | None = None
        self.bodies: list[Body] = []
        self.fatal: list[Diagnostic] = []
        self.elsewhere: list[Diagnostic] = []
        self.types = TypeChecker()
        self.arguments: list[tuple[str, int, Value[Any]]] = []
        try:
            reader = self.reader = RecoveringReader(self.source)
        except StablemateError as error:
            self.fatal = list(error.diagnostics)
            return
        try:
            top = top_operation(read_top_level(reader))
            if reader.at("{-#"):
                read_resources(reader, Module(top, source=self.source))
            if reader.kind != "end":
                reader.expected("an operation or the end of the text")
        except StablemateError as error:
            self.fatal = errors_of_text(text) or reader.errors[:1] or list(error.diagnostics)
            return
        self.top = top
        self.bodies = [body for body in reader.bodies if is_whole(body)]
        inside = {
            id(value)
            for body in self.bodies
            for one in body.statements
            for _, _, value in one.bound
        }
        self.arguments = [entry for entry in reader.bound if id(entry[2]) not in inside]
        self.verify()

    def verify(self) -> None:
        """Verifies the whole program."""
        assert self.top is not None
        by_function = {
            id(body.block.parent and body.block.parent.parent): body for body in self.bodies
        }
        pending = [self.top]
        while pending:
            operation = pending.pop()
            body = by_function.get(id(operation))
            if body is not None:
                self.verify_body(body)
                continue
            self.elsewhere += findings_given_operands(operation, self.types)
            pending += reversed(
                [
                    inner
                    for region in operation.regions
                    for block in region.blocks
                    for inner in block.operations
                ]
            )
        if not self.has_errors:
            self.elsewhere += [
                rule_violation(
                    operation, "", "every operand is defined before its use", f"operand {position}"
                )
                for operation, position in undominated_operands(self.top)
            ]

    @property
    def has_errors(self) -> bool:
        """Whether an error is known."""
        return bool(errors_among(list(self.diagnostics())))

    def verify_body(self, body: Body) -> None:
        """Verifies a function and all its statements."""
        self.verify_function(body)
        for statement in body.statements:
            self.verify_statement(statement)

    def verify_function(self, body: Body) -> None:
        """Verifies a function itself, unless statements of it are missing."""
        function = body.block.parent and body.block.parent.parent
        complete = all(statement.operation for statement in body.statements)
        body.own = (
            list(findings_given_operands(function, self.types)) if complete and function else []
        )

    def verify_statement(self, statement: Statement) -> None:
        """Verifies an operation and those inside it."""
        operation = statement.operation
        statement.findings = (
            [
                finding
                for inner in operation.walk()
                for finding in findings_given_operands(inner, self.types)
            ]
            if operation
            else []
        )

    # ---- an edit of a body

    def edit(self, body: Body, source: Source, start: int, end: int, delta: int) -> bool:
        """Reads the statements that an edit changes; False if it changes more than this body."""
        statements = body.statements
        first = next((i for i, one in enumerate(statements) if one.end >= start), len(statements))
        last = first
        while first and (first == last or statements[first].error):
            first -= 1  # what follows a statement may belong to it
        while last < len(statements) and statements[last].start <= end:
            last += 1
        begin = statements[first - 1].end if first else body.begin
        following = statements[last].start if last < len(statements) else body.end
        if not begin <= start <= end <= following:
            return False
        try:
            reader = RecoveringReader(Source(""))
            reader.source, reader.text = source, source.text
            reader.aliases_of(self.reader)
            values = dict(body.visible)
            for statement in statements[:first]:
                values.update(statement.results)
            reader.resume(body, begin, values)
            new = reader.statements(body.block, following + delta)
            if reader.start != following + delta:
                return False
        except StablemateError:
            return False
        self.splice(body, source, (first, last, delta), new, reader)
        return True

    def splice(
        self,
        body: Body,
        source: Source,
        part: tuple[int, int, int],
        new: list[Statement],
        reader: RecoveringReader,
    ) -> None:
        """Puts statements in the place of others, and reads again those that depend on them."""
        first, last, delta = part
        old, rest = body.statements[first:last], body.statements[last:]
        position = body.end
        renumbered(rest, delta)
        for other in self.bodies:
            if other.begin >= position:
                other.begin, other.end = other.begin + delta, other.end + delta
                renumbered(other.statements, delta)
        body.end += delta
        body.growth += delta
        self.source = source
        for statement in new:
            self.verify_statement(statement)
        carry(old, new, source.text)
        changes = Changes()
        changes.between(old, new)
        for statement in new:
            reader.values.update(statement.results)
        reread = [self.dependent(body, one, changes, reader) for one in rest]
        body.statements[first:] = [*new, *reread]
        body.block.operations[:] = [
            one.operation for one in body.statements if one.operation is not None
        ]
        self.verify_function(body)

    def dependent(
        self, body: Body, statement: Statement, changes: Changes, reader: RecoveringReader
    ) -> Statement:
        """A statement after an edit: itself, or read again if names that it has changed."""
        if not statement.names.isdisjoint(changes.names):
            reader.resume(body, statement.start, reader.values)
            again = reader.statement(body.block)
            if again.end == statement.end:
                carry([statement], [again], reader.text)
                self.verify_statement(again)
                changes.between([statement], [again])
                reader.values.update(again.results)
                return again
        elif changes.replaced and statement.operation and changes.adopt(statement.operation):
            self.verify_statement(statement)
        reader.values.update(statement.results)
        return statement

    # ---- answers

    def diagnostics(self) -> Iterator[Diagnostic]:
        """All that is wrong, with places in the current text; what follows from an error is not."""
        yield from self.fatal
        for body in self.bodies:
            lost: set[str] = set()
            for statement in body.statements:
                if statement.error:
                    if not follows(statement.error, lost):
                        delta = statement.start - statement.read_at
                        yield moved(statement.error, self.source, delta)
                    lost.update(defined_names(self.source.text[statement.start : statement.end]))
                elif statement.findings:
                    for finding in statement.findings:
                        yield moved(finding, self.source, statement.start - statement.read_at)
            for finding in body.own:
                yield moved(finding, self.source, self.distance(finding, body))
        for finding in self.elsewhere:
            yield moved(finding, self.source, self.distance(finding))

    def distance(self, finding: Diagnostic, body: Body | None = None) -> int:
        """How far a place has moved that is outside of bodies, or the name of a statement."""
        if finding.span is None:
            return 0
        for statement in body.statements if body else ():
            if statement.operation and statement.operation.span is finding.span:
                return statement.start - statement.read_at
        return self.moved_by(finding.span.start)

    def moved_by(self, offset: int) -> int:
        """How far an offset outside of bodies has moved since the whole text was read."""
        return sum(body.growth for body in self.bodies if body.read_end <= offset)

    def statement_at(self, offset: int) -> Statement | None:
        """The statement of a function that holds an offset."""
        for body in self.bodies:
            if body.begin <= offset <= body.end:
                return next(
                    (one for one in body.statements if one.start <= offset <= one.end), None
                )
        return None

    def definitions(self) -> Iterator[tuple[str, int, Value[Any]]]:
        """Name, current offset and value of all definitions that could be read."""
        yield from self.arguments_now()
        for body in self.bodies:
            for statement in body.statements:
                delta = statement.start - statement.read_at
                for name, offset, value in statement.bound:
                    yield name, offset + delta, value

    def arguments_now(self) -> Iterator[tuple[str, int, Value[Any]]]:
        """The definitions outside of bodies."""
        for name, offset, value in self.arguments:
            yield name, offset + self.moved_by(offset), value


def errors_of_text(text: str) -> list[Diagnostic]:
    """The errors with which a text is rejected when it is loaded."""
    try:
        load(text.encode(), format="mlir")
    except StablemateError as error:
        return list(error.diagnostics)
    return []


class Changes:
    """What statements mean to those after them.

    Attributes:
        names: Names that are gone, new, or of another type.
        replaced: Values by the values in whose place they are.
        revalued: Values that may hold other numbers, on which rules may depend.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.replaced: dict[int, Value[Any]] = {}
        self.kept: list[Value[Any]] = []  # so that no identity is used twice

    def between(self, old: Sequence[Statement], new: Sequence[Statement]) -> None:
        """Records what differs between statements and those in their place."""
        before = {name: value for statement in old for name, value in statement.results.items()}
        after = {name: value for statement in new for name, value in statement.results.items()}
        for name in before.keys() | after.keys():
            gone, come = before.get(name), after.get(name)
            if gone is None or come is None or gone.type != come.type:
                self.names.add(name.partition("#")[0])
            else:
                self.replaced[id(gone)] = come
                self.kept.append(gone)

    def adopt(self, top: Operation) -> bool:
        """Gives an operation the new values; whether rules may depend on the numbers in them."""
        depends = False
        for operation in top.walk():
            if any(id(value) in self.replaced for value in operation.operands):
                operation.operands = tuple(
                    self.replaced.get(id(value), value) for value in operation.operands
                )
                depends = depends or any(is_integral(value) for value in operation.operands)
        return depends


def carry(old: Sequence[Statement], new: Sequence[Statement], text: str) -> None:
    """Lets statements that cannot be read define what those in whose place they are defined."""
    if all(statement.operation for statement in new):
        return
    before = {name: value for statement in old for name, value in statement.results.items()}
    for statement in new:
        if statement.operation is None:
            names = set(defined_names(text[statement.start : statement.end]))
            statement.carried = {
                name: value for name, value in before.items() if name.partition("#")[0] in names
            }


def is_integral(value: Value[Any]) -> bool:
    """Whether a value holds integers, of which rules may depend: sizes, indices."""
    element = getattr(value.type, "element_type", value.type)
    return isinstance(element, IntegerType | IndexType)


def is_whole(body: Body) -> bool:
    """Whether a block is the only one of its function."""
    region = body.block.parent
    return region is not None and region.parent is not None and len(region.blocks) == 1


def follows(error: Diagnostic, lost: set[str]) -> bool:
    """Whether an error is that a value is missing whose definition could not be read."""
    return (
        error.message.startswith("no value is called")
        and error.span is not None
        and error.span.text.partition("#")[0] in lost
    )


def moved(diagnostic: Diagnostic, source: Source, delta: int) -> Diagnostic:
    """A diagnostic with its places in a newer text."""
    span = diagnostic.span
    if span is None or (span.source is source and not delta):
        return diagnostic
    notes = tuple(moved(note, source, delta) for note in diagnostic.notes)
    return replace(diagnostic, span=Span(source, span.start + delta, span.end + delta), notes=notes)
