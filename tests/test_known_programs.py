"""Programs that were compiled before: the disk cache knows what a run needs of them."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.api import known_programs
from stablemate.compiler import executable
from stablemate.compiler.config.disk_cache import cache
from stablemate.diagnostics.errors import FileError, ParseError

TEXT: Final = """
module @sums attributes {{mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%x: tensor<{n}xf32> {{jax.arg_info = "x"}})
      -> (tensor<{n}xf32> {{jax.result_info = "sum"}}) {{
    %c = stablehlo.constant dense<"0x{data}"> : tensor<{n}xf32>
    %0 = call @add(%x, %c) : (tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{n}xf32>
    return %0 : tensor<{n}xf32>
  }}
  func.func private @add(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>) -> tensor<{n}xf32> {{
    %0 = stablehlo.add %x, %y : tensor<{n}xf32>
    return %0 : tensor<{n}xf32>
  }}
}}
"""
COUNT: Final = 1 << 15
X: Final = np.arange(COUNT, dtype=np.float32)
posix = pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed there")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))


def text(start: float = 0) -> str:
    """A program that adds numbers from a first one on."""
    data = (np.arange(COUNT, dtype=np.float32) + np.float32(start)).tobytes().hex()
    return TEXT.format(n=COUNT, data=data)


@pytest.fixture(params=["text", "bytecode", "artifact"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of a program that is worth keeping."""
    found = tmp_path / "program"
    sm.parse(text()).save(found, format=request.param)
    return found


def is_unread(module: sm.Module) -> bool:
    """Whether a program is to be read when more is asked of it; type checkers think it stays so."""
    return module.is_unread


def test_a_program_that_was_compiled_is_not_read_to_be_run(path: Path) -> None:
    first = sm.load(path)
    assert not is_unread(first)
    expected = first.run(X)
    again = sm.load(path)
    assert is_unread(again)
    np.testing.assert_array_equal(again.run(X), expected)
    compiled = sm.compile(again)
    assert str(compiled.signature) == str(sm.compile(first).signature)
    assert (again.grid, again.format) == (first.grid, first.format)
    assert (again.version, again.source_digest) == (first.version, first.source_digest)
    assert is_unread(again)
    assert again.to_text() == first.to_text()
    assert not is_unread(again)
    assert list(again.functions) == ["main", "add"]
    assert again.to_bytecode() == first.to_bytecode()
    np.testing.assert_array_equal(again.run(X, backend="interpreter"), expected)


def test_a_program_that_was_only_read_is_read_again(path: Path) -> None:
    sm.load(path).verify()
    assert not is_unread(sm.load(path))


def test_stages_of_a_program_that_is_not_read_are_printed(path: Path) -> None:
    expected = sm.compile(sm.load(path)).emit("fusion")
    assert sm.compile(sm.load(path)).emit("fusion") == expected


def test_other_bytes_and_other_ways_to_read_are_other_programs(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(text())
    sm.load(path).run(X)
    assert is_unread(sm.load(path))
    assert not is_unread(sm.load(path, text_locations=True))
    assert not is_unread(sm.load(path, limits=sm.Limits(nesting=50)))
    path.write_text(text(1))
    changed = sm.load(path)
    assert not is_unread(changed)
    np.testing.assert_array_equal(changed.run(X), 2 * X + 1)


def test_a_damaged_record_is_no_program(path: Path) -> None:
    sm.load(path).run(X)
    for file in cache().directory.iterdir():
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2])
    module = sm.load(path)
    assert not is_unread(module)
    np.testing.assert_array_equal(module.run(X), 2 * X)


@posix
def test_a_large_file_is_read_again_when_more_is_asked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_programs, "HELD_BYTES", 0)
    whole = sm.load(path)
    whole.run(X)
    removed = sm.load(path)
    content = path.read_bytes()
    path.unlink()
    np.testing.assert_array_equal(removed.run(X), 2 * X)
    assert removed.to_text() == whole.to_text()
    path.write_bytes(content)
    changed = sm.load(path)
    path.write_bytes(content + b"\n")
    np.testing.assert_array_equal(changed.run(X), 2 * X)
    with pytest.raises(FileError, match="has changed since it was loaded: load it again"):
        changed.to_text()
    with pytest.raises(FileError):
        changed.to_text()


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_programs, "HELD_BYTES", 0)
    monkeypatch.setattr(known_programs, "FORGOTTEN_BYTES", 0)
    monkeypatch.setattr(executable, "MOST_CONSTANT_BYTES", 0)


@posix
@pytest.mark.usefixtures("all_are_large")
def test_a_large_program_is_dropped_when_it_is_compiled(path: Path) -> None:
    expected = sm.load(path).to_text()
    module = sm.load(path)
    compiled = sm.compile(module)
    assert is_unread(module)
    np.testing.assert_array_equal(compiled(X), 2 * X)
    stages = compiled.emit("fusion")
    assert module.to_text() == expected
    assert sm.compile(module).emit("fusion") == stages
    np.testing.assert_array_equal(module.run(X, backend="interpreter"), 2 * X)


@posix
@pytest.mark.usefixtures("all_are_large")
def test_a_known_program_that_is_read_to_be_compiled_otherwise_is_dropped(path: Path) -> None:
    sm.compile(sm.load(path))
    module = sm.load(path)
    assert is_unread(module)
    for _ in range(2):
        sm.compile(module)
        assert is_unread(module)
        compiled = sm.compile(module, attention=False, limits=sm.Limits(tensor_bytes=1 << 29))
        assert is_unread(module)
        np.testing.assert_array_equal(compiled(X), 2 * X)
    assert len(module.to_text()) > COUNT
    assert not is_unread(module)


@posix
@pytest.mark.usefixtures("all_are_large")
def test_a_program_of_which_somebody_holds_a_part_stays(path: Path) -> None:
    module = sm.load(path)
    function = module.functions["main"].operation
    np.testing.assert_array_equal(module.run(X), 2 * X)
    assert not is_unread(module)
    assert module.functions["main"].operation is function
    expected = sm.load(path).to_bytecode()
    assert module.to_bytecode() == expected


def test_a_small_file_may_change(path: Path) -> None:
    expected = sm.load(path).run(X)
    module = sm.load(path)
    path.write_bytes(b"")
    np.testing.assert_array_equal(module.run(X, backend="interpreter"), expected)
    with pytest.raises(ParseError):
        sm.load(path)


ONNX_FILE: Final = """
import sys
import numpy as np, onnx
from onnx import TensorProto, helper, numpy_helper
weights = numpy_helper.from_array(np.full(4096, float(sys.argv[2]), np.float32), "w")
x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4096])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 4096])
graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", [x], [y], [weights])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
onnx.save_model(model, sys.argv[1], save_as_external_data=True, location="w.bin", size_threshold=0)
"""
ONNX_RUN: Final = """
import sys
import numpy as np, stablemate as sm
module = sm.load(sys.argv[1], sizes={"n": int(sys.argv[2])})
print(module.run(np.zeros((int(sys.argv[2]), 4096), np.float32)).sum())
print("onnx" in sys.modules)
"""


ONNX_CHECK: Final = """
import sys
import stablemate as sm
print(sm.load(sys.argv[1]).ir.operation.name, "ml_dtypes" in sys.modules)
import onnx
print(onnx.load(sys.argv[1]).ir_version, onnx.onnx_cpp2py_export.ONNX_ML)
"""


def output_of(*arguments: object) -> list[str]:
    command = [sys.executable, "-c", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_model_of_onnx_is_run_without_the_package(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    output_of(ONNX_FILE, path, 1)
    assert output_of(ONNX_RUN, path, 2) == ["8192.0", "True"]
    assert output_of(ONNX_RUN, path, 2) == ["8192.0", "False"]
    assert output_of(ONNX_RUN, path, 3) == ["12288.0", "True"]
    output_of(ONNX_FILE, path, 2)  # other external data: the model itself is the same
    assert output_of(ONNX_RUN, path, 2) == ["16384.0", "True"]
    assert output_of(ONNX_RUN, path, 2) == ["16384.0", "False"]


PEAK: Final = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import numpy as np, stablemate as sm

def megabytes(name):
    status = Path("/proc/self/status").read_text()
    return int(status.partition(name + ":")[2].split()[0]) / 1024

n = 4100  # more than the least bytes of what is dropped
if sys.argv[1] == "write":
    sys.stdout.flush()
    w = np.random.default_rng(0).normal(size=(n, n)).astype(np.float32)
    m = sm.parse(f'''func.func @main(%x: tensor<128x{n}xf32>) -> tensor<128x{n}xf32> {{
  %w = stablehlo.constant dense_resource<w> : tensor<{n}x{n}xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<128x{n}xf32>, tensor<{n}x{n}xf32>) -> tensor<128x{n}xf32>
  return %0 : tensor<128x{n}xf32>
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x40000000{w.tobytes().hex()}" }} }} #-}}''')
    m.save(sys.argv[2], format="bytecode")
    sys.exit()
import stablemate.compiler.compile
module = sm.load(sys.argv[2])
executable = sm.compile(module)
x = np.ones((128, n), np.float32)
executable(x)
print(megabytes("VmHWM"), megabytes("VmRSS"))
"""


@pytest.mark.standard
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_run_from_the_disk_cache_holds_weights_once(tmp_path: Path) -> None:
    path = tmp_path / "weights.mlirbc"
    output_of(PEAK, "write", path)
    _, steady = map(float, output_of(PEAK, "run", path))
    weights = 64
    assert steady - 130 < 1.5 * weights  # of which 130 are those of Python, NumPy and LLVM
    peak, steady = map(float, output_of(PEAK, "run", path))
    assert steady - 60 < 1.5 * weights
    assert peak - 60 < 1.5 * weights


@posix
@pytest.mark.usefixtures("all_are_large")
def test_threads_share_a_program_that_is_dropped(path: Path) -> None:
    expected = sm.load(path).to_text()
    for threads in (1, 2):  # the second time the disk cache has it
        module = sm.load(path)
        with ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(sm.compile, module, threads=threads) for _ in range(4)]
            texts = [pool.submit(module.to_text) for _ in range(4)]
            for run in runs:
                np.testing.assert_array_equal(run.result()(X), 2 * X)
            assert {text.result() for text in texts} == {expected}


def test_a_model_of_onnx_is_read_without_the_slow_part_of_the_package(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    output_of(ONNX_FILE, path, 1)
    assert output_of(ONNX_CHECK, path) == ["builtin.module", "False", "9", "True"]
