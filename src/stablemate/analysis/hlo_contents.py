"""The contents of an HLO module: computations, opcodes, constants, entry layouts, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from stablemate.analysis.contents import Calls, ConstantSummary, Contents, FunctionEntry, counts
from stablemate.analysis.cost import Cost, bytes_of, costs_of
from stablemate.analysis.grids import expected_grid
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.signature import Signature
from stablemate.formats.hlo.calling import program_shape_of, signature_of
from stablemate.ir import core
from stablemate.xla import kinds
from stablemate.xla import literal as xla
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.program_shapes import program_shape_text

MAIN: Final = "main"  # what the entry computation is translated to
DEFAULT_API: Final = "API_VERSION_ORIGINAL"


def hlo_contents_of(
    module: HloModule, translation: core.Module | None, *, format: str, bytes: int, errors: int
) -> Contents:
    """The contents of an HLO module.

    Args:
        module: The module.
        translation: The same program in StableHLO; None if there is none. Costs follow from it.
        format: What it was read from.
        bytes: Size of what was read.
        errors: How many rules it breaks.
    """
    instructions = [instruction for c in module.computations for instruction in c.instructions]
    span = module.computations[0].span if module.computations else None
    costs = {} if translation is None else costs_of(translation)
    return Contents(
        source=span.source.name if span else "",
        format=format,
        bytes=bytes,
        errors=errors,
        container=None,
        readers=None,
        name=module.name,
        attributes=dict(header_attributes(module)),
        exported=None,
        grid=None if translation is None else expected_grid(translation),
        functions=[] if errors else list(entries(module, costs.get(MAIN))),
        operations=counts(instruction.opcode for instruction in instructions),
        custom_calls=custom_calls(instructions),
        constants=sorted(literals(instructions), key=lambda literal: -literal.bytes),
    )


def header_attributes(module: HloModule) -> Iterator[tuple[str, str]]:
    """The attributes in the header of a module."""
    yield "entry computation", module.entry
    yield "entry computation layout", program_shape_text(program_shape_of(module))
    facts: Mapping[str, object] = {
        "is scheduled": module.is_scheduled,
        "replicas": module.replica_count if module.replica_count != 1 else 0,
        "partitions": module.num_partitions if module.num_partitions != 1 else 0,
        "aliases of parameters": len(module.input_output_alias),
        "buffer donors": len(module.buffer_donors),
    }
    yield from ((name, str(fact).lower()) for name, fact in facts.items() if fact)
    yield from module.frontend_attributes.items()


def entries(module: HloModule, cost: Cost | None) -> Iterator[FunctionEntry]:
    """The computations in order, the entry with what a call of it takes."""
    for computation in module.computations:
        name = computation.name
        try:
            signature = signature_of(computation)
        except UnsupportedError:  # a shape without a type
            signature = Signature(name, (), ())
        argument_bytes, result_bytes = (
            sum(bytes_of(x.type) for x in arguments_or_results)
            for arguments_or_results in (signature.arguments, signature.results)
        )
        is_entry = name == module.entry
        yield FunctionEntry(
            name, is_entry, signature, argument_bytes, result_bytes, cost if is_entry else None
        )


def custom_calls(instructions: Iterable[HloInstruction]) -> list[Calls]:
    """The custom calls by target, most frequent first."""
    counter = Counter(
        (
            instruction.attributes["custom_call_target"],
            kinds.API_VERSIONS.index(instruction.attributes.get("api_version", DEFAULT_API)) + 1,
        )
        for instruction in instructions
        if instruction.opcode == "custom-call"
    )
    calls = [Calls(target, version, number) for (target, version), number in counter.items()]
    return sorted(calls, key=lambda call: (-call.number, call.target, call.api_version))


def literals(instructions: Iterable[HloInstruction]) -> Iterator[ConstantSummary]:
    """The constants, those inside tuples too."""
    for instruction in instructions:
        if instruction.opcode == "constant":
            line = (
                instruction.span.line
                if instruction.span and not instruction.span.source.binary
                else None
            )
            stack: list[xla.Literal] = [instruction.attributes["literal"]]
            while stack:
                literal = stack.pop()
                stack += literal.elements
                if literal.array is not None:
                    yield ConstantSummary(str(literal.shape), literal.array.nbytes, line)
