"""Tuples of many parts."""

from __future__ import annotations

import stablemate as sm
from tests.work import LINEAR, growth


def parts(count: int) -> str:
    """A tuple each of whose parts is taken from it."""
    shape = f"({', '.join(['f32[]'] * count)})"
    lines = [f"  g{i} = f32[] get-tuple-element(t), index={i}" for i in range(count)]
    return "\n".join(
        [
            "HloModule m\n\nENTRY e {",
            "  a = f32[] parameter(0)",
            f"  t = {shape} tuple({', '.join(['a'] * count)})",
            *lines,
            f"  ROOT r = f32[] add(g0, g{count - 1})\n}}\n",
        ]
    )


def test_taking_the_parts_of_a_wide_tuple_is_linear() -> None:
    assert growth(lambda count: sm.load(parts(count)).to_stablehlo(), 200) < LINEAR
