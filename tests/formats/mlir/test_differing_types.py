"""Valid operations whose values have types that differ, though compatible: the text reads back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stablemate as sm
from stablemate.ir import core
from stablemate.ir.core import Operation, Value
from stablemate.ir.equality import difference
from stablemate.ir.types import DYNAMIC, BoundsAttribute, TensorType, Type, UnrankedTensorType
from stablemate.ir.verifier import operation_violations

EXAMPLES = sorted((Path(__file__).parents[2] / "ops").glob("*.mlir"))
OPS = [path for path in EXAMPLES if ".invalid" not in path.name]
STEP = 12  # every value of so many is given other types
LOOP = """func.func @main(%a: tensor<2xf32>) -> {result} {{
  %0 = "stablehlo.while"(%a) ({{
  ^bb0(%x: {condition}):
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
  ^bb0(%x: {body}):
    stablehlo.return %x : {body}
  }}) : (tensor<2xf32>) -> {result}
  return %0 : {result}
}}"""
STATIC, OPEN = "tensor<2xf32>", "tensor<?xf32>"


@pytest.mark.parametrize("result", [STATIC, OPEN])
@pytest.mark.parametrize("body", [STATIC, OPEN])
@pytest.mark.parametrize("condition", [STATIC, OPEN])
def test_a_loop_with_other_types_inside_reads_back(condition: str, body: str, result: str) -> None:
    module = sm.parse(LOOP.format(condition=condition, body=body, result=result))
    module.verify()
    text = module.to_text()
    again = sm.parse(text)
    assert module.difference(again) == ""
    is_plain = {condition, body, result} == {STATIC}
    assert ("cond {" in text) == is_plain
    assert again.run([1.0, 2.0], backend="interpreter").tolist() == [1.0, 2.0]


def test_a_loop_in_a_loop_keeps_its_names() -> None:
    inner = LOOP.format(condition=OPEN, body=STATIC, result=STATIC)
    text = inner.replace(
        "stablehlo.return %x : tensor<2xf32>",
        """%1 = stablehlo.while(%y = %x) : tensor<2xf32> cond {
      %q = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %z = stablehlo.add %x, %y : tensor<2xf32>
      stablehlo.return %z : tensor<2xf32>
    }
    stablehlo.return %1 : tensor<2xf32>""",
    )
    module = sm.parse(text)
    printed = module.to_text()
    assert module.difference(sm.parse(printed)) == ""
    assert '"stablehlo.while"' in printed
    assert "stablehlo.while(%iterArg" in printed


def other_types(value_type: Type) -> Iterator[Type]:
    """Types that are compatible with the type of a tensor, but not equal to it."""
    if not isinstance(value_type, TensorType) or not value_type.shape:
        return
    shape = value_type.shape
    for d, size in enumerate(shape):
        if size != DYNAMIC:
            yield value_type.with_shape((*shape[:d], DYNAMIC, *shape[d + 1 :]))
    bounds = BoundsAttribute(tuple(max(size, 7) for size in shape))
    yield TensorType((DYNAMIC,) * len(shape), value_type.element_type, bounds)
    yield UnrankedTensorType(value_type.element_type)


def values_of(module: core.Module) -> Iterator[tuple[Value[Any], Operation]]:
    """Each result and block argument with the operation that it belongs to."""
    for operation in module.operation.walk():
        for result in operation.results:
            yield result, operation
        for region in operation.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    yield argument, operation


def is_allowed(module: core.Module, value: Value[Any], owner: Operation) -> bool:
    """Whether all operations that have to do with the value are still valid."""
    users = [owner, *(user for user in module.operation.walk() if value in user.operands)]
    return not any(next(operation_violations(user), None) for user in users)


def lost_types(module: core.Module, value: Value[Any], owner: Operation) -> Iterator[str]:
    """What the text loses if the value has other types."""
    declared = value.type
    for other in other_types(declared):
        value.type = other
        if is_allowed(module, value, owner):
            text = sm.Module(module).to_text()
            if lost := difference(module, sm.parse(text).ir):
                yield f"{owner.name} with {other}: {lost}"
    value.type = declared


@pytest.mark.standard
@pytest.mark.parametrize("path", OPS, ids=lambda path: path.stem)
def test_operations_with_other_types_read_back(path: Path) -> None:
    module = sm.parse(path.read_text()).ir
    collected = [
        lost
        for value, owner in list(values_of(module))[::STEP]
        for lost in lost_types(module, value, owner)
    ]
    assert collected == []
