"""Custom calls of operations whose sizes are operands, as the operations with known sizes.

Source: StableHLO, the experimental operations dynamic_reduce_window, dynamic_rng_bit_generator and
dynamic_top_k, which exporters write as custom calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.chlo.top_k import TopK
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
from stablemate.ir.builder import create
from stablemate.ir.core import Region, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting
from stablemate.numerics.elements import Array

KnownValues: TypeAlias = Mapping[Value, object]
Functions: TypeAlias = Mapping[str, FuncOp]

WINDOW_OPERANDS: Final = 5  # sizes, strides, base dilations, window dilations, padding


def static_operation(call: CustomCall, values_of: KnownValues, functions: Functions) -> Op | None:
    """The static operation that a call encodes; None if sizes are unknown or it is another call."""
    make = STATIC.get(call.call_target_name)
    return None if make is None else make(call, values_of, functions)


def integers(values: Sequence[Value], values_of: KnownValues) -> list[Array] | None:
    """The known sizes, as arrays; None if one is not known."""
    arrays = [values_of.get(value) for value in values]
    return (
        None if any(array is None for array in arrays) else [np.asarray(array) for array in arrays]
    )


def reduce_window(call: CustomCall, values_of: KnownValues, functions: Functions) -> Op | None:
    """reduce_window, with the called function as its body."""
    arrays, windows = call.inputs[:-WINDOW_OPERANDS], call.inputs[-WINDOW_OPERANDS:]
    count = len(arrays) // 2
    names = [name for name in call.called_computations if name in functions]
    sizes = integers(windows, values_of)
    if sizes is None or len(names) != 1 or not count or len(arrays) != 2 * count:
        return None
    dimensions, strides, base_dilations, window_dilations = (size.tolist() for size in sizes[:-1])
    return create(
        ReduceWindow,
        inputs=arrays[:count],
        init_values=arrays[count:],
        window_dimensions=dimensions,
        window_strides=strides,
        base_dilations=base_dilations,
        window_dilations=window_dilations,
        padding=sizes[-1],
        regions=(body_of(functions[names[0]]),),
        results=[value.type for value in call.results],
        location=call.location,
        span=call.span,
    )


def body_of(function: FuncOp) -> Region:
    """The body of a function, as a region of an operation."""
    region = Rewriting({}).copied_region(function.body)
    end = region.block.operations.pop()
    region.block.append(create(Return, values=end.operands))
    return region


def rng_bit_generator(call: CustomCall, values_of: KnownValues, functions: Functions) -> Op | None:
    """rng_bit_generator with an output of the shape that is the second operand."""
    shape = integers(call.inputs[1:], values_of)
    algorithm = call.discardable.get("rng_algorithm")
    if shape is None or len(call.inputs) != 2 or len(call.results) != 2 or algorithm is None:
        return None
    state, output = (value.type for value in call.results)
    return create(
        RngBitGenerator,
        rng_algorithm=algorithm,
        initial_state=call.inputs[0],
        results=[state, output.with_shape(shape[0].reshape(-1).tolist())],
        location=call.location,
        span=call.span,
    )


def top_k(call: CustomCall, values_of: KnownValues, functions: Functions) -> Op | None:
    """chlo.top_k with the number of elements in the second operand."""
    k = integers(call.inputs[1:], values_of)
    if k is None or len(call.inputs) != 2 or len(call.results) != 2 or k[0].size != 1:
        return None
    return create(
        TopK,
        operand=call.inputs[0],
        k=int(k[0].reshape(())),
        results=[value.type for value in call.results],
        location=call.location,
        span=call.span,
    )


STATIC: Final[Mapping[str, Callable[[CustomCall, KnownValues, Functions], Op | None]]] = {
    "stablehlo.dynamic_reduce_window": reduce_window,
    "stablehlo.dynamic_rng_bit_generator": rng_bit_generator,
    "stablehlo.dynamic_top_k": top_k,
}
