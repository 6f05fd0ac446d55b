"""A program that is not compiled: what it begins may wait for other processes."""

from __future__ import annotations

from typing import Final

WAITING: Final = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
    %1 = "stablehlo.collective_permute"(%a) {
      source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>
    } : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
"""
