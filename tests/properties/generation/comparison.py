"""Runs generated programs here and elsewhere, and says where they differ.

A batch of programs stands in one module. It is printed, read back and run here; then XLA and the
reference interpreter run what they can of it, cut into pieces on which they have to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.api.module import Module
from stablemate.dialects.chlo.broadcasting import BroadcastBinary
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, ElementType, IntegerType, QuantizedType
from tests.interpreter.dynamic_sizes import open_function
from tests.oracle.client import Oracle, OracleAborted, OracleError
from tests.properties.generation.findings import Finding, Report, first_difference
from tests.properties.generation.formats import FORMATS, through
from tests.properties.generation.limits import is_cut, limit_of
from tests.properties.generation.modules import (
    ProgramFunction,
    Values,
    captured,
    cut,
    module_of,
    observed,
    uses,
    whole,
)
from tests.properties.generation.native import Refused, native
from tests.properties.generation.operations import base_name, element_of
from tests.properties.generation.programs import Program
from tests.properties.generation.tolerances import (
    NATIVE,
    Question,
    differs,
    disagreement,
    is_float,
    widest,
)

OTHERS: Final = ("xla", "reference")
EXECUTORS: Final = (*OTHERS, *NATIVE, *FORMATS)
# In a long campaign every executor gets its share of the batches: one of so many, from which on.
SHARES: Final = {
    "xla": (4, 0),
    "reference": (2, 1),
    "fused": (2, 0),
    "unfused": (2, 1),
    **{name: (8, 2 * number + 1) for number, name in enumerate(FORMATS)},
}
# For XLA: a program runs once, so that it pays to compile it quickly.
QUICK: Final = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"


class Comparison:
    """Compares batches of programs.

    Attributes:
        oracle: XLA and the reference interpreter.
        executors: Who is compared with.
        turn: Which batch of a long campaign this is; None if everything is done for every batch.
        report: What was found so far.
    """

    def __init__(self, oracle: Oracle, executors: Sequence[str] = EXECUTORS) -> None:
        self.oracle = oracle
        self.executors = executors
        self.turn: int | None = None
        self.report = Report()

    def is_due(self, every: int, first: int) -> bool:
        """Whether something that is done in one of so many batches is done in this one."""
        return self.turn is None or self.turn % every == first

    def compare(self, programs: Sequence[Program]) -> None:
        """Runs a batch of programs everywhere, or in a long campaign where it is their turn."""
        self.report.programs += len(programs)
        values = self.run_here(programs)
        if values is None:
            return
        self.report.ran["interpreter"] += len(programs)
        for program in programs:
            self.report.cover(program.block)
        for executor in self.executors:
            if not self.is_due(*SHARES[executor]):
                continue
            pieces = [
                self.piece(executor, program, known_values, number)
                for number, (program, known_values) in enumerate(zip(programs, values, strict=True))
            ]
            for number, answer in self.answers(executor, pieces):
                self.report.ran[executor] += 1
                self.judge(executor, programs[number], values[number], pieces[number], answer)

    # ---- here

    def run_here(self, programs: Sequence[Program]) -> list[Values] | None:
        """The values of all programs; None if a stage went wrong."""
        pieces = [observed(program, f"p{i}") for i, program in enumerate(programs)]
        module = self.reread(module_of(pieces), len(programs))
        if module is None:
            return None
        try:
            results = iter(results_of(module, arguments(pieces)))
        except Exception as error:
            if len(programs) > 1:
                singles = [self.run_here([program]) for program in programs]
                return [single[0] for single in singles if single] if all(singles) else None
            self.add("run", f"{type(error).__name__}: {error}", pieces)
            return None
        values: list[Values] = [
            {v: np.asarray(next(results)) for v in piece.observed} for piece in pieces
        ]
        self.check_whole(programs, values)
        return values

    def reread(self, module: Module, count: int) -> Module | None:
        """What is read back from both forms, which has to be the same and valid."""
        for generic in (True, False):
            if not self.is_due(2, int(generic)):
                continue
            self.report.ran["generic text" if generic else "text"] += count
            written = module.to_text(generic=generic)
            try:
                again = sm.load(written)
                again.verify()
            except sm.StablemateError as error:
                self.report.findings.append(Finding("read", str(error), written))
                return None
            difference = module.difference(again)
            if difference or again.to_text(generic=generic) != written:
                self.report.findings.append(Finding("print", difference, written))
            if self.is_due(4, 2 - generic) and not self.is_printed_alike(written, generic):
                return None
        return again

    def is_printed_alike(self, written: str, generic: bool) -> bool:
        """Whether upstream accepts a text; it is to print it as we do."""
        try:
            printed = self.oracle.print(written, generic=generic)
        except OracleError as error:
            self.report.findings.append(Finding("accept", str(error), written))
            return False
        if printed.strip() != written.strip():
            self.report.findings.append(
                Finding("print", first_difference(written, printed), written)
            )
        return True

    def check_whole(self, programs: Sequence[Program], values: Sequence[Values]) -> None:
        """Runs the programs with nothing but their last value as result.

        Once as they are and once with open sizes, wherever the rules let a size be open.
        """
        pieces = [whole(program, f"p{i}") for i, program in enumerate(programs)]
        if self.is_due(4, 3):
            self.report.ran["fewer results"] += len(pieces)
            self.check_values("fewer results", pieces, values)
        if not self.is_due(4, 0):
            return
        flat = [i for i, program in enumerate(programs) if stands_alone(program)]
        if flat:
            self.report.ran["open sizes"] += len(flat)
            chosen, known_values = [pieces[i] for i in flat], [values[i] for i in flat]
            self.check_values("open sizes", chosen, known_values, open_sizes)

    def check_values(
        self,
        how: str,
        pieces: Sequence[ProgramFunction],
        values: Sequence[Values],
        change: Callable[[Module], None] = lambda _: None,
    ) -> None:
        """Runs a variant of the programs, which has to give the same values."""
        module = module_of(pieces)
        change(module)
        try:
            results = iter(results_of(module, arguments(pieces)))
        except Exception as error:
            if len(pieces) > 1:
                for piece, known_values in zip(pieces, values, strict=True):
                    self.check_values(how, [piece], [known_values], change)
            elif isinstance(error, sm.UnsupportedError):
                self.refuse(how, error, str(module))
            else:
                detail = f"{type(error).__name__}: {error}"
                finding = Finding(how, detail, str(module), arguments(pieces))
                self.report.findings.append(finding)
            return
        for piece, known_values in zip(pieces, values, strict=True):
            for value in piece.observed:
                result = np.asarray(next(results))
                if (
                    result.shape != known_values[value].shape
                    or differs(result, known_values[value]).any()
                ):
                    self.add(how, "another value", [piece], known_values[value], result)

    # ---- elsewhere

    def piece(
        self, executor: str, program: Program, values: Values, number: int
    ) -> ProgramFunction:
        """What an executor runs of a program."""
        known_values: dict[Value[Any], Array] = dict(values)
        known_values.update(zip(program.block.arguments, program.arguments, strict=True))

        def leaves_out(operation: Operation) -> bool:
            by_key = {
                value: known_values[value] for value in uses(operation) if value in known_values
            }
            reason = limit_of(executor, operation, by_key)
            if reason:
                self.report.left_out[executor, reason] += 1
            return bool(reason)

        if executor in FORMATS:
            return cut(
                program,
                f"p{number}",
                values,
                leaves_out=leaves_out,
                cuts=lambda _: False,
                alone=(),
            )
        cuts = partial(is_cut, executor=executor)
        if executor not in NATIVE:
            return cut(program, f"p{number}", values, leaves_out=leaves_out, cuts=cuts)
        used = {value for operation in program.block.operations for value in uses(operation)}

        def observes(value: Any) -> bool:  # not all values: what is a result is not fused
            return value not in used or cuts(value.operation)

        name = f"p{number}"
        return cut(
            program, name, values, leaves_out=leaves_out, cuts=cuts, alone=(), observes=observes
        )

    def answers(
        self, executor: str, pieces: Sequence[ProgramFunction], first: int = 0
    ) -> Iterator[tuple[int, list[Array]]]:
        """The results of each piece; a batch that is refused is asked for in halves."""
        text = module_of(pieces).to_text(generic=executor == "reference")
        try:
            results = iter(self.ask(executor, text, arguments(pieces)))
        except Exception as error:
            if len(pieces) == 1:
                if isinstance(error, OracleError | Refused | sm.UnsupportedError):
                    self.refuse(executor, error, text)
                else:
                    self.add(f"{executor} failed", f"{type(error).__name__}: {error}", pieces)
                return
            half = len(pieces) // 2
            yield from self.answers(executor, pieces[:half], first)
            yield from self.answers(executor, pieces[half:], first + half)
            return
        for number, piece in enumerate(pieces):
            yield first + number, [next(results) for _ in piece.observed]

    def ask(self, executor: str, text: str, arguments: Sequence[Array]) -> Sequence[Array]:
        """The results of a module."""
        match executor:
            case "xla":
                return self.oracle.xla(text, *arguments)
            case "reference":
                return self.oracle.reference(text, *arguments)
            case "fused" | "unfused":
                how, results = native(executor, text, arguments)
                self.report.variants[how] += 1
                return results
            case _:
                return through(executor, text, arguments)

    def refuse(self, executor: str, error: Exception, text: str) -> None:
        """Notes that an executor could not run a program."""
        value = error.stderr if isinstance(error, OracleAborted) else str(error).splitlines()
        line = next((item for item in value if "rror" in item or "expected" in item), str(error))
        self.report.refused[executor, line.strip()[:160]] += 1
        self.report.refusals.append((executor, line.strip(), text))

    def judge(
        self,
        executor: str,
        program: Program,
        values: Values,
        piece: ProgramFunction,
        answer: Sequence[Array],
    ) -> None:
        """Compares all values of a program."""
        known_values: dict[Value[Any], Array] = dict(values)
        known_values.update(zip(program.block.arguments, program.arguments, strict=True))
        for value, theirs in zip(piece.observed, answer, strict=True):
            operation: Operation = value.operation  # type: ignore[attr-defined]
            self.report.compared[executor, base_name(operation)] += 1
            question = Question(
                executor,
                operation,
                operation.results.index(value),  # type: ignore[arg-type]
                operand_arrays(operation, known_values),
                values[value],
                theirs,
                partial(magnitude, program, operation, known_values, value),
            )
            detail = disagreement(question)
            if detail and (executor in NATIVE or executor in FORMATS):
                kind = f"{executor} {base_name(operation)}"
                self.add(kind, detail, [piece], question.ours, theirs)
            elif detail:
                self.confirm(question, alone(program, operation, known_values), value)

    def confirm(self, question: Question, piece: ProgramFunction, value: Any) -> None:
        """Keeps a difference if it is there when nothing but the operation is run.

        Else the other executor has confused it with something that stands beside it: its buffers
        are known to overlap, and here the value was right.
        """
        executor, name = question.executor, base_name(question.operation)
        for _, (*answer,) in self.answers(executor, [piece]):
            theirs = answer[piece.observed.index(value)]
            detail = disagreement(replace(question, theirs=theirs))
            if detail:
                self.add(f"{executor} {name}", detail, [piece], question.ours, theirs)
                return
        self.report.unconfirmed[executor, name] += 1

    def add(
        self,
        kind: str,
        detail: str,
        pieces: Sequence[ProgramFunction],
        ours: Any = None,
        theirs: Any = None,
    ) -> None:
        """Keeps a finding."""
        self.report.findings.append(
            Finding(kind, detail, str(module_of(pieces)), arguments(pieces), ours, theirs)
        )


def operand_arrays(operation: Operation, values: Mapping[Value[Any], Array]) -> list[Array]:
    """What the operands of an operation hold, of the shape that they are brought to."""
    arrays = [values[operand] for operand in operation.operands if operand in values]
    if not isinstance(operation, BroadcastBinary):
        return arrays
    aligned = [x.reshape(t.shape) for x, t in zip(arrays, operation.aligned_types(), strict=True)]
    return [*np.broadcast_arrays(*aligned)]


def arguments(pieces: Sequence[ProgramFunction]) -> list[Array]:
    """The arguments of all pieces."""
    return [array for piece in pieces for array in piece.arguments]


def stands_alone(program: Program) -> bool:
    """Whether types of operands and results are all that has to fit: there are no functions, and
    no values that regions use from outside.
    """
    return not program.functions and not any(map(captured, program.block.operations))


def open_sizes(module: Module) -> None:
    """Opens the sizes of all values, as far as rules let them be open."""
    for function in module.functions.values():
        open_function(function.operation)


def results_of(module: Module, arguments: Sequence[Array]) -> Sequence[Any]:
    """The results, also where there is one."""
    results = module.run(*arguments, backend="interpreter")
    return results if isinstance(results, tuple) else (results,)


def alone(program: Program, operation: Operation, values: Any) -> ProgramFunction:
    """One operation of a program, on the operands that it has there."""
    makers = tuple_makers(operation)
    return cut(
        program,
        "p0",
        values,
        leaves_out=lambda item: item is not operation and item not in makers,
        cuts=lambda _: False,
    )


def tuple_makers(operation: Operation) -> list[Operation]:
    """The operations whose tuples it takes apart."""
    values = [v for v in operation.operands if not isinstance(v.type, TensorType)]
    return [value.operation for value in values]  # type: ignore[attr-defined]


def magnitude(
    program: Program, operation: Operation, values: dict[Value[Any], Array], value: Any
) -> Array:
    """What an operation gives for the sizes of its operands."""
    kept = operation.operands[:1] if base_name(operation) == "select_and_scatter" else ()
    measured = {
        item: x if item in kept else sizes(x, element_of(item)) for item, x in values.items()
    }
    piece = alone(program, operation, measured)
    results = results_of(module_of([piece]), piece.arguments)
    return np.asarray(results[piece.observed.index(value)])


def sizes(array: Array, element: ElementType | None) -> Array:
    """Absolute values of floats, 0 of what is no number, since that adds no rounding; of complex
    numbers, whose infinities have products that are not agreed on, all; of what quantized numbers
    of one zero stand for. Integers, such as indices, stay.
    """
    if isinstance(element, QuantizedType):
        zero, *others = set(element.zero_points)
        if others or not isinstance(element.storage, IntegerType):
            return array
        wide = array.astype(np.int64)
        minimum_result = np.minimum(zero + np.abs(wide - zero), int(element.storage_max))
        return minimum_result.astype(array.dtype)
    if array.dtype.kind != "c" and not is_float(array.dtype):
        return array
    with np.errstate(all="ignore"):
        minimum_result = np.abs(widest(array))
    if is_float(array.dtype):
        minimum_result = np.where(np.isfinite(minimum_result), minimum_result, 0.0)
    with np.errstate(all="ignore"):  # what the narrow type does not hold is infinite
        return minimum_result.astype(array.dtype)
