"""Reads MLIR text that may be broken, again after each edit.

An error costs one statement of a function; statements that mean what they meant are taken over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import Final, NoReturn

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError, StablemateError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Source
from stablemate.dialects.registry import READABLE, class_of
from stablemate.formats.mlir.alias_limits import MINIMUM_BOUND
from stablemate.formats.mlir.forward_references import ForwardReference, ForwardReferences
from stablemate.formats.mlir.operation_reader import OperationReader
from stablemate.formats.mlir.parser import read_attribute_alias, read_type_alias
from stablemate.formats.mlir.tables import ATTRIBUTE_READERS, DIALECT_TYPES, SYNTAXES
from stablemate.ir.core import Block, Operation, OpResult, Region, Value
from stablemate.ir.types import Type
from stablemate.ir.verification.wrong_attributes import first_wrong_attribute
from stablemate.lsp.programs.known_functions import KnownFunction, KnownFunctions
from stablemate.lsp.programs.known_statements import (
    ALIAS,
    VALUE,
    Aliases,
    Known,
    location_of,
)
from stablemate.lsp.programs.slices import TimeSlice
from stablemate.lsp.programs.statements import (
    FunctionBlock,
    Statement,
    defined_names,
    end_of_statement,
    is_local,
)

BEGINNING: Final = frozenset({"value", "bare", "string"})  # of a statement
FUNCTION: Final = "func.func"
BLANK: Final = frozenset({"", " ", "\t", "\r", "\n"})
TOP_LEVEL: Final = re.compile(r"^[ \t]*(func\.func\b|[#!][A-Za-z_][\w$-]*[ \t]*=)", re.MULTILINE)
TYPES_AT_END: Final = re.compile(r"(?:->|:)\s*([^:]*?)\s*(?:\bloc\([^\n]*\))?\s*(?://[^\n]*)?\Z")


class RecoveringReader(OperationReader):
    """Reads operations, and keeps where the statements of functions begin and end.

    Args:
        source: The text.
        known: The functions and statements that were read before.
        time: For reading new statements.

    Attributes:
        bound: Name, offset and value of all definitions so far outside of bodies.
        bodies: Blocks of functions, in the order in which they end.
        errors: Why statements could not be read.
        lost: Names in this function whose definitions could not be read.
        unordered: How many uses or blocks there were that can follow what they depend on.
        expected_next: The statement that is probably the next one.
        last_block: The statements of the block that was read last; None for those not known.
    """

    def __init__(
        self, source: Source, known: KnownFunctions | None = None, time: TimeSlice | None = None
    ) -> None:
        self.bound: list[tuple[str, int, Value[Type]]] = []
        self.bodies: list[FunctionBlock] = []
        self.errors: list[Diagnostic] = []
        self.lost: set[str] = set()
        self.unordered = 0
        self.functions = KnownFunctions() if known is None else known
        self.known = self.functions.statements
        self.known.begin()
        self.slice = time or TimeSlice(None)
        self.expected_next: Known | None = None
        self.last_block: list[Known | None] = []
        super().__init__(
            source,
            READABLE,
            class_of,
            SYNTAXES,
            ATTRIBUTE_READERS,
            DIALECT_TYPES,
            DEFAULT_LIMITS,
        )

    # ---- names

    def bind(self, name: str, value: Value[Type], place: tuple[int, int]) -> None:
        """Defines a name, and records it."""
        super().bind(name, value, place)
        self.bound.append((name, place[0], value))

    def operand(self) -> Value:
        """Reads the use of a value, and notes whether it is defined later."""
        if self.may_forward and self.token not in self.values:
            self.unordered += 1
        return super().operand()

    def unknown_value(self, reference: ForwardReference) -> NoReturn:
        """Rejects a name without a definition; no similar name is looked for if that is broken."""
        if reference.name.partition("#")[0] in self.lost:
            self.error(f"no value is called {reference.name} here", reference.place)
        super().unknown_value(reference)

    def later_value(self, name: str, place: tuple[int, int]) -> ForwardReference:
        """Returns the reference to a value, if the text may define it later."""
        if not self.may_forward:
            self.unknown_value(ForwardReference(name, place))
        return super().later_value(name, place)

    def close_region(self, *, isolated: bool, has_order: bool) -> None:
        """Ends a region; values without a definition are errors of the operation around it."""
        if isolated or has_order:
            self.close_references()

    def close_references(self) -> None:
        """Resolves forward references, and rejects those without a definition."""
        for reference in self.forward.pending.values():
            self.unknown_value(reference)
        self.forward.resolve()

    def labeled_block(self, region: Region) -> None:
        """Reads a block with a label, which may precede those that dominate it."""
        self.unordered += 1
        super().labeled_block(region)

    # ---- functions

    def operation(self) -> Operation:
        """Reads an operation; a function whose text is known is taken over."""
        if self.token != FUNCTION or self.kind != "bare":
            return super().operation()
        operation = self.known_function()
        if operation is not None:
            return operation
        self.expected_next = self.functions.expected_statement(self.text, self.start)
        return self.new_function()

    def known_function(self) -> Operation | None:
        """The function at this place, if its text is known; the reader is after it."""
        start = self.start
        for function in self.functions.candidates(self.text, start):
            if not self.allows(function.height, function.expanded, function.aliases):
                continue
            end = start + len(function.text)
            try:
                self.jump(end)
            except ParseError:
                self.jump(start)
                return None
            if self.at("loc"):
                self.jump(start)
                return None
            self.functions.use(function, self.source, start)
            self.bodies.append(function.body)
            self.bound += [
                (name, start + offset, value) for name, offset, value in function.arguments
            ]
            self.note_extent(function.height, function.expanded)
            return function.operation
        return None

    def new_function(self) -> Operation:
        """Reads a function, and keeps it if all its statements are known."""
        start, first, depth, deepest = self.start, len(self.bound), self.depth, self.deepest
        bodies, unordered, expanded = len(self.bodies), self.unordered, self.alias_extents.expanded
        self.deepest = depth
        operation = super().operation()
        height, self.deepest = self.deepest - depth, max(deepest, self.deepest)
        used = [known for known in self.last_block if known is not None]
        is_simple = len(self.bodies) == bodies + 1 and self.unordered == unordered
        if not is_simple or len(used) < len(self.last_block):
            return operation
        text = self.text[start : self.previous_end]
        aliases = self.meanings(ALIAS.findall(text)) if "#" in text or "!" in text else {}
        if aliases is not None:
            arguments = [(name, place - start, value) for name, place, value in self.bound[first:]]
            function = KnownFunction(
                operation, text, start, self.bodies[-1], used, arguments, aliases, height,
                self.alias_extents.expanded - expanded, self.known.pass_number,
            )  # fmt: skip
            self.functions.add(function)
        return operation

    def allows(self, height: int, expanded: int, aliases: Aliases) -> bool:
        """Whether the levels of nesting are allowed here, and aliases stand for what they did."""
        if self.depth + height > self.limits.nesting:
            return False
        if not aliases:
            return True
        return (
            self.alias_extents.expanded + expanded <= MINIMUM_BOUND
            and self.meanings(aliases) == aliases
        )

    def note_extent(self, height: int, expanded: int) -> None:
        """Notes the nesting and the aliases of what is taken over."""
        self.alias_extents.expanded += expanded
        self.deepest = max(self.deepest, self.depth + height)

    # ---- bodies

    def read_block(self, block: Block) -> None:
        """Reads the statements of a block."""
        if self.default_dialect != "func":
            super().read_block(block)
            return
        arguments = self.scope[len(self.scope) - len(block.arguments) :]
        body = FunctionBlock(block, self.previous_end, arguments)
        outer, self.lost = self.lost, set()
        first = len(self.bound)
        used: list[Known | None] = []
        try:
            while self.kind in BEGINNING:
                statement, known = self.statement(block)
                body.statements.append(statement)
                used.append(known)
        finally:
            body.end = max(self.start, body.begin)
            self.lost = outer
            del self.bound[first:]
            block.operations += [one.operation for one in body.statements if one.operation]
            self.bodies.append(body)
            self.last_block = used
            for one, successor in pairwise(used):
                if one is not None:
                    one.successor = successor

    def statement(self, block: Block) -> tuple[Statement, Known | None]:
        """Takes over or reads one statement; then the reader is at the beginning of the next."""
        known = None if self.may_forward else self.taken_over()
        if known is None:
            self.slice.spend()
            expected = self.expected_next
            statement, known = self.new_statement()
            self.expected_next = expected
        else:
            statement = known.statement
        if statement.operation is not None:
            statement.operation.parent = block
        return statement, known

    # ---- statements that are known

    def taken_over(self) -> Known | None:
        """The statement at this place, if it means what it meant; the reader is after it."""
        start, values = self.start, self.values
        for known in self.known.candidates(self.text, start, self.expected_next):
            replaced = known.replacements(values)
            if replaced is None or not self.fits(known):
                continue
            end = start + len(known.text)
            try:
                self.jump(end)
            except ParseError:
                self.jump(start)
                return None
            if known.following != self.next_token():
                self.jump(start)
                continue
            self.known.use(known)
            self.expected_next = known.successor
            known.adopt(values, replaced)
            statement = known.statement
            statement.start, statement.end = start, end
            values.update(statement.results)
            self.scope += statement.results
            self.note_extent(known.height, known.expanded)
            return known
        return None

    def fits(self, known: Known) -> bool:
        """Whether its end, its aliases and the levels of nesting are as good as they were."""
        return self.is_blank(self.start + len(known.text)) and self.allows(
            known.height, known.expanded, known.aliases
        )

    def is_blank(self, position: int) -> bool:
        """Whether a token that ends at an offset cannot go on there."""
        return self.text[position : position + 1] in BLANK

    def next_token(self) -> tuple[str, str]:
        """The kind of the current token, and its text unless it is a value."""
        return self.kind, "" if self.kind == "value" else self.token

    def meanings(self, aliases: Iterable[str]) -> Aliases | None:
        """Reads the meanings of aliases, and their extents; None if that cannot be read."""
        start, read = self.start, False
        try:
            for name in aliases:
                places = self.locations.definition_places()
                if name in self.locations.location_aliases or name not in places:
                    continue
                position, read = places[name], True
                try:
                    self.locations.read_definition(name, (start, start))
                except StablemateError:
                    places[name] = position
                    return None
        finally:
            if read:
                self.jump(start)
        tables: dict[str, Mapping[str, object]] = {
            "!": self.type_aliases,
            "#": self.attribute_aliases,
        }
        return {
            name: (
                self.locations.location_aliases.get(name) or location_of(tables[name[0]].get(name)),
                self.alias_extents.extents.get(name),
            )
            for name in aliases
        }

    # ---- statements that are new

    def new_statement(self) -> tuple[Statement, Known | None]:
        """Reads one statement; after an error, it ends where its lines do."""
        start, first, depth, deepest = self.start, len(self.bound), self.depth, self.deepest
        bodies, unordered, expanded = len(self.bodies), self.unordered, self.alias_extents.expanded
        outer = self.values, self.scope, self.blocks, self.default_dialect, self.depth
        scope, may_forward, forward = len(self.scope), self.may_forward, self.forward
        unfinished = len(self.unfinished)
        self.deepest = depth
        try:
            operation = self.operation()
        except ParseError as raised:
            self.values, self.scope, self.blocks, self.default_dialect, self.depth = outer
            self.may_forward, self.forward = may_forward, forward
            for name, _, _ in self.bound[first:]:
                self.values.pop(name, None)
            del self.scope[scope:], self.bound[first:]
            self.deepest = max(deepest, self.deepest)
            wrong = first_wrong_attribute(chain.from_iterable(self.unfinished[unfinished:]))
            del self.unfinished[unfinished:]
            return self.broken_statement(start, wrong or raised.diagnostics[0]), None
        height, self.deepest = self.deepest - depth, max(deepest, self.deepest)
        end = self.previous_end
        bound = self.bound[first:]
        del self.bound[first:]
        statement = Statement(start, end, operation, bound, None, self.source, start)
        statement.results = {
            name: value
            for name, _, value in bound
            if isinstance(value, OpResult) and value.operation is operation
        }
        is_simple = len(self.bodies) == bodies and self.unordered == unordered
        text = self.text[start:end]
        is_simple = is_simple and not may_forward and not self.forward.pending
        if not is_simple or "^" in text or not self.is_blank(end):
            return statement, None
        statement.is_local = is_local(operation, text)
        return statement, self.remember(
            statement, text, height, self.alias_extents.expanded - expanded
        )

    def remember(self, statement: Statement, text: str, height: int, expanded: int) -> Known | None:
        """Keeps a statement that was just read, for later readings."""
        aliases = self.meanings(ALIAS.findall(text)) if "#" in text or "!" in text else {}
        if aliases is None:
            return None
        values, results = self.values, statement.results
        uses = {name: None if name in results else values.get(name) for name in VALUE.findall(text)}
        end = self.text.find("\n", statement.start)
        line = self.text[statement.start : end if end >= 0 else len(self.text)]
        known = Known(
            statement, text, line, self.next_token(), uses, aliases, height, expanded,
            self.known.pass_number,
        )  # fmt: skip
        self.known.add(known)
        return known

    def broken_statement(self, start: int, error: Diagnostic) -> Statement:
        """A statement that cannot be read; its results have the types at the end of its text.

        Raises:
            ParseError: The reader cannot go on after it either; this is the statement's own error.
        """
        end = end_of_statement(self.text, start)
        statement = Statement(start, end, None, [], error, self.source, start)
        names = defined_names(self.text[start:end])
        types = self.types_at_end(start, end) if names else []
        if names and sum(count for _, count in names) == len(types):
            statement.results = self.results_of(names, types)
            self.values.update(statement.results)
            self.scope += statement.results
        else:
            statement.lost = frozenset(name for name, _ in names)
            self.lost |= statement.lost
        try:
            self.jump(end)
        except ParseError:
            raise ParseError(error) from None
        self.errors.append(error)
        return statement

    def results_of(self, names: list[tuple[str, int]], types: list[Type]) -> dict[str, Value[Type]]:
        """New values by their names, as far as these are free."""
        results: dict[str, Value[Type]] = {}
        values = [Value(value_type) for value_type in types]
        position = 0
        for name, count in names:
            results[name] = values[position]
            if count > 1:
                own = values[position : position + count]
                results |= {f"{name}#{i}": value for i, value in enumerate(own)}
            position += count
        return {name: value for name, value in results.items()
                if VALUE.fullmatch(name) and name not in self.values}  # fmt: skip

    def types_at_end(self, start: int, end: int) -> list[Type]:
        """The types after the last ``->`` or ``:`` of a text; none if there are not only types."""
        match = TYPES_AT_END.search(self.text, start, end)
        if match is None or not match[1]:
            return []
        depth = self.depth
        try:
            self.jump(match.start(1))
            types = self.read_enclosed("(", self.type) if self.at("(") else [self.type()]
            return types if self.previous_end == match.end(1) else []
        except StablemateError:
            return []
        finally:
            self.depth = depth

    # ---- after an error outside of statements

    def operations_outside(self) -> Iterator[Operation]:
        """The operations before an error that are no functions, and in none."""
        return (one for one in chain.from_iterable(self.unfinished) if one.name != FUNCTION)

    def salvage(self, report: Callable[[StablemateError], None]) -> None:
        """Reads the functions and aliases after an error for which reading had to end."""
        position = self.end
        while match := TOP_LEVEL.search(self.text, position):
            self.values, self.scope, self.blocks, self.lost = {}, [], {}, set()
            self.default_dialect, self.depth = "builtin", 0
            self.may_forward, self.forward = True, ForwardReferences()
            try:
                self.jump(match.start(1))
                self.top_level_item()
                position = max(self.previous_end, match.end())
            except StablemateError as error:
                report(error)
                position = max(self.end, match.end())

    def is_in_header(self, error: StablemateError) -> bool:
        """Whether an error is in a function's head, where it follows from no error before."""
        span = error.diagnostics[0].span
        if span is None:
            return False
        before = [match.end() for match in TOP_LEVEL.finditer(self.text, 0, span.start)]
        return bool(before) and not set("{}") & set(self.text[before[-1] : span.start])

    def top_level_item(self) -> None:
        """Reads an alias or a function."""
        if self.kind == "hash":
            read_attribute_alias(self)
        elif self.kind == "bang":
            read_type_alias(self)
        else:
            self.operation()
