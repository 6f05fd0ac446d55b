"""What users hold."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm

AXPY = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
X = np.arange(4, dtype=np.float32)


def identity(element: str, shape: str = "4x") -> sm.Module:
    t = f"tensor<{shape}{element}>"
    return sm.load(f"func.func @main(%x: {t}) -> {t} {{\n return %x : {t}\n}}")


# ---- load


def test_load_takes_paths_text_bytes_and_files(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(AXPY)
    for source in (
        path,
        str(path),
        AXPY,
        AXPY.encode(),
        io.BytesIO(AXPY.encode()),
        io.StringIO(AXPY),
    ):
        assert list(sm.load(source).functions) == ["main"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a program, found an empty text"),
        (b"  \n ", "expected a program, found an empty text"),
        (b"\x7fELF\x02\x80", "not a program: byte 0x80 at offset 5 is not text"),
        (b"ML\xefR\x0f", "bytecode version 7 is newer than 6"),
        (b"HloModule m\n", "expected a computation, found the end of the text"),
        (b'{"a": 1}\n', "expected an operation"),
    ],
)
def test_what_is_no_program_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(sm.StablemateError, match=message):
        sm.load(content)


def test_a_file_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(AXPY)
    with pytest.raises(sm.LimitError, match="larger than 10 bytes"):
        sm.load(path, limits=sm.Limits(input_bytes=10))


# ---- arguments


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((X,), TypeError, r"argument 1 \(%arg1: tensor<4xf32>\) is missing"),
        ((X, X, X), TypeError, "takes 2 arguments, but 3 were given"),
        ((X, X.astype(np.float64)), TypeError, "is tensor<4xf32>, but tensor<4xf64> was given"),
        ((X, X[:3]), ValueError, "is tensor<4xf32>, but tensor<3xf32> was given"),
        ((X, "text"), TypeError, "is tensor<4xf32>"),
        ((X, None), TypeError, "is tensor<4xf32>"),
        ((X, [1, 2, [3], 4]), ValueError, "the lists are ragged"),
        ((X, 1.0), ValueError, r"is tensor<4xf32>, but tensor<f32> was given"),
    ],
)
def test_arguments_that_do_not_fit(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        sm.run(AXPY, *arguments)
    assert isinstance(caught.value, sm.ArgumentError)


def test_python_numbers_take_the_element_type() -> None:
    assert sm.run(AXPY, [1, 2, 3, 4], [0.5] * 4).tolist() == [1.5, 2.5, 3.5, 4.5]
    assert identity("i1", "2x").run([True, False]).tolist() == [True, False]
    with pytest.raises(sm.ArgumentError, match="256"):
        identity("ui8", "1x").run([256])
    with pytest.raises(sm.ArgumentError):
        identity("i32", "1x").run([1.5])


@pytest.mark.parametrize(
    ("element", "dtype"),
    [
        ("i1", np.bool_), ("i4", ml_dtypes.int4), ("ui2", ml_dtypes.uint2), ("i8", np.int8),
        ("ui64", np.uint64), ("bf16", ml_dtypes.bfloat16), ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
        ("f4E2M1FN", ml_dtypes.float4_e2m1fn), ("f64", np.float64), ("complex<f32>", np.complex64),
        ("index", np.int64), ("!quant.uniform<i8:f32, 0.5:1>", np.int8),
    ],
)  # fmt: skip
def test_every_storage_goes_in_and_out(element: str, dtype: Any) -> None:
    array = np.array([0, 1, 0, 1]).astype(dtype)
    result = identity(element).run(array)
    assert result.dtype == array.dtype
    np.testing.assert_array_equal(result, array)


def test_results_are_the_callers_own() -> None:
    module = identity("f32")
    x = X.copy()
    result = module.run(x)
    result[0] = 99
    assert x[0] == 0
    constant = sm.load(
        "func.func @main() -> tensor<2xf32> {\n"
        "  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}"
    )
    constant.run()[0] = 99
    assert constant.run().tolist() == [1.0, 2.0]


def test_a_scalar_result_is_an_array() -> None:
    result = identity("f32", "").run(np.float32(2))
    assert isinstance(result, np.ndarray)
    assert result.shape == ()


# ---- entries


def test_entry_is_main_or_the_only_public_function_or_the_named_one() -> None:
    text = AXPY.replace("@main", "@f")
    assert sm.load(text).entry().name == "f"
    assert sm.load(text + AXPY).entry().name == "main"
    assert sm.load(text + AXPY).entry("f").name == "f"
    with pytest.raises(sm.ArgumentError, match="no function is called 'g'; the module has: f"):
        sm.load(text).entry("g")
    with pytest.raises(sm.ArgumentError, match="which function is the entry"):
        sm.load(text + text.replace("@f", "@g")).entry()


def test_functions_have_signatures() -> None:
    function = sm.load(AXPY).functions["main"]
    assert str(function.signature) == (
        "main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>)"
    )


# ---- running


def test_an_invalid_program_does_not_run() -> None:
    with pytest.raises(sm.VerifyError, match="the types of the function's results"):
        sm.run(AXPY.replace("-> tensor<4xf32> {", "-> tensor<5xf32> {"), X, X)


def test_unknown_backends_are_named() -> None:
    with pytest.raises(
        sm.UnsupportedError, match="no backend is called 'gpu'; known: cpu, interpreter"
    ):
        sm.compile(sm.load(AXPY), backend="gpu")


LOOP = """
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.while(%i = %zero) : tensor<i64>
  cond {
    %p = stablehlo.compare NE, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %next = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next : tensor<i64>
  }
  return %0 : tensor<i64>
}
"""


def test_loops_stop_at_the_limit() -> None:
    module = sm.load(LOOP)
    assert module.run(np.int64(100), max_iterations=100) == 100
    with pytest.raises(sm.LimitError, match="longer than 99 iterations"):
        module.run(np.int64(100), max_iterations=99)
    assert module.run(np.int64(99), max_iterations=99) == 99


def test_an_endless_loop_stops_at_ctrl_c() -> None:
    code = (
        "import signal, stablemate as sm, numpy as np\n"
        f"m = sm.load({LOOP!r})\n"
        "m.run(np.int64(1))\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "try:\n    signal.setitimer(signal.ITIMER_REAL, 0.3)\n    m.run(np.int64(-1))\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
        "print(m.run(np.int64(7)))\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert out.stdout.split() == ["stopped", "7"], out.stderr


def test_a_huge_shape_in_a_small_file_is_refused_before_anything_runs() -> None:
    text = (
        "func.func @main() -> tensor<1000000000xi8> {\n"
        "  %0 = stablehlo.iota dim = 0 : tensor<1000000000xi8>\n"
        "  return %0 : tensor<1000000000xi8>\n}"
    )
    with pytest.raises(sm.LimitError) as caught:
        sm.run(text)
    assert str(caught.value) == (
        "<text>:2:8: error: limits.tensor_bytes: a tensor has less than 1000000000 bytes\n"
        " 2 |   %0 = stablehlo.iota dim = 0 : tensor<1000000000xi8>\n"
        "   |        ^^^^^^^^^^^^^^ type = tensor<1000000000xi8>, bytes = 1000000000\n"
        "note: the limit is Limits.tensor_bytes, --limit-tensor-bytes on the command line"
    )


def test_recursion_is_refused() -> None:
    text = (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = call @main(%x) : (tensor<f32>) -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}"
    )
    with pytest.raises(sm.StablemateError, match="cannot call itself: @main -> @main"):
        sm.run(text, np.float32(1))


def test_no_warning_and_no_setting_of_numpy_reaches_the_user() -> None:
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.divide %x, %x : tensor<2xf32>\n"
        "  %1 = stablehlo.log %0 : tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}"
    )
    with np.errstate(all="raise"):
        result = sm.run(text, np.array([0, 1], np.float32))
    assert np.isnan(result[0])
    assert result[1] == 0


def test_threads_share_an_executable() -> None:
    executable = sm.compile(sm.load(LOOP))
    results: dict[int, int] = {}

    def work(n: int) -> None:
        for _ in range(20):
            results[n] = int(executable(np.int64(n)))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(50, 58)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: n for n in range(50, 58)}


def test_importing_the_package_loads_no_numpy() -> None:
    code = "import sys, stablemate; print('numpy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


RESOURCES = """
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
"""


def test_constants_take_their_data_from_the_resource_section() -> None:
    assert sm.run(RESOURCES).tolist() == [1.0, 2.0]
    with pytest.raises(sm.UnsupportedError, match="the values of this constant were left out"):
        sm.run(RESOURCES.replace("weights:", "others:"))
    with pytest.raises(sm.UnsupportedError, match="has 4 bytes"):
        sm.run(RESOURCES.replace("00000040", ""))


def test_compile_takes_what_load_reads(tmp_path: Path) -> None:
    path = tmp_path / "axpy.mlir"
    path.write_text(AXPY)
    assert sm.compile(str(path)).signature.name == "main"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sm.load(3), "an object of int is none"),  # type: ignore[arg-type]
        (lambda: sm.run(AXPY, 1.0), r"main takes \d arguments, but 1 was given"),
        (lambda: sm.run_grid(AXPY, 3), "int is neither"),
        (lambda: sm.cost(AXPY), "that sm.load returns, not of str"),  # type: ignore[arg-type]
        (lambda: sm.profile(AXPY), "what sm.compile returns, not of str"),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_other_kinds_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(sm.ArgumentError, match=message):
        call()
