"""The tensor dialect, as far as shape computations use it: sizes, elements, casts.

Source: MLIR tensor dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.arith.elementwise import reject_unstorable
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_VALUE, TypeConstraint, instance_of
from stablemate.ir.shapes import same_shape
from stablemate.ir.types import DYNAMIC, TensorType, Type, UnrankedTensorType
from stablemate.numerics.array_limits import require_array
from stablemate.numerics.elements import INDEX, Array, IndexType

AnyTensor: TypeAlias = TensorType | UnrankedTensorType

RANKED: Final = instance_of("ranked tensor", TensorType)
ANY_RANK: Final[TypeConstraint[AnyTensor]] = RANKED | instance_of(
    "unranked tensor", UnrankedTensorType
)
WITH_DIMENSIONS: Final[TypeConstraint[AnyTensor]] = TypeConstraint(
    "tensor of rank 1 or more",
    lambda candidate: ANY_RANK.accepts(candidate) and getattr(candidate, "shape", None) != (),
)
STATIC: Final[TypeConstraint[TensorType]] = TypeConstraint(
    "statically shaped tensor",
    lambda candidate: isinstance(candidate, TensorType) and candidate.is_static,
)
INDEX_VALUE: Final = instance_of("index", IndexType)


@op("tensor.empty")
class Empty(Op):
    """A tensor of a type, with a size for each of its dynamic dimensions.

    Its elements are unspecified; here they are zeros.

    Source: MLIR tensor dialect, empty.
    """

    __slots__ = ()
    dynamicSizes = define.variadic("", INDEX_VALUE)
    result = define.result(RANKED)
    assembly = "`(` $dynamicSizes `)` attr-dict `:` result-type"

    @constraint("dynamicSizes")
    def number_of_sizes(self) -> Check:
        """There is a size for each dynamic dimension of the result"""
        sizes, dynamic = len(self.dynamicSizes), self.result.type.shape.count(DYNAMIC)
        return holds(sizes == dynamic, sizes=sizes, result=self.result.type)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Returns zeros, one of the values that uninitialized elements may have."""
        reject_unstorable(self)
        sizes = [int(size) for size in operands]
        fits = min(sizes, default=0) >= 0
        require(self, fits, "dynamicSizes", "0 <= dynamicSizes", dynamicSizes=sizes)
        rest = iter(sizes)
        result = self.result.type
        shape = [next(rest) if size == DYNAMIC else size for size in result.shape]
        require_array(shape)
        return np.broadcast_to(np.zeros((), result.element_type.dtype), shape)


@op("tensor.dim")
class Dim(Op):
    """The size of a dimension.

    Source: MLIR tensor dialect, dim.
    """

    __slots__ = ()
    source = define.operand("", WITH_DIMENSIONS)
    index = define.operand("", INDEX_VALUE)
    result = define.result(INDEX_VALUE)
    assembly = "attr-dict $source `,` $index `:` type($source) custom<Inferred>"

    def infer(self) -> Type:
        """``index``."""
        return INDEX

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The size of the array's dimension."""
        source, index = operands
        shape, dimension = np.shape(source), int(index)
        is_dimension = 0 <= dimension < len(shape)
        require(self, is_dimension, "", "0 <= index < rank(source)", index=dimension, source=shape)
        return np.int64(shape[dimension])


@op("tensor.rank")
class Rank(Op):
    """The number of dimensions.

    Source: MLIR tensor dialect, rank.
    """

    __slots__ = ()
    tensor = define.operand("", ANY_RANK)
    result = define.result(INDEX_VALUE)
    assembly = "$tensor attr-dict `:` type($tensor) custom<Inferred>"

    def infer(self) -> Type:
        """``index``."""
        return INDEX

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The number of the array's dimensions."""
        return np.int64(np.ndim(operands[0]))


@op("tensor.extract")
class Extract(Op):
    """The element at an index, as a scalar.

    Source: MLIR tensor dialect, extract.
    """

    __slots__ = ()
    tensor = define.operand("", RANKED)
    indices = define.variadic("", INDEX_VALUE)
    result = define.result(ANY_VALUE, element_type="element type", shape="element type")
    assembly = "$tensor custom<Indices> attr-dict `:` type($tensor) custom<Inferred>"

    @constraint("indices")
    def number_of_indices(self) -> Check:
        """There is an index for each dimension of the tensor"""
        indices, tensor = len(self.indices), self.tensor.type
        return holds(indices == tensor.rank, indices=indices, tensor=tensor)

    def infer(self) -> Type:
        """The element type of the tensor."""
        return self.tensor.type.element_type

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The element of the array."""
        tensor, *indices = operands
        index, shape = tuple(int(number) for number in indices), np.shape(tensor)
        is_inside = all(0 <= i < size for i, size in zip(index, shape, strict=True))
        message = "0 <= indices < shape(tensor)"
        require(self, is_inside, "indices", message, indices=index, tensor=shape)
        return np.asarray(tensor)[index]


@op("tensor.from_elements")
class FromElements(Op):
    """A tensor of scalars, in row-major order.

    Source: MLIR tensor dialect, from_elements.
    """

    __slots__ = ()
    elements = define.variadic("", ANY_VALUE)
    result = define.result(STATIC)
    assembly = "$elements attr-dict `:` result-type"

    @constraint("elements")
    def number_of_elements(self) -> Check:
        """There are as many elements as the result has"""
        elements, result = len(self.elements), self.result.type
        return holds(elements == result.size, elements=elements, result=result)

    @constraint("element type")
    def types_of_elements(self) -> Check:
        """The elements have the element type of the result"""
        types, element = [value.type for value in self.elements], self.result.type.element_type
        return holds(
            all(element_type == element for element_type in types),
            elements=types,
            element_type=element,
        )

    def evaluate(self, *operands: object, **_: object) -> Array:
        """The scalars in an array."""
        reject_unstorable(self)
        result = self.result.type
        return np.array(operands, result.element_type.dtype).reshape(result.shape)


@op("tensor.cast")
class Cast(Op):
    """The same tensor with a more or less specific shape.

    Source: MLIR tensor dialect, cast.
    """

    __slots__ = ()
    source = define.operand("", ANY_RANK)
    result = define.result(ANY_RANK, element_type="types", shape="types")
    assembly = "$source attr-dict `:` custom<CastTypes>"

    @constraint("types")
    def compatible_types(self) -> Check:
        """Source and result have one element type, and shapes that can be equal"""
        source, result = self.source.type, self.result.type
        same_element = source.element_type == result.element_type
        return holds(same_element and can_agree(source, result), source=source, result=result)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the source, if it has one."""
        source = self.source.type
        return source.shape if isinstance(source, TensorType) else None

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The array itself, if it has the shape of the result's type."""
        if isinstance(self.result.type, TensorType):
            require_shape(self, np.shape(operands[0]), "types")
        return operands[0]


def can_agree(source: AnyTensor, result: AnyTensor) -> bool:
    """Whether a tensor can have both types, by their shapes."""
    if isinstance(source, UnrankedTensorType) or isinstance(result, UnrankedTensorType):
        return True
    return same_shape(source.shape, result.shape)
