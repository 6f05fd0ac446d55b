"""Objects: they import nothing on any machine, and equal kernels stand in them once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.codegen.object_code import Assembler, assemble
from stablemate.compiler.config.target import host
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.kernel_functions import generate_functions
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.runtime.native.runtime import runtime_text
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.transforms.legalization import legalize_module
from tests.compiler.object_symbols import imported, missing
from tests.compiler.plans import planned
from tests.machines import ARM, MACHINES
from tests.ops import test_ops

PROGRAMS = sorted((Path(test_ops.DIRECTORY).parent / "programs").glob("*.mlir"))
AARCH64 = 183  # the machine of an ELF object
FILES = sorted({file for file, _ in test_ops.examples()})


def test_the_symbol_table_is_read() -> None:
    text = "declare double @sin(double)\ndefine double @f(double %x) {\n"
    text += "  %y = call double @sin(double %x)\n  ret double %y\n}\n"
    assert list(imported(assemble(text, MACHINES["sse2"]))) == ["sin"]


@pytest.mark.parametrize("machine", MACHINES)
def test_the_runtime_imports_nothing(machine: str) -> None:
    target = MACHINES[machine]
    if target.triple.split("-")[0] != host().triple.split("-")[0]:
        pytest.skip("llvmlite assembles the system calls of its own processor only")
    assert not list(imported(assemble(runtime_text(target), target)))


@pytest.mark.parametrize("machine", ["avx512", "aarch64"])
@pytest.mark.parametrize("file", FILES)
def test_kernels_import_nothing(file: str, machine: str) -> None:
    """``test_examples`` looks at the objects for narrower vectors, which it also runs."""
    module, target = sm.load(Path(test_ops.DIRECTORY) / file), MACHINES.get(machine, ARM)
    functions = {
        function_operation.symbol: function_operation
        for function_operation in function_operations(legalize_module(module.ir))
    }
    for name, function in functions.items():
        if function.sym_visibility not in (None, "public"):
            continue
        try:
            plan = planned(functions, name, target)
        except UnsupportedError:
            continue
        texts = generate_functions(plan, target).functions
        if texts:
            content = assemble("\n".join(texts.values()), target)
            assert not list(imported(content)), name


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda path: path.stem)
def test_programs_are_code_for_other_processors(file: Path) -> None:
    module = sm.load(file)
    functions = {
        function_operation.symbol: function_operation
        for function_operation in function_operations(legalize_module(module.ir))
    }
    texts = generate_functions(planned(functions, "main", ARM), ARM).functions
    content = assemble("\n".join(texts.values()), ARM)
    assert int.from_bytes(content[18:20], "little") == AARCH64
    assert not list(imported(content))


def matrices(shapes: list[tuple[int, int]]) -> str:
    """A program that adds pairs of matrices of these shapes."""
    types = [f"tensor<{rows}x{columns}xf32>" for rows, columns in shapes]
    arguments = ", ".join(f"%a{i}: {value_type}" for i, value_type in enumerate(types))
    lines = [
        f"  %{i} = stablehlo.add %a{i}, %a{i} : {value_type}" for i, value_type in enumerate(types)
    ]
    names = ", ".join(f"%{i}" for i in range(len(types)))
    body = "\n".join(lines)
    together = ", ".join(types)
    head = f"func.func @main({arguments}) -> ({together}) {{"
    return f"{head}\n{body}\n  return {names} : {together}\n}}"


def test_equal_kernels_are_made_once() -> None:
    executable = sm.compile(sm.load(matrices([(3, 5)] * 6 + [(5, 7)])), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    launches = [step for step in executable.plan.steps if isinstance(step, LaunchStep)]
    assert (len(launches), len(executable.kernel_functions.functions)) == (7, 2)
    arrays = [np.full((3, 5), i, np.float32) for i in range(6)] + [np.ones((5, 7), np.float32)]
    for item, array in zip(executable(*arrays), arrays, strict=True):
        np.testing.assert_array_equal(item, array * 2)


def test_many_kernels_are_made_in_several_objects_at_the_same_time() -> None:
    module = sm.load(matrices([(3, i) for i in range(1, 41)]))
    functions = {
        function_operation.symbol: function_operation
        for function_operation in function_operations(module.ir)
    }
    plan = planned(functions, "main", host())
    with Assembler(host(), enough=5000) as assembling:
        texts = list(generate_functions(plan, host(), assembling.add).functions.values())
        objects = assembling.objects()
    assert 1 < len(objects) <= -(-sum(map(len, texts)) // 5000)
    assert not missing(objects)
    arrays = [np.full((3, i), i, np.float32) for i in range(1, 41)]
    for item, array in zip(module.run(*arrays, backend="cpu"), arrays, strict=True):
        np.testing.assert_array_equal(item, array * 2)


def test_what_llvm_refuses_is_an_error_where_objects_are_asked_for() -> None:
    with Assembler(host()) as assembling:
        assembling.add("f", "define void @f() {", {})
        with pytest.raises(RuntimeError, match="expected"):
            assembling.objects()
