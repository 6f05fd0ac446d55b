"""Strings of models, for which programs have numbers: labels, categories, maps."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import StablemateError
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper
FLOAT, INT64, STRING = (onnx.TensorProto.DataType.Value(n) for n in ("FLOAT", "INT64", "STRING"))
ML = "ai.onnx.ml"
DRAW = np.random.default_rng(5)
ROWS = DRAW.normal(size=(9, 4)).astype(np.float32)
NAMES = ["ant", "bee", "cow"]


def numbers(count):
    """Random numbers of an attribute."""
    return [float(v) for v in DRAW.normal(size=count)]


def texts(*items):
    """An array of strings."""
    return np.array(items, object)


def model(nodes, inputs, outputs, initializers=()):
    """A model as bytes; inputs are types and shapes by name, outputs names."""
    declared = [helper.make_tensor_value_info(n, t, s) for n, (t, s) in inputs.items()]
    graph = helper.make_graph(
        nodes, "graph", declared, [onnx.ValueInfoProto(name=n) for n in outputs], initializers
    )
    imports = [helper.make_opsetid("", 19), helper.make_opsetid(ML, 3),
               helper.make_opsetid("com.microsoft", 1)]  # fmt: skip
    return helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()


def both(content, feeds):
    """What ONNX Runtime gives, and what we give."""
    session = InferenceSession(content)
    return runtime.InferenceSession(content).run(None, feeds), session.run(None, feeds)


CLASSIFIERS = {
    "LinearClassifier": {"coefficients": numbers(12), "intercepts": numbers(3),
                         "classlabels_strings": NAMES},
    "LinearClassifier of two": {"coefficients": numbers(4), "intercepts": numbers(1),
                                "classlabels_strings": NAMES[:2]},
    "SVMClassifier": {"coefficients": numbers(12), "rho": numbers(1), "kernel_type": "LINEAR",
                      "kernel_params": [0.3, 0.5, 2.0], "classlabels_strings": NAMES},
    "TreeEnsembleClassifier": {
        "nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2],
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_featureids": [1, 0, 0],
        "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
        "nodes_values": [0.1, 0.0, 0.0], "class_treeids": [0] * 3, "class_nodeids": [1, 2, 2],
        "class_ids": [2, 0, 1], "class_weights": [1.0, 0.25, 0.75], "classlabels_strings": NAMES},
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_labels_of_classifiers_are_strings(name: str) -> None:
    node = helper.make_node(name.split()[0], ["x"], ["label", "p"], domain=ML, **CLASSIFIERS[name])
    content = model([node], {"x": (FLOAT, [None, 4])}, ["label", "p"])
    (wanted, scores), (found, ours) = both(content, {"x": ROWS})
    assert found.dtype == object
    assert found.tolist() == wanted.tolist()
    np.testing.assert_allclose(ours, scores, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "labels", [{"classlabels_strings": NAMES}, {"classlabels_int64s": [7, 5, 2]}]
)
def test_scores_become_maps(labels) -> None:
    node = helper.make_node("ZipMap", ["x"], ["y"], domain=ML, **labels)
    content = model([node], {"x": (FLOAT, [None, 3])}, ["y"])
    (wanted,), (found,) = both(content, {"x": ROWS[:, :3]})
    assert found == wanted
    assert InferenceSession(content).get_outputs()[0].type == "tensor(undefined)"


def test_maps_do_not_fit_other_numbers_of_labels() -> None:
    node = helper.make_node("ZipMap", ["x"], ["y"], domain=ML, classlabels_strings=NAMES)
    content = model([node], {"x": (FLOAT, [None, 4])}, ["y"])
    with pytest.raises(StablemateError) as caught:
        InferenceSession(content).run(None, {"x": ROWS})
    assert str(caught.value) == (
        "ai.onnx.ml.ZipMap: 3 labels for rows of 4 elements do not fit, at node 'y'"
    )


def test_types_of_maps_are_those_of_onnx_runtime() -> None:
    node = helper.make_node("ZipMap", ["x"], ["y"], domain=ML, classlabels_strings=NAMES)
    kind = helper.make_sequence_type_proto(
        helper.make_map_type_proto(STRING, helper.make_tensor_type_proto(FLOAT, []))
    )
    x = helper.make_tensor_value_info("x", FLOAT, [None, 3])
    graph = helper.make_graph([node], "graph", [x], [helper.make_value_info("y", kind)])
    imports = [helper.make_opsetid("", 19), helper.make_opsetid(ML, 3)]
    content = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    types = [session.get_outputs()[0].type for session in (
        InferenceSession(content), runtime.InferenceSession(content))]  # fmt: skip
    assert types == ["seq(map(string,tensor(float)))"] * 2


ENCODERS = [
    ("LabelEncoder", STRING, texts("b", "z", "a"),
     {"keys_strings": ["a", "b"], "values_int64s": [4, 5], "default_int64": -7}),
    ("LabelEncoder", STRING, texts("b", "z", "a"),
     {"keys_strings": ["a", "b"], "values_floats": [4.5, 5.5], "default_float": -7.0}),
    ("LabelEncoder", STRING, texts("b", "z", "a"),
     {"keys_strings": ["a", "b"], "values_strings": ["A", "B"], "default_string": "?"}),
    ("LabelEncoder", INT64, np.array([3, 1, 9]),
     {"keys_int64s": [1, 3], "values_strings": ["one", "three"], "default_string": "?"}),
    ("LabelEncoder", FLOAT, np.array([3, 1, 9], np.float32),
     {"keys_floats": [1.0, 3.0], "values_strings": ["one", "three"]}),
    ("CategoryMapper", STRING, texts("b", "z", "a"),
     {"cats_strings": ["a", "b"], "cats_int64s": [4, 5], "default_int64": -7}),
    ("CategoryMapper", INT64, np.array([4, 1, 5]),
     {"cats_strings": ["a", "b"], "cats_int64s": [4, 5], "default_string": "?"}),
    ("OneHotEncoder", STRING, texts("b", "z", "a"), {"cats_strings": ["a", "b"]}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "element", "x", "attributes"), ENCODERS)
def test_strings_are_encoded(operator: str, element: int, x, attributes) -> None:
    node = helper.make_node(operator, ["x"], ["y"], domain=ML, **attributes)
    content = model([node], {"x": (element, [None])}, ["y"])
    (wanted,), (found,) = both(content, {"x": x})
    assert found.dtype == wanted.dtype
    assert found.tolist() == wanted.tolist()


def test_one_program_serves_all_strings() -> None:
    names = helper.make_tensor("names", STRING, [2], [b"red", b"blue"])
    nodes = [
        helper.make_node("Reshape", ["x", "flat"], ["row"]),
        helper.make_node("Concat", ["row", "names"], ["all"], axis=0),
        helper.make_node("Equal", ["all", "red"], ["is_red"]),
        helper.make_node("Identity", ["all"], ["kept"]),
        helper.make_node("Where", ["is_red", "red", "other"], ["colors"]),
    ]
    stored = [names, helper.make_tensor("flat", INT64, [1], [-1]),
              helper.make_tensor("red", STRING, [], [b"red"]),
              helper.make_tensor("other", STRING, [], [b"other"])]  # fmt: skip
    content = model(nodes, {"x": (STRING, [None, 2])}, ["is_red", "kept", "colors"], stored)
    session, peer = InferenceSession(content), runtime.InferenceSession(content)
    for x in ([["red", "x"]] * 3, [["never", "seen"], ["blue", "red"]]):
        feeds = {"x": np.array(x, object)}
        pairs = zip(peer.run(None, feeds), session.run(None, feeds), strict=True)
        assert all(wanted.tolist() == found.tolist() for wanted, found in pairs)
    assert len(session.programs.programs) == 1
    assert "never" not in session.programs.texts.texts


def test_strings_that_must_be_known_make_a_program_each() -> None:
    node = helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action="UPPER")
    content = model([node], {"x": (STRING, [None])}, ["y"])
    session = InferenceSession(content)
    for word in ("ab", "cd", "ab"):
        assert session.run(None, {"x": texts(word)})[0].tolist() == [word.upper()]
    assert len(session.programs.programs) == 2


def test_words_are_counted() -> None:
    nodes = [
        helper.make_node("Tokenizer", ["x"], ["words"], domain="com.microsoft", mark=0,
                         mincharnum=1, pad_value="#", tokenexp="[a-z]+"),
        helper.make_node("TfIdfVectorizer", ["words"], ["y"], max_gram_length=2, min_gram_length=1,
                         max_skip_count=0, mode="TF", ngram_counts=[0, 2], ngram_indexes=[1, 2, 0],
                         pool_strings=["cat", "dog", "the", "cat"]),
    ]  # fmt: skip
    content = model(nodes, {"x": (STRING, [None])}, ["words", "y"])
    wanted, found = both(content, {"x": texts("the cat, the dog", "cat")})
    assert [y.tolist() for y in found] == [y.tolist() for y in wanted]


@pytest.mark.parametrize("mark", [0, 1])
def test_words_are_separated(mark: int) -> None:
    node = helper.make_node("Tokenizer", ["x"], ["y"], domain="com.microsoft", mark=mark,
                            mincharnum=2, pad_value="#", separators=[" ", ";"])  # fmt: skip
    content = model([node], {"x": (STRING, [None, 2])}, ["y"])
    x = np.array([["a bc;def", "gh"], ["", "i jk lm"]], object)
    (wanted,), (found,) = both(content, {"x": x})
    assert found.tolist() == wanted.tolist()


def test_a_program_has_numbers_for_labels(tmp_path) -> None:
    node = helper.make_node("LinearClassifier", ["x"], ["label", "p"], domain=ML,
                            **CLASSIFIERS["LinearClassifier"])  # fmt: skip
    content = model([node], {"x": (FLOAT, [None, 4])}, ["label", "p"])
    (tmp_path / "model.onnx").write_bytes(content)
    module = sm.load(tmp_path / "model.onnx")
    labels, _ = module.run(ROWS)
    wanted = runtime.InferenceSession(content).run(["label"], {"x": ROWS})[0]
    assert module.program.texts.strings(labels).tolist() == wanted.tolist()


def test_other_functions_of_strings_are_refused_by_name() -> None:
    node = helper.make_node("TopK", ["x", "k"], ["y", "i"])
    stored = [helper.make_tensor("x", STRING, [2], [b"a", b"b"]),
              helper.make_tensor("k", INT64, [1], [1])]  # fmt: skip
    with pytest.raises(StablemateError) as caught:
        InferenceSession(model([node], {}, ["y"], stored)).run(None, {})
    assert str(caught.value) == (
        "TopK at node 'y': X typestr: T, has unsupported type: tensor(string); its inputs are 'x' "
        "of strings, 'k' i64[1]"
    )
