"""Writes the fields that XLA writes for an instruction even if they are not set.

Source: XLA, ``HloInstructionProto`` as XLA writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.formats.hlo.proto.messages import Proto
from stablemate.formats.hlo.proto.shapes import shape_proto
from stablemate.xla.module import HloInstruction
from stablemate.xla.opcodes import OPCODES

API_VERSION_ORIGINAL: Final = 1
TRI_STATE_FALSE: Final = 2
ALL_OPERANDS: Final = -1
PRECISE: Final = {
    **{"dot": 2, "scaled-dot": 2, "ragged-dot": 2, "convolution": 2},
    "custom-call": ALL_OPERANDS,
}
GROUPED: Final = frozenset(
    name
    for name, row in OPCODES.items()
    if any(attribute.name == "replica_groups" for attribute in row.attributes)
)
# Messages that are there even when empty.
ALWAYS_PRESENT: Final = {
    "convolution": ("window", "sparsity_config", "convolution_dimension_numbers"),
    "reduce-window": ("window",),
    "select-and-scatter": ("window",),
    "gather": ("gather_dimension_numbers",),
    "scatter": ("scatter_dimension_numbers",),
    "dot": ("dot_dimension_numbers",),
    "scaled-dot": ("dot_dimension_numbers",),
    "ragged-dot": ("ragged_dot_dimension_numbers",),
    "cholesky": ("cholesky_options",),
    "triangular-solve": ("triangular_solve_options",),
    "pad": ("padding_config",),
}


def write_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes the fields that XLA writes even if they are not set."""
    for name in ALWAYS_PRESENT.get(instruction.opcode, ()):
        getattr(proto, name).SetInParent()
    precise = PRECISE.get(instruction.opcode)
    if precise and not proto.precision_config.operand_precision:
        count = precise if precise != ALL_OPERANDS else len(instruction.operands)
        proto.precision_config.operand_precision.extend([0] * count)
        proto.precision_config.SetInParent()
    if instruction.opcode in ("convolution", "custom-call"):
        proto.feature_group_count = proto.feature_group_count or 1
        proto.batch_group_count = proto.batch_group_count or 1
    if instruction.opcode in GROUPED and "replica_groups" not in instruction.attributes:
        proto.collective_device_list.SetInParent()
    special = DEFAULTS.get(instruction.opcode)
    if special is not None:
        special(proto, instruction, by_name)


def compare_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Sets the comparison type, by default the one for the operand's element type."""
    first = by_name[instruction.operands[0]].shape
    proto.comparison_type = proto.comparison_type or first.element_type.comparison


def custom_call_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes the API version of a custom call."""
    proto.custom_call_api_version = proto.custom_call_api_version or API_VERSION_ORIGINAL


def map_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes all dimensions of a map."""
    if "dimensions" not in instruction.attributes:
        proto.dimensions.extend(range(instruction.shape.rank))


def scan_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes that a scan is not associative."""
    proto.is_associative = proto.is_associative or TRI_STATE_FALSE


def topk_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes that the largest values are selected."""
    proto.largest = instruction.attributes.get("largest", True)


def outfeed_defaults(
    proto: Proto, instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> None:
    """Writes the shape of the operand."""
    if not proto.HasField("outfeed_shape"):
        proto.outfeed_shape.CopyFrom(shape_proto(by_name[instruction.operands[0]].shape))


DEFAULTS: Final = {
    "compare": compare_defaults,
    "custom-call": custom_call_defaults,
    "map": map_defaults,
    "scan": scan_defaults,
    "topk": topk_defaults,
    "outfeed": outfeed_defaults,
}
