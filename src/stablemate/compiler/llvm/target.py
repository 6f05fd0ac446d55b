"""The machine that code is made for: its features, and how wide its vectors are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine


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

        initialise()
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
def initialise() -> None:
    """Makes LLVM know all machines."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()


@lru_cache(maxsize=1)
def host() -> Target:
    """The machine that this runs on."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    names = {name for name, present in features.items() if present}
    wide = 64 if "avx512f" in names else 32 if "avx2" in names else 16
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), wide)


@lru_cache(maxsize=1)
def compiler_version() -> str:
    """The version of what makes code."""
    import llvmlite

    return f"llvmlite {llvmlite.__version__}"
