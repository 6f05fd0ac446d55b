"""Checks the interface of a module: layouts of the entry computation, aliases and donated buffers.

Source: XLA, ``HloInputOutputAliasConfig``, ``ComputationLayout``.
"""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.checks.instruction_attributes import subshape
from stablemate.xla.checks.layouts import layout_findings
from stablemate.xla.module import HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.shape_inference.case import alike, format_shapes
from stablemate.xla.values import Index


def entry_findings(module: HloModule) -> Iterator[Diagnostic]:
    """The errors in the entry's layout, in aliases and in donated buffers."""
    yield from entry_layout_findings(module)
    yield from alias_findings(module)
    yield from donor_findings(module)


def entry_layout_findings(module: HloModule) -> Iterator[Diagnostic]:
    """Whether the layouts at the border are those of the entry's parameters and result."""
    layout, entry = module.entry_layout, module.entry_computation
    if layout is None:
        return
    actual = entry.program_shape
    fits = len(layout.parameters) == len(actual.parameters) and all(
        map(alike, layout.parameters, actual.parameters)
    )
    if not fits:
        values = {
            "layout": format_shapes(layout.parameters),
            "parameters": format_shapes(actual.parameters),
        }
        message = "entry_computation_layout has the shapes of the parameters"
        yield Diagnostic(message, "entry_computation_layout", entry.span, values)
    if not alike(layout.result, actual.result):
        results = {"layout": layout.result, "result": actual.result}
        message = "entry_computation_layout has the shape of the result"
        yield Diagnostic(message, "entry_computation_layout", entry.span, results)
    for shape in (*layout.parameters, layout.result):
        for layout_finding in layout_findings(shape):
            yield Diagnostic(
                layout_finding.message,
                "entry_computation_layout",
                entry.span,
                layout_finding.values,
            )


def parameter_part(module: HloModule, number: int, index: Index) -> Shape | None:
    """A part of a parameter; None if there is none."""
    parameters = module.entry_computation.program_shape.parameters
    return subshape(parameters[number], index) if 0 <= number < len(parameters) else None


def alias_findings(module: HloModule) -> Iterator[Diagnostic]:
    """Whether each alias pairs a result with a parameter of its shape, and no two share one."""
    span, result = module.entry_computation.span, module.entry_computation.program_shape.result
    outputs: set[Index] = set()
    inputs: set[tuple[int, Index]] = set()
    for input_output_alia in module.input_output_alias:
        place = (input_output_alia.parameter, input_output_alia.parameter_index)
        values = {
            "output": list(input_output_alia.output_index),
            "parameter": input_output_alia.parameter,
        }
        values["parameter index"] = list(input_output_alia.parameter_index)
        source = parameter_part(module, *place)
        target = subshape(result, input_output_alia.output_index)
        if source is None or target is None:
            message = "an alias pairs a part of the result with a part of a parameter"
            yield Diagnostic(message, "input_output_alias", span, values)
        elif not alike(source, target):
            message = "what is aliased has one shape"
            shapes = {"output": target, "parameter": source}
            yield Diagnostic(message, "input_output_alias", span, shapes)
        if input_output_alia.output_index in outputs or place in inputs:
            message = "a part of the result or of a parameter has one alias"
            yield Diagnostic(message, "input_output_alias", span, values)
        outputs.add(input_output_alia.output_index)
        inputs.add(place)


def donor_findings(module: HloModule) -> Iterator[Diagnostic]:
    """Whether no buffer that is given away is aliased too.

    XLA ignores a donor that is no part of a parameter.
    """
    span = module.entry_computation.span
    aliased = {
        (input_output_alia.parameter, input_output_alia.parameter_index)
        for input_output_alia in module.input_output_alias
    }
    for buffer_donor in module.buffer_donors:
        place = (buffer_donor.parameter, buffer_donor.parameter_index)
        values = {"parameter": buffer_donor.parameter, "index": list(buffer_donor.parameter_index)}
        if place in aliased:
            message = "a buffer that is given away has no alias"
            yield Diagnostic(message, "buffer_donor", span, values)
