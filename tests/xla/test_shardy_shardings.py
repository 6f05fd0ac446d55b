"""Shardings of Shardy in HLO's terms: jaxlib's converter writes the same."""

from __future__ import annotations

import re
from typing import Final

import pytest

from stablemate.dialects.sdy.attributes import Mesh, TensorSharding
from stablemate.formats.hlo.text.sharding.shardings import sharding_of_text, sharding_text
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.xla.shardy_shardings import hlo_sharding
from tests.oracle.client import Oracle

SQUARE: Final = '["x"=2, "y"=2]'
MIXED: Final = '["a"=2, "b"=3, "c"=2]'
REVERSED: Final = '["a"=4, "b"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]'
SHUFFLED: Final = '["x"=2, "y"=2, "z"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]'
FOUR: Final = '["x"=2, "y"=2, "z"=2, "w"=2]'
WIDE: Final = '["x"=4, "y"=4]'
CASES: Final = [
    *((SQUARE, text) for text in ('[{"x"}, {"y"}]', '[{"y"}, {"x"}]', '[{"y", "x"}, {}]')),
    *((SQUARE, text) for text in ("[{}, {}]", "[{?}, {?}]", '[{}, {}], replicated={"x"}')),
    *((SQUARE, f"[{{}}, {{}}], unreduced={{{axes}}}") for axes in ('"x"', '"y"', '"x", "y"')),
    *((MIXED, text) for text in ('[{"b"}, {}]', '[{"c", "a"}, {}]')),
    *((MIXED, text) for text in ('[{"c"}, {}], unreduced={"a"}', '[{}, {}], unreduced={"b"}')),
    *((REVERSED, text) for text in ('[{"a"}, {}]', '[{"b"}, {"a"}]', '[{"a":(1)2}, {"b"}]')),
    (REVERSED, '[{"a":(2)2}, {}], unreduced={"b"}'),
    *(('["a"=4]', text) for text in ('[{"a":(1)2}, {"a":(2)2}]', '[{"a":(2)2, "a":(1)2}, {}]')),
    *(('["x"=1, "y"=2]', text) for text in ('[{"x"}, {"y"}]', '[{"y"}, {}], unreduced={"x"}')),
    *(('["x"=1]', text) for text in ('[{"x"}, {}]', "[{}, {}]", '[{}, {}], unreduced={"x"}')),
    *((SHUFFLED, text) for text in ('[{"x"}, {"y"}]', '[{"y"}, {"x"}], unreduced={"z"}')),
    *((FOUR, text) for text in ('[{"w", "y"}, {}], unreduced={"x"}', '[{"z", "w"}, {"x", "y"}]')),
    (WIDE, '[{"x":(1)2}, {"y":(2)2}], unreduced={"x":(2)2}'),
    (WIDE, '[{}, {"x":(2)2, "y":(1)2}]'),
    ("[], device_ids=[3]", "[]"),
]


@pytest.mark.parametrize(("mesh", "sharding"), CASES)
def test_the_sharding_of_hlo_is_that_of_jaxlib(mesh: str, sharding: str, oracle: Oracle) -> None:
    exported = oracle.stablehlo_to_hlo(
        f"module {{ sdy.mesh @mesh = <{mesh}>\n"
        "func.func @main(%a: tensor<64x64xf32> "
        f"{{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}) -> tensor<64x64xf32> {{\n"
        "return %a : tensor<64x64xf32> } }"
    )
    found = re.search(r"sharding=(\{.*?\}), frontend_attributes", exported)
    assert found is not None
    ours = hlo_sharding(read_sharding(sharding), read_mesh(mesh))
    assert sharding_text(ours) == found[1]
    assert sharding_of_text(found[1]) == ours


def read_sharding(text: str) -> TensorSharding:
    attribute = parse_attribute(f"#sdy.sharding<@mesh, {text}>")
    assert isinstance(attribute, TensorSharding)
    return attribute


def read_mesh(text: str) -> Mesh:
    attribute = parse_attribute(f"#sdy.mesh<{text}>")
    assert isinstance(attribute, Mesh)
    return attribute
