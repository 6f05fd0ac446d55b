"""Operators that move, repeat and join elements.

Source: PyTorch, torch, "Indexing, Slicing, Joining, Mutating Ops"; torch.Tensor, views.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Final, cast

import numpy as np

from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import linear_algebra
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike
from stablemate.frontends.tensor_functions.indexing import bounded_index, take
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    constant,
    emit,
    full,
    same_shape,
    scalar,
    size_tensor,
)
from stablemate.frontends.torch.call import Call, Operand, memory_order
from stablemate.frontends.torch.half_complex import has_half_complex
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.ir.core import BlockArgument, OpResult
from stablemate.numerics.elements import ComplexType, ElementType
from stablemate.numerics.symbolic_sizes import SymbolicSize, proven_nonnegative

SMALL_PART: Final = 2  # how many times larger a cache is than what is written into it


@lowers(
    "view", "reshape", "_unsafe_view", "_reshape_alias", "prims.reshape", "view_copy",
    "_reshape_copy", "_reshape_alias_copy",
)  # fmt: skip
def view(call: Call, self: Tensor, size: Sequence[SizeLike]) -> Tensor:
    """The elements in the same order in another shape"""
    return m.reshape(self, call.shape)


@lowers("resize")
def resize(
    call: Call, self: Tensor, size: Sequence[SizeLike], *, memory_format: object = None
) -> Tensor:
    """The first elements in another shape; where there are not enough, zeros follow."""
    if not call.row_major[0] and not same_shape(self.shape, call.shape):
        call.refuse("a tensor that does not lie in row-major order has no first elements")
    flat, count = m.flatten(self), prod(call.shape)
    resized = m.pad(flat, 0, [0], [count - flat.shape[0]])
    return m.reshape(resized, call.shape)


@lowers("permute", "permute_copy", "prims.transpose")
def permute(call: Call, self: Tensor, dims: Sequence[int]) -> Tensor:
    """The dimensions in another order"""
    return m.transpose(self, dims)


@lowers("transpose.int", "swapaxes", "transpose_copy.int")
def transpose(call: Call, self: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two of its dimensions exchanged"""
    return m.swap_dimensions(self, dim0, dim1) if self.rank else self


@lowers("t", "numpy_T", "mT", "t_copy")
def t(call: Call, self: Tensor) -> Tensor:
    """The transpose of a matrix"""
    return m.transpose(self, range(self.rank)[::-1])


@lowers("expand", "expand_copy", "expand_as", "broadcast_to", "prims.broadcast_in_dim")
def expand(call: Call, self: Tensor, *_: object) -> Tensor:
    """Dimensions of size 1 repeated"""
    if call.name.startswith("prims"):
        return self.broadcast(call.shape, cast("Sequence[int]", _[-1]))
    return self.broadcast_to(call.shape)


@lowers(
    "squeeze", "squeeze.dim", "squeeze.dims", "unsqueeze", "unsqueeze_copy", "squeeze_copy.dim",
    "squeeze_copy.dims", "squeeze_copy", "flatten.using_ints", "ravel", "unflatten.int",
    "atleast_1d", "atleast_2d", "atleast_3d", "prims.squeeze", "prims.collapse",
    "prims.collapse_view", "prims.split_dim",
)  # fmt: skip
def squeeze(call: Call, self: Tensor, *_: object) -> Tensor:
    """The elements in the same order in another shape"""
    return m.reshape(self, call.shape)


@lowers("slice.Tensor", "slice_copy.Tensor")
def slice_(
    call: Call, self: Tensor, dim: int, start: SizeLike | None, end: SizeLike | None, step: int
) -> Tensor:
    """Every step-th element of a dimension"""
    at = self.dimension(dim)
    first, last = slice_bounds(call, self.shape[at], start, end, call.shape[at], step)
    result = m.slice_dimension(self, dim, first, last, step)
    is_negative = may_be_negative(start) or may_be_negative(end)
    return result if is_negative else m.reshape(result, call.shape)


def slice_bounds(
    call: Call, size: SizeLike, start: SizeLike | None, end: SizeLike | None, length: SizeLike,
    step: int,
) -> tuple[SizeLike, SizeLike]:  # fmt: skip
    """The bounds of a slice as Python has them: from the end, and clamped.

    Args:
        call: The call of the operator.
        size: The size of the dimension.
        start: The first index, which may be before the first element of a dimension that varies.
        end: The index behind the last one.
        length: How many elements PyTorch infers.
        step: The distance of two elements.
    """
    if isinstance(length, int) and length == 0:
        return 0, 0
    first, last = 0 if start is None else start, size if end is None else end
    if not (may_be_negative(start) or may_be_negative(end)):
        firsts, lasts = possible_indices(first, size), possible_indices(last, size)
        if len(firsts) == len(lasts) == 1:
            return firsts[0], lasts[0]
        if step == 1:  # PyTorch knows which of them it is, and says so by the length
            for low, high in product(firsts, lasts):
                if same_shape([high - low], [length]):
                    return low, high
    low = bounded_index(call.graph, first, size)
    return low, bounded_index(call.graph, last, size, low)


def possible_indices(index: SizeLike, size: SizeLike) -> list[SizeLike]:
    """The positions that an index may have, counted from the end if negative, and then clamped."""
    if isinstance(index, int) and isinstance(size, int):
        return [min(max(index + size if index < 0 else index, 0), size)]
    if isinstance(index, int) and index >= 1 << 31:
        return [size]
    if isinstance(index, int) and index < 0:
        return [size + index, 0] if least(size) < -index else [size + index]
    return [index] if proven_nonnegative(size - index) else [index, size]


def least(size: SizeLike) -> int:
    """The least value of a size."""
    return size if isinstance(size, int) else size.low


def may_be_negative(index: SizeLike | None) -> bool:
    """Whether an index is a number that only the program knows, and that no size needs to be."""
    return isinstance(index, SymbolicSize) and index.low < 0


def clamped_index(index: SizeLike, size: SizeLike) -> SizeLike:
    """An index counted from the end if it is negative, and not beyond either end."""
    if isinstance(index, int) and isinstance(size, int):
        return min(max(index + size if index < 0 else index, 0), size)
    if isinstance(index, int) and index >= 1 << 31:
        return size
    if isinstance(index, int) and index < 0:
        return size + index
    return index


@lowers("select.int", "select_copy.int")
def select(call: Call, self: Tensor, dim: int, index: SizeLike) -> Tensor:
    """The elements at an index of a dimension"""
    at = self.dimension(dim)
    if isinstance(index, SymbolicSize) and index.low < 0 and index.high >= 0:
        number = call.tensor(index, INT64)
        return take(
            self, f.select(number < 0, number + call.tensor(self.shape[at], INT64), number), at
        )
    is_negative = index < 0 if isinstance(index, int) else index.high < 0
    place = index + self.shape[at] if is_negative else index
    return m.take_index(self, at, place)


@lowers("select_scatter")
def select_scatter(call: Call, self: Tensor, src: Tensor, dim: int, index: SizeLike) -> Tensor:
    """The elements at an index of a dimension replaced"""
    at = self.dimension(dim)
    size = self.shape[at]
    is_negative = isinstance(index, int) and index < 0
    place = size + index if is_negative else index
    return replace_slice(self, m.expand_dims(src, at), at, place, place + 1, 1)


@lowers("slice_scatter")
def slice_scatter(
    call: Call, self: Tensor, src: Tensor, dim: int, start: SizeLike | None,
    end: SizeLike | None, step: int,
) -> Tensor:  # fmt: skip
    """Every step-th element of a dimension replaced"""
    at = self.dimension(dim)
    first, last = slice_bounds(call, self.shape[at], start, end, src.shape[at], step)
    return m.reshape(replace_slice(self, src, at, first, last, step), self.shape)


def replace_slice(
    x: Tensor, update: Tensor, dimension: int, start: SizeLike, limit: SizeLike, step: int
) -> Tensor:
    """A tensor with every step-th element of a dimension from start to before limit replaced."""
    size = x.shape[dimension]
    update = update.convert(x.element)
    if step == 1 and isinstance(start, int) and is_part_of_cache(x, update):
        starts = [scalar(x.graph, start * (i == dimension), INT64) for i in range(x.rank)]
        return m.dynamic_update_slice(x, update, starts)
    if step == 1:
        before = m.slice_dimension(x, dimension, 0, start)
        after = m.slice_dimension(x, dimension, limit, size)
        parts = [part for part in (before, update, after) if not part.is_empty]
        return m.concatenate(parts, dimension) if parts else x
    if not isinstance(size, int) or not isinstance(start, int) or not isinstance(limit, int):
        places = m.iota(x.graph, x.shape, dimension, INT64)
        first = places - size_tensor(x.graph, start, INT64)
        bound = size_tensor(x.graph, limit, INT64)
        hit = (first >= 0) & (places < bound) & f.remainder(first, step).equals(0)
        line = m.arange(x.graph, size, INT64) - size_tensor(x.graph, start, INT64)
        high = [int(i == dimension) for i in range(x.rank)]
        padded = m.pad(update, 0, [0] * x.rank, high)  # there may be nothing to take
        return f.select(hit, take(padded, f.clamp(0, line / step, 1 << 30), dimension), x)
    count = len(range(start, limit, step))
    if not count:
        return x
    low, high = [0] * x.rank, [0] * x.rank
    inner = [0] * x.rank
    low[dimension], inner[dimension] = start, step - 1
    high[dimension] = size - start - (count - 1) * step - 1
    spread = m.pad(update, 0, low, high, inner)
    hits = np.zeros(size, np.bool_)
    hits[start:limit:step] = True
    mask = constant(x.graph, hits).broadcast(x.shape, [dimension])
    return f.select(mask, spread, x)


def is_part_of_cache(x: Tensor, update: Tensor) -> bool:
    """Whether an update is a small part of an argument, or of one that was updated before.

    As an update of a slice it is written where the argument is; as parts of a concatenation the
    whole argument would be copied.
    """
    if not (x.is_static and update.is_static) or SMALL_PART * update.size > x.size:
        return False
    match x.value:
        case BlockArgument():
            return True
        case OpResult(operation=DynamicUpdateSlice() | Scatter()):
            return True
        case _:
            return False


@lowers("cat", "concat", "prims.cat")
def cat(call: Call, tensors: Sequence[Tensor], dim: int) -> Tensor:
    """Tensors one behind another along a dimension"""
    parts = [call.tensor(tensor) for tensor in tensors]
    rank = len(call.shape)
    fitting = [part for part in parts if part.rank == rank]  # (0,) joins with anything
    return m.concatenate(fitting, dim)


@lowers("stack")
def stack(call: Call, tensors: Sequence[Tensor], dim: int) -> Tensor:
    """Tensors along a new dimension"""
    return m.stack(call.tensors(*tensors), dim)


@lowers("split_with_sizes", "split_with_sizes_copy", "split.sizes")
def split_with_sizes(
    call: Call, self: Tensor, split_sizes: Sequence[SizeLike], dim: int
) -> list[Tensor]:
    """Parts of these sizes, one behind another along a dimension"""
    parts: list[Tensor] = []
    start: SizeLike = 0
    for size in split_sizes:
        parts.append(m.slice_dimension(self, dim, start, start + size))
        start = start + size
    return parts


@lowers("split.Tensor", "split_copy.Tensor", "unsafe_split.Tensor", "chunk")
def split(call: Call, self: Tensor, split_size: SizeLike, dim: int) -> list[Tensor]:
    """Parts of one size, the last of which may be smaller"""
    at = self.dimension(dim)
    sizes = [row[0][at] for row in call.types if row is not None]
    return split_with_sizes(call, self, sizes, at)


@lowers("unbind.int", "unbind_copy.int")
def unbind(call: Call, self: Tensor, dim: int) -> list[Tensor]:
    """The slices along a dimension"""
    return [m.take_index(self, dim, index) for index in range(len(call.types))]


@lowers("flip", "prims.rev")
def flip(call: Call, self: Tensor, dims: Sequence[int]) -> Tensor:
    """Dimensions in the opposite order"""
    return m.reverse(self, dims) if self.rank else self


@lowers("repeat", "tile")
def repeat(call: Call, self: Tensor, repeats: Sequence[SizeLike]) -> Tensor:
    """The tensor repeated along each dimension"""
    rank = len(repeats)
    return m.tile(m.reshape(self, (1,) * (rank - self.rank) + self.shape), repeats)


@lowers("roll")
def roll(call: Call, self: Tensor, shifts: Sequence[SizeLike], dims: Sequence[int]) -> Tensor:
    """Elements moved along dimensions, those beyond the end to the front"""
    if not dims:
        flat = roll_dimension(m.flatten(self), shifts[0], 0)
        return m.reshape(flat, self.shape)
    result = self
    for shift, dim in zip(shifts, dims, strict=True):
        result = roll_dimension(result, shift, result.dimension(dim))
    return result


def roll_dimension(x: Tensor, shift: SizeLike, dimension: int) -> Tensor:
    """The elements of one dimension moved."""
    size = x.shape[dimension]
    if isinstance(size, int) and size == 0:
        return x
    first = (-shift) % size
    parts = [
        m.slice_dimension(x, dimension, first, size),
        m.slice_dimension(x, dimension, 0, first),
    ]
    return m.concatenate([part for part in parts if not part.is_empty], dimension)


@lowers("diagonal", "diagonal_copy")
def diagonal(call: Call, self: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    """The diagonal of two dimensions as the last one"""
    moved = diagonal_last(self, dim1, dim2)
    rows, columns = moved.shape[-2:]
    size = call.shape[-1]
    if isinstance(rows, int) and isinstance(columns, int) and isinstance(size, int) and size == 0:
        return full(call.graph, call.shape, 0, self.element)
    flat = m.flatten(moved, -2, -1)
    first = offset if offset >= 0 else -offset * columns
    stride = columns + 1
    return m.slice_dimension(flat, -1, first, first + (size - 1) * stride + 1, stride)


def diagonal_last(x: Tensor, first: int, second: int) -> Tensor:
    """A tensor with two dimensions as its last ones."""
    one, other = x.dimension(first), x.dimension(second)
    rest = [i for i in range(x.rank) if i not in (one, other)]
    return m.transpose(x, [*rest, one, other])


@lowers("diagonal_scatter")
def diagonal_scatter(
    call: Call, self: Tensor, src: Tensor, offset: int, dim1: int, dim2: int
) -> Tensor:
    """The diagonal of two dimensions replaced"""
    moved = diagonal_last(call.tensor(self), dim1, dim2)
    spread, hit = diagonal_matrix(call.tensor(src), moved.shape[-2:], offset)
    result = f.select(hit.broadcast_to(moved.shape), spread, moved)
    one, other = self.dimension(dim1), self.dimension(dim2)
    rest = [i for i in range(self.rank) if i not in (one, other)]
    order = [*rest, one, other]
    return m.transpose(result, m.inverse(order))


def diagonal_matrix(x: Tensor, shape: Sequence[SizeLike], offset: int) -> tuple[Tensor, Tensor]:
    """Matrices with the elements of the last dimension on a diagonal, and where that is."""
    rows = m.iota(x.graph, shape, 0, INT64)
    columns = m.iota(x.graph, shape, 1, INT64)
    hit = (columns - rows).equals(offset)
    index = m.arange(x.graph, shape[0], INT64) + min(offset, 0)
    last = size_tensor(x.graph, x.shape[-1], INT64) - 1
    safe = f.minimum(f.maximum(index, 0), last)
    values = take(x, safe, x.rank - 1)
    size = (*x.shape[:-1], *shape)
    return values.broadcast(size, [*range(x.rank - 1), x.rank - 1]), hit


@lowers("diag_embed")
def diag_embed(call: Call, self: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    """Matrices with the last dimension on their diagonal"""
    rank = len(call.shape)
    one, other = dim1 % rank, dim2 % rank
    shape = [call.shape[one], call.shape[other]]
    spread, hit = diagonal_matrix(self, shape, offset)
    matrices = f.select(hit.broadcast_to(spread.shape), spread, 0)
    rest = [i for i in range(rank) if i not in (one, other)]
    order = [*rest, one, other]
    return m.transpose(matrices, m.inverse(order))


@lowers("tril", "triu")
def triangle(call: Call, self: Tensor, diagonal: int) -> Tensor:
    """The elements on one side of a diagonal, zeros elsewhere"""
    is_lower = call.name.startswith("aten.tril")
    return linear_algebra.triangle(self, lower=is_lower, offset=diagonal)


@lowers("constant_pad_nd")
def constant_pad(call: Call, self: Tensor, pad: Sequence[SizeLike], value: Operand) -> Tensor:
    """A number around the last dimensions; pairs of sizes begin with the last one"""
    low: list[SizeLike] = [0] * self.rank
    high: list[SizeLike] = [0] * self.rank
    for i in range(len(pad) // 2):
        low[-1 - i], high[-1 - i] = pad[2 * i], pad[2 * i + 1]
    return m.pad(self, call.tensor(value), low, high)


@lowers("view.dtype", "view_copy.dtype", "prims.view_of_dtype")
def view_dtype(call: Call, self: Tensor, dtype: object) -> Tensor:
    """The same bits as elements of another type"""
    if has_half_complex(call.examples):
        call.refuse("complex numbers of 16-bit floats are not seen as another type")
    if self.element == call.element:
        return self
    source = m.stack([f.real(self), f.imag(self)], -1) if self.is_complex else self
    if not isinstance(call.element, ComplexType):
        return reinterpret(source, call.element, call.shape)
    parts = reinterpret(source, call.element.element, (*call.shape, 2))
    return f.complex_from_parts(m.take_index(parts, -1, 0), m.take_index(parts, -1, 1))


def reinterpret(x: Tensor, element: ElementType, shape: Shape) -> Tensor:
    """The bits of real elements in row-major order as elements of another type."""
    if x.element.bits == element.bits:
        return m.reshape(f.bitcast(x, element), shape)
    ratio = max(x.element.bits, element.bits) // min(x.element.bits, element.bits)
    if x.element.bits > element.bits:
        split_ = emit(x.graph, BitcastConvert, (*x.shape, ratio), element, operand=x.value)
        return m.reshape(split_, shape)
    grouped = m.reshape(x, (*shape, ratio))
    return emit(x.graph, BitcastConvert, shape, element, operand=grouped.value)


@lowers("view_as_real", "view_as_real_copy")
def view_as_real(call: Call, self: Tensor) -> Tensor:
    """The parts of complex numbers as a last dimension"""
    return m.stack([f.real(self), f.imag(self)], -1)


@lowers("view_as_complex", "view_as_complex_copy")
def view_as_complex(call: Call, self: Tensor) -> Tensor:
    """Complex numbers whose parts are the last dimension"""
    return f.complex_from_parts(m.take_index(self, -1, 0), m.take_index(self, -1, 1))


@lowers("as_strided", "as_strided_copy", "prims.as_strided")
def as_strided(
    call: Call, self: Tensor, size: Sequence[SizeLike], stride: Sequence[SizeLike],
    storage_offset: SizeLike | None = None,
) -> Tensor:  # fmt: skip
    """Elements at places of the memory in which the tensor lies in order"""
    order = memory_order(call.examples[0]) if self.rank else None
    stored = self if order is None else m.transpose(self, order)
    flat = m.flatten(stored) if self.rank != 1 else self
    return take(flat, strided_places(call, call.shape, stride, storage_offset or 0), 0)


def strided_places(
    call: Call, shape: Sequence[SizeLike], stride: Sequence[SizeLike], offset: SizeLike
) -> Tensor:
    """The places in memory of the elements of a tensor with strides."""
    places = call.tensor(offset, INT64).broadcast_to(shape)
    for dimension, step in enumerate(stride):
        along = m.iota(call.graph, shape, dimension, INT64)
        places = places + along * call.tensor(step, INT64)
    return places


@lowers("unfold", "unfold_copy")
def unfold(call: Call, self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension; the place in the window is the last dimension"""
    if not self.rank:
        return m.reshape(self, call.shape)
    at = self.dimension(dimension)
    shape = (call.shape[at], size)
    starts = m.iota(call.graph, shape, 0, INT64) * step
    places = starts + m.iota(call.graph, shape, 1, INT64)
    return m.move_dimension(take(self, places, at), at + 1, -1)
