"""Opcodes: one row each, with operands and attributes in the order in which they are printed.

A row is ``opcode: operands; attributes``. Operands are a number, ``n+`` for at least n, or ``n-m``.
``*`` marks what must be there; ``name:kind`` is an attribute that holds something else here than
elsewhere. A line may end with marks:

* ``!``: the shape of the result must be written, it does not follow from the rest;
* ``~``: each element of the result is computed from the elements at its place;
* ``@n``: results have the layouts of the operands from number n on where shapes agree (``~``: 0).

Source: HLO text as XLA reads and prints it; XLA, operation semantics.
"""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.xla.kinds import ATTRIBUTES, CALLING, COMMON, AttributeRow, Kind

MANY: Final = 1 << 30

DOT: Final = "lhs_batch_dims lhs_contracting_dims rhs_batch_dims rhs_contracting_dims"
GROUPS: Final = "channel_id replica_groups constrain_layout"
PERMUTE: Final = "channel_id source_target_pairs* slice_sizes:INTEGER_ROWS"
CUSTOM: Final = (
    "window dim_labels feature_group_count batch_group_count operand_precision padding_type "
    "custom_call_target* operand_layout_constraints custom_call_has_side_effect literal "
    "output_to_operand_aliasing schedule api_version to_apply called_computations"
)
NORM: Final = "epsilon* feature_index*"

TABLE: Final = f"""
parameter: 0; parameter_number* !
constant: 0; literal* !
iota: 0; iota_dimension* !
abs ceil floor round-nearest-afz round-nearest-even sign negate not popcnt: 1 ~
count-leading-zeros is-finite real imag: 1 ~
cbrt cosine sine tan tanh exponential exponential-minus-one log log-plus-one: 1; result_accuracy ~
logistic rsqrt sqrt acos acosh asin asinh atan atanh cosh sinh erf: 1; result_accuracy ~
add subtract multiply divide remainder maximum minimum power atan2 and or xor: 2 ~
shift-left shift-right-arithmetic shift-right-logical mulhi complex: 2 ~
compare: 2; direction* type ~
clamp: 3 @1
select: 3 @0
convert bitcast-convert bitcast: 1 !
copy: 1
stochastic-convert: 2 !
reduce-precision: 1; exponent_bits* mantissa_bits* !
broadcast: 1; dimensions
reshape: 1; inferred_dimension !
dynamic-reshape: 1+ !
transpose: 1; dimensions*
reverse: 1; dimensions* @0
concatenate: 1+; dimensions*
slice: 1; slice* !
dynamic-slice: 1+; dynamic_slice_sizes* !
dynamic-update-slice: 2+ !
pad: 2; padding*
gather: 2; offset_dims* collapsed_slice_dims* start_index_map* operand_batching_dims \
start_indices_batching_dims index_vector_dim* slice_sizes* indices_are_sorted
scatter: 3+; update_window_dims* inserted_window_dims* scatter_dims_to_operand_dims* \
input_batching_dims scatter_indices_batching_dims index_vector_dim* indices_are_sorted \
unique_indices to_apply* @0
dot: 2; {DOT} operand_precision algorithm
ragged-dot: 3; {DOT} lhs_ragged_dims rhs_group_dims operand_precision
scaled-dot: 4; {DOT} operand_precision algorithm
convolution: 2; window dim_labels* feature_group_count batch_group_count convolution_kind \
sparsity_config operand_precision
reduce: 2+; dimensions* to_apply*
reduce-window: 2+; window to_apply*
select-and-scatter: 3; window select* scatter* @0
map: 1+; dimensions to_apply*
scan: 1+; dimensions* num_carries* is_reverse is_associative to_apply*
sort: 1+; dimensions* is_stable to_apply* @0
topk: 1; k* largest
rng: 2; distribution* !
rng-bit-generator: 1; algorithm* !
rng-get-and-update-state: 0; delta* !
batch-norm-training: 3; {NORM} @0
batch-norm-inference batch-norm-grad: 5; {NORM} @0
cholesky: 1; lower @0
triangular-solve: 2; left_side lower unit_diagonal transpose_a @1
fft: 1; fft_type* fft_length* @0
tuple: 0+
get-tuple-element: 1; index*
call: 0+; to_apply* is_composite
while: 1; condition* body*
conditional: 2+; true_computation false_computation branch_computations
fusion: 0+; kind* output_to_operand_aliasing calls* !
custom-call: 0+; {CUSTOM} !
domain: 1; domain*
opt-barrier: 1 !
add-dependency: 2
after-all: 0+
infeed: 1; infeed_config !
outfeed: 2; outfeed_shape outfeed_config !
send: 2; channel_id is_host_transfer !
recv send-done recv-done: 1; channel_id is_host_transfer !
replica-id partition-id: 0
all-reduce all-reduce-start: 0+; {GROUPS} use_global_device_ids to_apply* !
all-gather all-gather-start: 0+; {GROUPS} dimensions* use_global_device_ids !
reduce-scatter: 0+; {GROUPS} use_global_device_ids dimensions* to_apply* !
all-to-all: 0+; {GROUPS} dimensions !
collective-permute collective-permute-start: 0+; {PERMUTE} !
collective-broadcast: 0+; channel_id replica_groups !
ragged-all-to-all: 6; channel_id replica_groups !
all-reduce-done all-gather-done collective-permute-done: 1 !
copy-start: 1; cross_program_prefetch_index !
copy-done: 1 !
async-start: 0+; output_to_operand_aliasing async_execution_thread calls* !
async-update async-done: 1 !
get-dimension-size: 1; dimensions*
set-dimension-size: 2; dimensions* @0
"""


@dataclass(frozen=True)
class Opcode:
    """A row of the table.

    Attributes:
        name: As text spells it.
        least: The least number of operands.
        most: The greatest; MANY without a bound.
        attributes: Its own attributes, in print order.
        required: The names of those that must be there.
        shape_follows: Whether text may leave out the shape of the result.
        elementwise: Whether an element of the result is computed from those at its place.
        layout_operand: The operand from which on results have the layouts of operands; None if
            they have the default layout.
    """

    name: str
    least: int
    most: int
    attributes: tuple[AttributeRow, ...]
    required: frozenset[str]
    shape_follows: bool
    elementwise: bool
    layout_operand: int | None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its own attributes."""
        return frozenset(attribute.name for attribute in self.attributes)

    @property
    def all_attributes(self) -> tuple[AttributeRow, ...]:
        """Its own attributes, then those of every instruction."""
        return (*self.attributes, *COMMON_ROWS)


COMMON_ROWS: Final = tuple(ATTRIBUTES[name] for name in COMMON)


def attribute_row(text: str) -> AttributeRow:
    """``name*``, or ``name:KIND``."""
    name, _, kind = text.rstrip("*").partition(":")
    return AttributeRow(name, Kind[kind]) if kind else ATTRIBUTES[name]


def opcode_rows(line: str) -> list[Opcode]:
    """The rows of a line of the table: several opcodes may share one."""
    text, marks = split_marks(line)
    names, _, rest = text.partition(": ")
    operands, _, listed = rest.partition("; ")
    least, separator, most = operands.rstrip("+").partition("-")
    greatest = int(most) if separator else MANY if operands.endswith("+") else int(least)
    attributes = tuple(attribute_row(part) for part in listed.split())
    required = frozenset(part.rstrip("*") for part in listed.split() if part.endswith("*"))
    layouts = [int(mark[1:] or 0) for mark in marks if mark != "!"]
    layout_operand = layouts[0] if layouts else None
    facts = (attributes, required, "!" not in marks, "~" in marks, layout_operand)
    return [Opcode(name, int(least), greatest, *facts) for name in names.split()]


def split_marks(line: str) -> tuple[str, list[str]]:
    """A line of the table, and the marks at its end."""
    words = line.split()
    first = next((i for i, word in enumerate(words) if word[0] in "!~@"), len(words))
    return " ".join(words[:first]), words[first:]


OPCODES: Final = {row.name: row for line in TABLE.strip().splitlines() for row in opcode_rows(line)}
# Elementwise opcodes whose instructions are their operands, and nothing that must be said besides.
ELEMENTWISE: Final = tuple(
    name for name, row in OPCODES.items() if row.elementwise and not row.required
)
# Opcodes whose instructions may name computations.
CALLERS: Final = frozenset(
    name for name, row in OPCODES.items() if not row.names.isdisjoint(CALLING)
)
# Opcodes with their own start and done; ``X-start``, ``X-update``, ``X-done`` of all others are
# asynchronous forms of ``X``.
OWN_ASYNC: Final = frozenset(
    name.removesuffix("-start") for name in OPCODES if name.endswith("-start")
) - {"async"}
