"""Traces: what is recorded, filtered, kept, saved, and what is left of runs that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from tests.execution.test_observers import BRANCHES, FAILING, FILLED, HLO, LOOP, SUM

BACKENDS: Final = ("interpreter", "cpu")


@pytest.mark.parametrize("backend", BACKENDS)
def test_events_say_where_and_how_often(backend: str) -> None:
    trace = sm.trace(sm.load(LOOP), np.array([2, 3], np.float32), np.int32(2), backend=backend)
    assert trace.results.tolist() == [16.0, 81.0]
    (first, second) = trace.select("multiply").events
    assert [item.path for item in (first, second)] == [
        "@main > while body[0]",
        "@main > while body[1]",
    ]
    assert [event.occurrence for event in (first, second)] == [0, 1]
    assert (first.place.name, first.place.line, first.place.function) == (
        "stablehlo.multiply",
        11,
        "main",
    )
    (result,) = second.results
    assert (result.type, result.shape, result.array) == ("tensor<2xf32>", (2,), None)
    numbers = result.statistics
    assert (numbers.min, numbers.max, numbers.mean, numbers.std) == (16.0, 81.0, 48.5, 32.5)
    loop = trace.events[-1]
    assert [result.statistics.max for result in loop.results] == [2, 81.0]
    assert all(result.name.endswith(f"#{i}") for i, result in enumerate(loop.results))


@pytest.mark.parametrize("backend", BACKENDS)
def test_calls_have_a_path(backend: str) -> None:
    trace = sm.trace(sm.load(BRANCHES), np.float32(8), np.int32(1), backend=backend)
    assert [event.path for event in trace.select("divide").events] == [
        "@main > if true > @half",
        "@main > case 1 > @half",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_filters(backend: str) -> None:
    module, x, n = sm.load(LOOP), np.array([2, 3], np.float32), np.int32(2)

    def names(**filters: Any) -> list[str]:
        trace = sm.trace(module, x, n, backend=backend, **filters)
        again = sm.trace(module, x, n, backend=backend)
        same = again.select(**filters)
        assert [event.place for event in trace] == [event.place for event in same]
        assert [event.occurrence for event in trace] == [event.occurrence for event in same]
        return [event.place.name.partition(".")[2] for event in trace]

    assert names(operations="mul*") == ["multiply", "multiply"]
    assert names(operations=["stablehlo.add", "compare"], lines="8-10").count("add") == 2
    assert names(lines=11) == ["multiply", "multiply"]
    assert names(functions="other") == []
    assert names(where="max > 50") == ["multiply", "while"]
    assert names(where="zeros == count", operations="compare") == ["compare"]


def test_what_is_no_filter_is_refused() -> None:
    module = sm.load(LOOP)
    for filters in (
        {"where": "max >"},
        {"where": "__import__('os')"},
        {"where": "largest > 1"},
        {"where": "max.real > 1"},
        {"lines": "first"},
    ):
        with pytest.raises(sm.ArgumentError):
            sm.trace(module, np.zeros(2, np.float32), np.int32(1), **filters)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["directory", "trace.npz"])
def test_kept_arrays_are_saved_and_loaded(backend: str, name: str, tmp_path: Path) -> None:
    text = """
func.func @main(%x: tensor<3xbf16>) -> (tensor<3xbf16>, tensor<3xi1>, tensor<3xcomplex<f32>>) {
  %0 = stablehlo.add %x, %x : tensor<3xbf16>
  %1 = stablehlo.compare GT, %0, %x : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %2 = stablehlo.convert %0 : (tensor<3xbf16>) -> tensor<3xf32>
  %3 = stablehlo.complex %2, %2 : tensor<3xcomplex<f32>>
  return %0, %1, %3 : tensor<3xbf16>, tensor<3xi1>, tensor<3xcomplex<f32>>
}"""
    x = np.array([1, -2, 0.5], ml_dtypes.bfloat16)
    trace = sm.trace(sm.load(text), x, backend=backend, keep=True)
    trace.save(tmp_path / name)
    loaded = sm.load_trace(tmp_path / name)
    assert str(loaded) == str(trace)
    expected = [x + x, (x + x) > x, (x + x).astype("f4"), (x + x).astype("f4") * (1 + 1j)]
    for event, array in zip(loaded, expected, strict=True):
        stored = event.results[0].array
        assert stored is not None
        assert stored.dtype == array.dtype
        np.testing.assert_array_equal(stored, array)
    imaginary = loaded[3].results[0].imaginary
    assert imaginary is not None
    assert imaginary.max == 2.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_arrays_go_to_a_directory_while_the_program_runs(backend: str, tmp_path: Path) -> None:
    module, x = sm.load(FILLED), np.array([7, 8, 9], np.int32)
    item = sm.trace(
        module, x, backend=backend, operations="*slice", keep="dynamic*", directory=tmp_path
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0.npy", "1.npy", "2.npy", "index.json",
    ]  # fmt: skip
    for trace in (item, sm.load_trace(tmp_path)):
        kept = [operation.results[0].array for operation in trace]
        assert [None if a is None else a.tolist() for a in kept] == [
            [0, 8, 9],
            [0, 1, 9],
            [0, 1, 2],
        ]


def test_bounds() -> None:
    module, x = sm.load(LOOP), np.array([2, 3], np.float32)
    few = sm.trace(module, x, np.int32(3), limit=2, keep=True)
    assert (len(few), few.dropped) == (2, 9)
    assert "the limit was reached: 9 events" in str(few)
    none = sm.trace(module, x, np.int32(1), keep=True, kept_bytes=4)
    assert none.unkept == len([r for e in none for r in e.results if r.array is None]) > 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_that_fails_gives_the_trace_up_to_there(backend: str, tmp_path: Path) -> None:
    trace = sm.trace(sm.load(FAILING), np.array([1, 2], np.float32), backend=backend)
    assert [event.place.name for event in trace][-2:] == ["stablehlo.compare", "stablehlo.negate"]
    assert trace.results is None
    assert trace.failure is not None
    assert [str(item) for item in trace.failure.stack] == ["@main", "while body[0]"]
    assert "check.expect_eq_const" in trace.failure.message
    trace.save(tmp_path / "t.json")
    assert sm.load_trace(tmp_path / "t.json").failure == trace.failure


def test_what_does_not_begin_is_an_error() -> None:
    with pytest.raises(sm.ArgumentError):
        sm.trace(sm.load(LOOP))


@pytest.mark.parametrize("backend", BACKENDS)
def test_processes(backend: str) -> None:
    trace = sm.trace(sm.load(SUM), [np.float32(1), np.float32(2)], grid=(2, 1), backend=backend)
    values = {
        operation.process: operation.results[0].statistics.max for operation in trace.select("add")
    }
    assert values == {(0, 0): 4.0, (1, 0): 5.0}
    assert [event.occurrence for event in trace.select("add")] == [0, 0]
    assert "(1,0) @main" in str(trace)


@pytest.mark.parametrize("backend", BACKENDS)
def test_hlo_and_artifacts(backend: str) -> None:
    x = np.array([1, 3], np.float32)
    trace = sm.trace(sm.load(HLO), x, backend=backend)
    assert [(event.place.name, event.place.line) for event in trace][:2] == [
        ("stablehlo.multiply", 4),
        ("stablehlo.negate", 5),
    ]
    artifact = sm.load(sm.load(LOOP).to_artifact())
    assert len(sm.trace(artifact, x, np.int32(2), backend=backend).select("multiply")) == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_jax_exported_is_called_as_the_function_was(backend: str) -> None:
    import jax
    from jax import export

    def function(tree: Any, scale: Any) -> Any:
        return {"sum": (tree["a"] * scale + tree["b"]).sum()}

    shapes = [jax.ShapeDtypeStruct((3,), np.float32), jax.ShapeDtypeStruct((), np.float32)]
    jitted = jax.jit(function)  # pyright: ignore[reportUnknownMemberType]
    export_result = export.export(jitted)({"a": shapes[0], "b": shapes[0]}, shapes[1])
    module = sm.load(bytes(export_result.serialize()))
    tree = {"a": np.arange(3, dtype=np.float32), "b": np.ones(3, np.float32)}
    trace = sm.trace(module, tree, np.float32(2), backend=backend)
    assert trace.results["sum"] == 9.0
    (event,) = trace.select("multiply").events
    assert event.results[0].statistics.max == 4.0
    assert "test_trace.py" in event.place.where


def test_both_executors_record_the_same() -> None:
    module, x = sm.load(LOOP), np.array([2, 3], np.float32)
    traces = [sm.trace(module, x, np.int32(3), backend=backend) for backend in BACKENDS]
    assert list(traces[0]) == list(traces[1])


def test_quantized_results_are_as_stored() -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}"""
    trace = sm.trace(sm.load(text), np.array([1, -2, 0], np.float32), backend="interpreter")
    numbers = trace[0].results[0].statistics
    assert (numbers.min, numbers.max, numbers.zeros) == (-4, 2, 1)


def test_it_shows_itself() -> None:
    trace = sm.trace(sm.load(LOOP), np.array([np.inf, 3], np.float32), np.int32(1))
    text = str(trace)
    assert text.splitlines()[0] == "main: 5 events, by cpu"
    assert "%b = stablehlo.multiply:11" in text
    assert "1 inf" in text
    html = trace._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert html.count("<tr") == 1 + 6
    assert "color:#c00" in html


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": "stablemate trace", "version": 99}']
)
def test_what_is_no_trace_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(content)
    with pytest.raises(sm.ArgumentError, match="is no trace"):
        sm.load_trace(path)
