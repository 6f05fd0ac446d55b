"""The processors that libraries are built for, by the names that GCC and LLVM give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stablemate.compiler.config.target import Target, host
from stablemate.deployment.runtime.processor_features import ARM_FEATURES, X86_FEATURES
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError

SYSTEM: Final = re.compile(r"(x86_64|aarch64)(?:-[a-z0-9]+)?-linux-(gnu|musl)")
NATIVE: Final = "native"  # the processor of this machine
VECTOR_BYTES: Final = {"avx512f": 64, "avx2": 32}  # of a register; 16 without any of them

# x86-64: the levels of the System V ABI, and what processors have beyond their level.
LEVEL_2: Final = "cx16 sahf popcnt sse3 ssse3 sse4.1 sse4.2"
LEVEL_3: Final = f"{LEVEL_2} avx avx2 bmi bmi2 f16c fma lzcnt movbe"
LEVEL_4: Final = f"{LEVEL_3} avx512f avx512bw avx512cd avx512dq avx512vl"
ICE_LAKE: Final = (
    f"{LEVEL_4} avx512vnni avx512vbmi avx512vbmi2 avx512ifma avx512bitalg avx512vpopcntdq "
    "gfni vaes vpclmulqdq"
)
SAPPHIRE_RAPIDS: Final = f"{ICE_LAKE} avx512bf16 avx512fp16 avxvnni amx-tile amx-bf16 amx-int8"
# Arm: Armv8.0, Armv8.2 as Cortex-A76 has it, and Armv8.6. SVE is not used.
ARMV8: Final = "neon crc"
ARMV8_2: Final = f"{ARMV8} lse rdm fullfp16 dotprod rcpc"
ARMV8_6: Final = f"{ARMV8_2} complxnum jsconv bf16 i8mm fp16fml"

X86_CPUS: Final[Mapping[str, str]] = {
    "x86-64": "",
    "x86-64-v2": LEVEL_2,
    "x86-64-v3": LEVEL_3,
    "x86-64-v4": LEVEL_4,
    "haswell": LEVEL_3,
    "broadwell": LEVEL_3,
    "skylake": LEVEL_3,
    "alderlake": f"{LEVEL_3} avxvnni gfni vaes vpclmulqdq",
    "skylake-avx512": LEVEL_4,
    "cascadelake": f"{LEVEL_4} avx512vnni",
    "icelake-server": ICE_LAKE,
    "sapphirerapids": SAPPHIRE_RAPIDS,
    "emeraldrapids": SAPPHIRE_RAPIDS,
    "graniterapids": SAPPHIRE_RAPIDS,
    "znver1": LEVEL_3,
    "znver2": LEVEL_3,
    "znver3": f"{LEVEL_3} vaes vpclmulqdq",
    "znver4": f"{ICE_LAKE} avx512bf16",
    "znver5": f"{ICE_LAKE} avx512bf16 avxvnni",
}
ARM_CPUS: Final[Mapping[str, str]] = {
    "generic": "neon",
    "cortex-a53": ARMV8,
    "cortex-a57": ARMV8,
    "cortex-a72": ARMV8,
    "cortex-a73": ARMV8,
    "cortex-a55": ARMV8_2,
    "cortex-a76": ARMV8_2,
    "cortex-a78": ARMV8_2,
    "neoverse-n1": ARMV8_2,
    "neoverse-v1": ARMV8_6,
    "neoverse-n2": ARMV8_6,
    "neoverse-v2": ARMV8_6,
    "grace": ARMV8_6,
}
CPUS: Final = {"x86_64": X86_CPUS, "aarch64": ARM_CPUS}
FEATURES: Final = {"x86_64": X86_FEATURES, "aarch64": ARM_FEATURES}
BASELINES: Final = {"x86_64": "x86-64", "aarch64": "generic"}


def target_of(system: str | None, cpu: str | None) -> Target:
    """The target of a library.

    Args:
        system: Architecture and system, ``aarch64-linux-gnu``; None: this machine's.
        cpu: The processor; ``native`` is this machine's. None: this machine's, or the baseline of
            another architecture.

    Raises:
        ArgumentValueError: The system or the processor is unknown.
        UnsupportedError: Without a system, this one is not Linux; or ``native`` is of another
            architecture.
    """
    triple = host().triple if system is None else triple_of(system)
    architecture = triple.partition("-")[0]
    is_native = architecture == host().triple.partition("-")[0]
    if cpu is None:
        cpu = NATIVE if is_native and system is None else BASELINES.get(architecture, NATIVE)
    if cpu == NATIVE:
        if not is_native:
            raise UnsupportedError(f"this machine's processor is not one of {architecture}")
        return Target(triple, host().cpu, host().features, host().vector_bytes)
    if architecture == "x86_64" and not is_native:
        raise UnsupportedError("libraries for x86-64 are built on x86-64")  # LLVM's assembler
    if architecture not in CPUS:
        raise UnsupportedError(f"libraries are not built for processors of {architecture}")
    return named_target(triple, architecture, cpu)


def triple_of(system: str) -> str:
    """LLVM's triple of an architecture and a system.

    Raises:
        ArgumentValueError: They are not known.
    """
    match = SYSTEM.fullmatch(system)
    if match is None:
        raise ArgumentValueError(
            f"libraries are not built for {system!r}; known: x86_64-linux-gnu, aarch64-linux-gnu, "
            "x86_64-linux-musl, aarch64-linux-musl"
        )
    architecture, library = match.groups()
    return f"{architecture}-unknown-linux-{library}"


def named_target(triple: str, architecture: str, cpu: str) -> Target:
    """The target of a processor's name.

    Every feature that a library checks is stated, present or absent, so that code uses no others.

    Raises:
        ArgumentValueError: The name is unknown.
    """
    known = CPUS[architecture]
    if cpu not in known:
        raise ArgumentValueError(
            f"no processor of {architecture} is called {cpu!r}; known: {', '.join(known)}, {NATIVE}"
        )
    present = set(known[cpu].split())
    features = [f"{'+' if name in present else '-'}{name}" for name in FEATURES[architecture]]
    widths = (bytes for name, bytes in VECTOR_BYTES.items() if name in present)
    return Target(triple, cpu, ",".join(features), next(widths, 16))


def baseline(triple: str) -> Target:
    """The target with only those instructions that all processors of the architecture have."""
    architecture = triple.partition("-")[0]
    return named_target(triple, architecture, BASELINES[architecture])
