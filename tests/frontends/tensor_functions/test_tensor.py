"""Tensors of programs that frontends create, beside sizes that only a run knows."""

from __future__ import annotations

import numpy as np

import stablemate as sm
from stablemate.dialects.func import Return
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.programs import main_module
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.ir.builder import create
from stablemate.ir.core import Block
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import F32


def test_a_size_stands_beside_a_tensor_as_a_number_does() -> None:
    block = Block((TensorType((DYNAMIC,), F32),))
    graph = TensorGraph(block)
    size = graph.assumptions.variable(5)
    graph.bind_dimension(size, block.arguments[0], 0)
    x = Tensor(graph, block.arguments[0], (size,))
    result = f.clamp(2, x + (size - 1), size)
    block.append(create(Return, values=[result.value]))
    module = sm.Module(main_module(block, [result.value.type]))
    for values in ([-1.0, 0.5], [-4.0, 0.0, 0.25]):
        expected = np.clip(np.float32(values) + len(values) - 1, 2, len(values))
        np.testing.assert_array_equal(module.run(np.float32(values)), expected)
