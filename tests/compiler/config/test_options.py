"""Options: each asks for another way to the same results."""

from __future__ import annotations

from typing import Any

import numpy as np

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable

TEXT = """func.func @main(%a: tensor<37xf32>) -> tensor<37xf32> {
  %0 = stablehlo.add %a, %a : tensor<37xf32>
  %1 = stablehlo.multiply %0, %a : tensor<37xf32>
  %2 = stablehlo.subtract %1, %0 : tensor<37xf32>
  return %2 : tensor<37xf32>
}"""


def compiled(**options: Any) -> CompiledExecutable:
    """The program as native code."""
    interpreted: Any = sm.load(TEXT).executable("main", backend="interpreter")
    return CompiledExecutable(interpreted, options=CompileOptions(**options))


def test_without_fusion_every_value_is_kept() -> None:
    fused, unfused = compiled(), compiled(fuse=False)
    assert (len(fused.plan.steps), len(unfused.plan.steps)) == (2, 4)
    assert unfused.emit("fusion").count("nothing is fused") == 2
    array = np.linspace(-1, 1, 37, dtype=np.float32)
    np.testing.assert_array_equal(fused(array), unfused(array))


def test_options_are_part_of_the_name_in_the_disk_cache() -> None:
    assert compiled().key(b"a") != compiled(fuse=False).key(b"a")
