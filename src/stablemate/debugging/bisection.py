"""Bisection: the first operation where an executor, or another program, diverges from a reference.

The operations of a block are cut in halves; a half runs with the values that the reference has
there, and its results are compared with those of the reference. So errors from before do not count,
and about 2 log2(n) runs of ever smaller programs find where the difference originates. An
operation of control flow is entered: one iteration of its block runs with the values of that
iteration.

The reference is the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.analysis.quantities import format_count
from stablemate.analysis.tables import TextTable, html_of, text_of
from stablemate.analysis.tolerance import Tolerance
from stablemate.analysis.written_names import printed_name
from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.debugging.closeness import Closeness, closeness
from stablemate.debugging.executors import executor
from stablemate.debugging.minimal import minimal
from stablemate.debugging.operations import body_operations, count, main_of, without_convention
from stablemate.debugging.recording import NEVER, RecordedValues, arrays, record_values
from stablemate.debugging.subjects import ByExecutor, CounterpartProgram, Subject
from stablemate.debugging.tables import (
    ERRORS,
    cells_of,
    closeness_json,
    elements_table,
    operation_json,
    place_text,
    range_text,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError, VerifyError
from stablemate.diagnostics.progress import report_step
from stablemate.execution.observe.listener import CONTROL_FLOW
from stablemate.formats.mlir.names import value_names
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import TensorType
from stablemate.transforms.excerpt import Excerpt, Uses, excerpt
from stablemate.transforms.inline import inline

SHOWN_OPERATIONS: Final = 3  # of those that diverge only together
MOST_ITERATIONS: Final = 4096  # of a loop that are compared


@dataclass(frozen=True, slots=True)
class Iteration:
    """A block of control flow that was entered.

    Attributes:
        operation: Whose block it is.
        region: Which of its regions.
        number: Which time that the block ran, from 0; of an inner loop all times count.
    """

    operation: Operation
    region: int
    number: int


@dataclass(frozen=True, slots=True)
class Divergence:
    """A value that differs from the reference by more than the tolerance.

    Attributes:
        name: Its name in the program.
        type: Its type.
        closeness: Its errors.
    """

    name: str
    type: str
    closeness: Closeness


@dataclass(frozen=True, slots=True)
class Bisection:
    """Where a difference originates.

    Attributes:
        operations: The operation; several, if they diverge only together; none if none diverges.
        inside: The enclosing iterations of control flow, outermost first.
        parted: The values that diverge.
        failure: Why the subject computed no values; None if it did.
        module: The operations as a program of their own.
        arguments: Their arguments in the reference.
        runs: How many programs were run by the subject.
        before: How many operations the whole program has.
        masked: Whether the difference changes no result of the program.
    """

    operations: Sequence[Operation]
    inside: Sequence[Iteration]
    parted: Sequence[Divergence]
    failure: str | None
    module: Module | None
    arguments: Sequence[object]
    runs: int
    before: int
    masked: bool

    @property
    def matches(self) -> bool:
        """Whether the two executors agree on every operation."""
        return not self.operations

    def tables(self) -> Iterator[TextTable]:
        """Renders the operation that diverges, its operands and its results as tables."""
        if self.matches:
            yield TextTable(f"No operation diverges, after {self.runs} runs.")
            return
        if self.failure is not None:
            yield TextTable(f"It gives no values: {self.failure}")
        rows = [[f"argument {i}", range_text(value)] for i, value in enumerate(self.arguments)]
        yield TextTable("what the operation takes", ("", "range "), rows)
        rows = [
            [divergence.name, divergence.type, *cells_of(divergence.closeness)]
            for divergence in self.parted
        ]
        yield TextTable("what diverges", ("name ", "type ", *ERRORS, "verdict "), rows)
        for divergence in self.parted[:1]:
            yield from elements_table(divergence.name, divergence.closeness)
        verdict, *others = self.sentences
        yield TextTable(verdict, notes=others)

    @property
    def results_differ(self) -> bool:
        """Whether the difference changes a result of the program."""
        return bool(self.operations) and not self.masked

    @property
    def verdict(self) -> str:
        """Where the difference originates, whether results show it, and how it was found."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> Sequence[str]:
        """The sentences of the verdict."""
        if self.matches:
            return ("No operation diverges.",)
        inside = "".join(
            f", in iteration {iteration.number} of region {iteration.region} "
            f"of {place_text(iteration.operation)}"
            for iteration in reversed(self.inside)
        )
        results = "agree within the tolerance" if self.masked else "differ, too"
        runs = f"{format_count(self.runs, 'run')} of parts of the program"
        size = format_count(self.before, "operation")
        return (
            f"The difference originates {self.origin}{inside}.",
            f"The results of the program {results}.",
            f"Found by {runs}, which has {size} besides constants.",
        )

    @property
    def origin(self) -> str:
        """``at stablehlo.add (m.mlir:3:8)``; of several operations the first few."""
        places = [place_text(operation) for operation in self.operations]
        if len(places) == 1:
            return f"at {places[0]}"
        shown = places[:SHOWN_OPERATIONS]
        rest = len(places) - len(shown)
        last = format_count(rest, "other") if rest else shown.pop()
        listed = f"{', '.join(shown)} and {last}"
        return f"in {len(places)} operations that diverge only together: {listed}"

    def to_json(self) -> dict[str, object]:
        """The bisection as JSON has it."""
        return {
            "matches": self.matches,
            "operations": [operation_json(operation) for operation in self.operations],
            "inside": [
                {
                    **operation_json(iteration.operation),
                    "region": iteration.region,
                    "turn": iteration.number,
                }
                for iteration in self.inside
            ],
            "failure": self.failure,
            "masked": self.masked,
            "results_differ": self.results_differ,
            "parted": [
                {
                    "name": divergence.name,
                    "type": divergence.type,
                    **closeness_json(divergence.closeness),
                }
                for divergence in self.parted
            ],
            "runs": self.runs,
            "operations_before": self.before,
        }

    def __str__(self) -> str:
        return text_of(self.tables())

    def _repr_html_(self) -> str:
        return html_of(self.tables())


def bisect(
    source: Readable | Module, *arguments: object, other: Readable | Module | None = None,
    backend: str = "cpu", tolerance: Tolerance | None = None,
    report: Callable[[str], object] = lambda text: None, order: Order = REFERENCE_ORDER,
) -> Bisection:  # fmt: skip
    """Finds the first operation that diverges from the interpreter.

    Args:
        source: The program, or what ``load`` takes.
        *arguments: Its arguments.
        other: A program with the same operations but for some that may differ: these are found.
            Without it the program is run by another executor.
        backend: Who runs what is compared: ``cpu``, ``xla`` or ``interpreter``.
        tolerance: What is near enough; by default half of the digits.
        report: Told what was found, from time to time.
        order: The order of the interpreter's sums, as for ``run``.

    Raises:
        VerifyError: A program is not valid.
        ArgumentError: There is no such executor or order, it is not installed, an argument does not
            fit, or the programs differ in structure.
    """
    module, inputs = without_convention(module_of(source), arguments)
    module.verify_executable()
    inlined = Module(inline(module.ir))
    run = executor(backend, order)
    subject: Subject = ByExecutor(run)
    if other is not None:
        second, _ = without_convention(module_of(other), ())
        second.verify_executable()
        subject = CounterpartProgram(inlined.ir, inline(second.ir), run)
    recording = record_values(inlined, inputs, order=order)
    return Bisector(inlined, recording, subject, tolerance, report).run()


class Bisector:
    """Looks for the first operation that diverges.

    Attributes:
        runs: How many programs the subject has run.
        rounds: How often operations were halved.
        everything: Whether all values count, or those alone that others use.
    """

    def __init__(
        self, module: Module, recording: RecordedValues, subject: Subject,
        tolerance: Tolerance | None, report: Callable[[str], object],
    ) -> None:  # fmt: skip
        self.module = module
        self.recording = recording
        self.subject = subject
        self.tolerance = tolerance
        self.report = report
        self.uses = Uses(module.ir)
        self.names = value_names(module.ir)
        self.runs = 0
        self.rounds = 0
        self.everything = False
        self.failure: str | None = None

    def run(self) -> Bisection:
        """The first operation that diverges, inside of control flow too.

        Raises:
            ArgumentValueError: The program has no function ``main``, nor one alone.
        """
        function = main_of(self.module.ir)
        if function is None or len(function.body.blocks) != 1:
            raise ArgumentValueError("which function? The program has none that is called main")
        chosen: Sequence[Operation] = self.recorded_operations(
            body_operations(function.body.block), NEVER
        )
        moment, inside = NEVER, list[Iteration]()
        if not self.diverges(chosen, moment):
            self.everything = True
            if not self.diverges(chosen, moment):
                before = count(self.module.ir)
                return Bisection((), (), (), None, None, (), self.runs, before, masked=False)
        chosen = self.narrow(chosen, moment)
        while (entered := self.diverging_iteration(chosen)) is not None:
            iteration, block, moment = entered
            inside.append(iteration)
            chosen = self.narrow(body_operations(block), moment)
        piece = self.piece(chosen)
        divergences = self.divergences(piece, moment)
        values = self.recording.of(piece.arguments, moment) or ()
        return Bisection(
            chosen, inside, divergences, self.failure, Module(piece.module), arrays(values),
            self.runs, count(self.module.ir), self.everything,
        )  # fmt: skip

    def piece(self, operations: Sequence[Operation]) -> Excerpt:
        """Some operations as a program that returns the values used by others, or all values."""
        values = [result for operation in operations for result in operation.results]
        return excerpt(self.uses, operations, values if self.everything else None)

    def recorded_operations(
        self, operations: Sequence[Operation], moment: int
    ) -> Sequence[Operation]:
        """The operations up to where the reference failed, if it did."""
        for number, operation in enumerate(operations):
            if operation.results and self.recording.of(operation.results, moment) is None:
                return operations[:number]
        return operations

    def narrow(self, operations: Sequence[Operation], moment: int) -> Sequence[Operation]:
        """The first operation of some that diverges; several, if only together they do."""
        while len(operations) > 1:
            self.rounds += 1
            left = (len(operations) - 1).bit_length()
            report_step("step", self.rounds, self.rounds + left - 1, is_estimate=True)
            diverging_half = next((h for h in halves(operations) if self.diverges(h, moment)), None)
            if diverging_half is None:
                group = minimal(operations, lambda some: self.diverges(some, moment))
                self.report(f"{len(group)} operations diverge together")
                return group or operations
            operations = diverging_half
            self.report(f"{len(operations)} operations diverge")
        return operations

    def diverging_iteration(
        self, operations: Sequence[Operation]
    ) -> tuple[Iteration, Block, int] | None:
        """The first iteration of a block in an operation that diverges; None if none does."""
        for operation in operations if len(operations) == 1 else ():
            for region, block in blocks_of(operation):
                inner = body_operations(block)
                piece = self.piece(inner) if inner else None
                for number, moment in enumerate(self.recording.moments(block, MOST_ITERATIONS)):
                    if piece is not None and self.differs(piece, moment):
                        iteration = self.recording.ends[block].index(moment)
                        return Iteration(operation, region, iteration or number), block, moment
        return None

    def diverges(self, operations: Sequence[Operation], moment: int) -> bool:
        """Whether operations compute other values than in the reference, from the same operands."""
        return bool(operations) and self.differs(self.piece(operations), moment)

    def differs(self, piece: Excerpt, moment: int) -> bool:
        """Whether a piece computes other values."""
        return bool(self.divergences(piece, moment)) or self.failure is not None

    def divergences(self, piece: Excerpt, moment: int) -> list[Divergence]:
        """Returns the values of an excerpt that diverge."""
        expected = self.recording.of(piece.results, moment)
        self.failure = None
        if expected is None or self.recording.of(piece.arguments, moment) is None:
            return []
        self.runs += 1
        try:
            actual = self.subject(piece, self.recording, moment)
        except VerifyError:
            return []  # the excerpt separates operations that belong together
        except StablemateError as error:
            self.failure = str(error)
            return []
        return [
            Divergence(printed_name(value, self.names), str(value.type), close)
            for value, close in self.compare(piece.results, actual, expected)
            if not close.matches
        ]

    def compare(
        self, values: Sequence[Value], actual: Sequence[object], expected: Sequence[object]
    ) -> Iterator[tuple[Value[TensorType], Closeness]]:
        """How near each tensor is."""
        for value, actual_value, expected_value in zip(values, actual, expected, strict=True):
            if isinstance(value.type, TensorType):
                element = value.type.element_type
                yield value, closeness(actual_value, expected_value, self.tolerance, element)


def halves(operations: Sequence[Operation]) -> Iterator[Sequence[Operation]]:
    """Both halves, the first one first."""
    middle = len(operations) // 2
    yield operations[:middle]
    yield operations[middle:]


def blocks_of(operation: Operation) -> Iterator[tuple[int, Block]]:
    """The blocks of control flow of an operation, each with the number of its region."""
    if operation.name in CONTROL_FLOW:
        for number, region in enumerate(operation.regions):
            for block in region.blocks[:1]:
                yield number, block
