"""Portable artifacts: programs of StableHLO that readers of stated versions understand.

Source: StableHLO, its serialization.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.versions import (
    NEWEST,
    PRODUCER,
    Version,
    bytecode_version,
    producer_version,
)
from stablemate.formats.bytecode.reader import read_bytecode
from stablemate.formats.bytecode.writer import write_bytecode
from stablemate.ir.core import BytecodeOrigin, Module, Operation
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.rewriter import rewrite_module
from stablemate.transforms.elided import reject_elided
from stablemate.transforms.embed_resources import names_resources, resource_patterns
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import expand_for
from stablemate.transforms.vhlo.stablehlo_legalize_to_vhlo import legalize_to_vhlo
from stablemate.transforms.vhlo.use_orders import LateUses, use_orders
from stablemate.transforms.vhlo.vhlo_legalize_to_stablehlo import legalize_to_stablehlo
from stablemate.transforms.vhlo.vhlo_to_version import vhlo_to_version

HEAD_BYTES: Final = 128  # more than a producer string of an artifact takes


def write_artifact(
    module: Module, target: Version, *, mixed: bool = False, expand: bool = False
) -> bytes:
    """The portable artifact of a module for a version of StableHLO.

    Args:
        module: A module in StableHLO.
        target: The version whose readers are to read it.
        mixed: Whether operations and attributes of other dialects stay as they are. Readers before
            1.11.0 do not know such artifacts.
        expand: Whether what is newer than the target is rewritten where it can be.

    Raises:
        UnsupportedError: The target cannot say what the module says.
    """
    version, producer = bytecode_version(target), f"{PRODUCER}{target}"
    with without_garbage_collection():
        if holds_vhlo(module):
            module = legalize_to_stablehlo(module)
        if any(names_resources(operation) for operation in module.operation.walk()):
            reject_elided(module)
            module = rewrite_module(module, resource_patterns(module.resources))
        if expand:
            module = expand_for(module, target)
        late_uses = LateUses()
        legalized = legalize_to_vhlo(module, mixed=mixed, late_uses=late_uses)
        converted = vhlo_to_version(legalized, target, late_uses)
        orders = use_orders(converted, target.without_patch, late_uses)
        converted.origin = BytecodeOrigin(version, producer, use_orders=orders)
        return write_bytecode(converted, version, producer)


def read_program(data: object, name: str, limits: Limits) -> Module:
    """The module in bytecode or an artifact, without conversion.

    Raises:
        ParseError: It breaks the format, or has operations that are not known here.
        LimitError: It is nested too deeply, or too large once it is read.
    """
    try:
        return read_bytecode(data, name, limits)
    except ParseError as error:
        written_for = producer_version(producer_of(data))
        if written_for is None or written_for <= NEWEST:
            raise
        note = (
            f"the artifact was written for StableHLO {written_for}, and the newest version known "
            f"here is {NEWEST}: write it for that one or an older one, or update stablemate"
        )
        first, *others = error.diagnostics
        first = replace(first, notes=(*first.notes, Diagnostic(note)))
        raise ParseError([first, *others]) from None


def producer_of(data: Any) -> str:
    """The producer in the header of bytecode, after the magic number and the version."""
    head = bytes(memoryview(data).cast("B")[5:HEAD_BYTES])
    return head.partition(b"\0")[0].decode("latin-1")


def holds_vhlo(module: Module) -> bool:
    """Whether a module is one of VHLO: its functions are, or those of a module in it."""
    pending: list[Operation] = [module.operation]
    while pending:
        for region in pending.pop().regions:
            for operation in (
                operation for block in region.blocks for operation in block.operations
            ):
                if isinstance(operation, VhloOp):
                    return True
                if isinstance(operation, ModuleOp):
                    pending.append(operation)
    return False


def from_artifact(module: Module) -> Module:
    """Converts a module of VHLO to StableHLO.

    Raises:
        VerifyError: An operation of VHLO is not as its revision is declared.
        UnsupportedError: It says something that StableHLO has no form for.
    """
    with without_garbage_collection():
        converted = legalize_to_stablehlo(module)
    if module.origin is not None:
        converted.origin = replace(module.origin, use_orders={})
    return converted


def artifact_version(module: Module) -> Version | None:
    """The version of StableHLO in the header of an artifact; None for other modules."""
    return producer_version(module.origin.producer) if module.origin else None
