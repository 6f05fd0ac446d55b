"""Reads HLO text: a module, computations without a header, or a single instruction.

The reader accepts what XLA's parser accepts, except texts that XLA reads as something else than
they
say: elided constants, too many or too few numbers, impossible shapes. Names are kept as written,
while XLA makes the names of all instructions of a module unique. Attributes that are left out and
follow from the rest are filled in.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.text.aliasing import has_subshape, index_text
from stablemate.formats.hlo.text.body import ComputationReader
from stablemate.formats.hlo.text.header import read_header
from stablemate.formats.hlo.text.instruction_checks import compatible
from stablemate.formats.hlo.text.instructions import ROOT, SHAPE, InstructionReader
from stablemate.formats.hlo.text.lexer.scanner import IDENTIFIER, SPACE
from stablemate.formats.hlo.text.stack_frames import read_stack_frames
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.xla.layout import Layout
from stablemate.xla.module import HloComputation, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.values import InputOutputAlias, ProgramShape

ENTRY: Final = re.compile(rf"ENTRY(?![A-Za-z0-9_.:=-]){SPACE}")
NAMED: Final = re.compile(rf"(?:%{IDENTIFIER}|{IDENTIFIER}:?){SPACE}=")
# If a header has one of these and no layout, XLA makes the entry computation layout row-major,
# whatever the layouts of the entry's parameters and result are.
CONFIGURING: Final = frozenset(
    {
        *("alias_passthrough_params", "replica_count", "num_partitions"),
        *("propagate_sharding_to_parameters", "propagate_sharding_to_output"),
    }
)
COMPUTATION: Final = re.compile(rf"ENTRY(?![A-Za-z0-9_.:=-])|%?{IDENTIFIER}{SPACE}\{{")


def read_text(
    source: Source | str, limits: Limits = DEFAULT_LIMITS, *, elided: bool = True
) -> HloModule:
    """Returns the module that a text holds.

    Args:
        source: The text; of a module, of computations alone, or of one instruction.
        limits: The limits of reading.
        elided: Whether constants may be ``{...}``; then their literals have no values.

    Raises:
        ParseError: The text breaks the grammar, or names something that does not exist.
        LimitError: It is too long, or nested too deeply.
    """
    source = Source(source) if isinstance(source, str) else source
    with without_garbage_collection():
        return ModuleReader(source, limits, elided=elided).any_module()


class ModuleReader(InstructionReader):
    """Reads modules.

    Attributes:
        entry: The name of the entry computation.
    """

    entry: str = ""

    def module(self) -> HloModule:
        """``HloModule name, attributes``, tables of stack frames, computations."""
        fields = read_header(self, self.inner_module)
        fields["stack_frames"] = read_stack_frames(self)
        self.all_computations()
        return self.finish(fields)

    def inner_module(self, source: Source) -> HloModule:
        """Reads a module that is quoted in a string of this one."""
        inner = ModuleReader(source, self.limits, elided=self.elided)
        inner.depth = self.depth
        return inner.any_module()

    def any_module(self) -> HloModule:
        """Reads a module in any of the three forms."""
        if self.at_word("HloModule"):
            return self.module()
        if COMPUTATION.match(self.text, self.position):
            return self.without_header()
        if self.at_end:
            self.reject_unexpected("'HloModule' and the name of a module")
        return self.single_instruction()

    def without_header(self) -> HloModule:
        """Reads computations alone; the module is named after the entry."""
        self.all_computations()
        return self.finish({"name": f"module_{self.entry}"})

    def single_instruction(self) -> HloModule:
        """Reads ``[ROOT] [name =] instruction``, whose operands become parameters."""
        self.body = ComputationReader("_", implicit_parameters=True)
        self.reserved = "_"
        start = self.position
        root = ROOT.match(self.text, start)
        if root:
            self.position = root.end()
        match = root or NAMED.match(self.text, start)
        place = self.here()
        name = self.name("the name of an instruction") if match else "_"
        if match:
            self.expect("=")
        shape = self.shape() if SHAPE.match(self.text, self.position) else None
        if shape is None and not match:
            self.reject_unexpected("a shape, or the name of an instruction and '='")
        self.read_definition(name, place, shape, attributes=True)
        self.check_parameters(place)
        if not self.at_end:
            self.reject_unexpected("',' and an attribute, or the end of the text")
        self.body.root = name
        self.computations["_"] = self.body.to_computation()
        self.entry = "_"
        return self.finish({"name": "_", "is_scheduled": True})

    def all_computations(self) -> None:
        """Reads computations up to the end; the last one is the entry if none is marked."""
        while not self.at_end:
            self.computation()
        if not self.computations:
            self.reject_unexpected("a computation")
        self.entry = self.entry or next(reversed(self.computations))

    def computation(self) -> None:
        """``[ENTRY] name [(parameters) -> shape] { instructions } [, execution_thread="name"]``."""
        start = self.position
        entry = ENTRY.match(self.text, start)
        if entry:
            self.position = entry.end()
        place = self.here()
        name = self.name("the name of a computation")
        if name in self.computations:
            self.error(f"there is another computation named '{name}'", place)
        self.body = ComputationReader(name)
        at = self.here()
        declared = self.signature() if self.at("(") else None
        self.block()
        thread = "main"
        if self.accept(","):
            self.expect("execution_thread=")
            thread = self.string("the name of a thread")
        span = Span(self.source, *place)
        computation = self.body.to_computation(thread, span)
        if declared is not None and not compatible(declared, computation.result.shape):
            shape = computation.result.shape
            self.error(f"the result of '{name}' has the shape {shape}, not {declared}", at)
        self.computations[name] = computation
        if entry:
            if self.entry:
                self.error(f"'{self.entry}' is the entry already", (start, start + 5))
            self.entry = name

    def signature(self) -> Shape:
        """``(name: shape, ...) -> shape``: of which XLA looks at the result alone.

        The colon belongs to the name, and may be missing.
        """

        def item() -> Shape:
            self.name("the name of a parameter")
            return self.shape()

        self.read_enclosed("(", ")", item)
        self.expect("->")
        return self.shape()

    def finish(self, fields: dict[str, Any]) -> HloModule:
        """Returns the module; fields that its header leaves out follow from its entry."""
        scheduled = bool(fields.get("is_scheduled"))
        fused = {
            instruction.attributes["calls"]
            for computation in self.computations.values()
            for instruction in computation.instructions
            if instruction.opcode == "fusion"
        }
        computations: list[HloComputation] = []
        for computation in self.computations.values():
            is_fusion = computation.name in fused
            if is_fusion or scheduled:
                order = tuple(instruction.name for instruction in computation.instructions)
                schedule = order if scheduled and not is_fusion else None
                computation = replace(computation, is_fusion=is_fusion, schedule=schedule)
            computations.append(computation)
        if fields.get("entry_layout") is None:
            border = self.computations[self.entry].program_shape
            border = ProgramShape(border.parameters, border.result)
            plain = self.entry == "_" or any(fields.get(name, ()) != () for name in CONFIGURING)
            fields["entry_layout"] = row_major(border) if plain else border
        self.check_aliases(fields.get("input_output_alias", ()))
        return HloModule(computations=tuple(computations), entry=self.entry, **fields)

    def check_aliases(self, aliases: Sequence[InputOutputAlias]) -> None:
        """Rejects aliases of subshapes that the result does not have."""
        result = self.computations[self.entry].result.shape
        for aliase in aliases:
            if not has_subshape(result, aliase.output_index):
                index = index_text(aliase.output_index)
                self.error(f"the result has no part {index}, it is {result}", (0, 0))


def row_major(border: ProgramShape) -> ProgramShape:
    """Returns the same program shape with row-major layouts."""
    parameters = tuple(map(row_major_shape, border.parameters))
    return ProgramShape(parameters, row_major_shape(border.result))


def row_major_shape(shape: Shape) -> Shape:
    """Returns the same shape with row-major layouts."""
    if shape.is_tuple:
        return Shape.tuple_of([row_major_shape(element) for element in shape.elements])
    return replace(shape, layout=Layout.row_major(shape.rank)) if shape.is_array else shape
