"""Operators of com.microsoft, beside ONNX Runtime."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import stablemate.onnx
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper
DRAW = np.random.default_rng(7)
SCALE, ZERO = np.array(0.05, np.float32), np.array(3, np.uint8)


def floats(*shape):
    """Random floats."""
    return DRAW.normal(size=shape).astype(np.float32)


def octets(*shape):
    """Random bytes."""
    return DRAW.integers(0, 256, shape).astype(np.uint8)


CASES = {
    "BiasGelu": ([floats(2, 8), floats(8)], {}, 1),
    "Gelu": ([floats(2, 8)], {}, 1),
    "FastGelu": ([floats(2, 8), floats(8)], {}, 1),
    "QuickGelu": ([floats(2, 8)], {"alpha": 1.5}, 1),
    "SkipLayerNormalization": (
        [floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8), floats(8)], {"epsilon": 1e-5}, 1,
    ),
    "SkipSimplifiedLayerNormalization": (
        [floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8)], {"epsilon": 1e-5}, 1,
    ),
    "FusedMatMul": ([floats(2, 5, 3), floats(2, 4, 5)], {"transA": 1, "transB": 1, "alpha": 0.5},
                    1),
    "FusedConv": (
        [floats(1, 4, 6, 6), floats(4, 4, 3, 3), floats(4)],
        {"activation": "LeakyRelu", "activation_params": [0.2], "pads": [1, 1, 1, 1]}, 1,
    ),
    "MatMulIntegerToFloat": (
        [octets(4, 6), octets(6, 5), SCALE, np.full(5, 0.1, np.float32), ZERO, octets(5),
         floats(5)], {}, 1,
    ),
    "DynamicQuantizeMatMul": (
        [floats(4, 6), octets(6, 5), np.array(0.1, np.float32), np.array(7, np.uint8), floats(5)],
        {}, 1,
    ),
    "QLinearAdd": ([octets(2, 6), SCALE, ZERO, octets(2, 6), 2 * SCALE, ZERO, 3 * SCALE, ZERO], {},
                   1),
    "QLinearMul": ([octets(2, 6), SCALE, ZERO, octets(1, 6), 2 * SCALE, ZERO, 30 * SCALE, ZERO],
                   {}, 1),
    "QLinearSigmoid": ([octets(2, 6), SCALE, ZERO, SCALE / 10, ZERO], {}, 1),
    "QLinearLeakyRelu": ([octets(2, 6), SCALE, octets(1)[0], SCALE, ZERO], {"alpha": 0.2}, 1),
    "QLinearGlobalAveragePool": ([octets(1, 3, 4, 4), SCALE, ZERO, SCALE, ZERO], {}, 1),
    "QLinearConcat": ([SCALE, ZERO, octets(2, 3), SCALE, ZERO, octets(2, 4), 2 * SCALE, ZERO],
                      {"axis": 1}, 1),
}  # fmt: skip
# The layouts of weights of few bits, and of rotations.
WEIGHTS = [
    ("MatMulNBits", [floats(3, 40), octets(6, 3, 8), floats(6 * 3)],
     {"K": 40, "N": 6, "bits": 4, "block_size": 16}),
    ("MatMulNBits", [floats(3, 48), octets(6, 3, 8), floats(6 * 3), octets(6 * 2)],
     {"K": 48, "N": 6, "bits": 4, "block_size": 16}),
    *(("MatMulNBits", [floats(3, 40), octets(6, 3, 2 * bits), floats(6 * 3), zeros],
       {"K": 40, "N": 6, "bits": bits, "block_size": 16, "accuracy_level": level})
      for bits, level, zeros in [(2, 0, None), (2, 4, octets(6)), (8, 0, octets(18)), (8, 4, None),
                                 (4, 1, floats(18)), (4, 0, octets(6 * 2))]),
    ("MatMulNBits", [floats(3, 40), octets(6, 3, 8), floats(6 * 3), None,
                     DRAW.permutation(np.arange(40) // 16).astype(np.int32)],
     {"K": 40, "N": 6, "bits": 4, "block_size": 16}),
    ("MatMulNBits", [floats(3, 40), octets(6, 3, 0), floats(6 * 3), None, None, floats(6)],
     {"K": 40, "N": 6, "bits": 4, "block_size": 16}),
    ("RotaryEmbedding", [floats(2, 3, 16), np.array([2]), floats(9, 4), floats(9, 4)], {}),
    ("RotaryEmbedding", [floats(2, 3, 16), DRAW.integers(0, 9, (2, 3)), floats(9, 4), floats(9, 4)],
     {"interleaved": 1}),
    ("RotaryEmbedding", [floats(2, 2, 3, 8), np.array([0]), floats(9, 2), floats(9, 2)],
     {"rotary_embedding_dim": 4, "num_heads": 2}),
]  # fmt: skip
# Outputs without which ONNX Runtime takes no keys of steps before.
PRESENT = {"Unique": 2, "QEmbedLayerNormalization": 1,
           "GroupQueryAttention": 2, "MultiHeadAttention": 2, "Attention": 1, "QAttention": 1,
           "EmbedLayerNormalization": 1}  # fmt: skip
CACHE = [floats(9, 8), floats(9, 8)]
ATTENTION = [
    ("MultiHeadAttention", [floats(2, 3, 16), floats(2, 5, 16), floats(2, 5, 16)],
     {"num_heads": 2}),
    ("MultiHeadAttention",
     [floats(2, 3, 16), floats(2, 3, 16), floats(2, 3, 16), floats(48), None,
      floats(1, 2, 3, 7), floats(2, 2, 4, 8), floats(2, 2, 4, 8)],
     {"num_heads": 2, "unidirectional": 1, "scale": 0.3}),
    ("MultiHeadAttention",
     [floats(2, 3, 16), floats(2, 5, 16), floats(2, 5, 16), None,
      np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)], {"num_heads": 2}),
    ("Attention", [floats(2, 3, 8), floats(8, 48), floats(48)], {"num_heads": 2}),
    ("Attention",
     [floats(2, 3, 8), floats(8, 48), floats(48), np.array([2, 3], np.int32)], {"num_heads": 2}),
    ("Attention", [floats(2, 3, 8), floats(8, 48), floats(48), None, floats(2, 2, 2, 4, 8)],
     {"num_heads": 2, "unidirectional": 1}),
    ("GroupQueryAttention",
     [floats(1, 5, 64), floats(1, 5, 32), floats(1, 5, 32), None, None, np.array([4], np.int32),
      np.array(5, np.int32), *CACHE], {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}),
    ("GroupQueryAttention",
     [floats(1, 1, 64), floats(1, 1, 32), floats(1, 1, 32), floats(1, 2, 4, 16),
      floats(1, 2, 4, 16), np.array([4], np.int32), np.array(5, np.int32), *CACHE],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1, "local_window_size": 3}),
    ("Attention",
     [floats(2, 3, 8), floats(8, 48), floats(48), np.array([[1, 1, 0], [0, 0, 0]], np.int32)],
     {"num_heads": 2}),
    ("Attention",
     [floats(2, 3, 8), floats(8, 48), floats(48), DRAW.integers(0, 2, (2, 3, 3)).astype(np.int32)],
     {"num_heads": 2, "mask_filter_value": -50.0}),
    ("Attention", [floats(2, 3, 8), floats(8, 40), floats(40)],
     {"num_heads": 2, "qkv_hidden_sizes": [16, 16, 8]}),
    ("QAttention",
     [octets(2, 3, 8), octets(8, 48), floats(48), SCALE / 9, SCALE / 9,
      np.array([[1, 1, 0], [1, 1, 1]], np.int32), ZERO, ZERO], {"num_heads": 2}),
    ("QAttention",
     [octets(2, 3, 8), octets(8, 48), floats(48), SCALE / 9, SCALE / 9, None, ZERO, ZERO],
     {"num_heads": 2, "unidirectional": 1}),
    ("GroupQueryAttention",
     [floats(1, 5, 128), None, None, None, None, np.array([4], np.int32), np.array(5, np.int32),
      *CACHE],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1, "softcap": 3.0}),
    ("GroupQueryAttention",  # members of the batch with 4 and 5 steps
     [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32), floats(2, 2, 4, 16),
      floats(2, 2, 4, 16), np.array([3, 4], np.int32), np.array(5, np.int32), *CACHE],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}),
    ("GroupQueryAttention",  # a buffer of 8 steps with free places
     [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32), floats(2, 2, 8, 16),
      floats(2, 2, 8, 16), np.array([4, 2], np.int32), np.array(5, np.int32), *CACHE],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}),
    ("GroupQueryAttention",  # the first steps, into such a buffer
     [floats(1, 4, 64), floats(1, 4, 32), floats(1, 4, 32), floats(1, 2, 8, 16),
      floats(1, 2, 8, 16), np.array([3], np.int32), np.array(4, np.int32), *CACHE],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}),
    ("GroupQueryAttention",  # of whose positions the first one is read
     [floats(2, 3, 64), floats(2, 3, 32), floats(2, 3, 32), None, None, np.array([2, 2], np.int32),
      np.array(3, np.int32), *CACHE, np.array([[1, 2, 3], [4, 5, 6]])],
     {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}),
    ("GroupQueryAttention",
     [floats(1, 1, 64), floats(1, 1, 32), floats(1, 1, 32), floats(1, 2, 8, 16),
      floats(1, 2, 8, 16), np.array([4], np.int32), np.array(5, np.int32), None, None, None,
      floats(1, 4, 1, 5)], {"num_heads": 4, "kv_num_heads": 2}),
    ("MultiHeadAttention",
     [floats(2, 3, 16), floats(2, 5, 16), floats(2, 5, 16), None,
      np.array([3, 5, 0, 3, 6, 0, 5, 10], np.int32)], {"num_heads": 2}),
    ("Attention",  # ends and starts
     [floats(2, 4, 8), floats(8, 48), floats(48), np.array([4, 4, 1, 0], np.int32)],
     {"num_heads": 2}),
    ("GroupQueryAttention",
     [floats(1, 5, 64), floats(1, 5, 32), floats(1, 5, 32), None, None, np.array([4], np.int32),
      np.array(5, np.int32)], {"num_heads": 4, "kv_num_heads": 2, "smooth_softmax": 1}),
]  # fmt: skip
EMBEDDING = [
    ("EmbedLayerNormalization",
     [DRAW.integers(0, 9, (2, 4)).astype(np.int32), DRAW.integers(0, 2, (2, 4)).astype(np.int32),
      floats(9, 8), floats(6, 8), floats(2, 8), floats(8), floats(8),
      np.array([[1, 1, 1, 0], [1, 1, 1, 1]], np.int32)], {"epsilon": 1e-5}),
    ("EmbedLayerNormalization",
     [DRAW.integers(0, 9, (2, 4)).astype(np.int32), None, floats(9, 8), floats(6, 8), None,
      floats(8), floats(8), None, DRAW.integers(0, 6, (2, 4)).astype(np.int32)], {}),
]  # fmt: skip
ALIASES = [
    ("Inverse", [floats(2, 4, 4)], {}), ("Range", [np.array(2.5, np.float32)] * 2, {}),
    ("Range", [np.array([1], np.float32), np.array([7.0], np.float32)], {}),
    ("Unique", [np.array([3, 1, 3, 2, 1], np.float32)], {}),
    ("Trilu", [floats(3, 4), np.array(1)], {"upper": 0}),
    ("GatherND", [floats(3, 4), np.array([[0, 1], [2, 3]])], {}),
    ("GridSample", [floats(1, 2, 4, 4), floats(1, 3, 3, 2)], {"mode": "bilinear"}),
    ("Pad", [floats(3, 4), np.array([0, 1, 1, 0]), np.array(2, np.float32)], {}),
    ("ExpandDims", [floats(3, 4), np.array(1, np.int32)], {}),
    ("CDist", [floats(3, 4), floats(5, 4)], {"metric": "euclidean"}),
    ("CDist", [floats(3, 4), floats(5, 4)], {"metric": "sqeuclidean"}),
    ("TransposeMatMul", [floats(5, 3), floats(4, 5)], {"transA": 1, "transB": 1}),
    ("FusedGemm", [floats(3, 5), floats(4, 5), floats(4)], {"transB": 1, "activation": "Relu"}),
    ("DequantizeLinear", [octets(3, 4), SCALE, ZERO], {}),
]  # fmt: skip
QUANTIZED = [
    ("QLinearWhere", [np.array([[True], [False]]), octets(2, 3), SCALE, ZERO, octets(2, 3),
                      2 * SCALE, ZERO, 2 * SCALE, ZERO], {}),
    ("QLinearSoftmax", [octets(2, 3, 4), SCALE, ZERO, np.array(1 / 256, np.float32), ZERO],
     {"axis": 1, "opset": 12}),
    ("QLinearSoftmax", [octets(2, 3, 4), SCALE, ZERO, np.array(1 / 256, np.float32), ZERO],
     {"axis": -1, "opset": 13}),
    ("QLinearAveragePool", [octets(1, 3, 4, 4), SCALE, ZERO, SCALE, ZERO],
     {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("QLinearAveragePool", [octets(1, 4, 4, 3), SCALE, ZERO, SCALE, ZERO],
     {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "channels_last": 1}),
    ("QLinearConv", [octets(1, 4, 4, 3), SCALE, ZERO, octets(5, 3, 3, 3), SCALE, ZERO, 9 * SCALE,
                     ZERO], {"channels_last": 1, "pads": [1, 1, 1, 1]}),
    ("NhwcMaxPool", [octets(1, 4, 4, 3)], {"kernel_shape": [2, 2]}),
    ("QGemm", [octets(3, 5), SCALE, ZERO, octets(4, 5), SCALE, ZERO,
               DRAW.integers(-99, 99, 4).astype(np.int32), 9 * SCALE, ZERO], {"transB": 1}),
    ("QGemm", [octets(3, 5), SCALE, ZERO, octets(5, 4), SCALE, ZERO], {"alpha": 0.5}),
    ("GatherBlockQuantized", [octets(7, 16), DRAW.integers(0, 7, (2, 3)), floats(7, 2)],
     {"block_size": 16, "bits": 4}),
    ("GatherBlockQuantized",
     [octets(7, 32), DRAW.integers(0, 7, (2, 3)), floats(7, 2), octets(7, 2)],
     {"block_size": 16, "bits": 8}),
    ("GatherBlockQuantized", [octets(7, 8), DRAW.integers(-7, 7, (2, 3)), floats(7, 2)],
     {"block_size": 16, "bits": 2}),
    *(("GatherBlockQuantized",
       [DRAW.integers(0, 8, (32, 32)).astype(kind), DRAW.integers(-32, 32, (2, 3)),
        floats(*shape), DRAW.integers(0, 8, shape).astype(kind)],
       {"block_size": 16, "gather_axis": gathered, "quantize_axis": quantized})
      for kind in (ml_dtypes.int4, ml_dtypes.uint4)
      for gathered, quantized, shape in [(0, -1, (32, 2)), (1, 0, (2, 32)), (0, 0, (2, 32))]),
    ("QEmbedLayerNormalization",
     [DRAW.integers(0, 9, (2, 4)).astype(np.int32), DRAW.integers(0, 2, (2, 4)).astype(np.int32),
      octets(9, 8), octets(6, 8), octets(2, 8), octets(8), octets(8), None, *[SCALE] * 5,
      *[ZERO] * 5], {}),
    ("QEmbedLayerNormalization",
     [DRAW.integers(0, 9, (2, 4)).astype(np.int32), None, octets(9, 8), octets(6, 8), None,
      octets(8), octets(8), None, SCALE, SCALE, None, SCALE, SCALE, ZERO, ZERO, None, ZERO, ZERO],
     {}),
    ("MatMulBnb4", [floats(3, 32), octets(6 * 16), abs(floats(12))],
     {"K": 32, "N": 6, "block_size": 16, "quant_type": 1}),
    ("MatMulBnb4", [floats(3, 32), octets(6 * 16), abs(floats(12))],
     {"K": 32, "N": 6, "block_size": 16, "quant_type": 0}),
]  # fmt: skip
GATED = {"activation_type": "swiglu", "swiglu_fusion": 1, "activation_alpha": 1.7,
         "activation_beta": 1.0}  # fmt: skip


def float_experts(tokens, rows):
    """Tokens, logits of 4 experts, and two layers of each."""
    return [floats(*tokens, 8), floats(int(np.prod(tokens)), 4), floats(4, rows, 8),
            floats(4, rows), floats(4, 8, 16), floats(4, 8)]  # fmt: skip


def quantized_experts(tokens, rows, bits, block=None, *, has_zeros=False):
    """The same with layers of few bits."""
    layers = []
    for shape in ((4, rows, 32), (4, 32, 64)):
        blocks = shape[2] // block if block else 1
        scales = abs(floats(*shape[:2], blocks)) / 10
        zeros = (4, shape[1], -(-blocks * bits // 8)) if block else (4, shape[1] * bits // 8)
        packed = octets(*shape[:2], shape[2] * bits // 8)
        layers.append([packed, scales if block else scales[:, :, 0], floats(*shape[:2]), zeros])
    weights = [part for layer in layers for part in layer[:3]]
    zeros = [octets(*layer[3]) for layer in layers] if has_zeros else []
    return [floats(tokens, 32), floats(tokens, 4), *weights, None, None, None, *zeros]


EXPERTS = [
    *(("MoE", float_experts((5,), 16),
       {"k": k, "activation_type": name, "normalize_routing_weights": normalized})
      for k, name, normalized in [(1, "relu", 0), (2, "gelu", 0), (2, "silu", 1),
                                  (2, "identity", 1)]),
    ("MoE", float_experts((2, 3), 32), {"k": 2, **GATED, "swiglu_limit": 0.5}),
    ("MoE", [*float_experts((1,), 32), None, None],  # the matrices of two experts are taken
     {"k": 2, "use_sparse_mixer": 0, **GATED}),
    *(("QMoE", quantized_experts(tokens, 128, bits, block, has_zeros=has_zeros),
       {"k": 2, "expert_weight_bits": bits, **GATED, **({"block_size": block} if block else {}),
        "normalize_routing_weights": 1})
      for tokens, bits, block, has_zeros in [
          (5, 4, None, False), (5, 4, 16, True), (1, 4, 16, True), (5, 8, None, True),
          (1, 8, 32, False), (5, 2, 16, False), (1, 4, None, True)]),
    ("QMoE", [*quantized_experts(5, 64, 4), *[None] * 3, abs(floats(5, 4))],
     {"k": 2, "activation_type": "silu", "normalize_routing_weights": 1}),
]  # fmt: skip
ROWS = [(name, *row[:2]) for name, row in CASES.items()] + WEIGHTS + ATTENTION + EMBEDDING
ROWS += ALIASES + QUANTIZED + EXPERTS


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
def test_an_lstm_that_quantizes_what_it_multiplies(direction: str) -> None:
    # With more than one sequence, how many share a scale depends on ONNX Runtime's threads. Without
    # VNNI, it saturates sums of two products at 16 bits, which weights of 7 bits do not reach.
    count, hidden, size, steps, batch = 1 + (direction == "bidirectional"), 6, 5, 4, 1
    weights = {
        "w": DRAW.integers(-64, 64, (count, size, 4 * hidden)).astype(np.int8),
        "r": DRAW.integers(-64, 64, (count, hidden, 4 * hidden)).astype(np.int8),
        "b": floats(count, 8 * hidden),
        "ws": np.full(count, 0.02, np.float32), "wz": np.zeros(count, np.int8),
        "rs": np.full(count, 0.03, np.float32), "rz": np.zeros(count, np.int8),
    }  # fmt: skip
    names = ["x", "w", "r", "b", "", "", "", "", "ws", "wz", "rs", "rz"]
    node = helper.make_node(
        "DynamicQuantizeLSTM", names, ["y", "h", "c"], domain="com.microsoft", hidden_size=hidden,
        direction=direction,
    )  # fmt: skip
    graph = helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("x", 1, [steps, batch, size])],
        [helper.make_tensor_value_info(name, 1, None) for name in "yhc"],
        [onnx.numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    content = helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
    feeds = {"x": floats(steps, batch, size)}
    expected = runtime.InferenceSession(content).run(None, feeds)
    for mine, wanted in zip(InferenceSession(content).run(None, feeds), expected, strict=True):
        np.testing.assert_allclose(mine, wanted, atol=1e-4)


@pytest.mark.parametrize(("operator", "inputs", "attributes"), ROWS, ids=[r[0] for r in ROWS])
def test_operators_of_onnx_runtime(operator, inputs, attributes) -> None:
    names = ["" if value is None else f"x{i}" for i, value in enumerate(inputs)]
    feeds = {n: np.asarray(v) for n, v in zip(names, inputs, strict=True) if n}
    has_present = not attributes.keys() & {"qkv_hidden_sizes", "is_packed"}
    more = ["present", "values"][: PRESENT.get(operator, 0) * has_present]
    node = helper.make_node(operator, names, ["y", *more], domain="com.microsoft", **attributes)
    narrow = [n for n, v in feeds.items() if v.dtype.name in ("int4", "uint4")]  # no inputs there
    constants = [onnx.numpy_helper.from_array(feeds.pop(n), n) for n in narrow]
    types = {n: helper.np_dtype_to_tensor_dtype(v.dtype) for n, v in feeds.items()}
    declared = [helper.make_tensor_value_info(n, types[n], v.shape) for n, v in feeds.items()]
    is_quantized = operator.startswith(("QLinear", "Nhwc")) or (operator, len(inputs)) == (
        "QGemm", 9,
    )  # fmt: skip
    result = onnx.TensorProto.UINT8 if is_quantized else onnx.TensorProto.FLOAT
    output = helper.make_tensor_value_info("y", result, None)
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(
        helper.make_graph([node], "graph", declared, [output], constants),
        opset_imports=imports,
        ir_version=10,
    ).SerializeToString()
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    judge = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    (expected,) = judge.run(None, feeds)
    (found,) = InferenceSession(model).run(None, feeds)
    assert found.dtype == expected.dtype
    if is_quantized:  # halves are rounded by other products of scales
        assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("past", [4, 8])
def test_caches_of_steps_are_those_of_onnx_runtime(past: int) -> None:
    caches = [floats(2, 2, past, 16), floats(2, 2, past, 16)]
    arrays = [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32), *caches,
              np.array([4, 2], np.int32), np.array(5, np.int32)]  # fmt: skip
    feeds = {f"x{i}": value for i, value in enumerate(arrays)}
    node = helper.make_node(
        "GroupQueryAttention", [*feeds], ["y", "k", "v"], domain="com.microsoft", num_heads=4,
        kv_num_heads=2,
    )  # fmt: skip
    shapes = [["b", "s", 64], ["b", "s", 32], ["b", "s", 32], ["b", 2, "p", 16], ["b", 2, "p", 16],
              ["b"], []]  # fmt: skip
    declared = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), shape)
        for (n, v), shape in zip(feeds.items(), shapes, strict=True)
    ]
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in "ykv"]
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], "graph", declared, outputs)
    content = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    expected = runtime.InferenceSession(content).run(None, feeds)
    for found, wanted in zip(InferenceSession(content).run(None, feeds), expected, strict=True):
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("steps", "ends", "places"),
    [(1, [2, 1], 6), (1, [11, 4], 6), (1, [7, 6], 4), (3, [3], 6), (9, [9], 6), (3, [13], 8)],
)
def test_caches_of_a_window_keep_the_last_keys(steps: int, ends: list[int], places: int) -> None:
    batch, window = len(ends), 4
    arrays = [floats(batch, steps, 64), floats(batch, steps, 32), floats(batch, steps, 32),
              floats(batch, 2, places, 16), floats(batch, 2, places, 16),
              np.array(ends, np.int32) - 1, np.array(max(ends), np.int32), floats(20, 8),
              floats(20, 8)]  # fmt: skip
    feeds = {f"x{i}": value for i, value in enumerate(arrays)}
    node = helper.make_node(
        "GroupQueryAttention", [*feeds], ["y", "k", "v"], domain="com.microsoft", num_heads=4,
        kv_num_heads=2, do_rotary=1, local_window_size=window, sliding_window_cache=1,
    )  # fmt: skip
    declared = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), [None] * v.ndim)
        for n, v in feeds.items()
    ]
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in "ykv"]
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], "graph", declared, outputs)
    content = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    expected = runtime.InferenceSession(content).run(None, feeds)
    found = InferenceSession(content).run(None, feeds)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-4, atol=1e-5)
    together = places - window + 1
    for row, end in enumerate(ends):  # what is behind the keys is left open
        kept = end - together * -(-max(end - places, 0) // together)
        for mine, wanted in zip(found[1:], expected[1:], strict=True):
            assert mine.shape == wanted.shape
            np.testing.assert_allclose(mine[row, :, :kept], wanted[row, :, :kept], rtol=1e-4)


def attention_of(module, inputs):
    """What a session of a module gives for the attention of inputs."""
    node = helper.make_node("MultiHeadAttention", [*inputs], ["y"], domain="com.microsoft",
                            num_heads=2)  # fmt: skip
    declared = [helper.make_tensor_value_info(n, 1, v.shape) for n, v in inputs.items()]
    graph = helper.make_graph(
        [node], "graph", declared, [helper.make_tensor_value_info("y", 1, None)]
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    return module.InferenceSession(model).run(None, inputs)[0]


@pytest.mark.parametrize("count", [2, 3])
def test_packed_queries_are_those_of_separate_inputs(count: int) -> None:
    # ONNX Runtime has packed ones on other devices alone.
    packed = floats(2, 5, 2, count, 8)
    parts = [packed[:, :, :, i].reshape(2, 5, 16) for i in range(count)]
    query = [floats(2, 3, 16)] if count == 2 else []
    separate = dict(zip("qkv", [*query, *parts], strict=True))
    expected = attention_of(runtime, separate)
    names = ["query", "packed"][2 - len(query) - 1 :]
    found = attention_of(stablemate.onnx, dict(zip(names, [*query, packed], strict=True)))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_groups_of_columns_have_their_zero_points() -> None:
    # ONNX Runtime ignores zero points beside groups, which its documentation does not say.
    x, packed, scales, zeros = floats(3, 40), octets(6, 3, 8), floats(6, 3), octets(6, 2)
    groups = DRAW.permutation(np.arange(40) // 16).astype(np.int32)
    numbers = np.stack([packed & 15, packed >> 4], -1).reshape(6, 48)[:, :40].astype(float)
    offsets = np.stack([zeros & 15, zeros >> 4], -1).reshape(6, 4)[:, groups].astype(float)
    arrays = [x, packed, scales.reshape(-1), zeros.reshape(-1), groups]
    node = helper.make_node("MatMulNBits", [*"abszg"], ["y"], domain="com.microsoft", K=40, N=6,
                            block_size=16)  # fmt: skip
    tensors = [onnx.numpy_helper.from_array(v, n) for n, v in zip("bszg", arrays[1:], strict=True)]
    graph = helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("a", 1, [3, 40])],
        [helper.make_tensor_value_info("y", 1, None)], tensors,
    )  # fmt: skip
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    content = helper.make_model(graph, opset_imports=imports, ir_version=10).SerializeToString()
    (found,) = InferenceSession(content).run(None, {"a": x})
    expected = x @ ((numbers - offsets) * scales[:, groups]).T
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)


EXPERIMENTAL = [
    ("Affine", {"alpha": 2.0, "beta": 1.0}), ("Affine", {}), ("Scale", {"scale": 3.0}),
    ("ParametricSoftplus", {"alpha": 2.0, "beta": 0.5}),
    ("ScaledTanh", {"alpha": 2.0, "beta": 0.5}),
    ("ImageScaler", {"scale": 0.5, "bias": [1.0, 2.0, 3.0]}), ("Crop", {"border": [1, 0, 2, 1]}),
    ("Crop", {"border": [1, 2, 0, 0], "scale": [2, 3]}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "attributes"), EXPERIMENTAL, ids=[r[0] for r in EXPERIMENTAL])
def test_operators_that_were_experimental(operator, attributes) -> None:
    node = helper.make_node(operator, ["x"], ["y"], **attributes)
    graph = helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("x", 1, [1, 3, 5, 6])],
        [helper.make_tensor_value_info("y", 1, None)],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 7)], ir_version=3)
    content, feeds = made.SerializeToString(), {"x": floats(1, 3, 5, 6)}
    (expected,) = runtime.InferenceSession(content).run(None, feeds)
    (found,) = InferenceSession(content).run(None, feeds)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
