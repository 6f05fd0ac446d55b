"""Comparison: the results of two runs, and how far they diverge from operation to operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.analysis.quantities import format_count
from stablemate.analysis.tables import TextTable, html_of, text_of
from stablemate.analysis.tolerance import Tolerance
from stablemate.analysis.written_names import printed_name
from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.debugging.closeness import Closeness, closeness
from stablemate.debugging.executors import EXECUTORS, executor
from stablemate.debugging.operations import body_operations, main_of, without_convention
from stablemate.debugging.recording import RecordedValues, record_values
from stablemate.debugging.subjects import CounterpartProgram, owner_of
from stablemate.debugging.tables import (
    ERRORS,
    cells_of,
    closeness_json,
    elements_table,
    operation_json,
    place_text,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError
from stablemate.formats.mlir.names import value_names
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.types import TensorType
from stablemate.transforms.excerpt import Uses, excerpt
from stablemate.transforms.inline import inline
from stablemate.transforms.outlining import is_constant

SHOWN: Final = 20  # values that differ
AGREEING: Final = 5  # values that are shown if none differs
DETAILED: Final = 3  # results whose first different elements are shown
TRACED: Final = ("cpu", "interpreter")  # executors that tell what they compute on the way


@dataclass(frozen=True, slots=True)
class Compared:
    """A value in both runs.

    Attributes:
        name: What the program calls it.
        type: Its type.
        operation: The operation that gives it; None of a result.
        occurrence: Which time it was computed, of those the one that diverges most.
        closeness: How far it is off.
        moment: When it was computed in the first run, as a number that grows.
    """

    name: str
    type: str
    operation: Operation | None
    occurrence: int
    closeness: Closeness
    moment: int = 0


@dataclass(frozen=True, slots=True)
class ProgramComparison:
    """Two runs, side by side.

    Attributes:
        results: The results of the program.
        steps: The values on the way, in the order in which they were first computed; empty if they
            were not asked for, or cannot be had.
        failures: Why a run gave no results, by what ran; empty if all did.
        remark: Why there are no steps; empty if there are.
    """

    results: Sequence[Compared]
    steps: Sequence[Compared]
    failures: Mapping[str, str]
    remark: str = ""

    @property
    def matches(self) -> bool:
        """Whether all results are near enough, or both runs failed in the same way."""
        reasons = set(self.failures.values())
        if self.failures:
            return len(self.failures) == 2 and len(reasons) == 1
        return all(result.closeness.matches for result in self.results)

    @property
    def first(self) -> Compared | None:
        """The first value outside the tolerance, in the order of the run."""
        diverging = [step for step in self.steps if not step.closeness.matches]
        return min(diverging, key=lambda step: step.moment, default=None)

    def tables(self, listed: int = SHOWN) -> Iterator[TextTable]:
        """Prints the comparison.

        Args:
            listed: How many results and values on the way are shown that are not near enough; if
                all are, a few with the largest errors are.
        """
        for name, reason in self.failures.items():
            yield TextTable(f"{name} gave no results: {reason}")
        if self.results:
            yield self.results_table(listed)
        differing = [result for result in self.results if not result.closeness.matches]
        for result in differing[:DETAILED]:
            yield from elements_table(result.name, result.closeness)
        if self.steps:
            yield self.steps_table(listed)
        if self.remark:
            yield TextTable(self.remark)
        yield TextTable(self.verdict)

    def results_table(self, listed: int) -> TextTable:
        """The results that differ, and how many do not; if none does, the least near ones."""
        differing = [result for result in self.results if not result.closeness.matches]
        shown = differing[:listed] or least_near(self.results, AGREEING)
        rows = [[result.name, result.type, *cells_of(result.closeness)] for result in shown]
        notes = omission_notes(self.results, differing, len(shown), "result")
        return TextTable("results", ("name ", "type ", *ERRORS, "verdict "), rows, notes)

    def steps_table(self, listed: int) -> TextTable:
        """The values on the way that differ, in the order of the run, and how many do not."""
        steps = sorted(self.steps, key=lambda step: step.moment)
        differing = [step for step in steps if not step.closeness.matches]
        shown = differing[:listed] or sorted(
            least_near(self.steps, min(listed, AGREEING)), key=lambda step: -relative_error(step)
        )
        title = "where they diverge" if differing else "largest relative errors on the way"
        columns = ("value ", "operation ", "time", *ERRORS, "verdict ")
        notes = omission_notes(steps, differing, len(shown), "value")
        return TextTable(title, columns, [step_cells(step) for step in shown], notes)

    @property
    def verdict(self) -> str:
        """Whether they match, in a sentence."""
        if self.first is not None and self.first.operation is not None:
            return f"They diverge first at {self.first.name}, {place_text(self.first.operation)}."
        return "They match." if self.matches else "They differ."

    def to_json(self) -> dict[str, object]:
        """The comparison as JSON has it."""
        return {
            "matches": self.matches,
            "failures": dict(self.failures),
            "remark": self.remark,
            "first": None if self.first is None else compared_json(self.first),
            "results": [compared_json(result) for result in self.results],
            "steps": [compared_json(step) for step in self.steps],
        }

    def __str__(self) -> str:
        return text_of(self.tables())

    def _repr_html_(self) -> str:
        return html_of(self.tables())


def least_near(values: Sequence[Compared], number: int) -> list[Compared]:
    """The values with the largest relative errors, in the order in which they stand."""
    compared = [value for value in values if value.closeness.comparison is not None]
    largest = {id(value) for value in sorted(compared, key=lambda v: -relative_error(v))[:number]}
    return [value for value in values if id(value) in largest]


def omission_notes(
    values: Sequence[Compared], differing: Sequence[Compared], shown: int, noun: str
) -> list[str]:
    """How many values are not shown: those that differ, and those that agree."""
    notes: list[str] = []
    if len(differing) > shown:
        notes.append(f"and {len(differing) - shown} more that differ")
    agreeing = len(values) - len(differing)
    unseen = agreeing if differing else agreeing - shown
    if unseen > 0:
        what = format_count(unseen, noun if differing else f"other {noun}")
        notes.append(f"{what} {'agrees' if unseen == 1 else 'agree'} within the tolerance")
    return notes


def relative_error(step: Compared) -> float:
    """How far a value is off at most, relatively."""
    comparison = step.closeness.comparison
    return 0.0 if comparison is None else comparison.largest.relative


def step_cells(step: Compared) -> list[str]:
    """The row of a value on the way."""
    place = "" if step.operation is None else place_text(step.operation)
    return [step.name, place, str(step.occurrence), *cells_of(step.closeness)]


def compared_json(compared: Compared) -> dict[str, object]:
    """A value in both runs as an object."""
    owner = {} if compared.operation is None else operation_json(compared.operation)
    return {
        "name": compared.name,
        "type": compared.type,
        **owner,
        "occurrence": compared.occurrence,
        **closeness_json(compared.closeness),
    }


def compare(
    source: Readable | Module, *arguments: object, other: Readable | Module | None = None,
    backend: str = "cpu", against: str = "interpreter", tolerance: Tolerance | None = None,
    steps: bool = True, order: Order = REFERENCE_ORDER,
) -> ProgramComparison:  # fmt: skip
    """Two executors on a program, or two programs on an executor.

    Args:
        source: The program that is compared, or what ``load`` takes.
        *arguments: Its arguments.
        other: The program that it is compared with; it takes the same arguments. Without it the
            same program is run by another executor.
        backend: Who runs the program: ``cpu``, ``interpreter`` or ``xla``.
        against: Who runs what it is compared with: the same, if that is another program.
        tolerance: What is near enough; by default half of the digits of a float.
        steps: Whether values on the way are compared as well.
        order: The order of the interpreter's sums, as for ``run``.

    Raises:
        VerifyError: A program is not valid.
        ArgumentError: There is no such executor or order, it is not installed, or an argument does
            not fit.
    """
    module, inputs = without_convention(module_of(source), arguments)
    module.verify_executable()
    second = module
    if other is not None:
        second, _ = without_convention(module_of(other), ())
        second.verify_executable()
        against = backend
    names = {"first": backend, "second": against}
    results_of: dict[str, Sequence[object]] = {}
    failures: dict[str, str] = {}
    for which, program in (("first", module), ("second", second)):
        run = executor(names[which], order)
        try:
            results_of[which] = run(program, inputs)
        except ArgumentValueError:
            raise
        except StablemateError as error:
            failures[title(which, names, other is not None)] = str(error)
    results: Sequence[Compared] = ()
    if not failures:
        signature = module.entry().own_signature
        types = [(result.name, str(result.type)) for result in signature.results]
        results = list(side_by_side(types, results_of["first"], results_of["second"], tolerance))
    if not steps:
        return ProgramComparison(results, (), failures)
    try:
        first, others = Module(inline(module.ir)), Module(inline(second.ir))
        pairs = Pairs(first, others)
    except ArgumentValueError as error:
        return ProgramComparison(results, (), failures, str(error))
    mine = values_of(first, inputs, backend, order)
    theirs = values_of(others, inputs, against, order)
    return ProgramComparison(results, list(pairs.compare(mine, theirs, tolerance)), failures)


def title(which: str, names: Mapping[str, str], is_other: bool) -> str:
    """The name of a run: its program, if there are two, else its executor."""
    return f"{which} program" if is_other else names[which]


def side_by_side(
    types: Sequence[tuple[str, str]], actual: Sequence[object], expected: Sequence[object],
    tolerance: Tolerance | None,
) -> Iterator[Compared]:  # fmt: skip
    """The results of both runs; one that only one of them has is a difference."""
    for i in range(max(len(actual), len(expected))):
        name, text = types[i] if i < len(types) else (f"result {i}", "")
        if i < min(len(actual), len(expected)):
            if actual[i] is None or isinstance(actual[i], tuple):
                continue
            close = closeness(actual[i], expected[i], tolerance)
        else:
            owner = "first" if i < len(actual) else "second"
            close = Closeness(None, difference=f"only the {owner} program has it")
        yield Compared(name, text, None, 0, close)


def values_of(
    module: Module, arguments: Sequence[object], backend: str, order: Order
) -> RecordedValues:
    """The intermediate values of an executor; without an observer those of ``main``."""
    if backend in TRACED:
        return record_values(module, arguments, backend=backend, order=order)
    recording = RecordedValues()
    function = main_of(module.ir)
    if function is None or len(function.body.blocks) != 1:
        return recording
    operations = body_operations(function.body.block)
    values = [
        v for operation in operations for v in operation.results if isinstance(v.type, TensorType)
    ]
    piece = excerpt(Uses(module.ir), operations, values)
    argument_values: dict[Value, object] = {}
    argument_values.update(zip(function.body.block.arguments, arguments, strict=True))
    try:
        inputs = [argument_values[argument] for argument in piece.arguments]
        for value, computed in zip(
            values, EXECUTORS[backend](Module(piece.module), inputs), strict=True
        ):
            recording.add(value, computed)
    except StablemateError as error:
        recording.failure = error
    return recording


class Pairs:
    """The corresponding values of two programs."""

    def __init__(self, first: Module, second: Module) -> None:
        """The pairs.

        Raises:
            ArgumentValueError: The programs differ in structure.
        """
        self.names = value_names(first.ir)
        run = EXECUTORS["interpreter"]
        self.values = CounterpartProgram(first.ir, second.ir, run).values

    def compare(
        self, mine: RecordedValues, theirs: RecordedValues, tolerance: Tolerance | None
    ) -> Iterator[Compared]:
        """The values that both runs have computed, in the order of the first."""
        for value, computed in mine.values.items():
            owner = owner_of(value)
            is_told = isinstance(value, OpResult) and isinstance(value.type, TensorType)
            expected = theirs.values.get(self.values[value])
            if not is_told or expected is None or owner is None or is_constant(owner):
                continue
            yield self.worst(value, owner, computed, expected[1], tolerance)

    def worst(
        self, value: Value, owner: Operation, actual: tuple[Sequence[int], Sequence[object]],
        expected: Sequence[object], tolerance: Tolerance | None,
    ) -> Compared:  # fmt: skip
        """The time of the first value outside the tolerance, or of the largest divergence."""
        name, text = printed_name(value, self.names), str(value.type)
        worst = Compared(name, text, owner, 0, Closeness(None, difference="never computed"))
        largest = -1.0
        element = value.type.element_type
        for i, (moment, a, b) in enumerate(zip(*actual, expected, strict=False)):
            close = closeness(a, b, tolerance, element)
            if not close.matches:
                return Compared(name, text, owner, i, close, moment)
            assert close.comparison is not None
            if close.comparison.largest.absolute > largest:
                largest = close.comparison.largest.absolute
                worst = Compared(name, text, owner, i, close, moment)
        return worst
