"""Collective instructions; ``asynchronous`` has those that come in halves.

Source: XLA, operation semantics, AllGather, AllReduce, AllToAll, CollectiveBroadcast,
CollectivePermute, RaggedAllToAll, ReduceScatter.
"""

from __future__ import annotations

from typing import Final

from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.groups import channel, exchanging_groups, replica_groups
from stablemate.xla.translate.to_stablehlo.rules.ragged import ragged_all_to_all
from stablemate.xla.translate.to_stablehlo.rules.shaping import one_dimension
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values


def group_attributes(step: TranslationStep) -> dict[str, object]:
    """The attributes of the groups that work together."""
    return {"replica_groups": replica_groups(step), "channel_handle": channel(step)}


def with_global_ids(step: TranslationStep) -> dict[str, object]:
    """Those, and whether ids are those of devices."""
    return {
        **group_attributes(step),
        "use_global_device_ids": step.get("use_global_device_ids") or None,
    }


def all_reduce(step: TranslationStep) -> Values:
    """Translates to one ``all_reduce`` of all operands."""
    fields: Fields = {
        "operands": step.arrays(),
        "regions": [step.region("to_apply")],
        **with_global_ids(step),
    }
    return step.emit("stablehlo.all_reduce", **fields).results


def all_gather(step: TranslationStep) -> Values:
    """Translates to one ``all_gather`` of all operands."""
    return gather_shapes(step, step.declared_shape)


def gather_shapes(step: TranslationStep, result: Shape) -> Values:
    """``all_gather`` with results of these shapes."""
    fields: Fields = {
        "operands": step.arrays(),
        "all_gather_dim": one_dimension(step),
        **with_global_ids(step),
    }
    results = [step.type_of(leaf) for _, leaf in result.leaves()]
    return step.emit("stablehlo.all_gather", results=results, **fields).results


def all_gather_start(step: TranslationStep) -> Values:
    """The operands, then what is gathered of them."""
    parts = step.declared_shape.elements
    if len(parts) < 2:
        step.refuse("the result is (operand, result)", result=step.declared_shape)
    return [*step.leaves(), *gather_shapes(step, parts[1])]


def reduce_scatter(step: TranslationStep) -> Values:
    """One ``reduce_scatter`` for each operand."""
    results = step.result_types
    if len(results) != len(step.operands):
        step.refuse("there is a result for each operand", result=step.declared_shape)
    return [
        step.one(
            "stablehlo.reduce_scatter",
            results=[result],
            operand=operand,
            scatter_dimension=one_dimension(step),
            regions=[step.region("to_apply")],
            **with_global_ids(step),
        )
        for operand, result in zip(step.arrays(), results, strict=True)
    ]


def all_to_all(step: TranslationStep) -> Values:
    """``all_to_all`` along one dimension, or of one operand for each member of a group."""
    if "dimensions" not in step.attributes:
        return all_to_all_of_tuple(step)
    dimension, groups = one_dimension(step), exchanging_groups(step)
    fields: Fields = {
        "operands": step.arrays(),
        "split_dimension": dimension,
        "concat_dimension": dimension,
        "split_count": groups.shape[1],
        "replica_groups": groups,
        "channel_handle": channel(step),
    }
    return step.emit("stablehlo.all_to_all", **fields).results


def all_to_all_of_tuple(step: TranslationStep) -> Values:
    """Operand i goes to member i; result j is from member j.

    The operands lie behind one another in an array that is divided among the members.
    """
    operands = step.arrays()
    if not operands:
        step.refuse("there is an operand for each member of a group", operands=0)
    shape = operands[0].type.shape
    rows = [step.reshape(operand, (1, *shape)) for operand in operands]
    concatenated = step.one("stablehlo.concatenate", inputs=rows, dimension=0)
    fields: Fields = {
        "operands": [concatenated],
        "split_dimension": 0,
        "concat_dimension": 0,
        "split_count": len(operands),
        "replica_groups": exchanging_groups(step),
        "channel_handle": channel(step),
    }
    exchanged = step.one("stablehlo.all_to_all", **fields)
    return [element_at(step, exchanged, i) for i in range(len(operands))]


def element_at(step: TranslationStep, value: Value[TensorType], index: int) -> Value[TensorType]:
    """``value[index]``."""
    shape = value.type.shape
    row = step.one(
        "stablehlo.slice",
        operand=value,
        start_indices=[index, *[0] * (len(shape) - 1)],
        limit_indices=[index + 1, *shape[1:]],
        strides=[1] * len(shape),
    )
    return step.reshape(row, shape[1:])


def collective_broadcast(step: TranslationStep) -> Values:
    """Translates to one ``collective_broadcast`` of all operands."""
    fields: Fields = {"operands": step.arrays(), **group_attributes(step)}
    return step.emit("stablehlo.collective_broadcast", **fields).results


def collective_permute(step: TranslationStep) -> Values:
    """One ``collective_permute`` for each operand; of slices, into another operand."""
    if len(step.operands) == 4 and "slice_sizes" in step.attributes:
        return permute_slices(step)
    return [permute_array(step, array) for array in step.arrays()]


def permute_array(step: TranslationStep, operand: Value[TensorType]) -> Value[TensorType]:
    """``collective_permute`` of one array, between replicas or, with a channel, partitions."""
    pairs, handle = step.need("source_target_pairs"), channel(step)
    count = step.scope.replicas if handle is None else step.scope.partitions
    if count > 1 and any(max(pair) >= count for pair in pairs):
        step.refuse("sources and targets are processes", pairs=pairs, processes=count)
    return step.one(
        "stablehlo.collective_permute",
        operand=operand,
        source_target_pairs=pairs,
        channel_handle=handle,
    )


def permute_slices(step: TranslationStep) -> Values:
    """Slices of the first operand are written into the second of the process that gets them.

    Operands are input, output, and the starts of the slices in both: tuples of scalars, or of such
    tuples where there is more than one slice. A process that gets nothing keeps its output.
    """
    source, target, from_, to = step.operands
    if not (source.shape.is_array and target.shape.is_array):
        step.refuse_unsupported("several arrays at once are permuted whole", operand=source.shape)
    value, result = step.array(0), step.array(1)
    rank = value.type.rank
    true = step.spread(step.constant(True, BOOLEAN), (1,))
    is_source = step.reshape(permute_array(step, true), ())
    for i, sizes in enumerate(step.need("slice_sizes")):
        starts, places = (literal.values[i * rank : (i + 1) * rank] for literal in (from_, to))
        sent = step.one(
            "stablehlo.dynamic_slice", operand=value, start_indices=starts, slice_sizes=sizes
        )
        kept = step.one(
            "stablehlo.dynamic_slice", operand=result, start_indices=places, slice_sizes=sizes
        )
        received = permute_array(step, sent)
        update = step.one("stablehlo.select", pred=is_source, on_true=received, on_false=kept)
        fields: Fields = {"operand": result, "update": update, "start_indices": places}
        result = step.one("stablehlo.dynamic_update_slice", **fields)
    return [result]


def collective_permute_start(step: TranslationStep) -> Values:
    """The operands, what comes in their place, and contexts without contents."""
    operands = step.leaves()
    results = collective_permute(step)
    if len(results) < len(operands):  # of slices, only the array they are taken from is handed on
        operands = operands[:1]
    return step.with_contexts([*operands, *results])


def process_id(step: TranslationStep) -> Values:
    """``replica_id`` or ``partition_id``."""
    return [step.one(f"stablehlo.{step.opcode.replace('-', '_')}")]


def second_part(step: TranslationStep) -> Values:
    """The second part of a start: the results."""
    shape, values = step.operands[0].shape, step.operands[0].values
    if len(shape.elements) < 2:
        step.refuse("the operand is what the start gives", operand=shape)
    first = shape.elements[0].leaf_count
    second = shape.elements[1].leaf_count
    return values[first : first + second]


def handed_on(step: TranslationStep) -> Values:
    """Replaces an instruction by its first operand."""
    return step.operands[0].values


RULES: Final[Rules] = {
    "all-reduce": all_reduce,
    "all-gather": all_gather,
    "reduce-scatter": reduce_scatter,
    "all-to-all": all_to_all,
    "collective-broadcast": collective_broadcast,
    "collective-permute": collective_permute,
    "ragged-all-to-all": ragged_all_to_all,
    "replica-id": process_id,
    "partition-id": process_id,
}
