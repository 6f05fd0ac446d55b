"""Random numbers: what they are distributed like, and where they come from."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
from onnx import helper

import stablemate.onnx as ort
from tests.frontends.onnx.models import model

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
