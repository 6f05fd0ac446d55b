"""The target of code generation: its features, and the width of its vectors."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stablemate.compiler.config.disk_cache import cache, key_of
from stablemate.compiler.config.machine import Machine
from stablemate.deferred_dataclasses import dataclass

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine

# For each operator on packed factors or tables, the features with which it is an instruction, or
# two that pay, and the bytes of the longest vectors that it then takes: it takes all shorter ones.
VNNI: Final = ((64, ("avx512vnni", "avx512vl")), (32, ("avxvnni",)))
# Products of pairs are one instruction, which adds both of a pair, and their sums another one. It
# is part of SSE2, which the features of a named processor do not tell.
PAIR_PRODUCTS: Final = ((64, ("avx512bw",)), (32, ("avx2",)), (16, ("ssse3",)))
PACKED_FEATURES: Final[Mapping[str, Sequence[tuple[int, Sequence[str]]]]] = {
    "pair_of_bfloat16": ((64, ("avx512bf16", "avx512vl")),),
    "pair_of_i16": (*VNNI, *PAIR_PRODUCTS),
    "table_entry": ((64, ("avx512f",)),),
    "byte_entry": ((64, ("avx512vbmi",)),),
    "quad_of_i8": (*VNNI, (16, ("i8mm",))),
    "tile_of_bfloat16": ((64, ("amx-tile", "amx-bf16")),),
    "tile_of_i8": ((64, ("amx-tile", "amx-int8")),),
    "quad_of_signed_i8": ((16, ("dotprod",)),),
    "quad_of_unsigned_i8": ((16, ("dotprod",)),),
}
# AMD's processors accumulate pairs of bfloat16 as fast as single floats. Intel's take 1.7 times as
# long at best (benchmarks/results/quantized.md), and factors must be packed.
FAST_BFLOAT16_CPUS: Final = "znver"
# Linux, "Using XSTATE features in user space applications": arch_prctl(ARCH_REQ_XCOMP_PERM, 18).
ARCH_PRCTL: Final = 158
REQUEST_PERMISSION: Final = 0x1023
TILE_DATA: Final = 18
CPUINFO: Final = Path("/proc/cpuinfo")
# The lines that determine the features of a processor.
CPUINFO_FIELDS: Final = frozenset({
    "vendor_id", "cpu family", "model", "model name", "stepping", "flags",
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features",
})  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A processor model.

    Attributes:
        triple: Architecture, vendor, system.
        cpu: The model's name in LLVM.
        features: The features that it has and lacks, ``+avx2,-avx512f``.
        vector_bytes: Bytes of a vector register.
    """

    triple: str
    cpu: str
    features: str
    vector_bytes: int

    def has(self, feature: str) -> bool:
        """Whether the processor has a feature."""
        return f"+{feature}" in self.features.split(",")

    def lanes(self, element_bytes: int) -> int:
        """Elements of a vector register."""
        return self.vector_bytes // element_bytes

    def machine(self) -> TargetMachine:
        """LLVM's code generator; for one thread."""
        import llvmlite.binding as llvm

        initialize_llvm()
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, features=self.features, opt=3, reloc="pic", codemodel="small"
        )

    @property
    def data_layout(self) -> str:
        """Sizes and alignments of types, as LLVM writes them."""
        return data_layout(self)


@lru_cache(maxsize=8)
def data_layout(target: Target) -> str:
    """Sizes and alignments of types on a machine."""
    return str(target.machine().target_data)


@lru_cache(maxsize=1)
def initialize_llvm() -> None:
    """Registers all targets of LLVM, and keeps llvmlite usable after a fork."""
    import llvmlite.binding as llvm
    from llvmlite.binding import ffi

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()

    def replace_lock() -> None:
        """Replaces the lock around LLVM, which another thread of the parent may have held."""
        ffi.lib._lock._lock = threading.RLock()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=replace_lock)


@lru_cache(maxsize=1)
def host() -> Target:
    """This machine; if Linux does not permit its tile registers, one that has none."""
    return permitted_target(processor())


def processor() -> Target:
    """The processor of this machine; LLVM detects it, and the disk cache keeps the result."""
    description = host_description()
    if not description:
        return detect_host()
    key = key_of("host", description, compiler_version())
    stored = cache().load(key, lambda content: Target(**json.loads(content)))
    if stored is not None:
        return stored
    target = detect_host()
    cache().put(key, json.dumps(asdict(target)).encode())
    return target


def permitted_target(target: Target) -> Target:
    """The processor without tile registers if it has some that this process may not use."""
    if not target.has("amx-tile") or asks_for_tiles():
        return target
    return replace(target, features=target.features.replace("+amx-", "-amx-"))


def asks_for_tiles() -> bool:
    """Asks Linux for tile registers, and returns whether threads and children may use them.

    Without that, the first instruction on a tile ends a process. Elsewhere the answer is no.
    """
    if sys.platform != "linux":
        return False
    library = ctypes.CDLL(None)
    numbers = map(ctypes.c_long, (ARCH_PRCTL, REQUEST_PERMISSION, TILE_DATA))
    return bool(library.syscall(*numbers) == 0)


def host_description() -> str:
    """The system's description of the first processor; empty if there is none."""
    try:
        with CPUINFO.open() as lines:
            first_processor = takewhile(str.strip, lines)
            description = "".join(
                line for line in first_processor if line.split(":")[0].strip() in CPUINFO_FIELDS
            )
    except OSError:
        return ""
    return f"{os.uname().machine}\n{description}" if description else ""


def detect_host() -> Target:
    """Like ``host``, without the cached result."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    names = {name for name, present in features.items() if present}
    vector_bytes = 64 if "avx512f" in names else 32 if "avx2" in names else 16
    return Target(
        llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), vector_bytes
    )


@lru_cache(maxsize=16)
def machine_of(target: Target) -> Machine:
    """The parameters of a target on which the choice of kernels depends."""
    is_worthwhile = {"pair_of_bfloat16": target.cpu.startswith(FAST_BFLOAT16_CPUS)}
    return Machine(
        target.vector_bytes,
        [
            name
            for name, alternatives in PACKED_FEATURES.items()
            if is_worthwhile.get(name, True)
            and any(
                target.vector_bytes <= longest and all(map(target.has, features))
                for longest, features in alternatives
            )
        ],
    )


@lru_cache(maxsize=1)
def compiler_version() -> str:
    """The version of the code generator."""
    import llvmlite

    return f"llvmlite {llvmlite.__version__}"
