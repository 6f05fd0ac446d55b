"""Small models that tests write."""

from __future__ import annotations

from typing import Any

import onnx
from onnx import helper

FLOAT = onnx.TensorProto.FLOAT


def model(
    nodes: Any, inputs: Any, outputs: Any, *, initializers: Any = (), version: int = 21,
    types: Any = (), **fields: Any,
) -> Any:  # fmt: skip
    """A model of float tensors, whose inputs and outputs are shapes by name."""
    graph = helper.make_graph(
        nodes, "graph",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in outputs.items()],
        list(initializers), value_info=list(types),
    )  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], **fields)
