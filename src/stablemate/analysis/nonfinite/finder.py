"""The finder: a listener that ends the run at the first NaN, infinity, denormal or overflow.

An infinity or a denormal counts where it originates, or where it comes in with an argument: many
programs begin maxima with minus infinity. A NaN counts wherever it is; only where it is a constant
that has not met anything else is it left alone, since programs fill with it what nobody reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from stablemate.analysis.nonfinite.finding import NonfiniteFinding, ObservedOperand
from stablemate.analysis.nonfinite.origins import fixed_operations, origin_of
from stablemate.analysis.nonfinite.overflow import find_overflow
from stablemate.analysis.nonfinite.signs import SIGNS, elements_of, has_signs
from stablemate.analysis.operation_identity import OperationSite, Sites
from stablemate.analysis.tracing.event import (
    ElementStatistics,
    EventResult,
    TraceEvent,
    statistics_of,
)
from stablemate.analysis.tracing.frames import BlockFrame, Scopes
from stablemate.compiler.runtime.array_statistics import ElementKind, StatisticsCollector
from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.observe.listener import Computed
from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, ElementType

MOST_BYTES: Final = 1 << 22  # on the list
MOST_EVENTS: Final = 1 << 11  # on the list: fewer, larger steps against memory

KINDS: Final = (*SIGNS, "overflow")
DEFAULT_KINDS: Final = ("nan", "inf")


class SearchEnded(Exception):
    """Ends a run when a value has been found."""


@dataclass(frozen=True, eq=False, slots=True)
class ObservedOperation:
    """An operation that is looked at.

    Attributes:
        operation: As it runs.
        site: As it was written.
        positions: Which of its results are looked at, and which results of the site they are.
        kinds: How their elements are looked at.
        process: The process.
    """

    operation: Operation
    site: OperationSite
    positions: Sequence[tuple[int, int]]
    kinds: Sequence[ElementKind]
    process: ProcessId


class Finder:
    """Looks for the first number that is none.

    Attributes:
        finding: What was found.
        latest: The line that entered a block last.
    """

    def __init__(self, sites: Sites, kinds: Sequence[str]) -> None:
        self.sites = sites
        self.kinds = kinds
        self.surveyor = StatisticsCollector()
        self.scopes = Scopes(sites)
        self.looked: list[ObservedOperation] = []
        self.pending: list[tuple[int, BlockFrame, Sequence[object], Sequence[object]]] = []
        self.bytes = 0
        self.executions: Counter[int] = Counter()
        self.finding: NonfiniteFinding | None = None
        self.latest: FinderLine | None = None
        self.fixed = set(fixed_operations(sites.legalized.module.operation))

    def process(self, process: ProcessId) -> FinderLine:
        """The listener of a process."""
        return FinderLine(self, process, BlockFrame(None, None, 0, 0))

    def look(self, operation: Operation, process: ProcessId) -> ObservedOperation | None:
        """How an operation is looked at; None if it is not."""
        site_results = self.sites.results_of(operation)
        if site_results is None:
            return None
        site, positions = site_results
        chosen = [
            (i, position)
            for i, (result, position) in enumerate(zip(operation.results, positions, strict=True))
            if position is not None
            and isinstance(result.type, TensorType)
            and (has_signs(result.type.element_type) or "overflow" in self.kinds)
        ]
        if not chosen:
            return None
        types = [operation.results[i].type.element_type for i, _ in chosen]
        kinds = [self.surveyor.kind(value_type) for value_type in types]
        looked = ObservedOperation(operation, site, chosen, kinds, process)
        self.looked.append(looked)
        return looked

    def flush(self) -> None:
        """Looks at all results on the list.

        Raises:
            Found: There is one.
        """
        pending, self.pending[:] = tuple(self.pending), []
        self.bytes = 0
        if not pending:
            return
        values = tuple(chain.from_iterable([entry[3] for entry in pending]))
        owners = [i for i, entry in enumerate(pending) for _ in self.looked[entry[0]].kinds]
        codes = [kind.code for entry in pending for kind in self.looked[entry[0]].kinds]
        rows, imaginary = self.surveyor.rows(values, np.array(codes, np.uint8))
        hit = np.zeros(len(values), bool)
        for kind in self.kinds:
            if kind in SIGNS:
                hit |= SIGNS[kind](rows)
                for i, row in imaginary.items():
                    hit[i] |= bool(SIGNS[kind](row.reshape(1, -1))[0])
        suspects = sorted({owners[i] for i in np.flatnonzero(hit)})
        if "overflow" in self.kinds:
            suspects = list(range(len(pending)))
        counted = 0
        for i in suspects:
            self.executions.update(entry[0] for entry in pending[counted:i])
            counted = i
            self.judge(*pending[i])
        self.executions.update(entry[0] for entry in pending[counted:])

    def judge(
        self, key: int, frame: BlockFrame, operands: Sequence[object], results: Sequence[object]
    ) -> None:
        """Decides whether what an operation gave is a finding.

        Raises:
            Found: It is.
        """
        looked = self.looked[key]
        for (position, number), value in zip(looked.positions, results, strict=True):
            result_type: TensorType = looked.operation.results[position].type
            for kind in self.kinds:
                where = self.where(kind, looked, operands, value, result_type.element_type)
                if where is None or not where.any():
                    continue
                finding = self.finding_of(looked, frame, operands, results, kind, where, number)
                if self.counts(finding, looked):
                    self.finding = finding
                    raise SearchEnded

    def where(
        self,
        kind: str,
        looked: ObservedOperation,
        operands: Sequence[object],
        value: object,
        element: ElementType,
    ) -> Array | None:
        """Which elements of a result are of a kind; None if none can be."""
        if kind == "overflow":
            return find_overflow(looked.operation, operands, value)
        return elements_of(kind, value, element)

    def counts(self, finding: NonfiniteFinding, looked: ObservedOperation) -> bool:
        """Whether it is one that is looked for."""
        bad = [operand for operand in finding.operands if operand.is_bad]
        if not bad or finding.kind == "overflow":
            return True
        if looked.operation in self.fixed:
            return False
        return finding.kind == "nan" or any(operand.origin.kind == "argument" for operand in bad)

    def finding_of(
        self,
        looked: ObservedOperation,
        frame: BlockFrame,
        operands: Sequence[object],
        results: Sequence[object],
        kind: str,
        where: Array,
        number: int,
    ) -> NonfiniteFinding:
        """Describes the first element that is not finite: where it is and what computed it."""
        index = tuple(
            int(coordinate) for coordinate in np.unravel_index(int(np.argmax(where)), where.shape)
        )
        site = looked.site
        named = [
            self.result(site, k, looked.operation.results[i].type, value)
            for (i, k), value in zip(looked.positions, results, strict=True)
        ]
        event = TraceEvent(
            0,
            site.place,
            self.executions[self.looked.index(looked)],
            self.scopes.of(frame),
            looked.process,
            tuple(named),
        )
        bad_operands = [
            self.operand(kind, operand, value, frame, index, where.shape)
            for operand, value in zip(looked.operation.operands, operands, strict=False)
            if isinstance(operand.type, TensorType)
        ]
        which = [k for _, k in looked.positions].index(number)
        span = site.operation.span
        total = int(np.count_nonzero(where))
        return NonfiniteFinding(kind, event, index, total, which, tuple(bad_operands), span)

    def result(
        self, site: OperationSite, position: int, declared: TensorType, value: Any
    ) -> EventResult:
        """A result, with what is known of it."""
        parts = self.statistics(value, declared.element_type)
        shape = tuple(np.shape(value))
        name = site.name_of(site.operation.results[position])
        text = str(TensorType(shape, declared.element_type))
        return EventResult(name, text, shape, parts[0], parts[1] if len(parts) > 1 else None)

    def operand(
        self,
        kind: str,
        value: Any,
        array: Any,
        frame: BlockFrame,
        index: tuple[int, ...],
        shape: Sequence[int],
    ) -> ObservedOperand:
        """An operand, with what is known of it."""
        element: ElementType = value.type.element_type
        actual = tuple(np.shape(array))
        where = elements_of(kind, array, element) if kind in SIGNS else None
        there = str(np.asarray(array)[index]) if actual == tuple(shape) and actual else None
        return ObservedOperand(
            self.name_of(value),
            str(TensorType(actual, element)),
            tuple(self.statistics(array, element)),
            origin_of(value, frame, self.sites),
            there,
            bool(where is not None and where.any()),
        )

    def name_of(self, value: Any) -> str:
        """The name of a value in the printed program; empty if a pass created it."""
        try:
            return self.sites.name_of(value)
        except KeyError:
            return ""

    def statistics(self, value: object, element: ElementType) -> list[ElementStatistics]:
        """The statistics of a value's elements, by parts."""
        kind = self.surveyor.kind(element)
        rows, imaginary = self.surveyor.rows((value,), np.array([kind.code], np.uint8))
        is_unsigned = kind.scan_dtype.kind == "u"
        return [
            statistics_of(row, is_float=kind.is_float, is_unsigned=is_unsigned)
            for row in (rows[0], *imaginary.values())
        ]


class FinderLine:
    """The finder's listener of one process."""

    def __init__(self, finder: Finder, process: ProcessId, frame: BlockFrame) -> None:
        self.finder = finder
        self.process_id = process
        self.frame = frame

    def watch(self, operation: Operation) -> Computed | None:
        """Examines the operands and results of an operation."""
        finder = self.finder
        looked = finder.look(operation, self.process_id)
        if looked is None:
            return None
        key = len(finder.looked) - 1
        positions = [i for i, _ in looked.positions]

        def add_event(operands: Sequence[object], results: Sequence[object]) -> None:
            chosen = [results[i] for i in positions]
            finder.pending.append((key, self.frame, operands, chosen))
            finder.bytes += sum([np.asarray(chosen_array).nbytes for chosen_array in chosen])
            if finder.bytes >= MOST_BYTES or len(finder.pending) >= MOST_EVENTS:
                finder.flush()

        return add_event

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """Pushes a frame for the block of ``region``."""
        self.frame = self.frame.inside(operation, region)
        self.finder.latest = self

    def leave(self) -> None:
        """Pops the frame of the block that has ended."""
        parent = self.frame.parent
        assert parent is not None, "what is left was entered"
        self.frame = parent

    def process(self, process: ProcessId) -> FinderLine:
        """The listener of a process of a grid inside this one."""
        return FinderLine(self.finder, process, self.frame)
