"""Small dump folders, as XLA, JAX, PyTorch/XLA and IREE name their files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BEFORE: Final = """HloModule jit_f

ENTRY main {
  x = f32[8,16]{1,0} parameter(0)
  w = f32[16,4]{1,0} parameter(1)
  dot = f32[8,4]{1,0} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  zeros = f32[8,4]{1,0} broadcast(zero), dimensions={}
  maximum = f32[8,4]{1,0} maximum(dot, zeros)
  ROOT sum = f32[8,4]{1,0} add(maximum, dot)
}
"""
CALLED: Final = """HloModule jit_f, is_scheduled=true

fused_computation {
  p = f32[8,4]{0,1} parameter(0)
  zero.1 = f32[] constant(0)
  zeros.1 = f32[8,4]{0,1} broadcast(zero.1), dimensions={}
  maximum.1 = f32[8,4]{0,1} maximum(p, zeros.1)
  ROOT sum.1 = f32[8,4]{0,1} add(maximum.1, p)
}

ENTRY main {
  x = f32[8,16]{1,0} parameter(0)
  w = f32[16,4]{1,0} parameter(1)
  dot = f32[8,4]{0,1} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  maximum_add_fusion = f32[8,4]{0,1} fusion(dot), kind=kLoop, calls=fused_computation
  ROOT copy = f32[8,4]{1,0} copy(maximum_add_fusion)
}
"""
COLLECTIVES: Final = """HloModule jit_step, replica_count=2

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[8]{0} parameter(0)
  first = f32[8]{0} all-reduce(x), replica_groups={{0,1}}, to_apply=sum
  y = f32[8]{0} negate(x)
  second = f32[8]{0} all-reduce(y), replica_groups={{0,1}}, to_apply=sum
  ROOT z = f32[8]{0} add(first, second)
}
"""
COMBINED: Final = """HloModule jit_step, replica_count=2

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[8]{0} parameter(0)
  y = f32[8]{0} negate(x)
  both = (f32[8]{0}, f32[8]{0}) all-reduce(x, y), replica_groups={{0,1}}, to_apply=sum
  first = f32[8]{0} get-tuple-element(both), index=0
  second = f32[8]{0} get-tuple-element(both), index=1
  ROOT z = f32[8]{0} add(first, second)
}
"""
BUFFERS: Final = """BufferAssignment:
allocation 0: size 512, parameter 0, shape |f32[8,16]| at ShapeIndex {}:
 value: <1 x @0> (size=512,offset=0): f32[8,16]{1,0}
allocation 1: size 256, parameter 1, shape |f32[16,4]| at ShapeIndex {}:
 value: <2 w @0> (size=256,offset=0): f32[16,4]{1,0}
allocation 2: size 128, output shape is |f32[8,4]|, maybe-live-out:
 value: <5 copy @0> (size=128,offset=0): f32[8,4]{1,0}
allocation 3: size 4, thread-local:
 value: <9 zero.1 @0> (size=4,offset=0): f32[]
allocation 4: size 192, preallocated-temp:
 value: <3 dot @0> (size=128,offset=64): f32[8,4]{0,1}
 value: <4 maximum_add_fusion @0> (size=64,offset=0): f32[4,4]{0,1}

Total bytes used: 1092 (1.1KiB)
"""
MEMORY: Final = """Total bytes used: 1092 (1.1KiB)

Allocations sorted by size:
"""
MLIR: Final = """module @jit_f {
  func.func public @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
"""
SAVED: Final = """[ScheduleSyncTensorsGraph]
TensorsGraphInfo:
  mark_step (/usr/lib/torch_xla/core/xla_model.py:797)
  train (/home/me/train.py:48)
  <module> (/home/me/train.py:73)

Root Hashes: (3f2a)
Hashes: (c0ffee)

## BEGIN_GRAPH
IR {
  %0 = f32[] prim::Constant(), value=1
  %1 = f32[10]{0} xla::device_data(), device=TPU:0
  %2 = f32[10]{0} aten::mul(%1, %0), ROOT=0
}

Graph Hash: c0ffee

## END_GRAPH
"""
REPORT: Final = """Compilation Analysis: ================
Compilation Analysis: Compilation Cause
Compilation Analysis:   mark_step in parallel loader at step end
Compilation Analysis: Graph Info:
Compilation Analysis:   Graph Hash: c0ffee
Compilation Analysis: ================

Post Compilation Analysis: ================
Post Compilation Analysis: Graph input size: 1.548000 GB
Post Compilation Analysis: Intermediate tensor size: 12.124478 GB
Post Compilation Analysis: ================

Execution Analysis: ================
Execution Analysis: Execution Cause
Execution Analysis:   mark_step in parallel loader at step end
Execution Analysis: ================

Metric: CompileTime
  TotalSamples: 2
  Accumulator: 01m05s250ms000.000us
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    """Writes files into a folder, which is made; returns it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def xla_dump(folder: Path, device: str = "cpu") -> Path:
    """A dump of XLA of one program, ``jit_f``, and of its kernels."""
    stage = f"module_0003.jit_f.{device}_after_optimizations"
    return write(
        folder,
        {
            "module_0003.jit_f.before_optimizations.txt": BEFORE,
            "module_0003.jit_f.0000.simplification.after_pipeline-start.before_dce.txt": BEFORE,
            "module_0003.jit_f.0001.fusion.after_fusion.before_pipeline-end.txt": CALLED,
            f"{stage}.txt": CALLED,
            f"{stage}-buffer-assignment.txt": BUFFERS,
            f"{stage}-memory-usage-report.txt": MEMORY,
            f"{stage}-live-range.txt": "HloLiveRange (max 5):\n",
            "module_0003.jit_f.debug_options": 'xla_dump_to: "dump"\n',
            "module_0003.jit_f.fusion_kernel_module.ir-with-opt.ll": "; ModuleID = 'f'\n",
            "module_0003.jit_f.fusion_kernel_module.ir-no-opt.ll": "; ModuleID = 'f'\n",
            "module_0003.jit_f.obj-file.fusion_kernel_module.o": "\x7fELF",
            "module_0003.jit_f/module.mlir": MLIR,
            "module_0003.jit_f/compile_options.textproto": "device_ordinal: 0\n",
        },
    )


def gpu_dump(folder: Path) -> Path:
    """A dump of XLA for a GPU."""
    return write(
        xla_dump(folder, "sm_9.0_gpu"),
        {
            "module_0003.jit_f.ptx": ".version 8.6\n",
            "module_0003.jit_f.thunk_sequence.txt": (
                "000: kKernel maximum_add_fusion kernel=f\n001: kGemm dot\n002: kKernel copy\n"
            ),
            "module_0003.jit_f.autotune_results.pbtxt": "version: 3\n",
        },
    )


def tpu_dump(folder: Path) -> Path:
    """A dump of XLA for a TPU, whose files of one program have two numbers."""
    return write(
        folder,
        {
            "module_0021.jit_step.before_optimizations.txt": COLLECTIVES,
            "module_0021.jit_step.execution_options.txt": "seed: 1\n",
            "module_0021.jit_step.tpu_comp_env.txt": "xla_tpu_flag: true\n",
            "module_0023.jit_step.after_optimizations.txt": COMBINED,
            "module_0023.jit_step.after_optimizations_after_buffer_assignment.txt": COMBINED,
            "module_0023.jit_step.after_codegen.txt": COMBINED,
        },
    )
