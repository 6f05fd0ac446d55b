"""Linear attention, sparse attention, crops and the like of com.microsoft, beside ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper
DRAW = np.random.default_rng(3)
Case = tuple[str, list[Any], dict[str, Any], int]


def floats(*shape):
    """Random floats."""
    return DRAW.normal(size=shape).astype(np.float32)


def shares(*shape):
    """Random floats between 0 and 1."""
    return DRAW.uniform(0.05, 0.95, shape).astype(np.float32)


def keys(*shape):
    """Random vectors of length 1."""
    x = floats(*shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def linear_attention_cases() -> list[Case]:
    """Each rule, with a decay of heads and of keys, and queries that share a head."""
    cases: list[Case] = []
    for rule in ("linear", "gated", "delta", "gated_delta"):
        for decays, queries, state in ((3, 3, None), (12, 6, floats(2, 3, 4, 6))):
            inputs = [floats(2, 5, queries * 4), keys(2, 5, 3, 4).reshape(2, 5, 12),
                      floats(2, 5, 18), state, -shares(2, 5, decays) if "gated" in rule else None,
                      shares(2, 5, 3) if "delta" in rule else None]  # fmt: skip
            attributes = {"q_num_heads": queries, "kv_num_heads": 3, "update_rule": rule}
            cases.append(("LinearAttention", inputs, attributes, 2))
    inputs = [floats(2, 5, 12), keys(2, 5, 6, 4).reshape(2, 5, 24), floats(2, 5, 36), None,
              -shares(2, 5, 6), shares(2, 5, 1)]  # fmt: skip
    attributes = {"q_num_heads": 3, "kv_num_heads": 6, "scale": 0.3}
    return [*cases, ("LinearAttention", inputs, attributes, 2)]


def delta_net_cases() -> list[Case]:
    """Each rule for tokens, and each gate for a batch."""
    cases: list[Case] = []
    for rule in ("linear", "gated", "delta", "gated_delta"):
        decay = -shares(10, 4, 4) if rule == "gated" else -shares(10, 4)
        inputs = [floats(10, 2, 4), keys(10, 2, 4), floats(10, 4, 6), None,
                  decay if "gated" in rule else None, shares(10, 4) if "delta" in rule else None,
                  floats(2, 4, 6, 4)]  # fmt: skip
        cases.append(("GatedDeltaNet", inputs, {"update_rule": rule}, 2))
    gates = {"beta_activation": "sigmoid", "qk_l2_norm": 1}
    batch = [floats(2, 5, 2, 4), floats(2, 5, 2, 4), floats(2, 5, 4, 6), None]
    packed = [floats(10, 40), None, None, None, floats(10, 4), floats(10, 4), floats(2, 4, 6, 4)]
    return [
        *cases,
        ("GatedDeltaNet", [*batch, floats(2, 5, 4), floats(2, 5, 4), None, floats(4), floats(4)],
         {"gate_activation": "softplus", **gates}, 2),
        ("GatedDeltaNet",
         [*batch, floats(2, 5, 4, 4), floats(2, 5, 4), None, floats(4), floats(4, 4)],
         {"gate_activation": "kda", **gates}, 2),
        ("GatedDeltaNet", [*packed, floats(4), floats(4)],
         {"gate_activation": "softplus", **gates}, 2),
    ]  # fmt: skip


BOXES = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [-0.3, 0.1, 1.2, 0.7]], np.float32)
TOKENS = np.array([[1, 2, 3, 1, 2], [4, 4, 4, 4, 4], [1, 2, 3, 4, 5]])
POSITIONS = DRAW.integers(0, 9, (3, 2, 3))


def buffer() -> Any:
    """Keys of three steps in a buffer of six."""
    x = floats(2, 2, 6, 8)
    x[:, :, 3:] = 0
    return x


CASES: list[Case] = [
    *linear_attention_cases(),
    *delta_net_cases(),
    ("LinearAttentionGate", [floats(2, 3, 4), floats(4), -shares(4), floats(2, 3, 4)], {}, 2),
    ("LinearAttentionGate", [floats(2, 3, 4), floats(4), -shares(4)], {}, 1),
    ("GatedRMSNorm", [floats(2, 3, 8), floats(4), floats(2, 3, 8)], {}, 1),
    ("GatedRMSNorm", [floats(2, 3, 8), floats(4), floats(2, 3, 8)], {"activation": "sigmoid"}, 1),
    ("BranchwiseRMSNorm", [floats(2, 3, 8), floats(8)], {"num_branches": 2}, 1),
    ("BranchwiseRMSNorm", [floats(2, 3, 8), floats(4)], {"num_branches": 2}, 1),
    ("BranchwiseRMSNorm", [floats(2, 3, 2, 4), floats(2, 4)], {}, 1),
    ("BranchwiseRMSNorm", [floats(2, 3, 2, 4)], {}, 1),
    ("GatedAdd", [floats(2, 3, 8), floats(2, 3, 8), floats(2, 3, 1)], {}, 1),
    ("ScaledSiLU", [floats(2, 3)], {"alpha": 1.5}, 1),
    ("ScaledSiLU", [floats(2, 3), np.array(0.3, np.float32)], {}, 1),
    ("CausalConvWithState", [floats(2, 4, 7), floats(4, 1, 3), floats(4), floats(2, 4, 2)], {}, 2),
    ("CausalConvWithState", [floats(2, 4, 7), floats(4, 1, 3)],
     {"activation": "silu", "dilation": 2}, 2),
    ("CausalConvWithState", [floats(2, 7, 2, 2), floats(4, 1, 3), floats(4)],
     {"channels_last": 1}, 2),
    ("HyperConnectionPreMix", [floats(2, 3, 4, 8), floats(2, 3, 4)], {"reduction_scale": 0.5}, 1),
    ("HyperConnectionPreMix", [floats(2, 3, 32), floats(2, 3, 32)], {"num_branches": 4}, 1),
    ("HyperConnectionPostMix",
     [floats(2, 3, 4, 8), floats(2, 3, 8), floats(2, 3, 4), floats(2, 3, 4, 4)], {}, 1),
    ("HyperConnectionPostMix", [floats(2, 3, 32), floats(2, 3, 8), floats(2, 3, 4, 8)],
     {"num_branches": 4}, 1),
    ("EngramGate",
     [floats(2, 3, 4, 8), floats(2, 3, 4, 8), floats(2, 3, 8), floats(4, 8), floats(4, 8),
      floats(4, 8)], {}, 2),
    ("UnfoldTensor", [floats(2, 9, 3)], {"size": 3, "step": 2, "dim": 1}, 1),
    ("UnfoldTensor", [floats(2, 9)], {"size": 4}, 1),
    *(("NGramRepeatBlock", [TOKENS, floats(3, 8)], {"ngram_size": n}, 1) for n in (1, 2, 4, 6)),
    ("ConvTransposeWithDynamicPads",
     [floats(1, 2, 5, 5), floats(2, 3, 3, 3), np.array([1, 0, 1, 1]), floats(3)],
     {"strides": [2, 2]}, 1),
    *(("CropAndResize",
       [floats(2, 3, 6, 7), BOXES, np.array([0, 1, 0], np.int32), np.array(size, np.int32)],
       {"mode": mode, "extrapolation_value": -2.0}, 1)
      for mode in ("bilinear", "nearest") for size in ((3, 4), (1, 1))),
    *(("MRotaryEmbedding", [floats(2, 3, 16), POSITIONS, floats(9, 4), floats(9, 4)],
       {"mrope_section": [2, 1, 1], "num_heads": 2, "mrope_layout": layout, "interleaved": mixed},
       1) for layout in (0, 1) for mixed in (0, 1)),
    ("MRotaryEmbedding", [floats(2, 2, 3, 16), POSITIONS, floats(9, 8), floats(9, 8)],
     {"mrope_section": [3, 3, 2], "mrope_layout": 1}, 1),
    ("MRotaryEmbedding", [floats(2, 3, 16), POSITIONS, floats(9, 3), floats(9, 3)],
     {"mrope_section": [1, 1, 1], "rotary_embedding_dim": 6, "num_heads": 2}, 1),
    ("DecoderMaskedMultiHeadAttention",
     [floats(2, 1, 16), floats(2, 2, 6, 8), floats(2, 2, 6, 8),
      np.array([[1, 1, 1, 0, 1, 1], [1] * 6], np.int32)], {"num_heads": 2}, 1),
    ("DecoderMaskedMultiHeadAttention",
     [floats(2, 1, 16), floats(2, 1, 16), floats(2, 1, 16),
      np.array([[1, 1, 0, 1], [1] * 4], np.int32), floats(1, 2, 1, 4), buffer(), buffer(),
      np.array([3], np.int32), None, None, floats(48)],
     {"num_heads": 2, "past_present_share_buffer": 1}, 3),
]  # fmt: skip


def model_of(case: Case, *, is_open: bool) -> tuple[bytes, dict[str, Any]]:
    """A model of one node, whose sizes may be open, and its inputs."""
    operator, arrays, attributes, outputs = case
    feeds = {f"x{i}": value for i, value in enumerate(arrays) if value is not None}
    names = ["" if value is None else f"x{i}" for i, value in enumerate(arrays)]
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(operator, names, results, domain="com.microsoft", **attributes)
    declared = [
        helper.make_tensor_value_info(
            n, helper.np_dtype_to_tensor_dtype(v.dtype), [None] * v.ndim if is_open else v.shape
        )
        for n, v in feeds.items()
    ]
    graph = helper.make_graph(
        [node], "graph", declared, [onnx.ValueInfoProto(name=name) for name in results]
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    made = helper.make_model(graph, opset_imports=imports, ir_version=9)
    return made.SerializeToString(), feeds


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_operators_agree_with_onnx_runtime(case: Case) -> None:
    content, feeds = model_of(case, is_open=False)
    expected = runtime.InferenceSession(content).run(None, feeds)
    for found, wanted in zip(InferenceSession(content).run(None, feeds), expected, strict=True):
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("number", [1, 8, 11, 22, 27, 31])
def test_operators_of_open_sizes_agree_with_onnx_runtime(number: int) -> None:
    content, feeds = model_of(CASES[number], is_open=True)
    expected = runtime.InferenceSession(content).run(None, feeds)
    for found, wanted in zip(InferenceSession(content).run(None, feeds), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("steps", "past"), [(20, 0), (1, 37)])
@pytest.mark.parametrize("turned", [False, True])
def test_sparse_attention_sees_the_blocks_of_onnx_runtime(
    steps: int, past: int, turned: bool
) -> None:
    rows = np.array([[0, 1, 3, 5, 8], [0, 1, 3, 6, 9]], np.int32)
    columns = np.array([[0, 0, 1, 1, 2, 1, 2, 3, -1], [0, 0, 1, 0, 1, 2, 0, 2, 3]], np.int32)
    caches = [floats(1, 2, 64, 16), floats(1, 2, 64, 16)]
    for cache in caches:
        cache[:, :, past:] = 0
    total = np.array([steps + past], np.int32)
    arrays = [floats(1, steps, 64), floats(1, steps, 32), floats(1, steps, 32), *caches, rows,
              columns, total, total, *[floats(64, 8) for _ in range(2 * turned)]]  # fmt: skip
    attributes = {"num_heads": 4, "kv_num_heads": 2, "sparse_block_size": 16,
                  "do_rotary": int(turned)}  # fmt: skip
    content, feeds = model_of(("SparseAttention", arrays, attributes, 3), is_open=False)
    found = InferenceSession(content).run(None, feeds)
    session = runtime.InferenceSession(content)
    binding = session.io_binding()  # it takes caches that are overwritten alone
    values = {name: runtime.OrtValue.ortvalue_from_numpy(value) for name, value in feeds.items()}
    for name, value in values.items():
        binding.bind_ortvalue_input(name, value)
    binding.bind_output("y0")
    for name, source in (("y1", "x3"), ("y2", "x4")):
        binding.bind_ortvalue_output(name, values[source])
    session.run_with_iobinding(binding)
    expected = [value.numpy() for value in binding.get_outputs()]
    for mine, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes"),
    [
        ("GatedDeltaNet", [floats(10, 2, 4), keys(10, 2, 4), floats(10, 4, 6),
                           np.array([0, 4, 10], np.int32), -shares(10, 4), shares(10, 4),
                           floats(2, 4, 6, 4)], {}),
        ("LinearAttention", [floats(2, 5, 12), floats(2, 5, 12), floats(2, 5, 18), None,
                             -shares(2, 5, 3), shares(2, 5, 3)],
         {"q_num_heads": 3, "kv_num_heads": 3, "state_window": 2}),
    ],
)  # fmt: skip
def test_what_has_no_translation_is_refused_by_name(operator, inputs, attributes) -> None:
    content, feeds = model_of((operator, inputs, attributes, 2), is_open=False)
    with pytest.raises(UnsupportedError, match=f"{operator}: .* no translation, at node 'y0'"):
        InferenceSession(content).run(None, feeds)
