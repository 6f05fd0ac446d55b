"""Products of a row with narrow weights, by ours, ONNX Runtime and OpenVINO.

Each maker returns a function that multiplies activations ``(1, inputs)``. Weights are outputs by
inputs; those of 4 bits have a scale for each ``GROUP`` of an output, those of 8 bits for each
output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.decoding.sizes import GROUP, quantized_bytes, quantized_nibbles

Product = Callable[[Any], Any]

PROGRAMS: Final = {
    "f32": """func.func public @main(%x: tensor<1x{k}xf32>, %w: tensor<{n}x{k}xf32>)
      -> tensor<1x{n}xf32> {{
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1]
        : (tensor<1x{k}xf32>, tensor<{n}x{k}xf32>) -> tensor<1x{n}xf32>
      return %y : tensor<1x{n}xf32>
    }}""",
    "bf16": """func.func public @main(%x: tensor<1x{k}xf32>, %w: tensor<{n}x{k}xbf16>)
      -> tensor<1x{n}xf32> {{
      %0 = stablehlo.convert %w : (tensor<{n}x{k}xbf16>) -> tensor<{n}x{k}xf32>
      %y = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1]
        : (tensor<1x{k}xf32>, tensor<{n}x{k}xf32>) -> tensor<1x{n}xf32>
      return %y : tensor<1x{n}xf32>
    }}""",
    "int8": """func.func public @main(%x: tensor<1x{k}xf32>, %w: tensor<{n}x{k}xi8>,
      %s: tensor<{n}xf32>) -> tensor<1x{n}xf32> {{
      %0 = stablehlo.convert %w : (tensor<{n}x{k}xi8>) -> tensor<{n}x{k}xf32>
      %1 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<{n}xf32>) -> tensor<{n}x{k}xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<{n}x{k}xf32>
      %y = stablehlo.dot_general %x, %2, contracting_dims = [1] x [1]
        : (tensor<1x{k}xf32>, tensor<{n}x{k}xf32>) -> tensor<1x{n}xf32>
      return %y : tensor<1x{n}xf32>
    }}""",
    "int4": """func.func public @main(%x: tensor<1x{k}xf32>, %w: tensor<{n}x{h}xui8>,
      %s: tensor<{n}x{q}xf32>) -> tensor<1x{n}xf32> {{
      %c15 = stablehlo.constant dense<15> : tensor<{n}x{h}xui8>
      %c4 = stablehlo.constant dense<4> : tensor<{n}x{h}xui8>
      %c8 = stablehlo.constant dense<8.0> : tensor<{n}x{q}x{g}xf32>
      %0 = stablehlo.and %w, %c15 : tensor<{n}x{h}xui8>
      %1 = stablehlo.shift_right_logical %w, %c4 : tensor<{n}x{h}xui8>
      %2 = stablehlo.reshape %0 : (tensor<{n}x{h}xui8>) -> tensor<{n}x{h}x1xui8>
      %3 = stablehlo.reshape %1 : (tensor<{n}x{h}xui8>) -> tensor<{n}x{h}x1xui8>
      %4 = stablehlo.concatenate %2, %3, dim = 2
        : (tensor<{n}x{h}x1xui8>, tensor<{n}x{h}x1xui8>) -> tensor<{n}x{h}x2xui8>
      %5 = stablehlo.reshape %4 : (tensor<{n}x{h}x2xui8>) -> tensor<{n}x{q}x{g}xui8>
      %6 = stablehlo.convert %5 : (tensor<{n}x{q}x{g}xui8>) -> tensor<{n}x{q}x{g}xf32>
      %7 = stablehlo.subtract %6, %c8 : tensor<{n}x{q}x{g}xf32>
      %8 = stablehlo.broadcast_in_dim %s, dims = [0, 1]
        : (tensor<{n}x{q}xf32>) -> tensor<{n}x{q}x{g}xf32>
      %9 = stablehlo.multiply %7, %8 : tensor<{n}x{q}x{g}xf32>
      %10 = stablehlo.reshape %9 : (tensor<{n}x{q}x{g}xf32>) -> tensor<{n}x{k}xf32>
      %y = stablehlo.dot_general %x, %10, contracting_dims = [1] x [1]
        : (tensor<1x{k}xf32>, tensor<{n}x{k}xf32>) -> tensor<1x{n}xf32>
      return %y : tensor<1x{n}xf32>
    }}""",
}


def stored_weights(matrix: Any, kind: str) -> list[Any]:
    """The arrays that hold a matrix."""
    match kind:
        case "int8":
            return list(quantized_bytes(matrix))
        case "int4":
            return list(quantized_nibbles(matrix))
        case "bf16":
            import ml_dtypes

            return [matrix.astype(ml_dtypes.bfloat16)]
        case _:
            return [matrix]


def ours(matrix: Any, kind: str) -> Product:
    """The product by stablemate."""
    outputs, inputs = matrix.shape
    sizes = {"n": outputs, "k": inputs, "h": inputs // 2, "q": inputs // GROUP, "g": GROUP}
    function = sm.compile(sm.parse(PROGRAMS[kind].format(**sizes)))
    weights = stored_weights(matrix, kind)
    return lambda x: function(x, *weights)


def onnx_runtime(matrix: Any, kind: str) -> Product | None:
    """The product by ONNX Runtime: MatMul, or MatMulNBits in the precision of ``f32``."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    outputs, inputs = matrix.shape
    shape = [1, inputs], [1, outputs]
    match kind:
        case "f32":
            node = helper.make_node("MatMul", ["x", "w"], ["y"])
            values = {"w": np.ascontiguousarray(matrix.T)}
        case "int4":
            packed, scales = quantized_nibbles(matrix)
            node = helper.make_node(
                "MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft",
                K=inputs, N=outputs, bits=4, block_size=GROUP, accuracy_level=1,
            )  # fmt: skip
            blocks = packed.reshape(outputs, inputs // GROUP, GROUP // 2)
            values = {"w": blocks, "s": scales.reshape(-1)}
        case _:
            return None
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
        for name, sizes in zip("xy", shape, strict=True)
    ]
    weights = [numpy_helper.from_array(value, name) for name, value in values.items()]
    graph = helper.make_graph([node], "product", ends[:1], ends[1:], weights)
    domains = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return lambda x: session.run(None, {"x": x})[0]


def openvino(matrix: Any, kind: str) -> Product | None:
    """The product by OpenVINO, whose weights stay compressed."""
    import openvino as ov
    from openvino import opset13 as ops

    outputs, inputs = matrix.shape
    x = ops.parameter([1, inputs], np.float32)
    match kind:
        case "f32":
            weights = ops.constant(matrix)
        case "int8":
            stored, scales = quantized_bytes(matrix)
            weights = ops.multiply(
                ops.convert(ops.constant(stored), "f32"), ops.constant(scales[:, None])
            )
        case "int4":
            packed, scales = quantized_nibbles(matrix)
            shape = [outputs, inputs // GROUP, GROUP]
            tensor = ov.Tensor(packed, shape, ov.Type.u4)
            centered = ops.subtract(
                ops.convert(ops.constant(tensor), "f32"), ops.constant(np.float32(8))
            )
            scaled = ops.multiply(centered, ops.constant(scales[..., None]))
            weights = ops.reshape(scaled, ops.constant(np.array([outputs, inputs])), False)
        case _:
            return None
    product = ops.matmul(x, weights, False, True)
    compiled = ov.Core().compile_model(
        ov.Model([product], [x]), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
    )
    return lambda activations: compiled([activations])[0]
