"""Operators of ai.onnx.ml, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.diagnostics.errors import StablemateError
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper
DRAW = np.random.default_rng(11)
TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
TESTS = ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ")


def floats(*shape):
    """Random floats."""
    return DRAW.normal(size=shape).astype(np.float32)


def integers(*shape):
    """Small random integers."""
    return DRAW.integers(0, 5, shape)


def numbers(count, *, sign=None):
    """Random numbers of an attribute."""
    values = DRAW.normal(size=count)
    return [float(v) for v in (values if sign is None else np.abs(values) / 9)]


def trees(prefix, weighted, targets, *, sign=None, tests=("LEQ",), missing=0):
    """The attributes of three random trees of seven nodes, whose leaves weigh some targets."""
    rows = {"nodes_treeids": [], "nodes_nodeids": [], "nodes_modes": [], "nodes_featureids": [],
            "nodes_truenodeids": [], "nodes_falsenodeids": [], "nodes_values": []}  # fmt: skip
    leaves = []
    for tree in range(3):
        for node in range(7):
            is_leaf = node > 2
            mode = "LEAF" if is_leaf else "BRANCH_" + tests[(tree + node) % len(tests)]
            values = (tree, node, mode, int(DRAW.integers(4)), 0 if is_leaf else 2 * node + 1,
                      0 if is_leaf else 2 * node + 2, float(DRAW.integers(-1, 2)))  # fmt: skip
            for row, value in zip(rows.values(), values, strict=True):
                row.append(value)
            if is_leaf:
                leaves += [(tree, node, target) for target in weighted]
    if missing:
        rows["nodes_missing_value_tracks_true"] = [i % 2 for i in range(21)]
    names = (f"{prefix}_treeids", f"{prefix}_nodeids", f"{prefix}_ids")
    rows.update(zip(names, map(list, zip(*leaves, strict=True)), strict=True))
    rows[f"{prefix}_weights"] = numbers(len(leaves), sign=sign)
    rows["n_targets" if prefix == "target" else "classlabels_int64s"] = (
        targets if prefix == "target" else [10 * i + 3 for i in range(targets)]
    )
    return rows


def machine(classes, kernel, *, proba=False, transform="NONE"):
    """The attributes of a support vector machine with two vectors a class."""
    pairs = classes * (classes - 1) // 2
    rows = {
        "classlabels_ints": [5 * i for i in range(classes)], "vectors_per_class": [2] * classes,
        "support_vectors": numbers(2 * classes * 4), "kernel_type": kernel, "rho": numbers(pairs),
        "coefficients": numbers((classes - 1) * 2 * classes), "kernel_params": [0.3, 0.5, 2.0],
        "post_transform": transform,
    }  # fmt: skip
    return rows | ({"prob_a": numbers(pairs), "prob_b": numbers(pairs)} if proba else {})


WITH_NAN = np.where(floats(9, 4) > 1, np.nan, floats(9, 4)).astype(np.float32)
WHOLE = integers(9, 4).astype(np.float32) - 2
ROWS = [
    ("Scaler", [floats(3, 4)], {"offset": numbers(4), "scale": numbers(4)}),
    ("Scaler", [integers(3, 4)], {"offset": numbers(1), "scale": numbers(1)}),
    *[("Normalizer", [abs(floats(3, 4))], {"norm": norm}) for norm in ("MAX", "L1", "L2")],
    ("Binarizer", [floats(3, 4)], {"threshold": 0.3}),
    ("ArrayFeatureExtractor", [floats(3, 4), np.array([[2, 0]])], {}),
    ("ArrayFeatureExtractor", [floats(4), np.array([3])], {}),
    ("FeatureVectorizer", [floats(3, 2), floats(3, 4)], {"inputdimensions": [2, 4]}),
    ("FeatureVectorizer", [floats(3, 2), floats(3, 4)], {"inputdimensions": [3, 1]}),
    ("Imputer", [WITH_NAN], {"imputed_value_floats": numbers(4),
                             "replaced_value_float": float("nan")}),
    ("Imputer", [integers(5, 4)], {"imputed_value_int64s": [7], "replaced_value_int64": 2}),
    ("OneHotEncoder", [integers(3)], {"cats_int64s": [4, 0, 1]}),
    ("OneHotEncoder", [integers(3, 2).astype(np.float32)], {"cats_int64s": [4, 0, 1]}),
    ("LabelEncoder", [integers(3, 4)],
     {"keys_int64s": [0, 1, 3], "values_floats": [0.5, 1.5, 2.5], "default_float": -2.0}),
    ("LabelEncoder", [WITH_NAN], {"keys_floats": [float("nan"), float(WITH_NAN[0, 0])],
                                  "values_int64s": [4, 5]}),
    *[("LinearRegressor", [floats(3, 4)], {"coefficients": numbers(8), "intercepts": numbers(2),
                                           "targets": 2, "post_transform": t})
      for t in TRANSFORMS],
    *[("LinearClassifier", [floats(5, 4)],
       {"coefficients": numbers(4 * n), "intercepts": numbers(n), "post_transform": t,
        "classlabels_ints": list(range(2, 2 + max(n, 2)))})
      for t in TRANSFORMS for n in (1, 2, 3)],
    *[("SVMRegressor", [floats(5, 4)],
       {"coefficients": numbers(3), "support_vectors": numbers(12), "n_supports": 3,
        "rho": numbers(1), "kernel_type": kernel, "kernel_params": [0.3, 0.5, 2.0],
        "one_class": one})
      for kernel in ("LINEAR", "RBF", "POLY", "SIGMOID") for one in (0, 1)],
    *[("SVMClassifier", [floats(9, 4)], machine(n, kernel, proba=proba))
      for n in (2, 3, 4) for kernel in ("LINEAR", "RBF") for proba in (False, True)],
    ("SVMClassifier", [floats(9, 4)],
     {"classlabels_ints": [1, 2, 3], "coefficients": numbers(12), "rho": numbers(1),
      "kernel_params": [0.3, 0.5, 2.0]}),
    *[("TreeEnsembleRegressor", [floats(9, 4)],
       trees("target", (0, 1), 2) | {"aggregate_function": a, "base_values": numbers(2)})
      for a in ("SUM", "AVERAGE", "MIN", "MAX")],
    *[("TreeEnsembleRegressor", [floats(9, 4)], trees("target", (0, 1), 2) | {"post_transform": t})
      for t in TRANSFORMS],
    ("TreeEnsembleRegressor", [WHOLE], trees("target", (0,), 1, tests=TESTS)),
    ("TreeEnsembleRegressor", [WITH_NAN], trees("target", (0,), 1, missing=1)),
    ("TreeEnsembleClassifier", [integers(9, 4)], trees("class", (0, 1, 2), 3)),
    *[("TreeEnsembleClassifier", [floats(9, 4)],
       trees("class", (0, 1, 2), 3, sign=sign) | {"post_transform": t, "base_values": numbers(3)})
      for sign in (None, 1) for t in TRANSFORMS],
    *[("TreeEnsembleClassifier", [floats(9, 4)],
       trees("class", weighted, 2, sign=sign) | {"post_transform": t} | base)
      for weighted, sign, base in (
          ((0,), None, {}), ((0,), 1, {}), ((1,), None, {}), ((1,), 1, {}),
          ((0,), None, {"base_values": numbers(1)}), ((0,), 1, {"base_values": numbers(1)}))
      for t in TRANSFORMS],
]  # fmt: skip


def single(operator, feeds, attributes, outputs=("y",), version=4):
    """A model of one node, as bytes."""
    types = {n: helper.np_dtype_to_tensor_dtype(v.dtype) for n, v in feeds.items()}
    declared = [helper.make_tensor_value_info(n, types[n], v.shape) for n, v in feeds.items()]
    node = helper.make_node(operator, [*feeds], outputs, domain="ai.onnx.ml", **attributes)
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph([node], "graph", declared, results)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", version)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()


@pytest.mark.parametrize(("operator", "inputs", "attributes"), ROWS)
def test_operators_agree_with_onnx_runtime(operator, inputs, attributes) -> None:
    feeds = {f"x{i}": np.asarray(value) for i, value in enumerate(inputs)}
    outputs = ("label", "scores") if "Classifier" in operator else ("y",)
    model = single(operator, feeds, attributes, outputs)
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    peer = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    for found, expected in zip(
        InferenceSession(model).run(None, feeds), peer.run(None, feeds), strict=True
    ):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


def test_tree_ensembles_of_version_5_agree_with_onnx_runtime() -> None:
    x = floats(9, 4)
    tensor = helper.make_tensor
    attributes = {
        "tree_roots": [0, 2], "nodes_featureids": [0, 1, 2],
        "nodes_modes": tensor("modes", onnx.TensorProto.UINT8, [3], [0, 3, 1]),
        "nodes_splits": tensor("splits", onnx.TensorProto.FLOAT, [3], [0.1, -0.2, 0.3]),
        "nodes_truenodeids": [1, 0, 2], "nodes_trueleafs": [0, 1, 1],
        "nodes_falsenodeids": [1, 2, 3], "nodes_falseleafs": [1, 1, 1],
        "leaf_targetids": [0, 1, 0, 1],
        "leaf_weights": tensor("weights", onnx.TensorProto.FLOAT, [4], numbers(4)),
        "n_targets": 2, "aggregate_function": 1, "post_transform": 0,
    }  # fmt: skip
    model = single("TreeEnsemble", {"x": x}, attributes, version=5)
    peer = runtime.InferenceSession(model, providers=["CPUExecutionProvider"])
    (found,) = InferenceSession(model).run(None, {"x": x})
    np.testing.assert_allclose(found, peer.run(None, {"x": x})[0], rtol=1e-6)


@pytest.mark.parametrize(
    ("operator", "changes", "message"),
    [
        ("TreeEnsembleClassifier", {"nodes_truenodeids": [0, 3, 5, *[0] * 4] * 3},
         "a node of a tree has two parents"),
        ("TreeEnsembleClassifier", {"nodes_featureids": [4, *[0] * 20]},
         "a node tests a column that is not below 4"),
        ("TreeEnsembleClassifier", {"post_transform": "CUBE"},
         "post_transform 'CUBE' is none of NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO, PROBIT"),
        ("TreeEnsembleClassifier", {"class_ids": [2] * 12},
         "a target or class is not below 2"),
    ],
)  # fmt: skip
def test_ensembles_without_translation_say_why(operator, changes, message) -> None:
    attributes = trees("class", (0,), 2) | changes
    attributes = {k: v for k, v in attributes.items() if v is not None}
    model = single(operator, {"x": floats(2, 4)}, attributes, ("label", "scores"))
    with pytest.raises(StablemateError) as caught:
        InferenceSession(model).run(None, {"x": floats(2, 4)})
    assert str(caught.value) == f"ai.onnx.ml.{operator}: {message}, at node 'label'"


def test_maps_as_inputs_are_refused() -> None:
    value = helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [])
    maps = helper.make_map_type_proto(onnx.TensorProto.INT64, value)
    node = helper.make_node("CastMap", ["x"], ["y"], domain="ai.onnx.ml")
    output = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "graph", [helper.make_value_info("x", maps)], [output])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 4)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    with pytest.raises(StablemateError, match="the input 'x' is a map"):
        InferenceSession(model).run(None, {"x": {1: 2.0}})


def test_strings_are_encoded_where_a_model_knows_them() -> None:
    text = np.array(["b", "z", "a"], object)
    attributes = {"keys_strings": ["a", "b"], "values_int64s": [4, 5], "default_int64": -7}
    stored = helper.make_tensor("x", onnx.TensorProto.STRING, [3], [t.encode() for t in text])
    node = helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", **attributes)
    output = helper.make_tensor_value_info("y", onnx.TensorProto.INT64, [3])
    graph = helper.make_graph([node], "graph", [], [output], [stored])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 4)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    assert InferenceSession(model).run(None, {})[0].tolist() == [5, -7, 4]
