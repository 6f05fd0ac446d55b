"""The check of the processor when an instance is created, in LLVM IR.

``missing_feature`` returns the name of the first feature that code of the library uses and the
processor lacks; null if it lacks none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from stablemate.compiler.config.target import Target
from stablemate.deployment.runtime.data_section import blob, text_bytes
from stablemate.deployment.runtime.processor_features import (
    ARM_FEATURES,
    ASKED_FOR,
    SAVED_REGISTERS,
    X86_FEATURES,
)

X86: Final = """
define internal { i32, i32, i32, i32 } @cpuid(i32 %leaf, i32 %subleaf) #0 {
entry:
  %family = and i32 %leaf, -2147483648
  %limits = call { i32, i32, i32, i32 } asm sideeffect "cpuid",
    "={ax},={bx},={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}"(i32 %family, i32 0)
  %last = extractvalue { i32, i32, i32, i32 } %limits, 0
  %known = icmp uge i32 %last, %leaf
  br i1 %known, label %ask, label %nothing
ask:
  %answer = call { i32, i32, i32, i32 } asm sideeffect "cpuid",
    "={ax},={bx},={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}"(i32 %leaf, i32 %subleaf)
  ret { i32, i32, i32, i32 } %answer
nothing:
  ret { i32, i32, i32, i32 } zeroinitializer
}

; The registers whose contents the system saves: XCR0, or 0 if the system does not use XSAVE.
define internal i32 @saved_registers() #0 {
entry:
  %answer = call { i32, i32, i32, i32 } @cpuid(i32 1, i32 0)
  %flags = extractvalue { i32, i32, i32, i32 } %answer, 2
  %osxsave = and i32 %flags, 134217728
  %unused = icmp eq i32 %osxsave, 0
  br i1 %unused, label %none, label %read
read:
  %pair = call { i32, i32 } asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %saved = extractvalue { i32, i32 } %pair, 0
  ret i32 %saved
none:
  ret i32 0
}
"""
# Sets the tile registers' permission, arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA): 0 if it is given.
ASK: Final = """  %refused = call i64 asm sideeffect "syscall",
    "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"
    (i64 158, i64 4131, i64 18)
  %denied = icmp ne i64 %refused, 0"""
ARM: Final = "declare i64 @getauxval(i64)\n"


def checked_features(target: Target) -> list[str]:
    """The features that code for a target uses, of those that a program can look for."""
    known = ARM_FEATURES if target.triple.startswith("aarch64") else X86_FEATURES
    return [name for name in known if target.has(name)]


def check_text(target: Target) -> str:
    """The function ``missing_feature`` for a target."""
    names = checked_features(target)
    is_arm = target.triple.startswith("aarch64")
    lines = list(arm_tests(names) if is_arm else x86_tests(names))
    missing = "null"
    for number in reversed(range(len(names))):
        lines.append(
            f"  %missing{number} = select i1 %lacks{number}, ptr @feature.{number}, ptr {missing}"
        )
        missing = f"%missing{number}"
    return "\n".join([
        ARM if is_arm else X86,
        *(blob(f"feature.{number}", text_bytes(name)) for number, name in enumerate(names)),
        "define internal ptr @missing_feature() #0 {",
        *lines,
        f"  ret ptr {missing}",
        "}",
    ])  # fmt: skip


def x86_tests(names: Sequence[str]) -> Iterable[str]:
    """Sets ``%lacks`` of each feature by the instructions CPUID and XGETBV."""
    leaves = dict.fromkeys((X86_FEATURES[name].leaf, X86_FEATURES[name].subleaf) for name in names)
    for leaf, subleaf in leaves:
        yield (
            f"  %leaf{leaf}.{subleaf} = call {{ i32, i32, i32, i32 }} "
            f"@cpuid(i32 {leaf}, i32 {subleaf})"
        )
    yield "  %saved = call i32 @saved_registers()"
    if ASKED_FOR in names:
        yield ASK
    for number, name in enumerate(names):
        place = X86_FEATURES[name]
        registers = SAVED_REGISTERS.get(name, 0)
        yield (
            f"  %register{number} = extractvalue {{ i32, i32, i32, i32 }} "
            f"%leaf{place.leaf}.{place.subleaf}, {place.register}"
        )
        yield f"  %bit{number} = and i32 %register{number}, {1 << place.bit}"
        yield f"  %absent{number} = icmp eq i32 %bit{number}, 0"
        yield f"  %kept{number} = and i32 %saved, {registers}"
        yield f"  %lost{number} = icmp ne i32 %kept{number}, {registers}"
        lost = f"%lost{number}"
        if name == ASKED_FOR:
            lost = f"%without{number}"
            yield f"  {lost} = or i1 %lost{number}, %denied"
        yield f"  %lacks{number} = or i1 %absent{number}, {lost}"


def arm_tests(names: Sequence[str]) -> Iterable[str]:
    """Sets ``%lacks`` of each feature by the auxiliary vector."""
    for entry in dict.fromkeys(ARM_FEATURES[name].entry for name in names):
        yield f"  %entry{entry} = call i64 @getauxval(i64 {entry})"
    for number, name in enumerate(names):
        place = ARM_FEATURES[name]
        yield f"  %bit{number} = and i64 %entry{place.entry}, {1 << place.bit}"
        yield f"  %lacks{number} = icmp eq i64 %bit{number}, 0"
