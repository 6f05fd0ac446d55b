"""Sites: the operations of a program as it was written, and which of them an observed one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stablemate.analysis.written_names import printed_name, written_name
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.func import FuncOp
from stablemate.fork_safety import cached_property
from stablemate.formats.mlir.names import value_names
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)
from stablemate.ir.types import Type
from stablemate.transforms.legalization import Legalized


@dataclass(frozen=True, slots=True)
class OperationPlace:
    """An operation of a program, without the program.

    Attributes:
        number: Its number in the order of the text; the same in every run of the program.
        name: The full name of the operation.
        function: The name of the function that it stands in; empty if it stands in none.
        names: What the printed program calls its results.
        line: The line of the source that it stands in; None if that is no text.
        where: Where it stands, ``model.mlir:12:8``; if that is no text, the producer's place.
        origin: What the producer said of where it comes from: names, and files from inside out.
    """

    number: int
    name: str
    function: str
    names: tuple[str, ...]
    line: int | None
    where: str
    origin: str

    def __str__(self) -> str:
        results = ", ".join(self.names)
        return f"{results} = {self.name}" if results else self.name


@dataclass(frozen=True, eq=False)
class OperationSite:
    """An operation of the source program, for every executor and after every rewrite.

    Attributes:
        number: Its number in the order of the text; the same in every run of the program.
        operation: The operation.
        name_of: What the printed program calls a value.
    """

    number: int
    operation: Operation
    name_of: Callable[[Value[Type]], str]

    @cached_property
    def place(self) -> OperationPlace:
        """The name and the source place of the operation."""
        names = [self.name_of(result) for result in self.operation.results]
        return place_of(self.number, self.operation, names)

    @property
    def name(self) -> str:
        """The full name of the operation."""
        return self.operation.name

    @property
    def line(self) -> int | None:
        """Its line in the source; None if the source is not text."""
        return self.place.line

    def __str__(self) -> str:
        return str(self.place)


def place_of(number: int, operation: Operation, names: Sequence[str]) -> OperationPlace:
    """The name and the source place of an operation."""
    span = operation.span
    in_text = span is not None and not span.source.binary
    producer = next(files_of(operation.location), None)
    where = str(span or "") if in_text or producer is None else file_text(producer)
    return OperationPlace(
        number,
        operation.name,
        function_of(operation),
        tuple(names),
        span.line if span is not None and in_text else None,
        where,
        location_text(operation.location),
    )


class Sites:
    """The sites of a module, by their numbers."""

    def __init__(self, legalized: Legalized) -> None:
        self.legalized = legalized
        self.numbers = {
            operation: i for i, operation in enumerate(legalized.source.operation.walk())
        }
        self.operations: list[Operation] = list(self.numbers)
        self.sites: dict[int, OperationSite] = {}
        self.stands_for = dict(self.correspondences())

    @property
    def module(self) -> Module:
        """The program as it was written."""
        return self.legalized.source

    @cached_property
    def names(self) -> Callable[[Value[Type]], str]:
        """The name of a value in the printed program."""
        return value_names(self.module)

    def name_of(self, value: Value) -> str:
        """The name of a value in the text, or in the printed program: ``%3``, ``%1#0``."""
        return written_name(value) or printed_name(value, self.names)

    def correspondences(self) -> Iterator[tuple[Value[Type], tuple[Operation, int]]]:
        """The results of the source that the results of rewritten operations correspond to.

        A value that stands for several is that of the operation that comes first.
        """
        values = self.legalized.values
        if not values:
            return
        seen: set[Value[Type]] = set()
        for operation in self.operations:
            for i, result in enumerate(operation.results):
                new = values.get(result)
                if new is not None and new not in seen:
                    seen.add(new)
                    yield new, (operation, i)

    def __len__(self) -> int:
        return len(self.operations)

    def __iter__(self) -> Iterator[OperationSite]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> OperationSite:
        """The site of this number."""
        site = self.sites.get(number)
        if site is None:
            site = self.sites[number] = OperationSite(number, self.operations[number], self.name_of)
        return site

    def of(self, operation: Operation) -> OperationSite:
        """The site of an operation that runs, or of the source."""
        source = self.legalized.origins.get(operation, operation)
        return self[self.numbers[source]]

    def results_of(self, operation: Operation) -> tuple[OperationSite, Sequence[int | None]] | None:
        """The site whose results an executed operation computes, and the number of each result.

        None if it gives no result of the source, but a step on the way to one.
        """
        values = self.legalized.values
        site = self.of(operation)
        if not values or not operation.results:
            return site, range(len(operation.results))
        origins = [self.stands_for.get(result) for result in operation.results]
        source_site = next((origin[0] for origin in origins if origin is not None), None)
        if source_site is None:
            return None
        positions = [
            origin[1] if origin is not None and origin[0] is source_site else None
            for origin in origins
        ]
        return self.of(source_site), positions


def function_of(operation: Operation) -> str:
    """The name of the function that contains an operation."""
    outer: Operation | None = operation
    while outer is not None and not isinstance(outer, FuncOp):
        outer = outer.parent_operation()
    return "" if outer is None else outer.symbol


def files_of(location: Location) -> Iterator[FileLocation]:
    """The places in files that a location names, the innermost first."""
    match location:
        case FileLocation():
            yield location
        case NameLocation(child=child):
            yield from files_of(child)
        case CallSiteLocation(callee, caller):
            yield from files_of(callee)
            yield from files_of(caller)
        case FusedLocation(locations):
            for nested in locations:
                yield from files_of(nested)
        case _:
            pass


def producer_place(operation: Operation) -> str:
    """``f.py:3:4`` where the producer has an operation; empty if it does not say."""
    place = next(files_of(operation.location), None)
    return "" if place is None else file_text(place)


def file_text(location: FileLocation) -> str:
    """``f.py:3:4``; ``f.py:3`` where the column is not known."""
    column = f":{location.column}" if location.column else ""
    return f"{location.file}:{location.line}{column}"


def location_text(location: Location) -> str:
    """A location in one line: ``name (f.py:3:4 in g.py:5:6)``."""
    match location:
        case FileLocation():
            return file_text(location)
        case NameLocation(name, child):
            inner = location_text(child)
            return f"{name} ({inner})" if inner else name
        case CallSiteLocation(callee, caller):
            texts = [location_text(nested) for nested in (callee, caller)]
            return " called from ".join(text for text in texts if text)
        case FusedLocation(locations):
            texts = [location_text(location) for location in locations]
            return ", ".join(dict.fromkeys(text for text in texts if text))
        case _:
            return ""
