"""shape-legalize-to-stablehlo and stablehlo-convert-to-signless: the same values as before."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm

SHAPES = """
func.func @main(%x: tensor<?x3xf32>, %y: tensor<2x1x1xf32>) -> (tensor<?xf32>, tensor<?x?x?xf32>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sx = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %n = shape.num_elements %sx : tensor<2xindex> -> index
  %flat = tensor.from_elements %n : tensor<1xindex>
  %r = stablehlo.dynamic_reshape %x, %flat : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32>
  %sy = shape.const_shape [2, 1, 1] : tensor<3xindex>
  %s = shape.broadcast %sx, %sy : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0, 1, 2] : (tensor<2x1x1xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %rows = tensor.dim %x, %c0 : tensor<?x3xf32>
  %columns = tensor.extract %sx[%c1] : tensor<2xindex>
  %product = arith.muli %rows, %columns : index
  %wide = arith.index_cast %product : index to i64
  %w = tensor.from_elements %wide : tensor<i64>
  return %r, %b, %w : tensor<?xf32>, tensor<?x?x?xf32>, tensor<i64>
}
"""  # noqa: E501 signatures in one line


@pytest.mark.parametrize("rows", [0, 1, 4])
def test_shapes_become_tensors(rows: int) -> None:
    module = sm.load(SHAPES)
    optimized = sm.opt(module, "shape-legalize-to-stablehlo")
    optimized.verify()
    text = optimized.to_text()
    assert not any(name in text for name in ("shape.", "tensor.", "index", "arith.constant"))
    x = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3)
    y = np.array([5, 7], np.float32).reshape(2, 1, 1)
    before, after = (item.run(x, y, backend="interpreter") for item in (module, optimized))
    assert [np.shape(item) for item in after] == [(rows * 3,), (2, rows, 3), ()]
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)
    assert int(after[2]) == rows * 3


def test_arith_on_sizes_stays_arith() -> None:
    text = """
func.func @main(%x: tensor<?xf32>) -> tensor<1xi32> {
  %c = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %x, %c : tensor<?xf32>
  %m = arith.addi %n, %two : index
  %i = arith.index_cast %m : index to i32
  %r = tensor.from_elements %i : tensor<1xi32>
  return %r : tensor<1xi32>
}
"""
    optimized = sm.opt(sm.load(text), "shape-legalize-to-stablehlo")
    assert "arith.addi" in optimized.to_text()
    assert optimized.run(np.zeros(5, np.float32), backend="interpreter").tolist() == [7]


@pytest.mark.parametrize(
    "operation",
    [
        "%0 = shape.shape_of %x : tensor<?xf32> -> !shape.shape",
        "%0 = shape.rank %s : tensor<1xindex> -> index",
        "%0 = tensor.extract %s[%i] : tensor<1xindex>",
    ],
)
def test_what_has_no_form_is_named(operation: str) -> None:
    text = (
        "func.func @main(%x: tensor<?xf32>, %i: index) {\n"
        "  %s = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>\n"
        f"  {operation}\n  return\n}}\n"
    )
    name = operation.split()[2]
    with pytest.raises(sm.UnsupportedError, match=f"{name} has no form in StableHLO") as caught:
        sm.opt(sm.load(text), "shape-legalize-to-stablehlo")
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert span.line == 3


UNSIGNED = """
func.func private @twice(%x: tensor<4xui8>) -> tensor<4xui8> {
  %c = stablehlo.constant dense<[1, 200, 255, 3]> : tensor<4xui8>
  %0 = stablehlo.add %x, %c : tensor<4xui8>
  return %0 : tensor<4xui8>
}
func.func @main(%x: tensor<4xui8>, %n: tensor<ui32>) -> (tensor<4xui8>, tensor<ui32>) {
  %0 = func.call @twice(%x) : (tensor<4xui8>) -> tensor<4xui8>
  %1 = stablehlo.xor %0, %x : tensor<4xui8>
  %2 = stablehlo.while(%i = %n) : tensor<ui32>
    cond {
      %z = stablehlo.constant dense<4000000000> : tensor<ui32>
      %p = stablehlo.compare NE, %i, %z, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<ui32>
      %j = stablehlo.subtract %i, %one : tensor<ui32>
      stablehlo.return %j : tensor<ui32>
    }
  return %1, %2 : tensor<4xui8>, tensor<ui32>
}
"""


def test_signless_integers_have_the_bits_of_unsigned_ones() -> None:
    module = sm.load(UNSIGNED)
    optimized = sm.opt(module, "stablehlo-convert-to-signless")
    optimized.verify()
    text = optimized.to_text()
    assert "ui" not in text
    assert "UNSIGNED" not in text
    x, n = np.array([0, 100, 255, 128], np.uint8), np.uint32(4_000_000_003)
    before = module.run(x, n, backend="interpreter")
    after = optimized.run(x.view(np.int8), n.view(np.int32), backend="interpreter")
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, np.asarray(new).view(old.dtype))


def test_programs_without_signs_stay() -> None:
    text = "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {\n  return %x : tensor<2xi8>\n}\n"
    assert (
        sm.opt(sm.load(text), "stablehlo-convert-to-signless").to_text() == sm.load(text).to_text()
    )
