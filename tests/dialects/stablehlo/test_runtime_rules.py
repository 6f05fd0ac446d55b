"""Rules that only run-time values can break: each ends the run with a diagnostic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.dynamic_pad import DynamicPad
from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.set_dimension_size import SetDimensionSize
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.torch_index_select import TorchIndexSelect
from stablemate.ir.builder import create
from stablemate.ir.core import Value
from stablemate.ir.definition import Op
from stablemate.ir.types import BoundsAttribute, TensorType, tensor
from stablemate.numerics.elements import F32, I32, I64, ElementType

TWO = np.array([1, 2], np.float32)
THREE = np.array([1, 2, 3], np.float32)
ROWS = GatherDimensionNumbers(collapsed_slice_dims=(0,), start_index_map=(0,), index_vector_dim=1)


def value(*shape: int, element: ElementType = F32) -> Value[TensorType]:
    return Value(tensor(element, *shape))


def slice_of_three(size: int) -> Op:
    """A slice of three elements whose indices are operands."""
    return create(
        RealDynamicSlice,
        operand=value(3),
        start_indices=value(1, element=I64),
        limit_indices=value(1, element=I64),
        strides=value(1, element=I64),
        results=[tensor(F32, size)],
    )


def sizes(*values: int) -> Any:
    return np.array(values, np.int64)


CASES: list[tuple[Op, Sequence[Any], str]] = [
    (
        create(
            BroadcastInDim, operand=value(-1), broadcast_dimensions=[0], results=[tensor(F32, 3)]
        ),
        [TWO],
        "stablehlo.broadcast_in_dim C5: operand = [2], result = [3], dimensions = [0]",
    ),
    (
        create(Concatenate, inputs=[value(-1, 1), value(2, 1)], dimension=1),
        [THREE.reshape(3, 1), TWO.reshape(2, 1)],
        "stablehlo.concatenate C2: dimension = 1, shapes = [[3, 1], [2, 1]]",
    ),
    (
        create(
            DynamicBroadcastInDim,
            operand=value(-1),
            output_dimensions=value(1, element=I64),
            broadcast_dimensions=[0],
            results=[tensor(F32, -1)],
        ),
        [TWO, sizes(3)],
        "stablehlo.dynamic_broadcast_in_dim C5: operand = [2], result = [3], dimensions = [0]",
    ),
    (
        create(
            DynamicBroadcastInDim,
            operand=value(),
            output_dimensions=value(1, element=I64),
            broadcast_dimensions=[],
            results=[tensor(F32, -1)],
        ),
        [np.float32(1), sizes(-1)],
        "stablehlo.dynamic_broadcast_in_dim C7: output_dimensions = [-1]",
    ),
    (
        create(
            DynamicBroadcastInDim,
            operand=value(),
            output_dimensions=value(1, element=I64),
            broadcast_dimensions=[],
            results=[tensor(F32, 4)],
        ),
        [np.float32(1), sizes(3)],
        "stablehlo.dynamic_broadcast_in_dim C7: shape = [3], result = tensor<4xf32>",
    ),
    (
        create(
            DynamicGather,
            operand=value(3),
            start_indices=value(2, 1, element=I32),
            slice_sizes=value(1, element=I64),
            dimension_numbers=ROWS,
        ),
        [THREE, np.zeros((2, 1), np.int32), sizes(4)],
        "stablehlo.dynamic_gather C12: slice_sizes = [4], shape = [3]",
    ),
    (
        create(
            DynamicGather,
            operand=value(3),
            start_indices=value(2, 1, element=I32),
            slice_sizes=value(1, element=I64),
            dimension_numbers=ROWS,
        ),
        [THREE, np.zeros((2, 1), np.int32), sizes(2)],
        "stablehlo.dynamic_gather C8: slice_sizes = [2], collapsed_slice_dims = [0]",
    ),
    (
        create(
            DynamicPad,
            operand=value(2),
            padding_value=value(),
            edge_padding_low=value(1, element=I64),
            edge_padding_high=value(1, element=I64),
            interior_padding=value(1, element=I64),
            results=[tensor(F32, -1)],
        ),
        [TWO, np.float32(0), sizes(0), sizes(0), sizes(-1)],
        "stablehlo.dynamic_pad C3: interior_padding = [-1]",
    ),
    (
        create(
            DynamicPad,
            operand=value(2),
            padding_value=value(),
            edge_padding_low=value(1, element=I64),
            edge_padding_high=value(1, element=I64),
            interior_padding=value(1, element=I64),
            results=[tensor(F32, -1)],
        ),
        [TWO, np.float32(0), sizes(-2), sizes(-1), sizes(0)],
        "stablehlo.dynamic_pad C4: operand = [2], result = [-1]",
    ),
    (
        create(
            DynamicReshape,
            operand=value(-1),
            output_shape=value(2, element=I64),
            results=[tensor(F32, -1, -1)],
        ),
        [TWO, sizes(2, 2)],
        "stablehlo.dynamic_reshape C2: operand = [2], result = [2, 2]",
    ),
    (
        create(
            DynamicReshape,
            operand=value(-1),
            output_shape=value(2, element=I64),
            results=[tensor(F32, -1, -1)],
        ),
        [TWO, sizes(-1, 2)],
        "stablehlo.dynamic_reshape C4: output_shape = [-1, 2]",
    ),
    (
        create(
            DynamicSlice, operand=value(-1), start_indices=[value(element=I32)], slice_sizes=[3]
        ),
        [TWO, np.int32(0)],
        "stablehlo.dynamic_slice C4: slice_sizes = [3], shape = [2]",
    ),
    (
        create(
            DynamicUpdateSlice,
            operand=value(-1),
            update=value(-1),
            start_indices=[value(element=I32)],
        ),
        [TWO, THREE, np.int32(0)],
        "stablehlo.dynamic_update_slice C6: update = [3], operand = [2]",
    ),
    (
        create(
            Gather,
            operand=value(-1),
            start_indices=value(1, 1, element=I32),
            dimension_numbers=GatherDimensionNumbers(
                offset_dims=(1,), start_index_map=(0,), index_vector_dim=1
            ),
            slice_sizes=[3],
        ),
        [TWO, np.zeros((1, 1), np.int32)],
        "stablehlo.gather C21: slice_sizes = [3], shape = [2]",
    ),
    (
        create(
            Gather,
            operand=value(3),
            start_indices=value(1, -1, element=I32),
            dimension_numbers=ROWS,
            slice_sizes=[1],
        ),
        [THREE, np.zeros((1, 2), np.int32)],
        "stablehlo.gather C3: start_index_map = 1, start_indices = 2",
    ),
    (
        create(
            Gather,
            operand=value(0),
            start_indices=value(1, 1, element=I32),
            dimension_numbers=ROWS,
            slice_sizes=[0],
        ),
        [np.zeros(0, np.float32), np.zeros((1, 1), np.int32)],
        "stablehlo.gather: slice_sizes = [0]",
    ),
    (
        create(
            Pad,
            operand=value(-1),
            padding_value=value(),
            edge_padding_low=[-3],
            edge_padding_high=[0],
            interior_padding=[0],
        ),
        [TWO, np.float32(0)],
        "stablehlo.pad C4: operand = [2], result = [-1]",
    ),
    (
        slice_of_three(-1),
        [THREE, sizes(1), sizes(4), sizes(1)],
        "stablehlo.real_dynamic_slice C3: start_indices = [1], limit_indices = [4], shape = [3]",
    ),
    (
        slice_of_three(-1),
        [THREE, sizes(1), sizes(2), sizes(0)],
        "stablehlo.real_dynamic_slice C4: strides = [0]",
    ),
    (
        slice_of_three(2),
        [THREE, sizes(0), sizes(3), sizes(1)],
        "stablehlo.real_dynamic_slice C5: shape = [3], result = tensor<2xf32>",
    ),
    (
        create(Reshape, operand=value(-1), results=[tensor(F32, 2, 1)]),
        [THREE],
        "stablehlo.reshape C2: operand = [3], result = [2, 1]",
    ),
    (
        create(SetDimensionSize, operand=value(2), size=value(element=I32), dimension=0),
        [TWO, np.int32(3)],
        "stablehlo.set_dimension_size C3: size = 3, bound = 2",
    ),
    (
        create(Slice, operand=value(-1), start_indices=[0], limit_indices=[3], strides=[1]),
        [TWO],
        "stablehlo.slice C3: limit_indices = [3], shape = [2]",
    ),
    (
        create(
            TorchIndexSelect,
            operand=value(2),
            index=value(1),
            dim=0,
            batch_dims=0,
            results=[tensor(F32, 1)],
        ),
        [TWO, TWO[:1]],
        "stablehlo.torch_index_select: index is of integer type",
    ),
]


@pytest.mark.parametrize(("op", "operands", "expected"), CASES, ids=[case[2] for case in CASES])
def test_values_that_break_a_rule_end_the_run(
    op: Op, operands: Sequence[Any], expected: str
) -> None:
    with pytest.raises(EvaluationError) as error:
        op.prepare(())(*operands)
    (diagnostic,) = error.value.diagnostics
    values = ", ".join(f"{name} = {fact}" for name, fact in diagnostic.values.items())
    assert f"{diagnostic.rule}: {values or diagnostic.message}" == expected


def test_result_of_a_bounded_type_stays_within_its_bound() -> None:
    bounded = TensorType((-1,), F32, BoundsAttribute((2,)))
    op = create(
        DynamicReshape,
        operand=value(-1),
        output_shape=value(1, element=I64),
        results=[bounded],
    )
    assert op.evaluate(TWO, sizes(2)).shape == (2,)
    with pytest.raises(EvaluationError, match="dynamic_reshape C4"):
        op.evaluate(THREE, sizes(3))


def test_groups_of_all_gather_leave_nobody_out() -> None:
    module = sm.load(
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
            replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }"""
    )
    (gather,) = (
        operation for operation in module.operation.walk() if isinstance(operation, AllGather)
    )
    with pytest.raises(EvaluationError, match="replica_groups hold every id once"):
        gather.evaluate_ungrouped([np.zeros(2, np.float32)])
