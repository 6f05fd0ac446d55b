"""The table of processors, and how a library finds out what a processor has."""

from __future__ import annotations

import ctypes
import shutil
import sys
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.compiler.codegen.loader import load
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.target import Target, host
from stablemate.deployment import c_compiler, processors
from stablemate.deployment.c_compiler import c_compiler as compiler_for
from stablemate.deployment.processors import CPUS, FEATURES, baseline, named_target, target_of
from stablemate.deployment.runtime.processor_check import check_text, checked_features
from stablemate.deployment.runtime.processor_features import X86_FEATURES
from stablemate.diagnostics.errors import ArgumentValueError

ARM: Final = "aarch64-linux-gnu"
IS_X86_LINUX: Final = host().triple.startswith("x86_64") and "linux" in host().triple
needs_x86 = pytest.mark.skipif(not IS_X86_LINUX, reason="this is not Linux on x86-64")
ASKED: Final = """
define ptr @asked() #0 {
  %name = call ptr @missing_feature()
  ret ptr %name
}
"""


def missing(target: Target) -> bytes | None:
    """The feature that this processor lacks for a target."""
    code = load([assemble(check_text(target) + ASKED, baseline(host().triple))], ["asked"])
    return ctypes.CFUNCTYPE(ctypes.c_char_p)(code.addresses["asked"])()


@needs_x86
@pytest.mark.parametrize("feature", X86_FEATURES)
def test_features_are_found_as_llvm_finds_them(feature: str) -> None:
    target = Target(host().triple, "x86-64", f"+{feature}", 16)
    assert missing(target) == (None if host().has(feature) else feature.encode())


@needs_x86
def test_this_processor_lacks_nothing_that_it_has() -> None:
    assert missing(host()) is None
    assert {"sse3", "popcnt"} <= set(checked_features(host()))


@pytest.mark.parametrize(("architecture", "cpu"), [(a, cpu) for a in CPUS for cpu in CPUS[a]])
def test_llvm_knows_every_processor_and_feature(
    architecture: str, cpu: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It warns about names that it does not know, and goes on without them."""
    target = named_target(f"{architecture}-unknown-linux-gnu", architecture, cpu)
    assert set(CPUS[architecture][cpu].split()) <= FEATURES[architecture].keys()
    assemble("define float @f(float %x) #0 {\n  ret float %x\n}\n", target)
    assert capfd.readouterr().err == ""


def test_the_default_is_this_machine_or_the_baseline() -> None:
    assert target_of(None, None) == target_of(None, "native")
    assert target_of(None, None).features == host().features
    arm = target_of(ARM, None)
    assert (arm.cpu, arm.vector_bytes, checked_features(arm)) == ("generic", 16, ["neon"])


def test_unknown_names_are_refused_with_those_that_are_known() -> None:
    with pytest.raises(ArgumentValueError, match=r"'sparc'; known: x86_64-linux-gnu, aarch64"):
        target_of("sparc", None)
    with pytest.raises(ArgumentValueError, match=r"aarch64 is called 'haswell'; known: generic"):
        target_of(ARM, "haswell")


@needs_x86
def test_the_native_processor_of_another_architecture_is_refused() -> None:
    with pytest.raises(sm.UnsupportedError, match="this machine's processor is not one of aarch64"):
        target_of(ARM, "native")


def test_libraries_for_x86_are_not_built_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM assembles the instruction CPUID only where it runs."""
    arm = replace(host(), triple="aarch64-unknown-linux-gnu")
    monkeypatch.setattr(processors, "host", lambda: arm)
    with pytest.raises(sm.UnsupportedError, match="libraries for x86-64 are built on x86-64"):
        target_of("x86_64-linux-gnu", None)


@pytest.mark.parametrize("triple", ["arm64-apple-darwin24.0.0", "x86_64-pc-windows-msvc"])
def test_systems_other_than_linux_are_refused(
    triple: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = replace(host(), triple=triple)
    monkeypatch.setattr("stablemate.api.building.target_of", lambda system, cpu: machine)
    program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    with pytest.raises(sm.UnsupportedError, match=f"for Linux, but this system is {triple}"):
        sm.build(program, tmp_path / "library")


def test_the_c_compiler_for_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is $CC, then the usual one, then that of the package ziglang."""
    system = "x86_64-linux-gnu" if host().triple.startswith("aarch64") else ARM
    installed = {"cc", f"{system}-gcc", "clang"}
    packages = {"ziglang"}
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: name if name in installed else None)
    monkeypatch.setattr(
        c_compiler, "find_spec", lambda name: ModuleSpec(name, None) if name in packages else None
    )
    here, other = host(), replace(host(), triple=system)
    assert compiler_for(here) == ["cc"]
    assert compiler_for(other) == [f"{system}-gcc"]
    monkeypatch.setenv("CC", f"clang --target={system}")
    assert compiler_for(other) == ["clang", f"--target={system}"]
    monkeypatch.delenv("CC")
    installed.clear()
    assert compiler_for(other) == [sys.executable, "-m", "ziglang", "cc", "-target", system]
    packages.clear()
    with pytest.raises(sm.UnsupportedError, match=f"there is no '{system}-gcc'; install one"):
        compiler_for(other)


@pytest.mark.standard
@pytest.mark.parametrize("system", ["x86_64-linux-gnu", ARM])
def test_the_compiler_of_the_package_ziglang_links(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ziglang", reason="there is no package ziglang")
    monkeypatch.setenv("CC", f"{sys.executable} -m ziglang cc -target {system}")
    program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    library = sm.build(program, tmp_path / "library", target=system)
    machine = {"x86_64-linux-gnu": 62, ARM: 183}[system]  # EM_X86_64, EM_AARCH64
    assert library.library.read_bytes()[18:20] == machine.to_bytes(2, "little")
