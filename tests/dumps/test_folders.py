"""What is recognized in dump folders, and what is never opened."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

import stablemate as sm
from stablemate.dumps import folder as folders
from stablemate.dumps.buffer_assignment import buffer_assignment_of
from stablemate.dumps.figures import assignment_of, figures_of, kernels_of, memory_of, thunks_of
from stablemate.dumps.file_kinds import file_name_of
from stablemate.dumps.programs import changes_of, pass_changes, program_of
from stablemate.dumps.stage_costs import kernel_costs_of
from tests.dumps.folders import (
    BEFORE,
    BUFFERS,
    CALLED,
    MLIR,
    REPORT,
    SAVED,
    gpu_dump,
    tpu_dump,
    write,
    xla_dump,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("module_0008.jit_f.cpu_after_optimizations.txt",
         ("program", "XLA", 8, "jit_f", "cpu_after_optimizations", None)),
        ("module_0131.pjit__wrapped_step_fn.sm_8.0_gpu_after_optimizations.txt",
         ("program", "XLA", 131, "pjit__wrapped_step_fn", "sm_8.0_gpu_after_optimizations", None)),
        ("module_0013.jit_train_step.gfx942_gpu_after_optimizations.hlo.pb.gz",
         ("program", "XLA", 13, "jit_train_step", "gfx942_gpu_after_optimizations", None)),
        ("module_0023.SyncTensorsGraph.12.after_optimizations_before_buffer_assignment.txt",
         ("program", "XLA", 23, "SyncTensorsGraph.12",
          "after_optimizations_before_buffer_assignment", None)),
        ("module_0080.jit_f.cl_747713181.after_codegen.txt",
         ("program", "XLA", 80, "jit_f.cl_747713181", "after_codegen", None)),
        ("module_0001.jit_f.0017.simplify.after_cse.before_dce.txt",
         ("pass", "XLA", 1, "jit_f", "after cse", 17)),
        ("module_0001.jit_f.0013.copy-insertion.after_adding_special-case_copies.hlo.pb",
         ("pass", "XLA", 1, "jit_f", "after adding_special-case_copies", 13)),
        ("module_0008.jit_f.cpu_after_optimizations-buffer-assignment.txt",
         ("buffers", "XLA", 8, "jit_f", "", None)),
        ("module_0008.jit_f.thunk_sequence.txt", ("thunks", "XLA", 8, "", "", None)),
        ("module_0008.jit_f.kernel.ir-no-opt.ll", ("llvm", "XLA", 8, "", "", None)),
        ("module_0008.jit_f.ptx", ("ptx", "XLA", 8, "", "", None)),
        ("jax_ir0004_jit_step_compile.mlir", ("program", "JAX", 4, "jit_step", "StableHLO", None)),
        ("jax_000004_step.jaxpr.txt", ("jaxpr", "JAX", 4, "step", "", None)),
        ("abs.1.input.mlir", ("program", "IREE", None, "abs", "input", 1)),
        ("abs.8.executable-sources.mlir",
         ("iree", "IREE", None, "abs", "executable-sources", 8)),
        ("model.mlir", ("program", "", None, "", "", None)),
        ("notes.txt", ("unknown", "", None, "", "", None)),
    ],
)  # fmt: skip
def test_file_names(name: str, expected: tuple[object, ...]) -> None:
    found = file_name_of(name)
    shown = (found.kind.name, found.producer, found.number, found.module, found.stage, found.order)
    assert shown == expected


def test_files_of_a_module_are_one(tmp_path: Path) -> None:
    dump = sm.load_dump(xla_dump(tmp_path / "dump"))
    (module,) = dump.modules
    assert (module.number, module.name, module.producer) == (3, "jit_f", "XLA")
    assert [stage.name for stage in module.stages] == [
        "StableHLO", "before_optimizations", "after pipeline-start", "after fusion",
        "cpu_after_optimizations",
    ]  # fmt: skip
    assert {kind.name: number for kind, number in dump.skipped.items()} == {
        "llvm": 2, "object": 1, "buffers": 1, "memory": 1, "live_ranges": 1, "options": 2,
    }  # fmt: skip
    assert dump.producers == ["XLA for CPU"]
    assert dump.module("3") is dump.module("jit_f") is dump.module("module_0003.jit_f") is module


def test_gpu(tmp_path: Path) -> None:
    dump = sm.load_dump(gpu_dump(tmp_path / "dump"))
    assert dump.producers == ["XLA for GPU (sm_9.0)"]
    assert thunks_of(dump.modules[0]) == {"kKernel": 2, "kGemm": 1}


def test_two_numbers_of_one_program_are_one_module(tmp_path: Path) -> None:
    dump = sm.load_dump(tpu_dump(tmp_path / "dump"))
    (module,) = dump.modules
    assert dump.producers == ["XLA for TPU"]
    assert module.title == "21 jit_step"
    assert module.final is not None
    assert module.final.name == "after_codegen"
    changes = changes_of(module)
    assert changes is not None
    assert list(changes[2].lines()) == [
        "instructions 5 -> 4, kernels 4 -> 3",
        "removed: 1 all-reduce",
        "collectives: all-reduce 2 -> 1",
    ]


def test_programs_of_jax_iree_and_users(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "dump",
        {
            "jax_ir0006_jit__lambda_compile.mlir": MLIR,
            "jax_000006_<lambda>.jaxpr.txt": "{ lambda ; }\n",
            "abs.1.input.mlir": MLIR,
            "abs.6.flow.mlir": "util.func @f() { }\n",
            "host0/module_0001.jit_f.before_optimizations.txt": BEFORE,
            "host1/module_0001.jit_f.before_optimizations.txt": BEFORE,
            "mine.mlir": MLIR,
        },
    )
    dump = sm.load_dump(folder)
    assert [(module.title, module.producer, len(module.files)) for module in dump.modules] == [
        ("mine.mlir", "", 1), ("abs", "IREE", 2), ("6 _lambda", "JAX", 2),
        ("host0/1 jit_f", "XLA", 1), ("host1/1 jit_f", "XLA", 1),
    ]  # fmt: skip


def test_pytorch_xla(tmp_path: Path) -> None:
    folder = write(tmp_path / "dump", {"graphs.0": SAVED * 2, "debug.txt": REPORT})
    dump = sm.load_dump(folder)
    graphs = [graph for _, graph in dump.saved_graphs]
    assert [(g.title, g.place, g.hash, g.operations, g.line) for g in graphs] == [
        ("ScheduleSyncTensorsGraph", "/home/me/train.py:48", "c0ffee", 3, 11),
        ("ScheduleSyncTensorsGraph", "/home/me/train.py:48", "c0ffee", 3, 30),
    ]
    ((_, report),) = dump.torch_reports
    assert report.causes == {"mark_step in parallel loader at step end": 1}
    assert report.sizes == {
        "Graph input size": "1.548000 GB", "Intermediate tensor size": "12.124478 GB",
    }  # fmt: skip
    assert (report.executions, report.compilations, report.compile_seconds) == (1, 2, 65.25)
    write(folder, {"graphs.0": SAVED.replace("## END_GRAPH", "")})
    with pytest.raises(sm.ParseError) as caught:
        list(sm.load_dump(folder).saved_graphs)
    message = "graphs.0:10: the graph that begins here has no line '## END_GRAPH'"
    assert str(caught.value) == message


def test_what_passes_changed(tmp_path: Path) -> None:
    (module,) = sm.load_dump(xla_dump(tmp_path / "dump")).modules
    changes = changes_of(module)
    assert changes is not None
    a, b, difference = changes
    assert (a.name, b.name) == ("before_optimizations", "cpu_after_optimizations")
    assert list(difference.lines()) == [
        "instructions 4 -> 6, kernels 4 -> 3",
        "fused: 3 instructions in 1 fusion (1 kLoop)",
        "added: 1 copy, 1 fusion",
        "layouts: 1 instruction with another layout: dot f32[8,4]{1,0} -> f32[8,4]{0,1}",
    ]
    (fusion,) = pass_changes(module)
    assert fusion.stage.name == "after fusion"
    assert (fusion.changes.removed, fusion.changes.added, fusion.changes.changed) == (3, 5, 1)
    with pytest.raises(sm.ArgumentError) as caught:
        changes_of(module, "layout")
    assert str(caught.value) == (
        "no stage of 3 jit_f is called 'layout': StableHLO, before_optimizations, "
        "0 after pipeline-start, 1 after fusion, cpu_after_optimizations"
    )


def test_a_fusion_of_one_instruction_computes_what_that_does() -> None:
    """XLA's CPU backend puts each product of matrices into a fusion of its own."""
    text = """HloModule m
fused {
  p = f32[8,16]{1,0} parameter(0)
  q = f32[16,4]{1,0} parameter(1)
  ROOT dot = f32[8,4]{1,0} dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
ENTRY main {
  x = f32[8,16]{1,0} parameter(0)
  w = f32[16,4]{1,0} parameter(1)
  ROOT ynn_fusion = f32[8,4]{1,0} fusion(x, w), kind=kCustom, calls=fused
}"""
    (kernel,) = kernel_costs_of(sm.parse(text))
    expected = ("ynn_fusion", "stablehlo.dot_general", 1)
    assert (kernel.name, kernel.what, kernel.instructions) == expected


def test_kernels_are_counted_at_their_borders(tmp_path: Path) -> None:
    """The fusion computes a maximum and a sum of 32 elements, and moves 32 floats twice."""
    (module,) = sm.load_dump(xla_dump(tmp_path / "dump")).modules
    kernels = {kernel.name: kernel for kernel in kernels_of(module)}
    fusion, dot = kernels["maximum_add_fusion"], kernels["dot"]
    assert (fusion.cost.flops, fusion.cost.bytes) == (64, 256)
    assert (dot.cost.flops, dot.cost.bytes) == (2 * 8 * 16 * 4, 512 + 256 + 128)
    assert (fusion.instructions, dot.instructions) == (4, 1)
    figures = figures_of(module)
    assert figures.cost is not None
    assert (figures.instructions, figures.cost.flops, figures.memory) == (10, 64 + 1024, 1092)


def test_buffers() -> None:
    assignment = buffer_assignment_of(BUFFERS, "b.txt")
    assert assignment.by_kind == {"parameters": 768, "temporaries": 192, "results": 128}
    assert assignment.bytes == 1092 - 4  # what threads have on their stacks
    assert [value.name for _, value in assignment.largest_values][:3] == ["x", "w", "copy"]
    with pytest.raises(sm.ParseError) as caught:
        buffer_assignment_of(BUFFERS.replace("size 256,", "size many,"), "b.txt")
    assert str(caught.value) == (
        "b.txt:4: this is no line of a buffer assignment: "
        "'allocation 1: size many, parameter 1, shape |f32[16,4]| at S...'"
    )
    with pytest.raises(sm.ParseError, match=r"^b\.txt: this is no buffer assignment of XLA"):
        buffer_assignment_of("", "b.txt")


def test_memory_without_a_report_is_that_of_the_buffers(tmp_path: Path) -> None:
    folder = xla_dump(tmp_path / "dump")
    report = folder / "module_0003.jit_f.cpu_after_optimizations-memory-usage-report.txt"
    report.unlink()
    (module,) = sm.load_dump(folder).modules
    assert memory_of(module) == 1088
    assert assignment_of(module) is not None


def test_compile_times_are_those_of_the_files(tmp_path: Path) -> None:
    folder = xla_dump(tmp_path / "dump")
    for i, path in enumerate(sorted(folder.rglob("*.*"))):
        os.utime(path, (1000 + i, 1000 + i))
    for name, time in {
        "before_optimizations.txt": 10,
        "0000.simplification.after_pipeline-start.before_dce.txt": 11,
        "0001.fusion.after_fusion.before_pipeline-end.txt": 12,
        "cpu_after_optimizations.txt": 13,
        "fusion_kernel_module.ir-with-opt.ll": 14,
        "fusion_kernel_module.ir-no-opt.ll": 14,
        "obj-file.fusion_kernel_module.o": 15.5,
    }.items():
        os.utime(folder / f"module_0003.jit_f.{name}", (time, time))
    (module,) = sm.load_dump(folder).modules
    assert module.compile_seconds == 5.5
    os.utime(folder / "module_0003.jit_f.before_optimizations.txt", (99, 99))
    (module,) = sm.load_dump(folder).modules
    assert module.compile_seconds is None


# ---- hostile folders


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.mlir"
    secret.write_text(MLIR)
    folder = xla_dump(tmp_path / "dump")
    (folder / "module_0005.jit_g.before_optimizations.txt").symlink_to(secret)
    (folder / "inside.mlir").symlink_to(folder / "module_0003.jit_f" / "module.mlir")
    (folder / "up").symlink_to(tmp_path)
    dump = sm.load_dump(folder)
    programs = [file.relative for file in dump.programs]
    assert "inside.mlir" in programs
    assert not any("secret" in name or "0005" in name for name in programs)
    kinds = {file.relative: file.name.kind.name for file in dump.files}
    assert kinds["module_0005.jit_g.before_optimizations.txt"] == kinds["up"] == "link"


def test_a_file_that_becomes_a_link_is_not_read(tmp_path: Path) -> None:
    folder = xla_dump(tmp_path / "dump")
    (module,) = sm.load_dump(folder).modules
    stage = module.stages[1]
    stage.file.path.unlink()
    stage.file.path.symlink_to(tmp_path / "secret")
    with pytest.raises(sm.FileError) as caught:
        program_of(stage)
    assert str(caught.value) == f"cannot read {stage.file.path}: too many levels of symbolic links"


def test_pipes_are_not_opened(tmp_path: Path) -> None:
    folder = xla_dump(tmp_path / "dump")
    os.mkfifo(folder / "module_0009.jit_h.before_optimizations.txt")
    kinds = {file.relative: file.name.kind.name for file in sm.load_dump(folder).files}
    assert kinds["module_0009.jit_h.before_optimizations.txt"] == "special"


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = xla_dump(tmp_path / "dump")
    monkeypatch.setattr(folders, "MOST_FILES", 5)
    with pytest.raises(sm.LimitError) as caught:
        sm.load_dump(folder)
    assert str(caught.value) == f"{folder} holds more than 5 files"
    monkeypatch.undo()
    deep = tmp_path / "deep" / "/".join("abcdefghij")
    write(deep, {"m.mlir": MLIR})
    with pytest.raises(sm.LimitError) as caught:
        sm.load_dump(tmp_path / "deep")
    assert str(caught.value) == (
        f"{tmp_path}/deep/a/b/c/d/e/f/g is nested more than 6 folders deep"
    )


def test_compressed_files(tmp_path: Path) -> None:
    name = "module_0003.jit_f.before_optimizations.txt.gz"
    write(tmp_path, {name: ""})
    packed = gzip.compress(BEFORE.encode())
    (tmp_path / name).write_bytes(packed)
    (module,) = sm.load_dump(tmp_path).modules
    assert program_of(module.stages[0]).name == "jit_f"
    for content, message in (
        (packed[:-20], f"cannot read {name}: the gzip data ends early"),
        (b"not packed", f"cannot read {name}: damaged gzip data"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(sm.FileError) as caught:
            program_of(module.stages[0])
        assert str(caught.value) == message
    (tmp_path / name).write_bytes(gzip.compress(bytes(1 << 20)))
    with pytest.raises(sm.LimitError, match="is larger than 1000 bytes"):
        module.stages[0].file.read(1000)
    (tmp_path / name).write_bytes(packed)
    with pytest.raises(sm.LimitError, match="is larger than 100 bytes"):
        module.stages[0].file.read(100)


def test_folders_without_a_dump(tmp_path: Path) -> None:
    write(tmp_path / "empty", {"notes.txt": "hello"})
    with pytest.raises(sm.ArgumentError) as caught:
        sm.load_dump(tmp_path / "empty")
    assert caught.value.render() == (
        f"error: {tmp_path}/empty holds no program and no file of a compiler\n"
        "note: XLA writes dumps with XLA_FLAGS=--xla_dump_to=DIR, JAX with JAX_DUMP_IR_TO=DIR, "
        "PyTorch/XLA with XLA_SAVE_TENSORS_FILE=DIR/FILE, IREE with "
        "--dump-compilation-phases-to=DIR"
    )
    with pytest.raises(sm.ArgumentError) as caught:
        sm.load_dump(tmp_path / "empty" / "notes.txt")
    assert str(caught.value) == f"a dump is a folder, but {tmp_path}/empty/notes.txt is a file"
    with pytest.raises(sm.FileError) as caught_missing:
        sm.load_dump(tmp_path / "missing")
    assert str(caught_missing.value) == (
        f"cannot read {tmp_path}/missing: no such file or directory"
    )


def test_damaged_programs_are_reported_and_the_others_read(tmp_path: Path) -> None:
    folder = xla_dump(tmp_path / "dump")
    name = "module_0003.jit_f.cpu_after_optimizations.txt"
    (folder / name).write_text(CALLED.replace("maximum(p, zeros.1)", "maximum(p, zeros.1"))
    (module,) = sm.load_dump(folder).modules
    figures = figures_of(module)
    assert figures.failure is not None
    assert figures.failure.diagnostics[0].message == "expected ',' or ')', found 'ROOT'"
    assert figures.memory == 1092
