"""Tests run as on another machine: the compiler takes it for this one, in children too."""

from __future__ import annotations

import pytest

import stablemate as sm
from stablemate.compiler.config.target import host
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.child_processes import Child
from tests.compiler.variants import OLDER, Variant
from tests.machines import VARIABLE

SUM = """func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = stablehlo.add %x, %x : tensor<64xf32>
  return %y : tensor<64xf32>
}"""


def target_of_sum() -> tuple[int, str, int]:
    """The bytes of a vector and the model of this machine and the bytes in a program's target."""
    executable = sm.compile(sm.load(SUM), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return host().vector_bytes, host().cpu, executable.target.vector_bytes


@pytest.mark.standard
@pytest.mark.skipif(not OLDER, reason="there is no older machine of this architecture")
@pytest.mark.parametrize("name", ["sse2", "avx2"])
def test_a_machine_is_taken_for_this_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Variant(machine=name).runs:
        pytest.skip(f"this machine has no {name}")
    monkeypatch.setenv(VARIABLE, name)
    with Child() as child:
        answer = child.ask(target_of_sum)
    expected = OLDER[name]
    assert answer == (expected.vector_bytes, expected.cpu, expected.vector_bytes)
