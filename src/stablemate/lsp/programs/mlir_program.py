"""The program behind an MLIR text: after an edit, only the statements that it changes are read.

Every version of a text is read from its beginning. Statements that mean what they meant are taken
over, a function without a change as one piece, so that what is known of a text does not depend on
the texts before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.mlir.mhlo import counterpart_type, translate_types
from stablemate.formats.mlir.parser import read_top_level, top_operation
from stablemate.formats.mlir.resources import read_resources
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.type_rules import BrokenRule, TypeChecker
from stablemate.ir.types import Type
from stablemate.ir.verification.dominance import undominated_operands
from stablemate.ir.verification.wrong_attributes import first_wrong_attribute
from stablemate.ir.verifier import errors_among, reported_findings, rule_violation
from stablemate.lsp.programs.edited_program import EditedProgram
from stablemate.lsp.programs.known_functions import KnownFunctions
from stablemate.lsp.programs.recovering_reader import RecoveringReader
from stablemate.lsp.programs.slices import OutOfTime, TimeSlice
from stablemate.lsp.programs.statements import FunctionBlock, Statement

OF_MHLO: Final = re.compile(r"!mhlo\.|#mhlo\.type_extensions")  # types that StableHLO has too
MOST_TYPES: Final = 200_000  # that are remembered as checked
MOST_UNUSED: Final = 1000  # statements of earlier texts that are kept, for edits that are undone
MOST_BROKEN: Final = 100_000  # as many while the text is broken around its functions
DETACHED: Final = 500  # statements an edit that no longer need the text from which they were read


class KeptTypes(TypeChecker):
    """Checks types by their identities, and keeps them alive, so that no identity is reused."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, Type] = {}

    def broken_rule(self, value_type: Type) -> BrokenRule | None:
        """The first rule that a type breaks, if there is one."""
        self.kept[id(value_type)] = value_type
        return super().broken_rule(value_type)


class MlirProgram(EditedProgram):
    """A program and what is wrong with it.

    Attributes:
        top: The module; None if the text is broken outside of functions, or is not read yet.
        bodies: The bodies of its functions.
        fatal: Errors outside of statements.
        elsewhere: What is wrong outside of bodies.
        own: What is wrong with the functions themselves.
        places: The statements by the text from which they were read; empty until they are needed.
    """

    def __init__(self, text: str = "") -> None:
        self.known = KnownFunctions()
        self.types = KeptTypes()
        self.replace_text(text)
        self.finish()

    # ---- reading

    def replace_text(self, text: str) -> None:
        """Discards everything that was read from the last text."""
        self.source = Source(text)
        self.slices = 0
        self.forget()
        self.is_read = False
        self.verification: Iterator[None] | None = None

    def forget(self) -> None:
        """Forgets what is known of the text, but not its statements."""
        self.top: Operation | None = None
        self.bodies: list[FunctionBlock] = []
        self.fatal: list[Diagnostic] = []
        self.own: list[Diagnostic] = []
        self.elsewhere: list[Diagnostic] = []
        self.arguments: list[tuple[str, int, Value[Type]]] = []
        self.is_ordered = True
        self.places: dict[int, list[Statement]] = {}

    def advance(self, seconds: float | None) -> bool:
        """Reads and verifies for some time, or to the end.

        Returns:
            Whether all is done.
        """
        time = TimeSlice(seconds, self.slices)
        self.slices += 1
        try:
            with without_garbage_collection():
                if not self.is_read:
                    self.read(time)
                if self.verification is None:
                    self.verification = self.verify()
                for _ in self.verification:
                    time.spend()
        except OutOfTime:
            return False
        return True

    def read(self, time: TimeSlice) -> None:
        """Parses the text within the time given, and recovers from errors by statement."""
        self.forget()
        if OF_MHLO.search(self.source.text):
            self.known = KnownFunctions()  # types change after reading: nothing is taken over
        try:
            reader = RecoveringReader(self.source, self.known, time)
        except StablemateError as error:
            self.fatal, self.is_read = list(error.diagnostics), True
            return
        self.bodies, self.arguments = reader.bodies, reader.bound
        try:
            top = top_operation(read_top_level(reader))
            reader.close_references()
            if reader.at("{-#"):
                read_resources(reader, Module(top, source=self.source))
            if reader.kind != "end":
                reader.reject_unexpected("an operation or the end of the text")
        except StablemateError as error:
            wrong = first_wrong_attribute(reader.operations_outside())
            if wrong is not None:
                self.fatal = [wrong]
            elif not reader.errors or reader.is_in_header(error):  # else it may follow from them
                self.fatal = list(error.diagnostics)
            reader.salvage(lambda other: self.fatal.extend(other.diagnostics))
            self.known.forget_unused(MOST_BROKEN)
        else:
            self.top, self.is_ordered = top, not reader.unordered
            self.known.forget_unused(MOST_UNUSED)
        if reader.translated:
            self.translate_types()
        self.known.statements.detach(DETACHED)
        self.is_read = True

    def translate_types(self) -> None:
        """Gives values of a text with operations of MHLO the types of StableHLO."""
        if self.top is not None:
            translate_types(self.top)
            return
        for body in self.bodies:
            for argument in body.block.arguments:
                argument.type = counterpart_type(argument.type)
            for operation in body.block.operations:
                translate_types(operation)

    def statements(self) -> Iterator[Statement]:
        """Yields the statements of every function in their order."""
        for body in self.bodies:
            yield from body.statements

    # ---- verifying

    def verify(self) -> Iterator[None]:
        """Verifies what is not verified, and pauses after each part."""
        if len(self.types.kept) > MOST_TYPES:
            self.types = KeptTypes()
            for statement in self.statements():
                statement.is_verified = False
        if self.top is None:
            yield from self.verify_local_statements()
            return
        bodies: dict[int, list[FunctionBlock]] = {}
        for body in self.bodies:
            bodies.setdefault(id(body.function), []).append(body)
        pending = [self.top]
        while pending:
            operation = pending.pop()
            own = bodies.pop(id(operation), None)
            if own:
                yield from self.verify_function(operation, own)
                continue
            self.elsewhere += reported_findings(operation, self.types)
            pending += reversed(
                [
                    inner
                    for region in operation.regions
                    for block in region.blocks
                    for inner in block.operations
                ]
            )
        for nested in bodies.values():
            forget_findings(nested)
        if not self.is_ordered and not self.has_errors:
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

    def verify_local_statements(self) -> Iterator[None]:
        """Verifies statements while the text around functions is broken."""
        for statement in self.statements():
            if statement.is_local and not statement.is_verified:
                self.verify_statement(statement)
                yield
            elif not statement.is_local:
                operation = statement.operation
                wrong = operation and first_wrong_attribute([operation])
                statement.findings = [wrong] if wrong else []

    def verify_function(self, function: Operation, bodies: list[FunctionBlock]) -> Iterator[None]:
        """Verifies a function, itself only if no statements of it are missing."""
        statements = [statement for body in bodies for statement in body.statements]
        if all(statement.operation for statement in statements):
            self.own += reported_findings(function, self.types)
        for statement in statements:
            if statement.is_local and statement.is_verified and not self.types.broken:
                continue
            self.verify_statement(statement)
            yield

    def verify_statement(self, statement: Statement) -> None:
        """Verifies an operation and those inside it."""
        operation = statement.operation
        statement.findings = (
            [
                finding
                for inner in operation.walk()
                for finding in reported_findings(inner, self.types)
            ]
            if operation
            else []
        )
        statement.is_verified = True

    # ---- answers

    def diagnostics(self) -> Iterator[Diagnostic]:
        """All that is wrong, with places in the current text; what follows from an error is not."""
        self.places.clear()
        yield from self.fatal
        for body in self.bodies:
            lost: set[str] = set()
            for statement in body.statements:
                if statement.error:
                    if not follows(statement.error, lost):
                        yield statement.error
                    lost |= statement.lost
                for finding in statement.findings:
                    yield self.relocate(finding, statement)
        for finding in (*self.own, *self.elsewhere):
            yield self.relocate(finding)

    def relocate(self, finding: Diagnostic, statement: Statement | None = None) -> Diagnostic:
        """A diagnostic whose places may be in a statement that was read from an older text.

        Args:
            finding: The diagnostic.
            statement: The statement that probably has them.
        """
        span = finding.span
        if span is None:
            return finding
        notes = tuple(self.relocate(note, statement) for note in finding.notes)
        delta = self.distance(span, statement)
        place = Span(self.source, span.start + delta, span.end + delta)
        return replace(finding, span=place, notes=notes)

    def distance(self, span: Span, statement: Statement | None) -> int:
        """How far a place has moved."""
        if span.source is self.source:
            return 0
        if statement is not None and holds(statement, span):
            return statement.delta
        if not self.places:
            self.places.update(self.statements_by_source())
        statements = self.places.get(id(span.source), [])
        place = bisect_right(statements, span.start, key=lambda one: one.read_at) - 1
        is_inside = place >= 0 and holds(statements[place], span)
        return statements[place].delta if is_inside else 0

    def statements_by_source(self) -> Mapping[int, list[Statement]]:
        """The statements that were read from each text, in its order."""
        found: dict[int, list[Statement]] = {}
        for statement in self.statements():
            found.setdefault(id(statement.source), []).append(statement)
        for statements in found.values():
            statements.sort(key=lambda one: one.read_at)
        return found

    def statement_at(self, offset: int) -> Statement | None:
        """The statement of a function that holds an offset."""
        for body in self.bodies:
            if body.begin <= offset <= body.end:
                return next(
                    (one for one in body.statements if one.start <= offset <= one.end), None
                )
        return None

    def definitions(self) -> Iterator[tuple[str, int, Value[Type]]]:
        """Name, current offset and value of all definitions that could be read."""
        yield from self.arguments
        for statement in self.statements():
            delta = statement.delta
            for name, offset, value in statement.bound:
                yield name, offset + delta, value


def forget_findings(bodies: list[FunctionBlock]) -> None:
    """Forgets what is wrong with statements of nested functions, which the outer one reports."""
    for body in bodies:
        for statement in body.statements:
            statement.findings, statement.is_verified = [], False


def holds(statement: Statement, span: Span) -> bool:
    """Whether a place is in a statement, in the text from which this was read."""
    end = statement.read_at + statement.end - statement.start
    return statement.source is span.source and statement.read_at <= span.start < end


def follows(error: Diagnostic, lost: set[str]) -> bool:
    """Whether an error is that a value is missing whose definition could not be read."""
    return (
        error.message.startswith("no value is called")
        and error.span is not None
        and error.span.text.partition("#")[0] in lost
    )
