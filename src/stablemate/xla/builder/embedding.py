"""Computations of one module inside another: names made unique."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from stablemate.xla.builder.names import Names
from stablemate.xla.kinds import ATTRIBUTES, Kind
from stablemate.xla.module import HloComputation, HloInstruction, HloModule


def embedded(
    module: HloModule, names: Names, computations: Container[str]
) -> tuple[HloComputation, ...]:
    """The computations of a module, callees first, the entry last, under names that are free."""
    ordered = [
        computation for computation in module.computations if computation.name != module.entry
    ]
    ordered.append(module.entry_computation)
    called: dict[str, str] = {}
    found: list[HloComputation] = []
    for each in ordered:
        name, number = each.name, 0
        while name in computations or name in called.values():
            number += 1
            name = f"{each.name}.{number}"
        found.append(renamed(each, name, called, names))
        called[each.name] = name
    return tuple(found)


def renamed(
    computation: HloComputation, name: str, called: Mapping[str, str], names: Names
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
        schedule=None if schedule is None else tuple(new[each] for each in schedule),
    )


def renamed_attributes(
    instruction: HloInstruction, new: Mapping[str, str], called: Mapping[str, str]
) -> dict[str, Any]:
    """Attributes with the new names of what they refer to."""
    found = dict(instruction.attributes)
    for name, value in found.items():
        match ATTRIBUTES[name].kind:
            case Kind.COMPUTATION:
                found[name] = called[value]
            case Kind.COMPUTATIONS:
                found[name] = tuple(called[each] for each in value)
            case Kind.INSTRUCTIONS:
                found[name] = tuple(new[each] for each in value)
            case _:
                pass
    return found
