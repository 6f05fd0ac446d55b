"""Tensors whose elements are moved: reshaped, transposed, joined, split, padded.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.table import lowers, require_axes
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, broadcast_shape


@lowers("Reshape", since=5, strings="moved")
def reshape(call: Call, x: Tensor, shape: Tensor, *, allowzero: int = 0) -> Tensor:
    """The elements in the same order in another shape; 0 keeps a size, -1 is what is left"""
    sizes = call.numbers(shape, "the shape")
    if allowzero != 1:
        sizes = [
            x.shape[i] if isinstance(size, int) and size == 0 else size
            for i, size in enumerate(sizes)
        ]
    return m.reshape(x, with_rest(sizes, x.size))


def with_rest(sizes: Sequence[SizeLike], total: SizeLike) -> list[SizeLike]:
    """Sizes of which -1 is replaced by what is left of a number of elements."""
    is_rest = [isinstance(size, int) and size == -1 for size in sizes]
    if not any(is_rest):
        return list(sizes)
    others = prod(size for size, rest in zip(sizes, is_rest, strict=True) if not rest)
    left = 0 if isinstance(others, int) and others == 0 else total // others
    return [left if rest else size for size, rest in zip(sizes, is_rest, strict=True)]


@lowers("Flatten", strings="moved")
def flatten(call: Call, x: Tensor, *, axis: int = 1) -> Tensor:
    """A matrix of the dimensions before and from an axis on"""
    (at,) = (x.rank,) if axis == x.rank else require_axes([axis], x.rank)
    return m.reshape(x, (prod(x.shape[:at]), prod(x.shape[at:])))


@lowers("Squeeze", until=12, strings="moved")
def squeeze_by_attribute(call: Call, x: Tensor, *, axes: Sequence[int] | None = None) -> Tensor:
    """The tensor without dimensions of size 1"""
    if axes is None:
        if any(map(call.graph.assumptions.is_counted, x.shape)):
            call.need(x, "which sizes are 1, of those that depend on values,")
        axes = [i for i, size in enumerate(x.shape) if size == 1]
    return m.squeeze(x, *require_axes(axes, x.rank))


@lowers("Squeeze", since=13, strings="moved")
def squeeze(call: Call, x: Tensor, axes: Tensor | None = None) -> Tensor:
    """The tensor without dimensions of size 1"""
    chosen = None if axes is None else call.integers(axes, "the axes")
    return squeeze_by_attribute(call, x, axes=chosen)


@lowers("Unsqueeze", until=12, strings="moved")
def unsqueeze_by_attribute(call: Call, x: Tensor, *, axes: Sequence[int]) -> Tensor:
    """The tensor with dimensions of size 1 at these places"""
    rank = x.rank + len(axes)
    places = require_axes(axes, rank)
    if len({*places}) < len(places):
        raise ValueError(f"the axes {[*axes]} name a dimension twice")
    return m.expand_dims(x, *places)


@lowers("Unsqueeze", since=13, strings="moved")
def unsqueeze(call: Call, x: Tensor, axes: Tensor) -> Tensor:
    """The tensor with dimensions of size 1 at these places"""
    return unsqueeze_by_attribute(call, x, axes=call.integers(axes, "the axes"))


@lowers("Transpose", strings="moved")
def transpose(call: Call, x: Tensor, *, perm: Sequence[int] | None = None) -> Tensor:
    """The dimensions in another order, by default reversed"""
    return m.transpose(x, [*reversed(range(x.rank))] if perm is None else perm)


@lowers("Concat", strings="moved")
def concat(call: Call, *inputs: Tensor, axis: int) -> Tensor:
    """Tensors one behind another along a dimension"""
    return m.concatenate(inputs, axis)


@lowers("Expand", strings="moved")
def expand(call: Call, x: Tensor, shape: Tensor) -> Tensor:
    """The tensor repeated by the rule of broadcasting"""
    sizes = tuple(call.numbers(shape, "the shape"))
    return x.broadcast_to(broadcast_shape(x.shape, sizes))


@lowers("Tile", since=6, strings="moved")
def tile(call: Call, x: Tensor, repeats: Tensor) -> Tensor:
    """The tensor repeated along each dimension"""
    return m.tile(x, call.numbers(repeats, "the repeats"))


@lowers("Split", until=12, strings="moved")
def split_by_attribute(
    call: Call, x: Tensor, *, axis: int = 0, split: Sequence[int] | None = None
) -> tuple[Tensor, ...]:
    """Parts of a dimension, by default of equal sizes"""
    sizes = require_outputs(call, split) if split else equal_sizes(x.shape[axis], call.outputs)
    return parts(x, axis, sizes)


@lowers("Split", since=13, strings="moved")
def split(
    call: Call, x: Tensor, split: Tensor | None = None, *, axis: int = 0,
    num_outputs: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Parts of a dimension, by default of equal sizes but for the last"""
    if split is not None:
        return parts(x, axis, require_outputs(call, call.numbers(split, "the sizes")))
    if num_outputs not in (None, call.outputs):
        raise ValueError(f"num_outputs is {num_outputs}, of {call.outputs} outputs")
    return parts(x, axis, equal_sizes(x.shape[axis], num_outputs or call.outputs))


def require_outputs(call: Call, sizes: Sequence[SizeLike]) -> Sequence[SizeLike]:
    """The sizes of parts, of which there must be as many as outputs.

    Raises:
        ValueError: There are not.
    """
    if len(sizes) != call.outputs:
        raise ValueError(f"there are {len(sizes)} sizes of {call.outputs} outputs")
    return sizes


def equal_sizes(size: SizeLike, count: int) -> list[SizeLike]:
    """A number of sizes that are equal, but for the last one, which is what is left."""
    each = -(-size // count)
    return [each] * (count - 1) + [size - each * (count - 1)]


def parts(x: Tensor, axis: int, sizes: Sequence[SizeLike]) -> tuple[Tensor, ...]:
    """Parts of a dimension one behind another."""
    found: list[Tensor] = []
    start: SizeLike = 0
    for size in sizes:
        found.append(m.slice_dimension(x, axis, start, start + size))
        start = start + size
    return tuple(found)


@lowers("DepthToSpace")
def depth_to_space(call: Call, x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    """Blocks of channels as blocks of space"""
    n, c, h, w = x.shape
    depth = c // (blocksize * blocksize)
    if mode == "DCR":
        blocks = m.reshape(x, (n, blocksize, blocksize, depth, h, w))
        moved = m.transpose(blocks, (0, 3, 4, 1, 5, 2))
    else:
        blocks = m.reshape(x, (n, depth, blocksize, blocksize, h, w))
        moved = m.transpose(blocks, (0, 1, 4, 2, 5, 3))
    return m.reshape(moved, (n, depth, h * blocksize, w * blocksize))


@lowers("SpaceToDepth")
def space_to_depth(call: Call, x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    """Blocks of space as blocks of channels"""
    n, c, h, w = x.shape
    high, wide = h // blocksize, w // blocksize
    blocks = m.reshape(x, (n, c, high, blocksize, wide, blocksize))
    moved = m.transpose(blocks, (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4))
    return m.reshape(moved, (n, c * blocksize * blocksize, high, wide))
