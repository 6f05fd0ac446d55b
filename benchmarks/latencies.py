"""Measures how long one instruction of this processor waits for the result of another.

    python -m benchmarks.latencies

It prints a table of nanoseconds and cycles. Each instruction is repeated, with its own result as
operand, 100 times in the body of a loop; a cycle is the time of an addition of integers. An
addition of floats takes less after another one than after a product. It knows the instructions of
x86-64 only.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

REPEATED: Final = 100  # times in the body of the loop
ITERATIONS: Final = 2_000
ROUNDS: Final = 15

# What a chain consists of, in words, and the instruction with its operands.
INSTRUCTIONS: Final[dict[str, str]] = {
    "integer add": "addq $1, $0",
    "integer multiply": "imulq $1, $0",
    "shift": "shrq $$1, $0",
    "select": "cmovneq $1, $0",
    "add": "vaddss $1, $0, $0",
    "multiply": "vmulss $1, $0, $0",
    "multiply-add": "vfmadd213ss $1, $1, $0",
    "divide": "vdivss $1, $0, $0",
    "square root": "vsqrtss $0, $0, $0",
    "minimum": "vminss $1, $0, $0",
    "bitwise": "vandps $1, $0, $0",
    "widen": "vcvtss2sd $0, $0, $0",
    "narrow": "vcvtsd2ss $0, $0, $0",
}
CYCLE: Final = "integer add"


TEXT: Final = """
define {type} @chain({type} %start) {{
entry:
  br label %body
body:
  %count = phi i32 [ 0, %entry ], [ %next, %body ]
  %value = phi {type} [ %start, %entry ], [ %result, %body ]
  %result = call {type} asm sideeffect "{code}", "={register},{register},0"(
    {type} %start, {type} %value)
  %next = add i32 %count, 1
  %again = icmp ult i32 %next, {iterations}
  br i1 %again, label %body, label %end
end:
  ret {type} %result
}}
"""


@lru_cache
def engine() -> Any:
    """A compiler for this processor."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
    )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


def loop_of(chain: Sequence[str]) -> Callable[[], float]:
    """A function that runs a chain of instructions, all of floats or all of integers."""
    instructions = [INSTRUCTIONS[name] for name in chain]
    is_float = instructions[0].startswith("v")
    text = TEXT.format(
        type="float" if is_float else "i64",
        register="x" if is_float else "r",
        code="\\0A".join(instructions * REPEATED),
        iterations=ITERATIONS,
    )
    module = import_module("llvmlite.binding").parse_assembly(text)
    engine().add_module(module)
    engine().finalize_object()
    kind = ctypes.c_float if is_float else ctypes.c_int64
    call = ctypes.CFUNCTYPE(kind, kind)(engine().get_function_address("chain"))

    def run() -> float:
        return float(call(1))

    return run


@lru_cache
def nanoseconds_of(*chain: str) -> float:
    """The least time that a chain of instructions takes, each of which needs the one before."""
    run = loop_of(chain)
    times: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return min(times) / (REPEATED * ITERATIONS) * 1e9


def cycles_of(*chain: str) -> float:
    """The cycles that a chain of instructions takes, each of which needs the one before."""
    return nanoseconds_of(*chain) / nanoseconds_of(CYCLE)


def main() -> None:
    """Prints the table."""
    print("| instruction | ns | cycles |\n| --- | --- | --- |")
    for name in INSTRUCTIONS:
        print(f"| {name} | {nanoseconds_of(name):.2f} | {cycles_of(name):.1f} |")


if __name__ == "__main__":
    main()
