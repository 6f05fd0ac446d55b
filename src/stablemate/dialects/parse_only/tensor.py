"""The rest of the tensor dialect: parts of tensors, reshaping, tensors by regions.

Source: MLIR tensor dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.definition import Inferred, define, op
from stablemate.ir.kinds import (
    ANY_ATTRIBUTE,
    ANY_VALUE,
    SI64,
    SI64_ARRAY,
    UNIT_KIND,
    instance_of,
)
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IndexType

RANKED: Final = instance_of("ranked tensor", TensorType)
INDEX_VALUE: Final = instance_of("index", IndexType)


@op("tensor.bitcast")
class Bitcast(ParseOnlyOp):
    """The same bits as elements of another type."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    dest = define.result(ANY_VALUE)
    assembly = "$source attr-dict `:` custom<CastTypes>"


@op("tensor.yield", terminator=True)
class Yield(ParseOnlyOp):
    """Ends a region and returns an element."""

    __slots__ = ()
    value = define.operand("", ANY_VALUE)
    assembly = "$value attr-dict `:` type($value)"


@op("tensor.insert")
class Insert(ParseOnlyOp):
    """A tensor with another element at an index."""

    __slots__ = ()
    exact = True
    scalar = define.operand("", ANY_VALUE)
    dest = define.operand("", RANKED)
    indices = define.variadic("", INDEX_VALUE)
    result = define.result(RANKED, element_type="types", shape="types")
    assembly = "$scalar `into` $dest custom<Indices> attr-dict `:` type($dest) custom<Inferred>"

    def infer(self) -> Inferred:
        """The type of the tensor."""
        return self.dest.type


@op("tensor.reshape")
class Reshape(ParseOnlyOp):
    """The same elements in a shape that is a tensor."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    shape = define.operand("", RANKED)
    result = define.result(ANY_VALUE)
    assembly = "custom<ReshapeOperands> attr-dict `:` functional-type"


@op("tensor.splat")
class Splat(ParseOnlyOp):
    """A tensor of equal elements."""

    __slots__ = ()
    input = define.operand("", ANY_VALUE)
    dynamicSizes = define.variadic("", INDEX_VALUE)
    aggregate = define.result(RANKED)
    assembly = "$input custom<SplatSizes> attr-dict `:` result-type"


@op("tensor.concat")
class Concat(ParseOnlyOp):
    """Tensors one after another along a dimension."""

    __slots__ = ()
    dim = define.attribute("", SI64)
    inputs = define.variadic("", RANKED)
    result = define.result(RANKED)
    assembly = "custom<ConcatDimension> $inputs attr-dict `:` functional-type"


@op("tensor.collapse_shape")
class CollapseShape(ParseOnlyOp):
    """The same elements with groups of dimensions as one."""

    __slots__ = ()
    reassociation = define.attribute("", ANY_ATTRIBUTE)
    src = define.operand("", RANKED)
    result = define.result(RANKED)
    assembly = "$src custom<Reassociation> attr-dict `:` custom<IntoTypes>"


@op("tensor.expand_shape")
class ExpandShape(ParseOnlyOp):
    """The same elements with dimensions divided into groups."""

    __slots__ = ()
    reassociation = define.attribute("", ANY_ATTRIBUTE)
    static_output_shape = define.attribute("", SI64_ARRAY)
    src = define.operand("", RANKED)
    output_shape = define.variadic("", INDEX_VALUE)
    result = define.result(RANKED)
    assembly = "$src custom<Reassociation> custom<OutputShape> attr-dict `:` custom<IntoTypes>"


@op("tensor.extract_slice", segments="sized")
class ExtractSlice(ParseOnlyOp):
    """A part of a tensor."""

    __slots__ = ()
    static_offsets = define.attribute("", SI64_ARRAY)
    static_sizes = define.attribute("", SI64_ARRAY)
    static_strides = define.attribute("", SI64_ARRAY)
    source = define.operand("", RANKED)
    offsets = define.variadic("", INDEX_VALUE)
    sizes = define.variadic("", INDEX_VALUE)
    strides = define.variadic("", INDEX_VALUE)
    result = define.result(RANKED)
    assembly = "$source custom<SlicePlace> attr-dict `:` custom<CastTypesOfFirst>"


@op("tensor.insert_slice", segments="sized")
class InsertSlice(ParseOnlyOp):
    """A tensor with another part."""

    __slots__ = ()
    static_offsets = define.attribute("", SI64_ARRAY)
    static_sizes = define.attribute("", SI64_ARRAY)
    static_strides = define.attribute("", SI64_ARRAY)
    source = define.operand("", RANKED)
    dest = define.operand("", RANKED)
    offsets = define.variadic("", INDEX_VALUE)
    sizes = define.variadic("", INDEX_VALUE)
    strides = define.variadic("", INDEX_VALUE)
    result = define.result(RANKED)
    assembly = "$source `into` $dest custom<SlicePlace> attr-dict `:` custom<IntoTypesOfFirst>"


@op("tensor.parallel_insert_slice", segments="sized")
class ParallelInsertSlice(ParseOnlyOp):
    """A part of a result that an iteration of parallel loops computes."""

    __slots__ = ()
    static_offsets = define.attribute("", SI64_ARRAY)
    static_sizes = define.attribute("", SI64_ARRAY)
    static_strides = define.attribute("", SI64_ARRAY)
    source = define.operand("", RANKED)
    dest = define.operand("", RANKED)
    offsets = define.variadic("", INDEX_VALUE)
    sizes = define.variadic("", INDEX_VALUE)
    strides = define.variadic("", INDEX_VALUE)
    assembly = (
        "$source `into` $dest custom<SlicePlace> attr-dict `:` type($source) `into` type($dest)"
    )


@op("tensor.generate")
class Generate(ParseOnlyOp):
    """A tensor whose elements a region computes from their indices."""

    __slots__ = ()
    dynamicExtents = define.variadic("", INDEX_VALUE)
    body = define.region()
    result = define.result(RANKED)
    assembly = "custom<Generated> attr-dict `:` result-type"


@op("tensor.pad", segments="sized")
class Pad(ParseOnlyOp):
    """A tensor with an edge, whose elements a region computes from their indices."""

    __slots__ = ()
    nofold = define.default_attribute("", UNIT_KIND, False)
    static_low = define.attribute("", SI64_ARRAY)
    static_high = define.attribute("", SI64_ARRAY)
    source = define.operand("", RANKED)
    low = define.variadic("", INDEX_VALUE)
    high = define.variadic("", INDEX_VALUE)
    region = define.region()
    result = define.result(RANKED)
    assembly = "custom<Padding> attr-dict `:` custom<CastTypesOfFirst>"
