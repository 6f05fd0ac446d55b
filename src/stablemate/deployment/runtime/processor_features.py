"""How a program finds out which features its processor has.

Sources: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID; AMD64
Architecture Programmer's Manual, volume 3, appendix E; Linux, "ARM64 ELF hwcaps".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

EAX, EBX, ECX, EDX = range(4)
EXTENDED: Final = 0x8000_0001  # leaf of CPUID


class CpuidBit(NamedTuple):
    """A bit that the instruction CPUID returns.

    Attributes:
        leaf: What is asked for, EAX.
        subleaf: What is asked for, ECX.
        register: Which register has the bit.
        bit: The number of the bit.
    """

    leaf: int
    subleaf: int
    register: int
    bit: int


class Hwcap(NamedTuple):
    """A bit of the auxiliary vector of Linux.

    Attributes:
        entry: The number of the entry: AT_HWCAP or AT_HWCAP2.
        bit: The number of the bit.
    """

    entry: int
    bit: int


AT_HWCAP, AT_HWCAP2 = 16, 26

# By LLVM's name. All features are here that the code generator uses by itself.
X86_FEATURES: Final[Mapping[str, CpuidBit]] = {
    "sse3": CpuidBit(1, 0, ECX, 0),
    "ssse3": CpuidBit(1, 0, ECX, 9),
    "cx16": CpuidBit(1, 0, ECX, 13),
    "sse4.1": CpuidBit(1, 0, ECX, 19),
    "sse4.2": CpuidBit(1, 0, ECX, 20),
    "sahf": CpuidBit(EXTENDED, 0, ECX, 0),
    "popcnt": CpuidBit(1, 0, ECX, 23),
    "avx": CpuidBit(1, 0, ECX, 28),
    "avx2": CpuidBit(7, 0, EBX, 5),
    "bmi": CpuidBit(7, 0, EBX, 3),
    "bmi2": CpuidBit(7, 0, EBX, 8),
    "f16c": CpuidBit(1, 0, ECX, 29),
    "fma": CpuidBit(1, 0, ECX, 12),
    "lzcnt": CpuidBit(EXTENDED, 0, ECX, 5),
    "movbe": CpuidBit(1, 0, ECX, 22),
    "avx512f": CpuidBit(7, 0, EBX, 16),
    "avx512bw": CpuidBit(7, 0, EBX, 30),
    "avx512cd": CpuidBit(7, 0, EBX, 28),
    "avx512dq": CpuidBit(7, 0, EBX, 17),
    "avx512vl": CpuidBit(7, 0, EBX, 31),
    "avx512vnni": CpuidBit(7, 0, ECX, 11),
    "avx512vbmi": CpuidBit(7, 0, ECX, 1),
    "avx512vbmi2": CpuidBit(7, 0, ECX, 6),
    "avx512ifma": CpuidBit(7, 0, EBX, 21),
    "avx512bitalg": CpuidBit(7, 0, ECX, 12),
    "avx512vpopcntdq": CpuidBit(7, 0, ECX, 14),
    "avx512vp2intersect": CpuidBit(7, 0, EDX, 8),
    "avx512bf16": CpuidBit(7, 1, EAX, 5),
    "avx512fp16": CpuidBit(7, 0, EDX, 23),
    "gfni": CpuidBit(7, 0, ECX, 8),
    "vaes": CpuidBit(7, 0, ECX, 9),
    "vpclmulqdq": CpuidBit(7, 0, ECX, 10),
    "avxvnni": CpuidBit(7, 1, EAX, 4),
    "avxifma": CpuidBit(7, 1, EAX, 23),
    "avxneconvert": CpuidBit(7, 1, EDX, 5),
    "avxvnniint8": CpuidBit(7, 1, EDX, 4),
    "avxvnniint16": CpuidBit(7, 1, EDX, 10),
    "amx-tile": CpuidBit(7, 0, EDX, 24),
    "amx-bf16": CpuidBit(7, 0, EDX, 22),
    "amx-int8": CpuidBit(7, 0, EDX, 25),
    "adx": CpuidBit(7, 0, EBX, 19),
    "fma4": CpuidBit(EXTENDED, 0, ECX, 16),
    "xop": CpuidBit(EXTENDED, 0, ECX, 11),
    "tbm": CpuidBit(EXTENDED, 0, ECX, 21),
    "sse4a": CpuidBit(EXTENDED, 0, ECX, 6),
}
ARM_FEATURES: Final[Mapping[str, Hwcap]] = {
    "neon": Hwcap(AT_HWCAP, 1),
    "crc": Hwcap(AT_HWCAP, 7),
    "lse": Hwcap(AT_HWCAP, 8),
    "fullfp16": Hwcap(AT_HWCAP, 10),
    "rdm": Hwcap(AT_HWCAP, 12),
    "jsconv": Hwcap(AT_HWCAP, 13),
    "complxnum": Hwcap(AT_HWCAP, 14),
    "rcpc": Hwcap(AT_HWCAP, 15),
    "sha3": Hwcap(AT_HWCAP, 17),
    "dotprod": Hwcap(AT_HWCAP, 20),
    "fp16fml": Hwcap(AT_HWCAP, 23),
    "sve": Hwcap(AT_HWCAP, 22),
    "sve2": Hwcap(AT_HWCAP2, 1),
    "fptoint": Hwcap(AT_HWCAP2, 8),
    "i8mm": Hwcap(AT_HWCAP2, 13),
    "bf16": Hwcap(AT_HWCAP2, 14),
}
# Registers whose contents the system saves, by the bits of XCR0; without them a feature is useless.
SAVED_REGISTERS: Final[Mapping[str, int]] = {"avx": 0x6, "avx512f": 0xE6, "amx-tile": 0x60000}
# The feature whose registers Linux saves only for processes that ask for them.
ASKED_FOR: Final = "amx-tile"
