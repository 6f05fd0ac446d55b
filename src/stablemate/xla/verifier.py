"""The verifier of HLO modules: everything that XLA's parser takes on trust.

Names, parameters and order of each computation; then of each instruction its attributes, the shape
of its result, layouts, shardings and the other half of what comes in halves; then what the module
says of its border. All findings are collected.

Source: XLA, ``HloVerifier``; StableHLO specification, the constraints of each operation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.xla.checks.entry_interface import entry_findings
from stablemate.xla.checks.instructions import InstructionChecks
from stablemate.xla.checks.paired_instructions import user_findings
from stablemate.xla.checks.threads import thread_findings
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import CALLERS

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")


def verify(module: HloModule) -> list[Diagnostic]:
    """The errors of a module: each with its rule, place and facts.

    Layouts never make two shapes different.
    """
    with without_garbage_collection():
        return list(HloVerifier(module).findings())


class HloVerifier:
    """One run over a module."""

    def __init__(self, module: HloModule) -> None:
        self.module = module
        self.defined: dict[str, HloComputation] = {}  # the computations seen so far
        self.checks = InstructionChecks(self.defined, module.replica_count, module.num_partitions)

    def findings(self) -> Iterator[Diagnostic]:
        """All findings, in the order of the module."""
        module = self.module
        yield from find_repeated_names(
            "computations", [(e.name, e.span) for e in module.computations]
        )
        sound = True
        for computation in module.computations:
            structure = list(self.structure(computation))
            yield from structure
            if not structure:
                yield from self.instructions(computation)
            sound = sound and not structure
            self.defined[computation.name] = computation
        if module.entry not in self.defined:
            values = {"entry": module.entry}
            yield Diagnostic("the entry is a computation", "entry", values=values)
        elif sound:
            yield from entry_findings(module)

    # ---- structure

    def structure(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """Names, root, parameters, schedule; operands and called computations before their use."""
        if not NAME.match(computation.name):
            yield unspellable_name(computation.name, computation.span, "a computation")
        instructions = computation.instructions
        if len(computation.by_name) < len(instructions):
            yield from find_repeated_names(
                "instructions",
                [(instruction.name, instruction.span) for instruction in instructions],
            )
        if computation.root not in computation.by_name:
            values = {"root": computation.root}
            yield Diagnostic("the root is an instruction", "root", computation.span, values)
        yield from parameter_numbers(computation)
        yield from self.order(computation)
        if computation.schedule is not None:
            yield from schedule_findings(computation, computation.schedule)

    def order(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """That everything is defined before it is used."""
        seen: set[str] = set()
        names = computation.by_name
        for instruction in computation.instructions:
            for operand in instruction.operands:
                if operand not in seen:
                    yield used_early("operand", operand, instruction, names)
            attributes = instruction.attributes
            for before in attributes.get("control-predecessors", ()) if attributes else ():
                if before not in seen:
                    yield used_early("control predecessor", before, instruction, names)
            if instruction.opcode in CALLERS:
                yield from self.calls(instruction)
            if not NAME.match(instruction.name):
                yield unspellable_name(instruction.name, instruction.span, "an instruction")
            seen.add(instruction.name)

    def calls(self, instruction: HloInstruction) -> Iterator[Diagnostic]:
        """That called computations are defined before."""
        for called in called_computations(instruction.attributes):
            if called not in self.defined:
                values = {"computation": called}
                message = "a called computation stands before its caller"
                yield Diagnostic(message, "computations", instruction.span, values)

    # ---- instructions

    def instructions(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """The findings about each instruction, given the instructions before it."""
        operands_by_name: dict[str, HloInstruction] = {}
        findings_of = self.checks.findings
        for instruction in computation.instructions:
            yield from findings_of(
                instruction, [operands_by_name[operand] for operand in instruction.operands]
            )
            operands_by_name[instruction.name] = instruction
        yield from user_findings(computation)
        yield from thread_findings(computation, self.defined)


def find_repeated_names(
    rule: str, names: Sequence[tuple[str, Span | None]]
) -> Iterator[Diagnostic]:
    """Names that occur more than once, at their second place."""
    counts = Counter(name for name, _ in names)
    if len(counts) == len(names):
        return
    seen: set[str] = set()
    for name, span in names:
        if counts[name] > 1 and name in seen:
            yield Diagnostic("each name is used once", rule, span, {"name": name})
        seen.add(name)


def unspellable_name(name: str, span: Span | None, what: str) -> Diagnostic:
    """The finding about a name that text cannot spell."""
    message = f"the name of {what} is a letter, then letters, digits, '_', '.' and '-'"
    return Diagnostic(message, "names", span, {"name": repr(name)})


def parameter_numbers(computation: HloComputation) -> Iterator[Diagnostic]:
    """Whether parameters are numbered 0, 1, ... without gaps."""
    expected = 0
    numbered = [
        (instruction.attributes.get("parameter_number"), instruction)
        for instruction in computation.instructions
        if instruction.opcode == "parameter"
    ]
    numbers = {number for number, _ in numbered}
    for number, parameter in numbered:
        if not isinstance(number, int) or not 0 <= number < len(numbered):
            values = {"number": number, "parameters": len(numbered)}
            message = "0 <= parameter number < number of parameters"
            yield Diagnostic(message, "parameters", parameter.span, values)
        expected += 1
    if len(numbers) < expected:
        values = {"numbers": sorted(map(str, (number for number, _ in numbered)))}
        yield Diagnostic(
            "parameters have different numbers", "parameters", computation.span, values
        )


def used_early(
    what: str, name: str, user: HloInstruction, names: Mapping[str, HloInstruction]
) -> Diagnostic:
    """The finding about a name that is not defined when it is used."""
    rule = "operands" if what == "operand" else "control-predecessors"
    if name not in names:
        message = (
            f"{'an' if what == 'operand' else 'a'} {what} is an instruction of the computation"
        )
        return Diagnostic(message, rule, user.span, {what: name})
    if depends(names[name], user.name, names):
        return Diagnostic("no instruction depends on itself", "cycle", user.span, {what: name})
    message = f"{'an' if what == 'operand' else 'a'} {what} stands before its user"
    return Diagnostic(message, rule, user.span, {what: name})


def depends(start: HloInstruction, name: str, names: Mapping[str, HloInstruction]) -> bool:
    """Whether an instruction needs the one of a name, or is it."""
    pending, seen = [start.name], {start.name}
    while pending:
        pending_name = pending.pop()
        if pending_name == name:
            return True
        needed = names[pending_name].attributes.get("control-predecessors", ())
        for other in (*names[pending_name].operands, *needed):
            if other in names and other not in seen:
                seen.add(other)
                pending.append(other)
    return False


def schedule_findings(computation: HloComputation, schedule: Sequence[str]) -> Iterator[Diagnostic]:
    """Whether a schedule has each instruction once, operands before users."""
    counts, names = Counter(schedule), computation.by_name
    for name, count in counts.items():
        span = names[name].span if name in names else computation.span
        if name not in names:
            message = "the schedule holds instructions of the computation"
            yield Diagnostic(message, "schedule", span, {"name": name})
        elif count > 1:
            message = "the schedule holds each instruction once"
            yield Diagnostic(message, "schedule", span, {"name": name, "times": count})
    for name in names.keys() - counts.keys():
        message = "the schedule holds each instruction once"
        yield Diagnostic(message, "schedule", names[name].span, {"name": name, "times": 0})
    done: set[str] = set()
    for name in schedule:
        for operand in names[name].operands if name in names else ():
            if operand not in done and operand in counts:
                values = {"instruction": name, "operand": operand}
                message = "the schedule holds operands before their users"
                yield Diagnostic(message, "schedule", names[name].span, values)
        done.add(name)
