"""LLVM's module flags and attributes in programs of StableHLO, as Reactant.jl dumps them."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle

DUMP: Final = """module @reactant_f attributes {llvm.data_layout = "e-m:e", mhlo.num_partitions = 1 : i64} {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, \
#llvm.mlir.module_flag<max, "frame-pointer", 1 : i32>]
  func.func @main(%arg0: tensor<4xf32> {enzymexla.memory_effects = [], llvm.noalias}) -> tensor<4xf32> \
attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["nounwind"], uwtable = \
#llvm.uwtableKind<async>} {
    %0 = stablehlo.add %arg0, %arg0 {llvm.fast = #llvm.fastmath<fast>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""  # noqa: E501
WRONG: Final = """module {
  llvm.module_flags [#llvm.linkage<internal>]
}
"""


@pytest.mark.parametrize("form", [0, 1, 3])
def test_dumps_are_read_as_upstream_reads_them(form: int, oracle: Oracle) -> None:
    """The pretty form, the generic one, and bytecode."""
    forms = oracle.unregistered(DUMP)
    source = forms[form]
    assert sm.load(source).to_text() == forms[0]


def test_dumps_run_and_convert() -> None:
    module = sm.load(DUMP)
    assert module.diagnostics() == []
    np.testing.assert_array_equal(module.run(np.ones(4, np.float32)), np.full(4, 2, np.float32))
    np.testing.assert_array_equal(
        sm.load(module.to_hlo().to_text()).run(np.ones(4, np.float32)), np.full(4, 2, np.float32)
    )
    assert sm.load(module.to_bytecode()).to_text() == module.to_text()


def test_flags_are_flags() -> None:
    (diagnostic,) = sm.load(WRONG, name="a.mlir").diagnostics()
    assert str(diagnostic) == (
        "a.mlir:2:3: error: llvm.module_flags flags: Each of flags is #llvm.mlir.module_flag\n"
        " 2 |   llvm.module_flags [#llvm.linkage<internal>]\n"
        "   |   ^^^^^^^^^^^^^^^^^ flag = #llvm.linkage<internal>"
    )
