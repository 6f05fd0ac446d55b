"""The kinds of attributes of instructions: one row per attribute name.

Source: HLO text as XLA reads and prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass


class Kind(Enum):
    """How the value of an attribute is spelled, and what it is in Python."""

    INTEGER = auto()  # int
    FLOAT = auto()  # float
    FLAG = auto()  # True; absent when false
    BOOLEAN = auto()  # bool, printed also when false
    INTEGERS = auto()  # tuple[int, ...]
    BOOLEANS = auto()  # tuple[bool, ...]
    WORD = auto()  # str, one of the row's words
    WORDS = auto()  # tuple[str, ...], each one of the row's words
    STRING = auto()  # str
    STRING_OR_DICT = auto()  # str; printed bare when it is a balanced dictionary
    SHAPE = auto()  # Shape
    SHAPES = auto()  # tuple[Shape, ...]
    LITERAL = auto()  # Literal
    COMPUTATION = auto()  # str, the name of a computation
    COMPUTATIONS = auto()  # tuple[str, ...]
    INSTRUCTIONS = auto()  # tuple[str, ...], names of instructions of the same computation
    WINDOW = auto()  # tuple[WindowDimension, ...]
    DIM_LABELS = auto()  # ConvolutionDimensions
    PADDING = auto()  # tuple[PaddingDimension, ...]
    SLICES = auto()  # tuple[SliceDimension, ...]
    INTEGER_ROWS = auto()  # tuple[tuple[int, ...], ...]
    REPLICA_GROUPS = auto()  # ReplicaGroups
    SHARDING = auto()  # Sharding
    DOMAIN = auto()  # Domain
    METADATA = auto()  # Metadata
    FRONTEND_ATTRIBUTES = auto()  # Mapping[str, str]
    STATISTICS = auto()  # Statistics
    ORIGIN = auto()  # Origin
    ALIASING = auto()  # tuple[OutputOperandAlias, ...]
    RESULT_ACCURACY = auto()  # ResultAccuracy
    SPARSITY = auto()  # SparsityConfig


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """An attribute: its name, kind, allowed words, and the value that is not printed."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    default: Any = None


DOT_ALGORITHMS: Final = (
    *("unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16"),
    *("dot_f16_f16_f32", "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3"),
    *("dot_bf16_bf16_f32_x6", "dot_bf16_bf16_f32_x9", "dot_tf32_tf32_f32"),
    *("dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64"),
)
RNG_ALGORITHMS: Final = ("rng_default", "rng_three_fry", "rng_philox")
TRANSPOSES: Final = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
API_VERSIONS: Final = (
    *("API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING"),
    *("API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"),
)
SCHEDULES: Final = ("SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST")
PRECISIONS: Final = ("default", "high", "highest")


def rows(kind: Kind, *names: str) -> tuple[AttributeRow, ...]:
    """Attributes of one kind that are printed whenever they are there."""
    return tuple(AttributeRow(name, kind) for name in names)


def words(name: str, *allowed: str, default: str | None = None) -> AttributeRow:
    """An attribute that is one of some words."""
    return AttributeRow(name, Kind.WORD, allowed, default)


# ``algorithm`` is the one name that two opcodes use for different words; ``dimensions`` and
# ``calls`` hold more with some opcodes, which the opcode's own row says.
ROWS: Final = (
    *rows(Kind.INTEGER, "parameter_number", "iota_dimension", "index", "index_vector_dim"),
    *rows(Kind.INTEGER, "exponent_bits", "mantissa_bits", "inferred_dimension", "feature_index"),
    *rows(Kind.INTEGER, "channel_id", "delta", "k", "num_carries"),
    *rows(Kind.INTEGER, "cross_program_prefetch_index"),
    AttributeRow("feature_group_count", Kind.INTEGER, default=1),
    AttributeRow("batch_group_count", Kind.INTEGER, default=1),
    *rows(Kind.FLOAT, "epsilon"),
    *rows(Kind.FLAG, "is_stable", "indices_are_sorted", "unique_indices", "constrain_layout"),
    *rows(Kind.FLAG, "use_global_device_ids", "is_host_transfer", "lower", "left_side"),
    *rows(Kind.FLAG, "unit_diagonal", "custom_call_has_side_effect", "is_composite"),
    *rows(Kind.FLAG, "is_reverse"),
    *rows(Kind.BOOLEAN, "largest", "is_associative"),
    *rows(Kind.INTEGERS, "dimensions", "dynamic_slice_sizes", "slice_sizes", "fft_length"),
    *rows(Kind.INTEGERS, "lhs_batch_dims", "lhs_contracting_dims", "rhs_batch_dims"),
    *rows(Kind.INTEGERS, "rhs_contracting_dims", "lhs_ragged_dims", "rhs_group_dims"),
    *rows(Kind.INTEGERS, "offset_dims", "collapsed_slice_dims", "start_index_map"),
    *rows(Kind.INTEGERS, "operand_batching_dims", "start_indices_batching_dims"),
    *rows(Kind.INTEGERS, "update_window_dims", "inserted_window_dims"),
    *rows(Kind.INTEGERS, "scatter_dims_to_operand_dims", "input_batching_dims"),
    *rows(Kind.INTEGERS, "scatter_indices_batching_dims"),
    *rows(Kind.BOOLEANS, "parameter_replication"),
    words("direction", "EQ", "NE", "GE", "GT", "LE", "LT"),
    words("type", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"),
    words("distribution", "rng_uniform", "rng_normal"),
    words("fft_type", "FFT", "IFFT", "RFFT", "IRFFT"),
    words("transpose_a", *TRANSPOSES),
    words("kind", "kLoop", "kInput", "kOutput", "kCustom"),
    words("convolution_kind", "unset", "fprop", "wgrad", "dgrad", default="unset"),
    words(
        "padding_type",
        "PADDING_INVALID",
        "PADDING_VALID",
        "PADDING_SAME",
        default="PADDING_INVALID",
    ),
    words("schedule", *SCHEDULES, default="SCHEDULE_NONE"),
    words("api_version", *API_VERSIONS, default="API_VERSION_ORIGINAL"),
    words("algorithm", *DOT_ALGORITHMS, *RNG_ALGORITHMS, default="unset"),
    AttributeRow("operand_precision", Kind.WORDS, PRECISIONS),
    *rows(Kind.STRING, "custom_call_target", "infeed_config", "outfeed_config"),
    *rows(Kind.STRING, "async_execution_thread"),
    *rows(Kind.STRING_OR_DICT, "backend_config"),
    *rows(Kind.SHAPE, "outfeed_shape"),
    *rows(Kind.SHAPES, "operand_layout_constraints"),
    *rows(Kind.LITERAL, "literal"),
    *rows(Kind.COMPUTATION, "to_apply", "condition", "body", "select", "scatter", "calls"),
    *rows(Kind.COMPUTATION, "true_computation", "false_computation"),
    *rows(Kind.COMPUTATIONS, "branch_computations", "called_computations"),
    *rows(Kind.INSTRUCTIONS, "control-predecessors"),
    *rows(Kind.WINDOW, "window"),
    *rows(Kind.DIM_LABELS, "dim_labels"),
    *rows(Kind.PADDING, "padding"),
    *rows(Kind.SLICES, "slice"),
    *rows(Kind.INTEGER_ROWS, "source_target_pairs"),
    *rows(Kind.REPLICA_GROUPS, "replica_groups"),
    *rows(Kind.SHARDING, "sharding"),
    *rows(Kind.DOMAIN, "domain"),
    *rows(Kind.METADATA, "metadata"),
    *rows(Kind.FRONTEND_ATTRIBUTES, "frontend_attributes"),
    *rows(Kind.STATISTICS, "statistics"),
    *rows(Kind.ORIGIN, "origin"),
    *rows(Kind.ALIASING, "output_to_operand_aliasing"),
    *rows(Kind.RESULT_ACCURACY, "result_accuracy"),
    *rows(Kind.SPARSITY, "sparsity_config"),
)
ATTRIBUTES: Final = {row.name: row for row in ROWS}
# What every instruction may have, in the order in which it is printed after the opcode's own.
COMMON: Final = (
    *("parameter_replication", "sharding", "frontend_attributes", "control-predecessors"),
    *("statistics", "origin", "metadata", "backend_config"),
)
# Attributes that name computations.
CALLING: Final = tuple(
    row.name for row in ROWS if row.kind in (Kind.COMPUTATION, Kind.COMPUTATIONS)
)


def called_computations(attributes: Mapping[str, Any]) -> Iterator[str]:
    """The computations that attributes name."""
    for name in CALLING:
        attribute = attributes.get(name)
        if isinstance(attribute, str):
            yield attribute
        elif attribute is not None:
            yield from attribute
