"""Computations of one module inside another: names made unique."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from stablemate.xla.builder.names import UsedNames
from stablemate.xla.kinds import ATTRIBUTES, Kind
from stablemate.xla.module import HloComputation, HloInstruction, HloModule


def embed_computations(
    module: HloModule, names: UsedNames, computations: Container[str]
) -> tuple[HloComputation, ...]:
    """The computations of a module, callees first, the entry last, under names that are free."""
    ordered = [
        computation for computation in module.computations if computation.name != module.entry
    ]
    ordered.append(module.entry_computation)
    called: dict[str, str] = {}
    taken: set[str] = set()
    renamed_computations: list[HloComputation] = []
    for source in ordered:
        name, number = source.name, 0
        while name in computations or name in taken:
            number += 1
            name = f"{source.name}.{number}"
        renamed_computations.append(rename_computation(source, name, called, names))
        called[source.name] = name
        taken.add(name)
    return tuple(renamed_computations)


def rename_computation(
    computation: HloComputation, name: str, called: Mapping[str, str], names: UsedNames
) -> HloComputation:
    """A computation under another name, its instructions under free ones."""
    new = {
        instruction.name: names.take(instruction.name) for instruction in computation.instructions
    }
    instructions = tuple(
        replace(
            instruction,
            name=new[instruction.name],
            operands=tuple(new[operand] for operand in instruction.operands),
            attributes=renamed_attributes(instruction, new, called),
        )
        for instruction in computation.instructions
    )
    schedule = computation.schedule
    return replace(
        computation,
        name=name,
        instructions=instructions,
        root=new[computation.root],
        schedule=None if schedule is None else tuple(new[name] for name in schedule),
    )


def renamed_attributes(
    instruction: HloInstruction, new: Mapping[str, str], called: Mapping[str, str]
) -> dict[str, object]:
    """Attributes with the new names of what they refer to."""
    attributes = dict(instruction.attributes)
    for name, value in attributes.items():
        match ATTRIBUTES[name].kind:
            case Kind.COMPUTATION:
                attributes[name] = called[value]
            case Kind.COMPUTATIONS:
                attributes[name] = tuple(called[name] for name in value)
            case Kind.INSTRUCTIONS:
                attributes[name] = tuple(new[name] for name in value)
            case _:
                pass
    return attributes
