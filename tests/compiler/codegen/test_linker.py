"""Linking: code does the same whether LLVM puts it into memory or we do."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stablemate.compiler.codegen.linker import link_objects
from stablemate.compiler.codegen.loader import Loaded, load, loaded_by_llvm
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.target import Target, detect_host, host, host_description

LINUX = "x86_64-unknown-linux-gnu"
PLAIN = Target(LINUX, "x86-64", "+sse,+sse2,+x87,+fxsr,+cx8,+cmov,+64bit", 16)
ARM = Target("aarch64-unknown-linux-gnu", "generic", "+neon", 16)
# A constant in memory, a table of them, a call within the object, and a jump table.
FIRST = """
@squares = internal constant [4 x double] [double 0.0, double 1.0, double 4.0, double 9.0]
define internal double @half(double %x) noinline #0 {
  %y = fmul double %x, 5.0e-1
  ret double %y
}
define double @half_square(i64 %i) #0 {
  %place = getelementptr double, ptr @squares, i64 %i
  %square = load double, ptr %place
  %y = call double @half(double %square)
  ret double %y
}
"""
SECOND = """
define double @named(i64 %i) #0 {
  switch i64 %i, label %other [i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d
                               i64 4, label %e]
a:
  ret double 2.5
b:
  ret double -3.25
c:
  ret double 1.0e+300
d:
  ret double 7.0
e:
  ret double 0.125
other:
  ret double 0.0
}
"""
THIRD = """
define double @sum(i64 %i) #0 {
  %a = call double @half_square(i64 %i)
  %b = call double @named(i64 %i)
  %c = fadd double %a, %b
  ret double %c
}
"""
NAMES = ("half_square", "named")
PROGRAM = """func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.exponential %a : tensor<4x4xf32>
  %1 = stablehlo.dot %0, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}"""
CHILD = """
import sys
import numpy as np
import stablemate as sm
executable = sm.compile(sm.load(sys.argv[1]), backend="cpu")
result = executable(np.arange(16, dtype=np.float32).reshape(4, 4))
print(executable.is_from_cache, "llvmlite.binding" in sys.modules, result.tobytes().hex())
"""


def values(loaded: Loaded) -> list[float]:
    """What the functions give."""
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)
    return [kind(loaded.addresses[name])(i) for name in NAMES for i in range(4)]


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="the code is of x86-64")
def test_linked_code_does_what_it_does_when_llvm_links_it() -> None:
    objects = [assemble(item, PLAIN) for item in (FIRST, SECOND)]
    assert link_objects(objects) is not None
    expected = [0.0, 0.5, 2.0, 4.5, 2.5, -3.25, 1e300, 7.0]
    assert values(load(objects, NAMES)) == expected
    assert values(loaded_by_llvm(objects, NAMES)) == expected


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="the code is of x86-64")
@pytest.mark.parametrize("loader", [load, loaded_by_llvm])
def test_objects_call_functions_of_one_another(loader: Callable[..., Loaded]) -> None:
    third = "declare double @named(i64)\ndeclare double @half_square(i64)\n" + THIRD
    objects = [assemble(item, PLAIN) for item in (third, FIRST, SECOND)]
    assert link_objects(objects) is not None
    loaded = loader(objects, ["sum"])
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(loaded.addresses["sum"])
    assert [function(i) for i in range(4)] == [2.5, -2.75, 1e300, 11.5]


def test_code_is_freed_with_what_holds_it() -> None:
    loaded = load([assemble(FIRST, host())], NAMES[:1])
    assert set(loaded.addresses) >= {"half_square"}
    again = [load([assemble(FIRST, host())], NAMES[:1]).addresses for _ in range(3)]
    assert all(item.keys() == loaded.addresses.keys() for item in again)


@pytest.mark.parametrize(
    "content",
    [
        assemble(FIRST, ARM),
        assemble(FIRST, replace(PLAIN, triple="x86_64-pc-windows-msvc")),
        assemble(FIRST, replace(PLAIN, triple="x86_64-apple-macosx")),
        assemble(
            "declare void @f()\ndefine void @g() #0 {\n  call void @f()\n  ret void\n}", PLAIN
        ),
        assemble("@word = global i64 5", PLAIN),
        b"no object at all",
    ],
    ids=["aarch64", "coff", "macho", "imports", "data", "none"],
)
def test_what_is_not_known_is_left_to_llvm(content: bytes) -> None:
    assert link_objects([content]) is None


def test_the_host_is_remembered_as_llvm_found_it() -> None:
    host.cache_clear()
    first = host()
    host.cache_clear()
    assert first == host() == detect_host()


@pytest.mark.skipif(not host_description() or link_objects([assemble(FIRST, host())]) is None,
                    reason="LLVM puts code into memory here")  # fmt: skip
def test_a_program_from_the_cache_needs_no_llvm(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(PROGRAM)
    environment = {**os.environ, "STABLEMATE_CACHE_DIR": str(tmp_path / "cache")}
    collected = [
        subprocess.run(
            [sys.executable, "-c", CHILD, str(program)],
            env=environment, check=True, capture_output=True, text=True,
        ).stdout.split()
        for _ in range(2)
    ]  # fmt: skip
    assert [item[:2] for item in collected] == [["False", "True"], ["True", "False"]]
    assert collected[0][2] == collected[1][2]
