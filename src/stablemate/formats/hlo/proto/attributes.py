"""A table of attributes and the message fields that hold them, per opcode where these differ.

A row is ``attribute: path codec`` or ``opcode.attribute: path codec``; a path leads through
messages. Computations, predecessors and attributes that depend on operands are handled separately
(``instructions``, ``writer``).

Source: XLA, ``HloInstructionProto``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.proto import values
from stablemate.formats.hlo.proto.devices import read_sharding, write_sharding
from stablemate.formats.hlo.proto.literals import read_literal, write_literal
from stablemate.formats.hlo.proto.messages import MessageError, Proto
from stablemate.formats.hlo.proto.metadata import (
    read_origin,
    read_statistics,
    write_origin,
    write_statistics,
)
from stablemate.formats.hlo.proto.shapes import read_shape, shape_proto
from stablemate.formats.hlo.proto.values import Codec, word_codec
from stablemate.xla.kinds import ATTRIBUTES, COMMON
from stablemate.xla.opcodes import OPCODES, Opcode
from stablemate.xla.shape import Shape


def field_writer(write: Callable[[Proto, Any], None]) -> Callable[[Proto, str, Any], None]:
    """Turns a function that writes into a message into one that writes a field of that type."""
    return lambda proto, name, value: write(getattr(proto, name), value)


def set_shape(proto: Proto, name: str, shape: Shape) -> None:
    """Sets the field ``name`` to the proto of a shape."""
    getattr(proto, name).CopyFrom(shape_proto(shape))


def precisions(numbers: Sequence[int]) -> tuple[str, ...] | None:
    """Reads the precisions of the operands; None if all are the default."""
    if not any(numbers):
        return None
    if not all(0 <= number < len(PRECISIONS) for number in numbers):
        raise MessageError(f"expected numbers of {', '.join(PRECISIONS)}, got {list(numbers)}")
    return tuple(PRECISIONS[number] for number in numbers)


def write_precisions(proto: Proto, name: str, names: tuple[str, ...]) -> None:
    """Writes the precisions of the operands."""
    getattr(proto, name).extend(PRECISIONS.index(name) for name in names)


def rows_of_one(numbers: Any) -> tuple[tuple[int, ...], ...] | None:
    """Reads ``{{2},{3}}``: a row for each number."""
    listed: list[int] = list(numbers)
    return tuple((number,) for number in listed) or None


def write_rows(proto: Proto, name: str, rows: tuple[tuple[int, ...], ...]) -> None:
    """Writes the numbers of rows one after another."""
    getattr(proto, name).extend(number for row in rows for number in row)


def tri_state(number: int) -> bool | None:
    """Reads a boolean that may be unset."""
    return None if number == 0 else number == 1


def write_tri_state(proto: Proto, name: str, value: bool) -> None:
    """Writes a boolean as set."""
    setattr(proto, name, 1 if value else 2)


DOTS: Final = ("dot", "ragged-dot", "scaled-dot")
PRECISIONS: Final = ("default", "high", "highest")
RNG: Final = {0: "rng_default", 1: "rng_three_fry", 2: "rng_philox"}
DOT_ALGORITHMS: Final = (
    *("any_f8_any_f8_f32", "any_f8_any_f8_f32_fast_accum", "f16_f16_f16", "f16_f16_f32"),
    *("bf16_bf16_bf16", "bf16_bf16_f32", "bf16_bf16_f32_x3", "bf16_bf16_f32_x6"),
    *("tf32_tf32_f32", "tf32_tf32_f32_x3", "f32_f32_f32", "f64_f64_f64", "bf16_bf16_f32_x9"),
)


def numbered_words(*words: str, start: int = 1) -> Codec:
    """Returns a codec for words that are numbered in this order."""
    return word_codec(dict(enumerate(words, start)))


def spelled_words(attribute: str) -> Codec:
    """Returns a codec for an attribute whose words are written as text."""
    words = ATTRIBUTES[attribute].words

    def read(text: str) -> str:
        if text not in words:
            raise MessageError(
                f"expected {attribute} to be one of {', '.join(words)}, got {text!r}"
            )
        return text

    return Codec(read, values.set_field)


CODECS: Final = {
    "number": values.NUMBER,
    "count": values.COUNT,
    "optional": values.OPTIONAL,
    "float": values.NUMBER,
    "direction": spelled_words("direction"),
    "fusion": spelled_words("kind"),
    "numbers": values.INTEGERS,
    "first": values.FIRST,
    "text": values.STRING,
    "bytes": values.BYTES,
    "window": values.WINDOW,
    "labels": values.DIM_LABELS,
    "padding": values.PADDING,
    "slices": values.SLICES,
    "pairs": values.PAIRS,
    "aliases": values.ALIASING,
    "accuracy": values.RESULT_ACCURACY,
    "sparsity": values.SPARSITY,
    "mapping": values.MAPPING,
    "shape": Codec(read_shape, set_shape),
    "literal": Codec(read_literal, field_writer(write_literal)),
    "sharding": Codec(read_sharding, field_writer(write_sharding)),
    "origin": Codec(read_origin, field_writer(write_origin)),
    "statistics": Codec(read_statistics, field_writer(write_statistics)),
    "precisions": Codec(precisions, write_precisions),
    "rows": Codec(rows_of_one, write_rows),
    "tri-state": Codec(tri_state, write_tri_state),
    "distribution": numbered_words("rng_uniform", "rng_normal"),
    "fft": numbered_words("FFT", "IFFT", "RFFT", "IRFFT", start=0),
    "transpose": numbered_words("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"),
    "convolution": numbered_words("fprop", "dgrad", "wgrad"),
    "same-padding": numbered_words("PADDING_VALID", "PADDING_SAME"),
    "schedule": numbered_words("SCHEDULE_LATEST", "SCHEDULE_EARLIEST"),
    "version": word_codec(
        {
            1: "",
            2: "API_VERSION_STATUS_RETURNING",
            3: "API_VERSION_STATUS_RETURNING_UNIFIED",
            4: "API_VERSION_TYPED_FFI",
        }
    ),
    "algorithm": numbered_words(*(f"dot_{algorithm}" for algorithm in DOT_ALGORITHMS)),
    "rng": word_codec(RNG),
}

TABLE: Final = """
parameter_number: parameter_number number
iota_dimension: dimensions first
inferred_dimension: dimensions first
index: tuple_index number
exponent_bits: exponent_bits number
mantissa_bits: mantissa_bits number
feature_index: feature_index number
epsilon: epsilon float
delta: delta number
k: k number
largest: largest number
num_carries: num_carries number
is_reverse: is_reverse number
is_associative: is_associative tri-state
feature_group_count: feature_group_count count
batch_group_count: batch_group_count count
cross_program_prefetch_index: cross_program_prefetch_index optional
is_stable: is_stable number
indices_are_sorted: indices_are_sorted number
unique_indices: unique_indices number
constrain_layout: constrain_layout number
use_global_device_ids: use_global_device_ids number
is_host_transfer: is_host_transfer number
custom_call_has_side_effect: custom_call_has_side_effect number
is_composite: is_composite number
left_side: triangular_solve_options.left_side number
unit_diagonal: triangular_solve_options.unit_diagonal number
triangular-solve.lower: triangular_solve_options.lower number
cholesky.lower: cholesky_options.lower number
transpose_a: triangular_solve_options.transpose_a transpose
dimensions: dimensions numbers
dynamic_slice_sizes: dynamic_slice_sizes numbers
gather.slice_sizes: gather_slice_sizes numbers
collective-permute.slice_sizes: dynamic_slice_sizes rows
collective-permute-start.slice_sizes: dynamic_slice_sizes rows
fft_length: fft_length numbers
fft_type: fft_type fft
lhs_batch_dims: dot_dimension_numbers.lhs_batch_dimensions numbers
lhs_contracting_dims: dot_dimension_numbers.lhs_contracting_dimensions numbers
rhs_batch_dims: dot_dimension_numbers.rhs_batch_dimensions numbers
rhs_contracting_dims: dot_dimension_numbers.rhs_contracting_dimensions numbers
lhs_ragged_dims: ragged_dot_dimension_numbers.lhs_ragged_dimensions numbers
rhs_group_dims: ragged_dot_dimension_numbers.rhs_group_dimensions numbers
offset_dims: gather_dimension_numbers.offset_dims numbers
collapsed_slice_dims: gather_dimension_numbers.collapsed_slice_dims numbers
start_index_map: gather_dimension_numbers.start_index_map numbers
operand_batching_dims: gather_dimension_numbers.operand_batching_dims numbers
start_indices_batching_dims: gather_dimension_numbers.start_indices_batching_dims numbers
gather.index_vector_dim: gather_dimension_numbers.index_vector_dim number
update_window_dims: scatter_dimension_numbers.update_window_dims numbers
inserted_window_dims: scatter_dimension_numbers.inserted_window_dims numbers
scatter_dims_to_operand_dims: scatter_dimension_numbers.scatter_dims_to_operand_dims numbers
input_batching_dims: scatter_dimension_numbers.input_batching_dims numbers
scatter_indices_batching_dims: scatter_dimension_numbers.scatter_indices_batching_dims numbers
scatter.index_vector_dim: scatter_dimension_numbers.index_vector_dim number
parameter_replication: parameter_replication.replicated_at_leaf_buffers numbers
direction: comparison_direction direction
distribution: distribution distribution
kind: fusion_kind fusion
convolution_kind: conv_kind convolution
sparsity_config: sparsity_config sparsity
padding_type: padding_type same-padding
schedule: custom_call_schedule schedule
api_version: custom_call_api_version version
algorithm: precision_config.algorithm algorithm
rng-bit-generator.algorithm: rng_algorithm rng
operand_precision: precision_config.operand_precision precisions
custom_call_target: custom_call_target text
infeed_config: infeed_config bytes
outfeed_config: outfeed_config bytes
async_execution_thread: async_execution_thread text
backend_config: backend_config bytes
outfeed_shape: outfeed_shape shape
literal: literal literal
window: window window
dim_labels: convolution_dimension_numbers labels
padding: padding_config padding
slice: slice_dimensions slices
source_target_pairs: source_target_pairs pairs
output_to_operand_aliasing: output_operand_aliasing aliases
result_accuracy: result_accuracy accuracy
sharding: sharding sharding
frontend_attributes: frontend_attributes mapping
origin: original_value origin
statistics: statistics_viz statistics
"""
ROWS: Final[dict[str, str]] = {
    name: text for name, _, text in (line.partition(": ") for line in TABLE.strip().splitlines())
}
# Messages through which a path leads differently.
ELSEWHERE: Final = {"ragged-dot": ("dot_dimension_numbers", "ragged_dot_dimension_numbers")}
# Fields whose presence can be queried: messages, and numbers that may be zero.
PRESENT: Final = frozenset(
    {
        *("shape", "literal", "window", "labels", "padding", "accuracy", "sparsity", "sharding"),
        *("origin", "statistics", "mapping", "optional"),
    }
)
# Attributes that XLA always writes, besides those that an opcode requires.
ALWAYS: Final = frozenset(
    {
        *(("broadcast", "dimensions"), ("map", "dimensions")),
        *((opcode, f"{side}_contracting_dims") for opcode in DOTS for side in ("lhs", "rhs")),
    }
)
# The values that are read if the field is absent.
EMPTY: Final = {
    **{"number": 0, "float": 0.0, "numbers": (), "text": "", "bytes": ""},
    **{"pairs": (), "slices": (), "padding": ()},
}
EMPTY_OF: Final[dict[tuple[str, str], object]] = {
    ("topk", "largest"): False,
    ("custom-call", "window"): (),
}


@dataclass(frozen=True, slots=True)
class FieldPath:
    """The message field that holds an attribute of an opcode.

    Attributes:
        attribute: Its name.
        path: The fields that lead to the message that has the field.
        field: The name of the field.
        codec: How its value is read and written.
        present: Whether the presence of the field can be queried.
        empty: The value if the field is absent; None if the attribute is absent then.
        get: The value of the field, given the message of the instruction.
    """

    attribute: str
    path: tuple[str, ...]
    field: str
    codec: Codec
    present: bool
    empty: object
    get: Callable[[Proto], object]

    def read(self, proto: Proto) -> object:
        """Returns the value of the attribute; None if it is absent."""
        if self.present and not proto.HasField(self.field):
            return None
        value = self.codec.read(self.get(proto))
        return self.empty if value is None else value

    def write(self, proto: Proto, value: object) -> None:
        """Writes the value of the attribute."""
        for name in self.path:
            proto = getattr(proto, name)
        self.codec.write(proto, self.field, value)


@cache
def field_paths(opcode: str) -> tuple[FieldPath, ...]:
    """Returns the fields of the attributes of an opcode, in the order of its row."""
    row = OPCODES[opcode]
    found_places = (field_path(row, all_attribute.name) for all_attribute in row.all_attributes)
    return tuple(found_place for found_place in found_places if found_place is not None)


@cache
def own_field_paths(opcode: str) -> tuple[FieldPath, ...]:
    """Returns the fields of the attributes that not every instruction may have."""
    return tuple(
        field_path for field_path in field_paths(opcode) if field_path.attribute not in COMMON
    )


def field_path(row: Opcode, attribute: str) -> FieldPath | None:
    """Returns the field of an attribute of an opcode.

    None for those that are handled separately.
    """
    text = ROWS.get(f"{row.name}.{attribute}") or ROWS.get(attribute)
    if text is None:
        return None
    dotted, name = text.split(" ")
    *path, field = dotted.split(".")
    ragged = ELSEWHERE.get(row.name)
    if ragged and path and path[0] == ragged[0]:
        path, dotted = [ragged[1], *path], f"{ragged[1]}.{dotted}"
    always = attribute in row.required or (row.name, attribute) in ALWAYS
    empty = EMPTY.get(name) if always else EMPTY_OF.get((row.name, attribute))
    return FieldPath(
        *(attribute, tuple(path), field, CODECS[name], name in PRESENT, empty),
        attrgetter(dotted),
    )
