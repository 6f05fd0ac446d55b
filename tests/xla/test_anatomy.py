"""The instructions and arrays of the page "anatomy of an XLA operation"."""

from __future__ import annotations

import numpy as np

import stablemate as sm
from stablemate.xla.layout import Layout
from stablemate.xla.shape import Shape

PROGRAM = """HloModule anatomy

%all-reduce-scatter.3 (p: bf16[32,32,8192]) -> bf16[32,32,4096] {
  %p = bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} parameter(0)
  ROOT %s = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} slice(%p),
    slice={[0:32], [0:32], [0:4096]}
}

ENTRY %main {
  a = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} parameter(0)
  broadcast.3115 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} parameter(1)
  %fusion.32 = bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} parameter(2)
  exponential.183 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} exponential(a)
  add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}
    add(exponential.183, broadcast.3115)
  ROOT %fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}
    fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} %fusion.32),
    kind=kCustom, calls=%all-reduce-scatter.3
}
"""


def test_both_instructions_are_read_inside_a_module() -> None:
    module = sm.load(PROGRAM)
    module.verify()
    entry = module.tree.entry_computation.by_name
    add, fusion = entry["add.936"], entry["fusion.3"]
    assert add.operands == ("exponential.183", "broadcast.3115")
    assert str(add.shape) == "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"
    assert fusion.attributes == {"kind": "kCustom", "calls": "all-reduce-scatter.3"}
    assert fusion.shape.layout == Layout((2, 1, 0), ((8, 128), (2, 1)), memory_space=1)
    text = module.to_text()
    assert sm.load(text).to_text() == text
    assert "S(1)} fusion(%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3" in text


def test_elements_lie_in_the_order_of_minor_to_major() -> None:
    letters = np.frombuffer(b"abcdef", np.uint8).reshape(2, 3)
    assert Shape("u8[2,3]{0,1}").to_buffer(letters).tobytes() == b"adbecf"
    assert Shape("u8[2,3]{1,0}").to_buffer(letters).tobytes() == b"abcdef"
    assert Shape("u8[2,3]").to_buffer(letters).tobytes() == b"abcdef"
