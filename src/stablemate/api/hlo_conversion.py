"""HLO in and out: text, protocol buffers, StableHLO, calls; imported when HLO is first met."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.hlo_graph import hlo_graph as graph_of
from stablemate.formats.hlo.calling import HloExecutable, program_shape_of, signature_of
from stablemate.formats.hlo.proto.reader import read_proto
from stablemate.formats.hlo.proto.writer import write_proto
from stablemate.formats.hlo.sharding_attributes import sharding_of_attribute
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.formats.hlo.text.writer import DEFAULT, write_text
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.ir import core
from stablemate.transforms.legalization import legalized_with_attributes
from stablemate.transforms.sdy_round_trip_export import sdy_round_trip_export
from stablemate.xla.elision import with_elided_literals
from stablemate.xla.module import HloModule
from stablemate.xla.program_shapes import program_shape_of_text
from stablemate.xla.translate.from_stablehlo.module import to_hlo
from stablemate.xla.translate.from_stablehlo.rules import RULES
from stablemate.xla.translate.losses import Losses as Losses
from stablemate.xla.translate.to_stablehlo.metadata import Spelling
from stablemate.xla.translate.to_stablehlo.module import to_stablehlo
from stablemate.xla.translate.to_stablehlo.unplaced import OF_PROTO, OF_TEXT, report_fields
from stablemate.xla.values import ProgramShape
from stablemate.xla.verifier import verify

SPELLING: Final = Spelling(sharding_text, parse_attribute)
RECOMPOSED: Final = {"stablehlo.custom_call"}  # some of them stand for operations of CHLO


def hlo_from_text(source: Source, limits: Limits, *, elided: bool) -> HloModule:
    """The module that a text holds; see ``sm.load``."""
    return read_text(source, limits, elided=elided)


def hlo_from_proto(content: Any, name: str, limits: Limits) -> HloModule:
    """The module that a protocol buffer holds."""
    return read_proto(content, name, limits)


def hlo_text(module: HloModule, *, operand_shapes: bool, metadata: bool, elide: int | None) -> str:
    """A module as text; see ``HloModule.to_text``."""
    shown = module if elide is None else with_elided_literals(module, elide)
    return write_text(shown, replace(DEFAULT, operand_shapes=operand_shapes, metadata=metadata))


def hlo_proto(module: HloModule) -> bytes:
    """A module as a protocol buffer."""
    return write_proto(module)


def hlo_graph(module: HloModule, *, format: str, text: str | None) -> ProgramGraph:
    """The graph of a module that is drawn."""
    return graph_of(module, format=format, text=text)


def hlo_diagnostics(module: HloModule) -> list[Diagnostic]:
    """The errors of a module."""
    return verify(module)


def stablehlo_from_hlo(
    module: HloModule, *, keep_fusions: bool, losses: Losses | None = None
) -> core.Module:
    """A valid module in StableHLO.

    Args:
        module: A valid module.
        keep_fusions: Whether fusions become functions.
        losses: Where to record what StableHLO has no place for.

    Raises:
        UnsupportedError: StableHLO has no form for an instruction.
    """
    return to_stablehlo(module, keep_fusions=keep_fusions, spelling=SPELLING, losses=losses)


def hlo_from_stablehlo(module: core.Module, losses: Losses | None = None) -> HloModule:
    """A valid module in HLO; what has no opcode is written out in what has.

    Args:
        module: A valid module.
        losses: Where to record what HLO has no place for.

    Raises:
        UnsupportedError: HLO has no form for an operation or a type, or a sharding does not fit.
    """
    if losses is not None:
        report_resharding(module, losses)
    exported = sdy_round_trip_export(module)
    legal = legalized_with_attributes(exported, RULES.keys() - RECOMPOSED, losses)
    return to_hlo(legal, read_sharding=sharding_of_attribute, losses=losses)


def report_resharding(module: core.Module, losses: Losses) -> None:
    """Records what becomes a sharding constraint, which is weaker."""
    for operation in module.operation.walk():
        if operation.name == "sdy.reshard":
            losses.add("sdy.reshard (but as a constraint)", "program", operation.span)


def format_losses(module: HloModule, format: str) -> Losses:
    """The facts of a module that a format of HLO cannot express."""
    losses = Losses("HLO text" if format == "hlo" else "the protocol buffer of HLO")
    report_fields(losses, module, OF_PROTO if format == "hlo" else OF_TEXT)
    return losses


def hlo_signature(module: HloModule) -> Signature:
    """The parameters and results of the entry computation, tuples as tuples."""
    return signature_of(module.entry_computation)


def hlo_border(module: HloModule) -> ProgramShape:
    """Shapes and layouts of parameters and result."""
    return program_shape_of(module)


def hlo_called(module: HloModule, executable: Executable) -> Executable:
    """The executable of the translation, called with tuples."""
    return HloExecutable(module, executable)


def program_shape(text: str) -> ProgramShape:
    """The program shape in a text.

    Raises:
        ParseError: It is none.
    """
    return program_shape_of_text(text, "<layout>")
