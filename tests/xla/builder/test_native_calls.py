"""Custom calls of native functions, ``void f(void* out, void** in)``."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.module import Module
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, EvaluationError
from stablemate.execution.custom_calls.registry import REGISTERED
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.translate.to_stablehlo.module import to_stablehlo
from tests.xla.builder.execution import here

NATIVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
X = np.float32([1, 2])
Y = np.float32([[10, 20, 30], [40, 50, 60]])


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


def floats(address: int | None, *shape: int) -> Any:
    """The floats at an address."""
    count = int(np.prod(shape))
    pointer = ctypes.cast(address or 0, ctypes.POINTER(ctypes.c_float * count))
    return np.frombuffer(pointer.contents, np.float32).reshape(shape)


def my_function(out: int, inputs: Any) -> None:
    """The function of the document."""
    x, y, z = floats(inputs[0], 2), floats(inputs[1], 2, 3), floats(out, 3, 3)
    assert x.tolist() == [1, 2]
    assert y.tolist() == [[10, 20, 30], [40, 50, 60]]
    z[0, 0] = x[1] + y[1, 0]


def program() -> ModuleBuilder:
    """``CustomCall("myfunc", {x, y}, f32[3x3])`` of the document."""
    b = ModuleBuilder("native")
    x, y = b.parameter(0, "f32[2]"), b.parameter(1, "f32[2,3]")
    b.custom_call("myfunc", [x, y], "f32[3,3]")
    return b


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_the_example_of_the_document(backend: str) -> None:
    function = NATIVE(my_function)
    sm.custom_call("myfunc", function)
    module = Module(to_stablehlo(program().tree()))
    result = module.run(X, Y, backend=backend)
    assert result[0, 0] == 42
    assert result.shape == (3, 3)


def test_pointers_are_native_functions_too() -> None:
    function = NATIVE(my_function)
    sm.custom_call("myfunc", ctypes.cast(function, ctypes.c_void_p))
    assert here(program().tree(), X, Y)[0][0, 0] == 42


def test_the_builder_registers_native_functions() -> None:
    function = NATIVE(my_function)
    b = sm.XlaBuilder("native")
    x, y = b.parameter(0, "f32[2]"), b.parameter(1, "f32[2,3]")
    b.custom_call("myfunc", [x, y], "f32[3,3]", function=function)
    assert b.build().run(X, Y)[0, 0] == 42


def test_nothing_is_copied() -> None:
    seen: list[int | None] = []

    def look(out: int, inputs: Any) -> None:
        seen.extend([inputs[0], out])

    function = NATIVE(look)
    sm.custom_call("look", function)
    b = ModuleBuilder("native")
    b.custom_call("look", [b.parameter(0, "f32[2]")], "f32[2]")
    (result,) = here(b.tree(), X)
    assert seen == [X.ctypes.data, result.ctypes.data]


def test_several_results_are_a_table_of_pointers() -> None:
    def split(out: int, inputs: Any) -> None:
        results = ctypes.cast(out, ctypes.POINTER(ctypes.c_void_p))
        x = floats(inputs[0], 2)
        floats(results[0], 2)[:] = x + 1
        floats(results[1], 1)[:] = x[0] * 10

    function = NATIVE(split)
    sm.custom_call("split", function)
    b = ModuleBuilder("native")
    b.custom_call("split", [b.parameter(0, "f32[2]")], "(f32[2], f32[1])")
    assert [array.tolist() for array in here(b.tree(), X)] == [[2.0, 3.0], [10.0]]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_symbol_of_a_library(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(
        "void myfunc(void* out, void** in) {"
        " float (*y)[3] = in[1]; ((float*)out)[0] = ((float*)in[0])[1] + y[1][0]; }"
    )
    library = tmp_path / "f.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
    for form in (str(library), library, ctypes.CDLL(str(library))):
        sm.custom_call("myfunc", (form, "myfunc"))
        assert here(program().tree(), X, Y)[0][0, 0] == 42
    with pytest.raises(ArgumentValueError, match="there is no native function other"):
        sm.custom_call("myfunc", (library, "other"))


def test_what_is_no_native_function_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="there is no native function f"):
        sm.custom_call("myfunc", ("no_such_library.so", "f"))
    for wrong in (ctypes.c_void_p(), (1, 2, 3)):
        with pytest.raises(ArgumentTypeError, match="a native function is"):
            sm.custom_call("myfunc", wrong)
    with pytest.raises(ArgumentTypeError, match="is a function"):
        sm.custom_call("myfunc", 3)
    function = NATIVE(my_function)
    sm.custom_call("myfunc", function)
    b = ModuleBuilder("native")
    x, y = b.parameter(0, "f32[2]"), b.parameter(1, "f32[2,3]")
    b.custom_call("myfunc", [x, y], "f32[3,3]", api_version="API_VERSION_TYPED_FFI")
    with pytest.raises(EvaluationError, match="void target"):
        here(b.tree(), X, Y)
