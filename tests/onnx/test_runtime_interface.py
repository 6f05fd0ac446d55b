"""Scripts for ONNX Runtime, on its module and on ours."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
import stablemate.onnx as own

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
helper, numpy_helper = onnx.helper, onnx.numpy_helper
X = np.ones((2, 3), np.float32)


def content_of(nodes: Any, inputs: Any, outputs: Any, weights: Any, **fields: Any) -> bytes:
    """A model of float tensors, whose inputs and outputs are shapes by name."""
    infos = [
        [helper.make_tensor_value_info(n, 1, shape) for n, shape in part.items()]
        for part in (inputs, outputs)
    ]
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "graph", *infos, tensors)
    imports = [helper.make_opsetid("", 17)]
    made = helper.make_model(graph, opset_imports=imports, ir_version=8, **fields)
    helper.set_model_props(made, {"key": "value"})
    return bytes(made.SerializeToString())


def product(**fields: Any) -> bytes:
    """A model of a product and a ReLU, for any batch, with both as outputs."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Relu", ["p"], ["y"])]
    outputs = {"y": ["batch", 2], "p": ["batch", 2]}
    weights = {"w": np.arange(6, dtype=np.float32).reshape(3, 2) - 2}
    return content_of(nodes, {"x": ["batch", 3]}, outputs, weights, **fields)


CONTENT = product(
    producer_name="maker", producer_version="1", domain="own", doc_string="words", model_version=3
)


def summand() -> bytes:
    """A model with an initializer that is an input."""
    nodes = [helper.make_node("Add", ["x", "c"], ["y"])]
    return content_of(nodes, {"x": [2], "c": [2]}, {"y": [2]}, {"c": np.ones(2, np.float32)})


def metadata(ort: Any) -> Any:
    known = ort.InferenceSession(CONTENT).get_modelmeta()
    names = ("producer_name", "graph_name", "domain", "description", "version")
    return [getattr(known, name) for name in names], known.custom_metadata_map


def version_that_is_not_stated(ort: Any) -> Any:
    return ort.InferenceSession(summand()).get_modelmeta().version


def initializers(ort: Any) -> Any:
    session = ort.InferenceSession(summand())
    x, c = np.ones(2, np.float32), np.array([5, 6], np.float32)
    described = [(i.name, i.type, i.shape) for i in session.get_overridable_initializers()]
    results = [session.run(None, {"x": x}), session.run(None, {"x": x, "c": c})]
    options = ort.SessionOptions()
    value = ort.OrtValue.ortvalue_from_numpy(c)  # which ONNX Runtime does not keep alive
    options.add_initializer("c", value)
    replaced = ort.InferenceSession(summand(), options).run(None, {"x": x})
    return (
        described,
        [i.name for i in session.get_inputs()],
        np.array([*results, replaced]).tolist(),
    )


def options(ort: Any) -> Any:
    chosen = ort.SessionOptions()
    chosen.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    chosen.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    chosen.intra_op_num_threads = chosen.inter_op_num_threads = 1
    chosen.enable_mem_pattern = chosen.enable_cpu_mem_arena = False
    chosen.add_session_config_entry("session.intra_op.allow_spinning", "0")
    chosen.add_free_dimension_override_by_name("batch", 2)
    session = ort.InferenceSession(CONTENT, chosen, ["CPUExecutionProvider"])
    entry = chosen.get_session_config_entry("session.intra_op.allow_spinning")
    return [i.shape for i in session.get_inputs()], session.run(["y"], {"x": X})[0].tolist(), entry


def denoted_sizes(ort: Any) -> Any:
    model = onnx.ModelProto.FromString(CONTENT)
    model.graph.input[0].type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    chosen = ort.SessionOptions()
    chosen.add_free_dimension_override_by_denotation("DATA_BATCH", 2)
    chosen.add_free_dimension_override_by_denotation("DATA_CHANNEL", 7)
    session = ort.InferenceSession(model.SerializeToString(), chosen, ["CPUExecutionProvider"])
    return [i.shape for i in session.get_inputs()], session.run(["y"], {"x": X})[0].tolist()


def default_options(ort: Any) -> Any:
    chosen = ort.SessionOptions()
    names = (
        "enable_cpu_mem_arena", "enable_mem_pattern", "enable_profiling", "execution_mode",
        "graph_optimization_level", "inter_op_num_threads", "intra_op_num_threads",
        "log_severity_level", "logid", "optimized_model_filepath", "profile_file_prefix",
    )  # fmt: skip
    return [str(getattr(chosen, name)) for name in names]


def runs(ort: Any) -> Any:
    session, settings = ort.InferenceSession(CONTENT), ort.RunOptions()
    settings.log_severity_level = 3
    settings.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    feeds = {"x": X}
    return (
        [o.tolist() for o in session.run(["p", "y", "p"], feeds, settings)],
        len(session.run([], feeds)), len(session.run(None, feeds)),
        session.run(["y"], {"x": X.tolist()})[0].dtype.name,
        session.run(["y"], {"x": X.astype(">f4")})[0].dtype.str,
        session.run(["y"], {"x": np.ones((3, 2), np.float32).T})[0].tolist(),
        session.run(["y"], {"x": X[:0]})[0].shape,
    )  # fmt: skip


def providers(ort: Any) -> Any:
    session = ort.InferenceSession(CONTENT, providers=[("CPUExecutionProvider", {})])
    session.set_providers(["CPUExecutionProvider"])
    session.disable_fallback()
    return session.get_providers(), [*session.get_provider_options()], ort.get_device()


def bindings(ort: Any) -> Any:
    session, place = ort.InferenceSession(CONTENT), np.zeros((2, 2), np.float32)
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, np.float32, X.shape, X.ctypes.data)
    binding.bind_output("y", "cpu", 0, np.float32, place.shape, place.ctypes.data)
    binding.synchronize_inputs()
    session.run_with_iobinding(binding)
    binding.clear_binding_inputs()
    binding.clear_binding_outputs()
    binding.bind_ortvalue_input("x", ort.OrtValue.ortvalue_from_numpy(X + 1, "cpu", 0))
    binding.bind_output("p", "cpu")
    session.run_with_iobinding(binding)
    (value,) = binding.get_outputs()
    facts = value.shape(), value.data_type(), value.element_type(), value.device_name()
    return place.tolist(), binding.copy_outputs_to_cpu()[0].tolist(), facts


def values(ort: Any) -> Any:
    value = ort.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32, "cpu", 0)
    value.update_inplace(X)
    session = ort.InferenceSession(CONTENT)
    results = session.run_with_ort_values(["y"], {"x": value})
    fed = session.run(["y"], {"x": value})
    facts = value.is_tensor(), value.is_sparse_tensor(), value.is_tensor_sequence()
    return value.numpy().tolist(), facts, results[0].numpy().tolist(), fed[0].tolist()


def vectors(ort: Any) -> Any:
    session = ort.InferenceSession(CONTENT, None, disabled_optimizers=["ConstantFolding"])
    value = ort.OrtValue.ortvalue_from_numpy(X)
    (result,) = session.run_with_ort_values(["y"], {"x": value})
    chosen = ort.SessionOptions()
    chosen.add_free_dimension_override_by_denotation("DATA_BATCH", 3)
    again = ort.InferenceSession(CONTENT, chosen).run(["y"], {"x": X})[0].tolist()
    return (
        result.tensor_size_in_bytes(),
        value.tensor_size_in_bytes(),
        again,
        chosen.has_providers(),
    )


def asynchronous(ort: Any) -> Any:
    done, results = threading.Event(), []

    def callback(outputs: Any, data: Any, message: str) -> None:
        results.append((outputs[0].tolist(), data, message))
        done.set()

    session = ort.InferenceSession(CONTENT)
    session.run_async(["y"], {"x": X}, callback, "data")
    assert done.wait(60)
    return results


@pytest.mark.parametrize(
    "script",
    [metadata, version_that_is_not_stated, initializers, options, denoted_sizes, default_options,
     runs, providers, bindings, values, asynchronous, vectors],
)  # fmt: skip
def test_scripts_do_the_same(script: Callable[[Any], Any]) -> None:
    assert script(own) == script(onnxruntime)


WRONG: dict[str, Callable[[Any], Any]] = {
    "unknown input": lambda ort: ort.InferenceSession(CONTENT).run(None, {"x": X, "z": X}),
    "unknown output": lambda ort: ort.InferenceSession(CONTENT).run(["z"], {"x": X}),
    "element type": lambda ort: ort.InferenceSession(CONTENT).run(None, {"x": X.astype(float)}),
    "rank": lambda ort: ort.InferenceSession(CONTENT).run(None, {"x": X[0]}),
    "size": lambda ort: ort.InferenceSession(CONTENT).run(None, {"x": X[:, :2]}),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("ort", [own, onnxruntime], ids=["own", "runtime"])
def test_wrong_arguments(ort: Any, case: str) -> None:
    errors = import_module(f"{ort.__name__}.capi.onnxruntime_pybind11_state")
    with pytest.raises(errors.InvalidArgument):
        WRONG[case](ort)


@pytest.mark.parametrize("ort", [own, onnxruntime], ids=["own", "runtime"])
def test_errors_are_attributes_of_the_module(ort: Any) -> None:
    text = f"import {ort.__name__} as ort; ort.capi.onnxruntime_pybind11_state.InvalidArgument"
    subprocess.run([sys.executable, "-c", text], check=True)


@pytest.mark.parametrize("ort", [own, onnxruntime], ids=["own", "runtime"])
def test_wrong_files(ort: Any, tmp_path: Path) -> None:
    errors = import_module(f"{ort.__name__}.capi.onnxruntime_pybind11_state")
    with pytest.raises(errors.NoSuchFile):
        ort.InferenceSession(str(tmp_path / "none.onnx"))
    with pytest.raises(errors.InvalidProtobuf):
        ort.InferenceSession(b"abc")
    with pytest.raises(TypeError):
        ort.InferenceSession(3)
    with pytest.raises(ValueError, match="missing"):
        ort.InferenceSession(CONTENT).run(None, {})


def test_a_graph_that_reads_what_nothing_writes_is_no_session() -> None:
    node = helper.make_node("Relu", ["q"], ["y"], name="act")
    made = content_of([node], {"x": [2]}, {"y": [2]}, {})
    with pytest.raises(sm.ParseError, match="the node 'act' reads 'q'"):
        own.InferenceSession(made)


def test_files_that_options_ask_for(tmp_path: Path) -> None:
    chosen = own.SessionOptions()
    chosen.optimized_model_filepath = str(tmp_path / "model.onnx")
    chosen.profile_file_prefix = str(tmp_path / "profile_")
    chosen.enable_profiling = True
    session = own.InferenceSession(CONTENT, chosen)
    session.run(None, {"x": X})
    events = json.loads(Path(session.end_profiling()).read_text())
    assert {event["cat"] for event in events} == {"Session", "Node"}
    assert isinstance(session.get_profiling_start_time_ns(), int)
    again = own.InferenceSession(chosen.optimized_model_filepath)
    assert again.run(["y"], {"x": X})[0].tolist() == session.run(["y"], {"x": X})[0].tolist()


def test_other_providers_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="CPUExecutionProvider runs the model instead of"):
        session = own.InferenceSession(CONTENT, providers=["CUDAExecutionProvider"])
    assert session.get_providers() == ["CPUExecutionProvider"]


def test_values_of_other_libraries_share_their_memory() -> None:
    array = X.copy()
    value = own.OrtValue.from_dlpack(array)
    array[0, 0] = 7
    assert np.from_dlpack(value)[0, 0] == value.numpy()[0, 0] == 7
    octets = np.array([1, 0], np.uint8)
    assert own.OrtValue.from_dlpack(octets, is_bool_tensor=True).data_type() == "tensor(bool)"


def test_values_in_the_order_of_names() -> None:
    session, fetches = own.InferenceSession(CONTENT), list[Any]()
    value = own.OrtValue.ortvalue_from_numpy(X)
    session.run_with_ortvaluevector(None, ["x"], [value], ["y"], fetches)
    assert fetches[0].numpy().tolist() == session.run(["y"], {"x": X})[0].tolist()


def test_libraries_of_operators_are_refused_by_name() -> None:
    with pytest.raises(sm.UnsupportedError, match="operators of a library have no"):
        own.SessionOptions().register_custom_ops_library("own.so")
