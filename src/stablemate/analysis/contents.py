"""The contents of a program: functions, operations, constants, versions, sizes, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from stablemate.analysis.cost import Cost, bytes_of, costs_of
from stablemate.analysis.grids import ExpectedGrid, expected_grid
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.execution.signature import Signature, declared_signature
from stablemate.formats.jax_export.calling import signature_of
from stablemate.formats.jax_export.exported import Exported
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.core import Module, Operation
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.verifier import errors_in
from stablemate.transforms.vhlo import artifact_version, from_artifact, holds_vhlo
from stablemate.transforms.vhlo.legality import demand

MAIN: Final = "main"  # the function of an exported program that has the calling convention
# An error in one of these may leave a function without a type or a name.
FRAME: Final = ("builtin.", "func.")


@dataclass(frozen=True, slots=True)
class BytecodeHeader:
    """The header of bytecode.

    Attributes:
        bytecode_version: The version of the container.
        producer: Who wrote it.
        stablehlo_version: The version that a portable artifact was written for; None for others.
    """

    bytecode_version: int
    producer: str
    stablehlo_version: str | None


@dataclass(frozen=True, slots=True)
class Readers:
    """The oldest readers that a program can be written for, as a portable artifact.

    Attributes:
        version: Their version of StableHLO; None if artifacts of no version can hold it.
        operation: What asks for that version, or is in no version; empty if nothing does.
        line: Where that stands in the text it was read from.
        reason: Why.
    """

    version: str | None
    operation: str = ""
    line: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Calls:
    """The custom calls of one target that have the same version of the calling interface."""

    target: str
    api_version: int
    number: int


@dataclass(frozen=True, slots=True)
class ConstantSummary:
    """A constant: its type, the bytes it holds (those of one element if it repeats), its line."""

    type: str
    bytes: int
    line: int | None


@dataclass(frozen=True, slots=True)
class FunctionEntry:
    """A function.

    Attributes:
        name: Its name in the program.
        is_public: Whether it may be called from outside.
        signature: What it takes and gives; what JAX calls it with if ``jax.export`` made it.
        argument_bytes: Bytes of the arguments, as far as their shapes are known.
        result_bytes: Bytes of the results, as far as their shapes are known.
        cost: What a call takes; None in a program that is not valid.
    """

    name: str
    is_public: bool
    signature: Signature
    argument_bytes: int
    result_bytes: int
    cost: Cost | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A program in numbers.

    Attributes:
        source: What messages call it.
        format: What it was read from.
        bytes: Size of what was read.
        errors: How many rules it breaks.
        container: What the bytecode says about itself; None for text.
        readers: The oldest readers it can be written for; None if it is not valid.
        name: Name of the module.
        attributes: What the module says about itself, as text.
        exported: How JAX calls it, if it comes from jax.export.
        grid: The grid that it is made for; None if that is one process, or if it is not valid.
        functions: Functions in order; none if errors make them unreadable.
        operations: How many of each there are, most frequent first.
        custom_calls: Custom calls, most frequent first.
        constants: Literals, largest first.
        facts: What the file says about itself by the name of each fact, as a model of ONNX does.
    """

    source: str
    format: str
    bytes: int
    errors: int
    container: BytecodeHeader | None
    readers: Readers | None
    name: str
    attributes: Mapping[str, str]
    exported: Exported | None
    grid: ExpectedGrid | None
    functions: Sequence[FunctionEntry]
    operations: Mapping[str, int]
    custom_calls: Sequence[Calls]
    constants: Sequence[ConstantSummary]
    facts: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def constant_bytes(self) -> int:
        """The total size of all constants in bytes."""
        return sum(constant.bytes for constant in self.constants)


def contents_of(
    module: Module, *, format: str = "mlir", bytes: int = 0, exported: Exported | None = None
) -> Contents:
    """The contents of a module, valid or not.

    Args:
        module: The module.
        format: What it was read from.
        bytes: Size of what was read.
        exported: How JAX calls it, if it comes from ``jax.export``.
    """
    top, name = module.operation, module.operation.attributes.get("sym_name")
    operations = list(top.walk())[1:]
    diagnostics = errors_in(top)
    is_readable = not any(diagnostic.rule.startswith(FRAME) for diagnostic in diagnostics)
    literals = sorted(filter(None, map(literal_of, operations)), key=lambda literal: -literal.bytes)
    return Contents(
        source=module.source.name if module.source else "",
        format=format,
        bytes=bytes,
        errors=len(diagnostics),
        container=container_of(module),
        readers=None if diagnostics else readers_of(module),
        name=name.value if isinstance(name, StringAttribute) else "",
        attributes={key: str(value) for key, value in top.discardable.items()},
        exported=exported,
        grid=None if diagnostics else expected_grid(module),
        functions=entries(module, exported, is_valid=not diagnostics) if is_readable else [],
        operations=counts(operation.name for operation in operations),
        custom_calls=custom_calls(operations),
        constants=literals,
    )


def container_of(module: Module) -> BytecodeHeader | None:
    """The header of the bytecode that a module was read from."""
    if module.origin is None:
        return None
    artifact = artifact_version(module)
    version = None if artifact is None else str(artifact)
    return BytecodeHeader(module.origin.version, module.origin.producer, version)


def readers_of(module: Module) -> Readers:
    """The oldest readers that a valid module can be written for."""
    try:
        with without_garbage_collection():
            requirement = demand(from_artifact(module) if holds_vhlo(module) else module)
    except UnsupportedError as error:
        first = error.diagnostics[0]
        return Readers(None, first.rule, first.span.line if first.span else None, first.message)
    if requirement.operation is None:
        return Readers(str(requirement.version))
    return Readers(
        str(requirement.version),
        requirement.name,
        line_of(requirement.operation),
        requirement.reason,
    )


def entries(module: Module, exported: Exported | None, *, is_valid: bool) -> list[FunctionEntry]:
    """The functions of a module, in order."""
    functions = [operation for operation in module.body.operations if isinstance(operation, FuncOp)]
    costs = costs_of(module) if is_valid else {}
    return [
        entry(function, exported if function.symbol == MAIN else None, costs.get(function.symbol))
        for function in functions
    ]


def entry(function: FuncOp, exported: Exported | None, cost: Cost | None) -> FunctionEntry:
    """Counts the arguments, results, bytes and work of one function."""
    signature = signature_of(exported) if exported else declared_signature(function)
    arguments, results = (
        sum(bytes_of(x.type) for x in arguments_or_results)
        for arguments_or_results in (signature.arguments, signature.results)
    )
    is_public = function.sym_visibility in (None, "public")
    return FunctionEntry(function.symbol, is_public, signature, arguments, results, cost)


def counts(names: Iterable[str]) -> dict[str, int]:
    """How often each name occurs, most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def custom_calls(operations: Iterable[Operation]) -> list[Calls]:
    """The custom calls by target, most frequent first."""
    counter = Counter(called_targets(operations))
    calls = [Calls(target, version, number) for (target, version), number in counter.items()]
    return sorted(calls, key=lambda call: (-call.number, call.target, call.api_version))


def called_targets(operations: Iterable[Operation]) -> Iterator[tuple[str, int]]:
    """The target of each custom call, and the version of its calling interface."""
    for operation in operations:
        target = operation.attributes.get("call_target_name")
        if isinstance(operation, CustomCall) and isinstance(target, StringAttribute):
            version = operation.attributes.get("api_version")
            default = CustomCall.api_version.default
            yield target.value, version.value if isinstance(version, IntegerAttribute) else default


def literal_of(operation: Operation) -> ConstantSummary | None:
    """The literal of a constant operation."""
    match operation.attributes.get("value"):
        case DenseElementsAttribute() as value:
            return ConstantSummary(str(value.type), value.data.nbytes, line_of(operation))
        case DenseResourceAttribute() as value:
            return ConstantSummary(str(value.type), bytes_of(value.type), line_of(operation))
        case _:
            return None


def line_of(operation: Operation) -> int | None:
    """The line of the text that an operation was read from."""
    span = operation.span
    return None if span is None or span.source.binary else span.line
