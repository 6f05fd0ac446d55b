"""The target of code generation: its features, and the width of its vectors."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stablemate.compiler.config.disk_cache import cache, key_of
from stablemate.compiler.config.machine import Machine

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine

# The features that make an operator on pairs one instruction, for vectors of all lengths.
PAIR_FEATURES: Final = {
    "pair_of_bfloat16": ("avx512bf16", "avx512vl"),
    "pair_of_i16": ("avx512vnni", "avx512vl"),
}
# AMD's processors add pairs of bfloat16 as fast as they add single floats. Intel's need four times
# as long, that is twice as long for the same products (measured: 2.2 cycles, and 0.54 for floats).
FAST_BFLOAT16_CPUS: Final = "znver"
CPUINFO: Final = Path("/proc/cpuinfo")
# What a processor can do follows from these lines about it.
CPUINFO_FIELDS: Final = frozenset({
    "vendor_id", "cpu family", "model", "model name", "stepping", "flags",
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features",
})  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A kind of processor.

    Attributes:
        triple: Architecture, vendor, system.
        cpu: Its model, as LLVM calls it.
        features: What it has and has not, ``+avx2,-avx512f``.
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
    """Makes LLVM know all machines, and llvmlite serve the children of forks."""
    import llvmlite.binding as llvm
    from llvmlite.binding import ffi

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()

    def opened() -> None:
        """Opens the lock around LLVM, which another thread of the parent may have held."""
        ffi.lib._lock._lock = threading.RLock()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=opened)


@lru_cache(maxsize=1)
def host() -> Target:
    """The machine that this runs on; LLVM finds out what it is, and the disk cache remembers."""
    described = host_description()
    if not described:
        return detect_host()
    key = key_of("host", described, compiler_version())
    content = cache().get(key)
    if content is not None:
        return Target(**json.loads(content))
    target = detect_host()
    cache().put(key, json.dumps(asdict(target)).encode())
    return target


def host_description() -> str:
    """What the system says of the first processor; empty if it says nothing."""
    try:
        with CPUINFO.open() as lines:
            first = takewhile(str.strip, lines)
            description = "".join(
                line for line in first if line.split(":")[0].strip() in CPUINFO_FIELDS
            )
    except OSError:
        return ""
    return f"{os.uname().machine}\n{description}" if description else ""


def detect_host() -> Target:
    """As ``host``, by asking LLVM."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    names = {name for name, present in features.items() if present}
    wide = 64 if "avx512f" in names else 32 if "avx2" in names else 16
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), wide)


@lru_cache(maxsize=16)
def machine_of(target: Target) -> Machine:
    """What the choice of kernels depends on."""
    pays = {"pair_of_bfloat16": target.cpu.startswith(FAST_BFLOAT16_CPUS)}
    return Machine(
        target.vector_bytes,
        [
            name
            for name, features in PAIR_FEATURES.items()
            if pays.get(name, True) and all(map(target.has, features))
        ],
    )


@lru_cache(maxsize=1)
def compiler_version() -> str:
    """The version of what makes code."""
    import llvmlite

    return f"llvmlite {llvmlite.__version__}"
