"""Random numbers: what they are distributed like, and where they come from."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
import onnx
from onnx import helper

import stablemate.onnx as ort
from tests.frontends.onnx.models import FLOAT, model

COUNT = 4096


@pytest.mark.parametrize(
    ("operator", "attributes", "mean", "deviation"),
    [("RandomNormal", {"shape": [COUNT], "mean": 2.0, "scale": 3.0}, 2, 3),
     ("RandomNormalLike", {"scale": 0.5}, 0, 0.5),
     ("RandomUniform", {"shape": [COUNT], "low": -1.0, "high": 3.0}, 1, 4 / 12**0.5),
     ("RandomUniformLike", {"dtype": 11}, 0.5, 1 / 12**0.5)],
)  # fmt: skip
def test_distributions(
    operator: str, attributes: dict[str, object], mean: float, deviation: float
) -> None:
    inputs = ["x"] if operator.endswith("Like") else []
    nodes = [helper.make_node(operator, inputs, ["r"], **attributes),
             helper.make_node("Cast", ["r"], ["y"], to=1)]  # fmt: skip
    session = ort.InferenceSession(
        model(nodes, {"x": ["n"]}, {"y": [COUNT]}).SerializeToString(), backend="interpreter"
    )
    feeds = {"x": np.zeros(COUNT, np.float32)}
    (y,), (other,) = session.run(None, feeds), session.run(None, feeds)
    assert abs(y.mean() - mean) < deviation / 10
    assert abs(y.std() / deviation - 1) < 0.1
    assert (y != other).any()
    ort.set_seed(7)
    first = session.run(None, feeds)
    ort.set_seed(7)
    np.testing.assert_array_equal(session.run(None, feeds), first)


def test_classes_have_their_probabilities() -> None:
    node = helper.make_node("Multinomial", ["x"], ["k"], sample_size=COUNT, dtype=7)
    nodes = [node, helper.make_node("Cast", ["k"], ["y"], to=1)]
    made = model(nodes, {"x": [2, 3]}, {"y": [2, COUNT]}).SerializeToString()
    x = np.log(np.array([[0.2, 0.3, 0.5], [1e-9, 1, 1e-9]], np.float32))
    (y,) = ort.InferenceSession(made, backend="interpreter").run(None, {"x": x})
    counts = np.bincount(y[0].astype(int), minlength=3) / COUNT
    np.testing.assert_allclose(counts, [0.2, 0.3, 0.5], atol=0.05)
    assert (y[1] == 1).all()


def test_as_many_numbers_as_random_ones_decide() -> None:
    nodes = [
        helper.make_node("RandomUniform", [], ["r"], shape=[64], low=0.0, high=1.0, dtype=FLOAT),
        helper.make_node("Greater", ["r", "half"], ["mask"]),
        helper.make_node("Compress", ["x", "mask"], ["kept"], axis=0),
        helper.make_node("Shape", ["kept"], ["count"]),
        helper.make_node("Cast", ["count"], ["float"], to=FLOAT),
        helper.make_node("Squeeze", ["float", "zero"], ["end"]),
        helper.make_node("Range", ["start", "end", "step"], ["y"], name="range"),
    ]
    constants = {"half": 0.5, "start": 0.0, "step": 1.0}
    stored = [onnx.numpy_helper.from_array(np.float32(v), k) for k, v in constants.items()]
    stored.append(onnx.numpy_helper.from_array(np.array([0], np.int64), "zero"))
    made = model(nodes, {"x": [64]}, {"y": ["n"], "kept": ["n"]}, initializers=stored)
    y, kept = ort.InferenceSession(made.SerializeToString()).run(
        None, {"x": np.ones(64, np.float32)}
    )
    assert 10 < kept.size < 54
    np.testing.assert_array_equal(y, np.arange(kept.size, dtype=np.float32))
