"""Summarizes the changes of compiler passes: the difference of two stages of a module.

Instructions keep their names from pass to pass. So an instruction is removed or added if the other
program has none of its name in the computation of the same name, and it has changed if it has
another shape, layout or attribute there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from stablemate.analysis.quantities import format_count
from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.module import HloInstruction, HloModule

# Opcodes that name or wrap values: how many there are says nothing.
FREE: Final = frozenset({"parameter", "constant", "tuple", "get-tuple-element", "bitcast"})
COLLECTIVES: Final = (
    "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
    "collective-permute", "collective-broadcast", "send", "recv",
)  # fmt: skip
SHOWN: Final = 8  # opcodes of a line
EXAMPLES: Final = 2  # instructions whose layouts are shown


@dataclass(frozen=True, slots=True)
class StageContents:
    """The contents of a program.

    Attributes:
        opcodes: How many instructions there are of each opcode, those inside fusions too.
        kernels: How many instructions are outside of fusions, those that move nothing left out.
        fused: How many instructions are inside fusions.
        fusions: How many fusions there are of each kind.
        collectives: How many collectives there are of each opcode, without ``-start``.
        targets: How many custom calls there are of each target.
    """

    opcodes: Mapping[str, int]
    kernels: int
    fused: int
    fusions: Mapping[str, int]
    collectives: Mapping[str, int]
    targets: Mapping[str, int]

    @property
    def instructions(self) -> int:
        """How many instructions there are that do something."""
        return sum(self.opcodes.values())


@dataclass(frozen=True, slots=True)
class LayoutChange:
    """An instruction whose layout differs.

    Attributes:
        name: The instruction.
        before: Its shape with the first layout.
        after: Its shape with the second one.
    """

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StageChanges:
    """The difference of two programs of a module.

    Attributes:
        before: What the first program holds.
        after: What the second one holds.
        removed: How many instructions only the first one has.
        added: How many only the second one has.
        changed: How many both have, with another shape, layout or attribute.
        layouts: Those of them whose layout alone differs.
    """

    before: StageContents
    after: StageContents
    removed: int
    added: int
    changed: int
    layouts: tuple[LayoutChange, ...]

    def __bool__(self) -> bool:
        return bool(self.removed or self.added or self.changed)

    @property
    def opcode_changes(self) -> dict[str, int]:
        """How many more instructions of each opcode the second program has, largest first."""
        before, after = self.before.opcodes, self.after.opcodes
        deltas = {name: after.get(name, 0) - before.get(name, 0) for name in {*before, *after}}
        order = sorted(deltas.items(), key=lambda item: (-abs(item[1]), item[0]))
        return {name: delta for name, delta in order if delta}

    def lines(self) -> Iterator[str]:
        """The difference in a few lines, for people."""
        a, b = self.before, self.after
        instructions = f"instructions {a.instructions} -> {b.instructions}"
        yield f"{instructions}, kernels {a.kernels} -> {b.kernels}"
        if b.fused or a.fused:
            kinds = ", ".join(f"{number} {kind}" for kind, number in b.fusions.items())
            fusions = format_count(sum(b.fusions.values()), "fusion")
            yield f"fused: {format_count(b.fused, 'instruction')} in {fusions} ({kinds})"
        for word, sign in (("removed", -1), ("added", 1)):
            if text := counts_text({k: v * sign for k, v in self.opcode_changes.items()}):
                yield f"{word}: {text}"
        if self.layouts:
            examples = "; ".join(
                f"{item.name} {item.before} -> {item.after}" for item in self.layouts[:EXAMPLES]
            )
            number = format_count(len(self.layouts), "instruction")
            yield f"layouts: {number} with another layout: {examples}"
        if text := changes_text(a.collectives, b.collectives):
            yield f"collectives: {text}"
        if text := changes_text(a.targets, b.targets):
            yield f"custom calls: {text}"


def counts_text(counts: Mapping[str, int]) -> str:
    """``12 add, 3 copy and 5 of other kinds``: the numbers above zero."""
    positive = {name: number for name, number in counts.items() if number > 0}
    shown = list(positive.items())[:SHOWN]
    rest = sum(positive.values()) - sum(number for _, number in shown)
    text = ", ".join(f"{number} {name}" for name, number in shown)
    return f"{text} and {rest} of other opcodes" if rest else text


def changes_text(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """``all-reduce 4 -> 2``: numbers of both sides, also where they are equal."""
    names = dict.fromkeys([*before, *after])
    return ", ".join(
        f"{name} {before.get(name, 0)} -> {after.get(name, 0)}"
        if before.get(name, 0) != after.get(name, 0)
        else f"{name} {after[name]}"
        for name in names
    )


def contents_of(module: HloModule) -> StageContents:
    """Counts opcodes, fusions, collectives, kernels and targets of custom calls."""
    opcodes, fusions, collectives, targets = (Counter[str]() for _ in range(4))
    kernels = fused = 0
    bodies = applied_computations(module)
    for computation in module.computations:
        for instruction in computation.instructions:
            opcode = instruction.opcode
            if opcode in FREE:
                continue
            opcodes[opcode] += 1
            fused += computation.is_fusion
            kernels += not computation.is_fusion and computation.name not in bodies
            if opcode == "fusion":
                fusions[str(instruction.attributes.get("kind", "fusion"))] += 1
            elif opcode == "custom-call":
                targets[str(instruction.attributes.get("custom_call_target"))] += 1
            elif (base := opcode.removesuffix("-start")) in COLLECTIVES:
                collectives[base] += 1
    return StageContents(
        dict(opcodes), kernels, fused, dict(fusions), dict(collectives), dict(targets)
    )


def applied_computations(module: HloModule) -> set[str]:
    """The computations that are applied to elements, such as the sum of a reduction."""
    return {
        callee
        for computation in module.computations
        for instruction in computation.instructions
        if isinstance(callee := instruction.attributes.get("to_apply"), str)
        and instruction.opcode != "call"
    }


def changes_between(a: HloModule, b: HloModule) -> StageChanges:
    """The difference of two programs of a module."""
    ours, theirs = instructions_of(a), instructions_of(b)
    common = [key for key in ours if key in theirs]
    changed = [key for key in common if differs(ours[key], theirs[key])]
    layouts = [
        LayoutChange(key[1], str(ours[key].shape), str(theirs[key].shape))
        for key in changed
        if is_relaid(ours[key], theirs[key])
    ]
    removed, added = len(ours) - len(common), len(theirs) - len(common)
    return StageChanges(
        contents_of(a), contents_of(b), removed, added, len(changed), tuple(layouts)
    )


def instructions_of(module: HloModule) -> dict[tuple[str, str], HloInstruction]:
    """The instructions by their computation and name, those that move nothing left out."""
    return {
        (computation.name, instruction.name): instruction
        for computation in module.computations
        for instruction in computation.instructions
        if instruction.opcode not in FREE
    }


def differs(a: HloInstruction, b: HloInstruction) -> bool:
    """Whether two instructions of one name are not the same; what they are fed does not count."""
    return (a.opcode, a.shape, a.attributes) != (b.opcode, b.shape, b.attributes)


def is_relaid(a: HloInstruction, b: HloInstruction) -> bool:
    """Whether two instructions differ in the layouts of their results."""
    same = a.shape.to_text(layouts=False) == b.shape.to_text(layouts=False)
    return same and a.shape != b.shape
