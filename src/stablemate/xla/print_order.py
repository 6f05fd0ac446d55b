"""The order in which XLA prints: definitions before uses.

Source: XLA, ``MakeInstructionPostOrder``, ``MakeComputationPostOrder``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stablemate.dialects.call_graph import post_order
from stablemate.xla.kinds import CALLING
from stablemate.xla.module import HloComputation, HloInstruction, HloModule

# The order in which an instruction calls its computations, where it is not that of CALLING.
WHILE = ("body", "condition")


def instruction_order(
    computation: HloComputation, *, by_uses: bool = False
) -> Sequence[HloInstruction]:
    """The instructions in their schedule; without one as they are, or by their uses.

    By uses, instructions that nothing uses are visited one after another; each is preceded by its
    control predecessors, last one first, and then its operands, first one first.
    """
    by_name = computation.by_name
    if computation.schedule is not None:
        return [by_name[name] for name in computation.schedule]
    if not by_uses:
        return computation.instructions
    used = {operand for instruction in computation.instructions for operand in instruction.operands}
    roots = [
        instruction.name for instruction in computation.instructions if instruction.name not in used
    ]

    def before(name: str) -> Iterable[str]:
        instruction = by_name[name]
        predecessors = instruction.attributes.get("control-predecessors", ())
        return (
            (*reversed(predecessors), *instruction.operands)
            if predecessors
            else instruction.operands
        )

    return [by_name[name] for name in post_order(roots, before)]


def computation_order(module: HloModule) -> Sequence[HloComputation]:
    """Computations after those that they call."""
    by_name = module.by_name
    called = {
        computation.name: called_computations(computation) for computation in module.computations
    }
    inner = {name for names in called.values() for name in names}
    roots = [
        computation.name for computation in module.computations if computation.name not in inner
    ]
    return [by_name[name] for name in post_order(roots, called.__getitem__)]


def called_computations(computation: HloComputation) -> Sequence[str]:
    """The names of the computations that are called, each once, in the order of the calls."""
    names: dict[str, None] = {}
    for instruction in computation.instructions:
        attributes = instruction.attributes
        if not attributes:
            continue
        for key in WHILE if instruction.opcode == "while" else CALLING:
            value = attributes.get(key)
            if isinstance(value, str):
                names[value] = None
            elif value is not None:
                names.update(dict.fromkeys(value))
    return tuple(names)
