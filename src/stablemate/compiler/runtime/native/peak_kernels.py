"""Two kernels that reach a limit of the machine, in LLVM IR.

``triad(a, b, c, n)`` computes ``a[i] = b[i] + 3 * c[i]`` for n floats. ``multiply_add(out, n)``
runs n iterations over as many accumulators as keep the units for multiplication and addition busy.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.config.target import Target

ACCUMULATORS: Final = 12  # two units with a latency of four or five, and some to spare
UNROLLED: Final = 4  # vectors of an iteration of the triad
FLOAT_BYTES: Final = 4  # of f32
NAMES: Final = ("triad", "multiply_add")


def float_lanes(target: Target) -> int:
    """Returns the number of ``f32`` in a vector."""
    return target.vector_bytes // FLOAT_BYTES


def text_for(target: Target) -> str:
    """Returns the LLVM IR of both kernels: bandwidth, and multiply-add."""
    return triad_text(float_lanes(target)) + multiply_add_text(target)


def triad_text(lanes: int) -> str:
    """The triad; ``n`` is a multiple of four vectors."""
    vector = f"<{lanes} x float>"
    lines: list[str] = []
    for k in range(UNROLLED):
        lines += [
            f"  %i{k} = add i64 %i, {k * lanes}",
            *(f"  %{p}{k} = getelementptr float, ptr %{p}, i64 %i{k}" for p in "abc"),
            *(f"  %v{p}{k} = load {vector}, ptr %{p}{k}, align 4" for p in "bc"),
            f"  %m{k} = fmul {vector} %vc{k}, %three",
            f"  %s{k} = fadd {vector} %vb{k}, %m{k}",
            f"  store {vector} %s{k}, ptr %a{k}, align 4",
        ]
    body = "\n".join(lines)
    return f"""
define void @triad(ptr %a, ptr %b, ptr %c, i64 %n) #0 {{
entry:
  %one = insertelement {vector} poison, float 3.0, i64 0
  %three = shufflevector {vector} %one, {vector} poison, <{lanes} x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{body}
  %next = add i64 %i, {UNROLLED * lanes}
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def multiply_add_text(target: Target) -> str:
    """Multiplications and additions; fused if the machine has such an instruction."""
    lanes = float_lanes(target)
    vector = f"<{lanes} x float>"
    fused = target.triple.startswith("aarch64") or target.has("fma") or target.has("avx512f")
    numbers = range(ACCUMULATORS)
    begun = [
        f"  %x{k} = phi {vector} [ zeroinitializer, %entry ], [ %y{k}, %loop ]" for k in numbers
    ]
    if fused:
        function = f"@llvm.fma.v{lanes}f32"
        steps = [
            f"  %y{k} = call {vector} {function}({vector} %x{k}, {vector} %f, {vector} %f)"
            for k in numbers
        ]
        declared = f"declare {vector} {function}({vector}, {vector}, {vector})\n"
    else:
        steps = [
            line
            for k in numbers
            for line in (f"  %m{k} = fmul {vector} %x{k}, %f", f"  %y{k} = fadd {vector} %m{k}, %f")
        ]
        declared = ""
    stored = [
        line
        for k in numbers
        for line in (
            f"  %p{k} = getelementptr {vector}, ptr %out, i64 {k}",
            f"  store {vector} %y{k}, ptr %p{k}, align 4",
        )
    ]
    lines = ["entry:", f"  %f = load {vector}, ptr %out, align 4", "  br label %loop", "loop:"]
    lines += ["  %i = phi i64 [ 0, %entry ], [ %next, %loop ]", *begun, *steps]
    lines += ["  %next = add i64 %i, 1", "  %more = icmp ult i64 %next, %n"]
    lines += ["  br i1 %more, label %loop, label %end", "end:", *stored, "  ret void", "}"]
    return (
        f"{declared}define void @multiply_add(ptr %out, i64 %n) #0 {{\n" + "\n".join(lines) + "\n"
    )
