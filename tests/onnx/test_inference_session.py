"""ONNX Runtime's session and ONNX's interface of backends, on small models."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stablemate as sm

pytest.importorskip("onnx")
import onnx
from onnx import helper, numpy_helper

import stablemate.onnx as ort
import stablemate.onnx.backend
from stablemate.api import known_programs
from stablemate.compiler import executable
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.size_versions import SizedExecutable
from stablemate.diagnostics.errors import FileError
from stablemate.frontends.onnx.model import Node
from stablemate.ir.attributes import DenseElementsAttribute
from tests.frontends.onnx.models import model

X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def dense() -> bytes:
    """A model of a product and a ReLU, for any batch."""
    weight = numpy_helper.from_array(np.eye(3, dtype=np.float32) * 2, "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Relu", ["p"], ["y"])]
    made = model(nodes, {"x": ["batch", 3]}, {"y": ["batch", 3]}, initializers=[weight])
    return bytes(made.SerializeToString())


def session(content: bytes) -> ort.InferenceSession:
    """A session that interprets."""
    return ort.InferenceSession(content, providers=["CPUExecutionProvider"], backend="interpreter")


def test_a_session_runs_all_sizes() -> None:
    own = session(dense())
    assert [(i.name, i.type, i.shape) for i in own.get_inputs()] == [
        ("x", "tensor(float)", ["batch", 3])
    ]
    assert [(o.name, o.shape) for o in own.get_outputs()] == [("y", ["batch", 3])]
    for batch in (2, 5, 9, 1, 1):
        x = np.ones((batch, 3), np.float32)
        (y,) = own.run(["y"], {"x": x})
        np.testing.assert_array_equal(y, 2 * x)
    assert len(own.programs.programs) == 2  # for all sizes, and for one row


def test_a_program_is_not_called_for_sizes_that_it_does_not_fit() -> None:
    nodes = [
        helper.make_node("Squeeze", ["x"], ["s"]),
        helper.make_node("Slice", ["x", "start", "end"], ["y"]),
    ]
    bounds = [
        numpy_helper.from_array(np.array([n]), name) for n, name in ((-6, "start"), (9, "end"))
    ]
    made = model(nodes, {"x": ["n", "k"]}, {"s": None, "y": None}, initializers=bounds)
    own = session(made.SerializeToString())
    for shape in ((9, 2), (3, 2), (1, 4), (12, 1), (1, 1), (7, 7)):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        squeezed, part = own.run(None, {"x": x})
        np.testing.assert_array_equal(squeezed, x.squeeze())
        np.testing.assert_array_equal(part, x[-6:9])


def test_a_run_may_compute_tensors_above_the_default_limit() -> None:
    shape = numpy_helper.from_array(np.array([300_000, 1000], np.int64), "shape")
    nodes = [
        helper.make_node("Expand", ["x", "shape"], ["large"]),  # 1.2 GB, which no kernel stores
        helper.make_node("ReduceMax", ["large"], ["y"], keepdims=0),
    ]
    made = model(nodes, {"x": [1, 1000]}, {"y": []}, initializers=[shape])
    content = bytes(made.SerializeToString())
    x = np.arange(1000, dtype=np.float32)[None]
    (y,) = ort.InferenceSession(content).run(None, {"x": x})
    assert y == 999
    with pytest.raises(sm.LimitError):
        sm.load(content, format="onnx").run(x)


def test_inputs_and_outputs_bound_to_arrays() -> None:
    own = session(dense())
    binding = own.io_binding()
    target = ort.OrtValue(np.empty((2, 3), np.float32))
    binding.bind_cpu_input("x", X)
    binding.bind_ortvalue_output("y", target)
    own.run_with_iobinding(binding)
    np.testing.assert_array_equal(target.numpy(), np.maximum(2 * X, 0))
    np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], target.numpy())


def test_inputs_whose_values_shapes_depend_on() -> None:
    info = helper.make_tensor_value_info("shape", onnx.TensorProto.INT64, [2])
    made = model([helper.make_node("Reshape", ["x", "shape"], ["y"])], {"x": [2, 3]}, {"y": None})
    made.graph.input.append(info)
    own = session(made.SerializeToString())
    for shape in ([3, 2], [-1, 1], [1, 6]):
        (y,) = own.run(None, {"x": X, "shape": np.array(shape)})
        np.testing.assert_array_equal(y, X.reshape(shape))
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.load(made.SerializeToString())
    assert str(caught.value).splitlines()[0] == (
        "Reshape: the shape must be known before the model runs, and depends on shape, at node 'y'"
    )


def test_inputs_and_outputs_are_checked() -> None:
    own = session(dense())
    with pytest.raises(sm.ArgumentError, match=r"the inputs \['x'\] are missing"):
        own.run(None, {})
    with pytest.raises(sm.ArgumentError, match="the model has no input 'z'; it has"):
        own.run(None, {"x": X, "z": X})
    with pytest.raises(sm.ArgumentError, match=r"as a dictionary with \['x'\], not as list"):
        own.run(None, [X])  # type: ignore[arg-type]
    with pytest.raises(sm.ArgumentError, match=r"the model has no outputs \['z'\]; it has"):
        own.run(["z"], {"x": X})
    with pytest.raises(sm.ArgumentError):
        own.run(None, {"x": X.astype(np.float64)})


def test_a_backend_of_onnx() -> None:
    made = onnx.load_from_string(dense())
    backend = stablemate.onnx.backend
    assert backend.supports_device("CPU")
    assert not backend.supports_device("CUDA:0")
    (y,) = backend.run_model(made, [X], backend="interpreter")
    np.testing.assert_array_equal(y, np.maximum(2 * X, 0))
    (z,) = backend.run_node(helper.make_node("Neg", ["x"], ["z"]), [X], backend="interpreter")
    np.testing.assert_array_equal(z, -X)


def test_a_model_of_known_sizes_comes_from_the_disk_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    made = onnx.load_from_string(dense())
    made.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2
    content = made.SerializeToString()
    for is_from_cache in (False, True):
        own = ort.InferenceSession(content)
        np.testing.assert_array_equal(own.run(None, {"x": X})[0], np.maximum(2 * X, 0))
        ((_, executable),) = own.programs.programs.values()
        assert getattr(executable, "is_from_cache", None) is is_from_cache


def test_the_disk_cache_knows_external_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "model.onnx"
    path.write_bytes(external_product(tmp_path, np.zeros((3, 3), np.float32), rows=2))
    for factor in (2, 3):
        (tmp_path / "w.bin").write_bytes((np.eye(3) * factor).astype(np.float32).tobytes())
        np.testing.assert_array_equal(sm.compile(sm.load(path))(X), factor * X)
        np.testing.assert_array_equal(ort.InferenceSession(path).run(None, {"x": X})[0], factor * X)


def test_programs_of_the_disk_cache_are_those_of_the_sizes_of_a_call() -> None:
    bounds = [
        numpy_helper.from_array(np.array([n]), name) for n, name in ((-6, "start"), (9, "end"))
    ]
    node = helper.make_node("Slice", ["x", "start", "end"], ["y"])
    made = model([node], {"x": ["n"]}, {"y": None}, initializers=bounds).SerializeToString()
    for size in (3, 9, 3, 7):  # a session each, whose first call decides what is assumed
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(ort.InferenceSession(made).run(None, {"x": x})[0], x[-6:9])


def test_programs_of_the_disk_cache_are_those_of_the_options() -> None:
    made = dense()
    x = np.ones((2, 3), np.float32)
    options = ort.SessionOptions()
    options.add_initializer("w", ort.OrtValue.ortvalue_from_numpy(np.ones((3, 3), np.float32)))
    (one,) = ort.InferenceSession(made).run(None, {"x": x})
    (other,) = ort.InferenceSession(made, options).run(None, {"x": x})
    np.testing.assert_array_equal(one, 2 * x)
    np.testing.assert_array_equal(other, 3 * x)


def test_a_session_imports_no_tools() -> None:
    """What describes and profiles programs takes longer to import than all the rest."""
    code = (
        "import sys, stablemate.onnx as own; own.InferenceSession\n"
        "print([name for name in ('contents', 'profile', 'cost') "
        "if f'stablemate.analysis.{name}' in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output == "[]\n"


@pytest.fixture(params=[40, "batch"])
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The file of a model that is dropped when it is compiled."""
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(known_programs, "HELD_BYTES", 0)
    monkeypatch.setattr(known_programs, "FORGOTTEN_BYTES", 0)
    monkeypatch.setattr(executable, "MOST_CONSTANT_BYTES", 0)
    weight = numpy_helper.from_array(np.eye(96, dtype=np.float32) * 2, "w")
    product = helper.make_node("MatMul", ["x", "w"], ["y"], name="large")
    rows = request.param
    made = model([product], {"x": [rows, 96]}, {"y": [rows, 96]}, initializers=[weight])
    path = tmp_path / "large.onnx"
    path.write_bytes(made.SerializeToString())
    return path


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed there")
def test_a_session_drops_a_large_model_that_is_compiled(large: Path) -> None:
    x = np.random.default_rng(0).normal(size=(40, 96)).astype(np.float32)
    for _ in range(2):  # the disk cache is empty, then it has the program
        own = ort.InferenceSession(large)
        np.testing.assert_array_equal(own.run(None, {"x": x})[0], 2 * x)
        gc.collect()
        data = [one.data for one in gc.get_objects() if type(one) is DenseElementsAttribute]
        assert not [one for one in data if one.shape == (96 * 96,) and one[0] == 2]
        nodes = [one for one in gc.get_objects() if type(one) is Node and one.name == "large"]
        assert not nodes
    large.unlink()
    np.testing.assert_array_equal(own.run(None, {"x": x})[0], 2 * x)
    assert [value.name for value in own.get_inputs()] == ["x"]
    assert own.get_modelmeta().graph_name == "graph"
    assert [node.operator for node in own.model.graph.nodes] == ["MatMul"]
    weight = own.programs.outline.graph.initializers["w"].read()
    np.testing.assert_array_equal(weight, np.eye(96) * 2)
    ((_, compiled),) = own.programs.programs.values()
    assert "dot" in compiled.emit("module")


@pytest.mark.skipif(os.name != "posix", reason="files of other systems are held")
def test_a_large_model_that_changes_is_not_read_again(large: Path) -> None:
    own = ort.InferenceSession(large)
    x = np.ones((40, 96), np.float32)
    own.run(None, {"x": x})
    large.write_bytes(large.read_bytes()[:-1] + b"x")
    np.testing.assert_array_equal(own.run(None, {"x": x})[0], 2 * x)
    with pytest.raises(FileError, match="has changed since it was loaded"):
        assert own.model


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_external_data_are_not_in_memory_when_what_they_become_is_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    weight = np.random.default_rng(0).normal(size=(512, 513)).astype(np.float32)
    content = external_product(tmp_path, weight, rows=512)
    (tmp_path / "model.onnx").write_bytes(content)
    module = sm.load(tmp_path / "model.onnx")
    assert resident_kilobytes(tmp_path / "w.bin") == 0  # though its digest was computed
    compiled = sm.compile(module)
    assert resident_kilobytes(tmp_path / "w.bin") == 0
    (tmp_path / "w.bin").unlink()
    x = np.eye(512, dtype=np.float32)
    np.testing.assert_allclose(compiled(x), weight, rtol=1e-5)
    np.testing.assert_allclose(module.run(x, backend="interpreter"), weight, rtol=1e-5)


def external_product(folder: Path, weight: np.ndarray, rows: int) -> bytes:
    """A model of a product with weights in a file beside it."""
    (folder / "w.bin").write_bytes(weight.tobytes())
    stored = numpy_helper.from_array(weight, "w")
    stored.ClearField("raw_data")
    stored.data_location = onnx.TensorProto.EXTERNAL
    for key, value in {"location": "w.bin", "offset": "0", "length": str(weight.nbytes)}.items():
        stored.external_data.add(key=key, value=value)
    product = helper.make_node("MatMul", ["x", "w"], ["y"])
    inner, columns = weight.shape
    made = model([product], {"x": [rows, inner]}, {"y": [rows, columns]}, initializers=[stored])
    return bytes(made.SerializeToString())


def resident_kilobytes(path: Path) -> int:
    """How much of a mapped file is in the memory of this process."""
    mappings = Path("/proc/self/smaps").read_text().split("VmFlags")
    sizes = [part.partition("\nRss:")[2].split()[0] for part in mappings if f"{path}" in part]
    return sum(map(int, sizes))


def test_versions_for_many_sizes_do_not_hold_what_their_constants_were_computed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    weight = numpy_helper.from_array(np.eye(300, dtype=np.float32), "w")
    product = helper.make_node("MatMul", ["x", "w"], ["y"])
    made = model([product], {"x": ["b", 300]}, {"y": ["b", 300]}, initializers=[weight])
    compiled = sm.compile(sm.load(made.SerializeToString()))
    assert isinstance(compiled, SpecializingExecutable)
    compiled(np.ones((40, 300), np.float32))
    sized = compiled.latest
    assert isinstance(sized, SizedExecutable)
    assert sized.plan.preparations
    assert not sized.version_program.preparations
    assert not sized.version.preparations
