"""Bytecode and portable artifacts are read, without what converts them.

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
from stablemate.dialects.vhlo.versions import NEWEST, Version, producer_version
from stablemate.formats.bytecode.reader import read_bytecode
from stablemate.ir.core import Module, Operation

HEAD_BYTES: Final = 128  # more than a producer string of an artifact takes


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


def artifact_version(module: Module) -> Version | None:
    """The version of StableHLO in the header of an artifact; None for other modules."""
    return producer_version(module.origin.producer) if module.origin else None
