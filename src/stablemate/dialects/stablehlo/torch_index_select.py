"""stablehlo.torch_index_select (deprecated)."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.gather import gather
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.core import Value
from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import INTEGER_TENSOR, PER_TENSOR_QUANTIZED, SI64, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import Type
from stablemate.numerics.array_limits import require_array
from stablemate.numerics.elements import Array


@op("stablehlo.torch_index_select", family=Family.MOVEMENT, work=NO_WORK, traits=Trait.FOLDABLE)
class TorchIndexSelect(Op):
    """Takes the entries of ``operand`` at ``index`` along ``dim``; leading dimensions are batches.

    result[b..., o..., i..., r...] = operand[b..., o..., index[b..., i...], r...],
    where b has batch_dims components, and index is clamped to the dimension

    Source: StableHLO, torch_index_select, which the specification lists as deprecated and without
    rules; those of index_select in PyTorch, with bounds as in gather.
    """

    __slots__ = ()
    opcodes = ("gather",)
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    index = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    dim = define.attribute("I3", SI64)
    batch_dims = define.attribute("I4", SI64)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED)

    def known_shape(self) -> Sequence[int] | None:
        """The sizes of the operand, with those of the index in place of the selected one."""
        operand, index = self.operand.type.shape, self.index.type.shape
        dim, batch = self.dim, self.batch_dims
        if not 0 <= batch <= min(dim, len(index)) or dim >= len(operand):
            return None
        return (*operand[:dim], *index[batch:], *operand[dim + 1 :])

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A gather of slices of size 1 along the dimension."""
        operand, index = operands
        dim, batch = self.dim, self.batch_dims
        require(self, INTEGER_TENSOR.accepts(self.index.type), "", "index is of integer type")
        values = {"batch_dims": batch, "dim": dim, "operand": operand.shape, "index": index.shape}
        fits = 0 <= batch <= min(dim, index.ndim) and dim < operand.ndim
        message = "0 <= batch_dims <= dim < rank(operand) and batch_dims <= rank(index)"
        require(self, fits, "", message, **values)
        fits = operand.shape[:batch] == index.shape[:batch]
        require(self, fits, "", "operand and index have the same batches", **values)
        require(self, operand.shape[dim] > 0, "", "0 < dim(operand, dim)", **values)
        inserted = index.ndim - batch
        require_array((1,) * (operand.ndim - 1 + inserted))
        numbers = GatherDimensionNumbers(
            offset_dims=(*range(batch, dim), *range(dim + inserted, operand.ndim + inserted - 1)),
            collapsed_slice_dims=(dim,),
            operand_batching_dims=tuple(range(batch)),
            start_indices_batching_dims=tuple(range(batch)),
            start_index_map=(dim,),
            index_vector_dim=index.ndim,
        )
        sizes = [1 if d < batch or d == dim else n for d, n in enumerate(operand.shape)]
        result = gather(numbers, sizes, operand, index)
        require_shape(self, result.shape, "")
        return result
