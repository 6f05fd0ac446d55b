"""The memref dialect: buffers, their elements and sizes.

Source: MLIR memref dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.definition import Inferred, define, op
from stablemate.ir.kinds import (
    ANY_ATTRIBUTE,
    ANY_VALUE,
    BOOLEAN_KIND,
    SI64,
    SI64_ARRAY,
    STRING,
    SYMBOL,
    UNIT_KIND,
    instance_of,
)
from stablemate.ir.types import MemRefType
from stablemate.numerics.elements import INDEX, IndexType

BUFFER: Final = instance_of("memref", MemRefType)
INDEX_VALUE: Final = instance_of("index", IndexType)


class Allocation(ParseOnlyOp):
    """A new buffer."""

    __slots__ = ()
    dynamicSizes = define.variadic("", INDEX_VALUE)
    symbolOperands = define.variadic("", INDEX_VALUE)
    alignment = define.optional_attribute("", SI64)
    memref = define.result(BUFFER)
    assembly = "custom<Allocation> attr-dict `:` result-type"


@op("memref.alloc", segments="sized", effects=True)
class Alloc(Allocation):
    """A new buffer on the heap."""

    __slots__ = ()


@op("memref.alloca", segments="sized", effects=True)
class Alloca(Allocation):
    """A new buffer on the stack."""

    __slots__ = ()


@op("memref.dealloc", effects=True)
class Dealloc(ParseOnlyOp):
    """Frees a buffer."""

    __slots__ = ()
    memref = define.operand("", ANY_VALUE)
    assembly = "$memref attr-dict `:` type($memref)"


@op("memref.load", effects=True)
class Load(ParseOnlyOp):
    """An element of a buffer."""

    __slots__ = ()
    exact = True
    memref = define.operand("", BUFFER)
    indices = define.variadic("", INDEX_VALUE)
    alignment = define.optional_attribute("", SI64)
    nontemporal = define.default_attribute("", BOOLEAN_KIND, False)
    result = define.result(ANY_VALUE, element_type="types", shape="types")
    assembly = "$memref custom<Indices> attr-dict `:` type($memref) custom<Inferred>"

    def infer(self) -> Inferred:
        """The element type of the buffer."""
        return self.memref.type.element_type


@op("memref.store", effects=True)
class Store(ParseOnlyOp):
    """Writes an element of a buffer."""

    __slots__ = ()
    value = define.operand("", ANY_VALUE)
    memref = define.operand("", BUFFER)
    indices = define.variadic("", INDEX_VALUE)
    alignment = define.optional_attribute("", SI64)
    nontemporal = define.default_attribute("", BOOLEAN_KIND, False)
    assembly = "$value `,` $memref custom<Indices> attr-dict `:` type($memref)"


@op("memref.copy", effects=True)
class Copy(ParseOnlyOp):
    """Copies the elements of a buffer into another one."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    target = define.operand("", ANY_VALUE)
    assembly = "$source `,` $target attr-dict `:` type($source) `to` type($target)"


@op("memref.cast")
class Cast(ParseOnlyOp):
    """The same buffer with a more or less specific type."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    dest = define.result(ANY_VALUE)
    assembly = "$source attr-dict `:` custom<CastTypes>"


@op("memref.dim")
class Dim(ParseOnlyOp):
    """The size of a dimension."""

    __slots__ = ()
    exact = True
    source = define.operand("", ANY_VALUE)
    index = define.operand("", INDEX_VALUE)
    result = define.result(INDEX_VALUE, element_type="types", shape="types")
    assembly = "attr-dict $source `,` $index `:` type($source) custom<Inferred>"

    def infer(self) -> Inferred:
        """``index``."""
        return INDEX


@op("memref.global", effects=True)
class Global(ParseOnlyOp):
    """A buffer of the module, with its initial value."""

    __slots__ = ()
    alignment = define.optional_attribute("", SI64)
    constant = define.default_attribute("", UNIT_KIND, False)
    initial_value = define.optional_attribute("", ANY_ATTRIBUTE)
    sym_name = define.attribute("", STRING)
    sym_visibility = define.optional_attribute("", STRING)
    type = define.attribute("", ANY_ATTRIBUTE)
    assembly = "custom<Global> attr-dict"


@op("memref.get_global")
class GetGlobal(ParseOnlyOp):
    """A buffer of the module."""

    __slots__ = ()
    name_ = define.attribute("", SYMBOL).with_name("name")
    result = define.result(BUFFER)
    assembly = "custom<GlobalName> `:` result-type attr-dict"


@op("memref.subview", segments="sized")
class SubView(ParseOnlyOp):
    """A part of a buffer."""

    __slots__ = ()
    static_offsets = define.attribute("", SI64_ARRAY)
    static_sizes = define.attribute("", SI64_ARRAY)
    static_strides = define.attribute("", SI64_ARRAY)
    source = define.operand("", BUFFER)
    offsets = define.variadic("", INDEX_VALUE)
    sizes = define.variadic("", INDEX_VALUE)
    strides = define.variadic("", INDEX_VALUE)
    result = define.result(BUFFER)
    assembly = "$source custom<SlicePlace> attr-dict `:` custom<CastTypesOfFirst>"


@op("memref.collapse_shape")
class CollapseShape(ParseOnlyOp):
    """The same buffer with groups of dimensions as one."""

    __slots__ = ()
    reassociation = define.attribute("", ANY_ATTRIBUTE)
    src = define.operand("", BUFFER)
    result = define.result(BUFFER)
    assembly = "$src custom<Reassociation> attr-dict `:` custom<IntoTypes>"


@op("memref.expand_shape")
class ExpandShape(ParseOnlyOp):
    """The same buffer with dimensions divided into groups."""

    __slots__ = ()
    reassociation = define.attribute("", ANY_ATTRIBUTE)
    static_output_shape = define.attribute("", SI64_ARRAY)
    src = define.operand("", BUFFER)
    output_shape = define.variadic("", INDEX_VALUE)
    result = define.result(BUFFER)
    assembly = "$src custom<Reassociation> custom<OutputShape> attr-dict `:` custom<IntoTypes>"


@op("memref.rank")
class Rank(ParseOnlyOp):
    """The number of dimensions."""

    __slots__ = ()
    exact = True
    memref = define.operand("", ANY_VALUE)
    result = define.result(INDEX_VALUE, element_type="types", shape="types")
    assembly = "$memref attr-dict `:` type($memref) custom<Inferred>"

    def infer(self) -> Inferred:
        """``index``."""
        return INDEX


@op("memref.memory_space_cast")
class MemorySpaceCast(ParseOnlyOp):
    """The same buffer in another memory space."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    dest = define.result(ANY_VALUE)
    assembly = "$source attr-dict `:` custom<CastTypes>"


@op("memref.reshape")
class Reshape(ParseOnlyOp):
    """The same elements in a shape that is a buffer."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    shape = define.operand("", BUFFER)
    result = define.result(ANY_VALUE)
    assembly = "custom<ReshapeOperands> attr-dict `:` functional-type"


@op("memref.realloc", effects=True)
class Realloc(ParseOnlyOp):
    """A buffer with another number of elements, which keeps the first ones."""

    __slots__ = ()
    source = define.operand("", BUFFER)
    dynamicResultSize = define.optional("", INDEX_VALUE)
    alignment = define.optional_attribute("", SI64)
    result = define.result(BUFFER)
    assembly = "$source custom<NewSize> attr-dict `:` custom<CastTypesOfFirst>"


@op("memref.view")
class View(ParseOnlyOp):
    """A part of a buffer of bytes as a buffer of elements."""

    __slots__ = ()
    source = define.operand("", BUFFER)
    byte_shift = define.operand("", INDEX_VALUE)
    sizes = define.variadic("", INDEX_VALUE)
    result = define.result(BUFFER)
    assembly = "$source custom<ViewPlace> attr-dict `:` custom<CastTypesOfFirst>"


@op("memref.extract_aligned_pointer_as_index")
class ExtractAlignedPointerAsIndex(ParseOnlyOp):
    """The address of a buffer."""

    __slots__ = ()
    source = define.operand("", ANY_VALUE)
    aligned_pointer = define.result(INDEX_VALUE)
    assembly = "$source `:` custom<OperandTypesArrow> attr-dict"
