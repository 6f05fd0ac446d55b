"""The operations of MHLO that neither StableHLO nor CHLO has.

Executors get them in StableHLO: ``mhlo_legalize_to_stablehlo`` says what they compute.

Source: MHLO dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.dialects.chlo.top_k import TopElements
from stablemate.dialects.mhlo.broadcast_shapes import minimum_broadcast_shapes
from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.attributes import OpaqueAttribute
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_TENSOR,
    ANY_VALUE,
    ARRAY,
    BOOLEAN_KIND,
    FLOAT_TENSOR,
    SI32,
    SI64,
    SI64_MATRIX,
    STRING,
    TENSOR,
    TOKEN_VALUE,
    AttributeKind,
    is_index,
    is_integer,
    tensor_of,
)
from stablemate.ir.shapes import compatible, same_size
from stablemate.ir.traits import Family
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import UI64, IntegerType


def opaque_kind(mnemonic: str) -> AttributeKind[str]:
    """Members of an enumeration of MHLO, which are kept as text."""
    before = f"#mhlo<{mnemonic} "
    return AttributeKind(
        mnemonic.replace("_", " "),
        lambda a: isinstance(a, OpaqueAttribute) and a.text.startswith(before),
        lambda a: str(a).removeprefix(before).removesuffix(">"),
        lambda value: OpaqueAttribute(f"{before}{value}>"),
    )


SHAPE_TENSOR: Final = tensor_of("1-dimensional tensor of sizes", is_integer, is_index, rank=1)


class IdentityBase(Op):
    """Base of operations that hand on their first operand."""

    __slots__ = ()

    @constraint("type")
    def same_type(self) -> Check:
        """type(result) = type(operand)"""
        operand, result = self.operands[0].type, self.results[0].type
        return holds(compatible(operand, result), operand=operand, result=result)

    def infer(self) -> Type:
        """The type of the operand."""
        value_type: Type = self.operands[0].type
        return value_type


@op("mhlo.copy", family=Family.MOVEMENT)
class Copy(IdentityBase):
    """Copies a value: to another memory, or another layout, which no program here can see."""

    __slots__ = ()
    operand = define.operand("", ANY_VALUE)
    cross_program_prefetch_index = define.optional_attribute("", SI32)
    result = define.result(ANY_VALUE)
    assembly = "$operand attr-dict `:` same-type"


@op("mhlo.add_dependency")
class AddDependency(IdentityBase):
    """The operand, which is to be used after whatever the token depends on."""

    __slots__ = ()
    operand = define.operand("", ANY_TENSOR | TOKEN_VALUE)
    token = define.operand("", TOKEN_VALUE)
    output = define.result(ANY_TENSOR | TOKEN_VALUE)
    assembly = "$operand `,` $token attr-dict `:` functional-type"


@op("mhlo.domain")
class Domain(IdentityBase):
    """The operand, at a boundary between parts of a program with different metadata."""

    __slots__ = ()
    operand = define.operand("", ANY_TENSOR | TOKEN_VALUE)
    kind = define.attribute("", opaque_kind("kind"))
    entry_metadata = define.attribute("", STRING)
    exit_metadata = define.attribute("", STRING)
    result = define.result(ANY_TENSOR | TOKEN_VALUE)


@op("mhlo.trace", effects=True)
class Trace(Op):
    """Marks a value for a tracer."""

    __slots__ = ()
    operand = define.operand("", ANY_TENSOR)
    tag = define.attribute("", STRING)
    assembly = "$operand `,` $tag attr-dict `:` type($operand)"


@op("mhlo.bitcast", family=Family.MOVEMENT)
class Bitcast(Op):
    """The memory of an array as that of an array of another type.

    The attributes ``source_layout`` and ``result_layout`` list dimensions, the last one first; by
    default memory is in the order of the indices.
    """

    __slots__ = ()
    operand = define.operand("", ANY_TENSOR)
    result = define.result(ANY_TENSOR)
    assembly = "$operand attr-dict `:` functional-type"


@op("mhlo.fusion", family=Family.CONTROL)
class Fusion(Op):
    """The results of its region; a compiler made one kernel of it."""

    __slots__ = ()
    inputs = define.variadic("", ANY_VALUE)
    fusion_kind = define.optional_attribute("", opaque_kind("fusion_kind"))
    output_operand_aliases = define.optional_attribute("", ARRAY)
    fused_computation = define.region("")
    outputs = define.variadic_result(ANY_VALUE)

    @constraint("arguments")
    def arguments_fit(self) -> Check:
        """type(arguments(fused_computation)...) = type(inputs...)"""
        arguments = [value.type for value in self.fused_computation.block.arguments]
        inputs = [value.type for value in self.operands]
        return holds(arguments == inputs, arguments=arguments, inputs=inputs)

    @constraint("results")
    def results_fit(self) -> Check:
        """type(returned(fused_computation)...) = type(results...)"""
        returned = [value.type for value in self.fused_computation.block.terminator.operands]
        results = [value.type for value in self.results]
        return holds(returned == results, returned=returned, results=results)


@op("mhlo.minimum_broadcast_shapes")
class MinimumBroadcastShapes(Op):
    """Shapes of least rank that broadcast as the operands do.

    Each result is a reshape of its operand, and the broadcast of the results a reshape of the
    broadcast of the operands. Example: of [1, 2, 3] and [4, 2, 3] the results are [6] and [4, 6].
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_TENSOR)
    outputs = define.variadic_result(SHAPE_TENSOR)
    assembly = "$shapes attr-dict `:` custom<ListsOfTypes>"

    @constraint("number")
    def several_shapes(self) -> Check:
        """2 <= size(shapes) = size(results)"""
        shapes, results = len(self.operands), len(self.results)
        return holds(2 <= shapes == results, shapes=shapes, results=results)

    def evaluate(self, *operands: object, **_: object) -> tuple[object, ...]:
        """The shapes, of the element types of the results."""
        found = minimum_broadcast_shapes([np.asarray(shape).tolist() for shape in operands])
        for shape, operand, result in zip(found, operands, self.results, strict=True):
            largest = np.iinfo(np.asarray(operand).dtype).max
            fits = same_size(len(shape), result.type.shape[0]) and max(shape, default=0) <= largest
            require(self, fits, "", "the result holds the shape", shape=shape, result=result.type)
        return tuple(
            np.array(shape, np.asarray(operand).dtype)
            for shape, operand in zip(found, operands, strict=True)
        )


@op("mhlo.xla.rng_get_and_update_state", effects=True)
class RngGetAndUpdateState(Op):
    """The state of a generator of random numbers, which then advances by ``delta``."""

    __slots__ = ()
    delta = define.attribute("", SI64)
    result = define.result(
        tensor_of("tensor of 64-bit unsigned integers", lambda element: element == UI64)
    )
    assembly = "attr-dict custom<Inferred>"

    @constraint("shape")
    def two_words(self) -> Check:
        """shape(result) = [2]"""
        shape = self.result.type.shape
        return holds(shape == (2,), shape=shape)

    def infer(self) -> TensorType:
        """The state, two words of 64 bits."""
        return TensorType((2,), UI64)


@op("mhlo.stochastic_convert")
class StochasticConvert(Op):
    """Floats as integers, rounded up if the fraction exceeds the random bits as a fraction."""

    __slots__ = ()
    operand = define.operand("", FLOAT_TENSOR)
    random = define.operand(
        "",
        tensor_of(
            "tensor of unsigned integers",
            lambda element: isinstance(element, IntegerType) and element.is_unsigned,
        ),
    )
    result = define.result(TENSOR)

    @constraint("shape")
    def same_shapes(self) -> Check:
        """shape(operand) = shape(random) = shape(result)"""
        shapes = [value.type.shape for value in (self.operand, self.random, self.result)]
        return holds(len(set(shapes)) == 1, shapes=shapes)


@op("mhlo.topk", family=Family.REDUCTION)
class TopK(TopElements):
    """The ``k`` largest or smallest elements along the last dimension, and their indices.

    Of the largest ones it is ``chlo.top_k``.
    """

    __slots__ = ()
    largest = define.default_attribute("", BOOLEAN_KIND, True)
    assembly = (
        "`(` $operand `,` `k` `=` $k (`,` `largest` `=` $largest)? `)` "
        "attr-dict `:` custom<ChloTypes>"
    )


@op("mhlo.all_to_all", family=Family.EXTERNAL)
class AllToAll(Op):
    """Sends operand i to process i of the group; result i is what process i sent.

    With the attributes it is ``stablehlo.all_to_all``.
    """

    __slots__ = ()
    inputs = define.variadic("", ANY_TENSOR).with_name("operands")
    split_dimension = define.optional_attribute("", SI64)
    concat_dimension = define.optional_attribute("", SI64)
    split_count = define.optional_attribute("", SI64)
    replica_groups = define.attribute("", SI64_MATRIX)
    channel_handle = define.optional_attribute("", CHANNEL_HANDLE)
    outputs = define.variadic_result(ANY_TENSOR)

    @constraint("types")
    def same_types(self) -> Check:
        """type(results...) = type(operands...), all of one type"""
        types = {value.type for value in (*self.operands, *self.results)}
        counts = len(self.operands), len(self.results)
        return holds(len(types) == 1 and counts[0] == counts[1], types=[*types], counts=counts)

    @constraint("groups")
    def groups_fit(self) -> Check:
        """dim(replica_groups, 1) = size(operands)"""
        sizes = {len(group) for group in self.replica_groups}
        return holds(sizes == {len(self.operands)}, groups=self.replica_groups)

    def infer(self) -> Sequence[Type]:
        """The types of the operands."""
        return [value.type for value in self.operands]
