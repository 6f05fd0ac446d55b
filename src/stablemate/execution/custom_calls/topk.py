"""Top-k: the first elements of each slice in an order, always exactly.

``mhlo.topk`` and its relatives give the largest (or smallest) elements with their indices.
``ApproxTopK`` and ``PartialReduce`` order several tensors together by a comparator; that they may
miss elements for speed is a license that is not used here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.dialects.stablehlo.reducers import SortKey, order
from stablemate.dialects.stablehlo.stable_argsort import (
    argsort_by_comparator,
    argsort_by_keys,
    take_along_last,
)
from stablemate.execution.custom_calls.call import (
    CallableComputation,
    Target,
    TargetCall,
    tensors_in,
)
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array

MHLO_ATTRIBUTES: Final = "mhlo.attributes"


def top_k(operands: Sequence[object], call: TargetCall) -> tuple[Array, Array]:
    """The k first elements of each slice along the last dimension, and their indices."""
    config = cast(Mapping[str, object], call.attributes.get(MHLO_ATTRIBUTES) or call.config)
    (x,) = tensors(operands[:1], call)
    k = config.get("k", declared_size(call, -1))
    return extremes(x, k, largest=bool(config.get("largest", True)), call=call)


def dynamic_top_k(operands: Sequence[Any], call: TargetCall) -> tuple[Array, Array]:
    """As ``top_k``; k is the second operand."""
    if len(operands) != 2 or np.shape(operands[1]):
        raise call.error("the operands are a tensor and a number", operands=len(operands))
    (x,) = tensors(operands[:1], call)
    return extremes(x, int(operands[1]), largest=True, call=call)


def extremes(x: Array, k: object, *, largest: bool, call: TargetCall) -> tuple[Array, Array]:
    """The k largest (or smallest) elements, in the total order of floats; of equals the first."""
    if not x.ndim:
        raise call.error("the operand has a dimension", rank=0)
    require_size(k, x.shape[-1], call)
    key = SortKey(0, descending=largest, total=True)
    computation = next(iter(call.computations), None)
    columns = [x]
    if computation is not None and len(computation.body.block.arguments) == 4:
        positions = np.arange(x.shape[-1], dtype=np.int32)
        columns.append(np.broadcast_to(positions, x.shape))  # XLA compares pairs with positions
    places = arrangement(columns, computation, (key,))[..., :k]
    return take_along_last(x, places), places.astype(np.int32)


def approximate_top_k(operands: Sequence[object], call: TargetCall) -> tuple[Array, ...]:
    """The first elements of slices of several tensors by a comparator.

    Operands are n tensors, then n values to fill up with where a slice is shorter than its result.
    """
    return first_elements(operands, call.config.get("top_k"), call)


def dynamic_approximate_top_k(operands: Sequence[Any], call: TargetCall) -> tuple[Array, ...]:
    """As ``approximate_top_k``; the number of elements is the last operand."""
    if not operands or np.shape(operands[-1]):
        raise call.error("the last operand is a number", operands=len(operands))
    return first_elements(operands[:-1], int(operands[-1]), call)


def first_elements(operands: Sequence[Any], k: Any, call: TargetCall) -> tuple[Array, ...]:
    """The results of an approximate top-k; there are k, or as many as the call declares."""
    count = len(operands) // 2
    inputs = tensors(operands[:count], call)
    fillers = operands[count:]
    if not count or len(fillers) != count or any(np.size(filler) != 1 for filler in fillers):
        raise call.error("there are as many scalars as tensors", operands=len(operands))
    if not call.computations:
        raise call.error("the call has a comparator")
    dimension = call.config.get("reduction_dim")
    rank = inputs[0].ndim
    if not isinstance(dimension, int) or not -rank <= dimension < rank:
        raise call.error("reduction_dim is a dimension", reduction_dim=dimension, rank=rank)
    declared = declared_size(call, dimension)
    size = k if declared is None else declared
    require_size(size, None, call)
    columns = [np.moveaxis(x, dimension, -1) for x in inputs]
    places = arrangement(columns, call.computations[0], ())[..., :size]
    return tuple(
        np.moveaxis(pad_last_dimension(take_along_last(x, places), size, filler), -1, dimension)
        for x, filler in zip(columns, fillers, strict=True)
    )


def arrangement(
    columns: Sequence[Array], comparator: CallableComputation | None, keys: Sequence[SortKey]
) -> Array:
    """Where the elements of the sorted slices stand; the keys count if there is no comparator."""
    if comparator is None:
        return argsort_by_keys(keys, columns)
    recognized = order(comparator.body)
    if recognized:
        return argsort_by_keys(recognized, columns)
    return argsort_by_comparator(comparator.body, comparator, columns)


def pad_last_dimension(x: Array, size: int, filler: object) -> Array:
    """An array whose last dimension has at least a size, with a value behind the elements."""
    missing = size - x.shape[-1]
    if missing <= 0:
        return x
    rest = np.full((*x.shape[:-1], missing), filler, x.dtype)
    return np.concatenate([x, rest], -1)


def tensors(operands: Sequence[object], call: TargetCall) -> list[Array]:
    """Operands that are tensors of one shape."""
    tensor_operands = tensors_in(operands)
    shapes = {tensor.shape for tensor in tensor_operands}
    if not tensor_operands or len(tensor_operands) != len(operands) or len(shapes) != 1:
        types = ", ".join(map(str, call.operand_types))
        raise call.error("the operands are tensors of one shape", operands=types)
    return tensor_operands


def declared_size(call: TargetCall, dimension: int) -> int | None:
    """The size of a dimension of the first result, if it is known."""
    first = call.result_types[0] if call.result_types else None
    if not isinstance(first, TensorType) or not -first.rank <= dimension < first.rank:
        return None
    size = first.shape[dimension]
    return None if size == DYNAMIC else size


def require_size(k: object, maximum: int | None, call: TargetCall) -> None:
    """Refuses a number of elements that there cannot be."""
    if not isinstance(k, int) or k < 0 or (maximum is not None and k > maximum):
        raise call.error("0 <= k <= dim(operand, -1)", k=k, size=maximum)


TARGETS: Final[Mapping[str, Target]] = {
    "ApproxTopK": approximate_top_k,
    "PartialReduce": approximate_top_k,
    "TopK": top_k,
    "__custom$TopK": top_k,
    "mhlo.topk": top_k,
    "stablehlo.dynamic_approx_top_k": dynamic_approximate_top_k,
    "stablehlo.dynamic_top_k": dynamic_top_k,
}
