"""What nobody uses goes, and nothing else."""

from __future__ import annotations

import stablemate as sm
from stablemate.transforms.dead_code import without_dead_code

NESTED = """func.func @main(%a: tensor<i32>, %which: tensor<i1>) -> tensor<i32> {
  %0 = stablehlo.add %a, %a : tensor<i32>
  %1 = "stablehlo.if"(%which) ({
    %3 = stablehlo.multiply %0, %a : tensor<i32>
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %2 = "stablehlo.if"(%which) ({
    stablehlo.return %0 : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %2 : tensor<i32>
}"""


def test_what_is_dead_inside_of_what_is_dead_is_counted_once() -> None:
    module = sm.Module(without_dead_code(sm.load(NESTED).ir))
    module.verify()
    names = [operation.name for operation in module.ir.operation.walk()]
    assert names.count("stablehlo.if") == 1
    assert names.count("stablehlo.add") == 1
    assert "stablehlo.multiply" not in names
    assert module.run(3, True) == 6


def test_nothing_to_remove_leaves_the_module() -> None:
    ir = sm.Module(without_dead_code(sm.load(NESTED).ir)).ir
    assert without_dead_code(ir) is ir


def test_loops_and_effects_stay() -> None:
    module = sm.load(
        """func.func @main(%a: tensor<i32>) -> tensor<i32> {
          %0 = stablehlo.while(%x = %a) : tensor<i32> cond {
            %2 = stablehlo.compare LT, %x, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %2 : tensor<i1>
          } do {
            stablehlo.return %x : tensor<i32>
          }
          %1 = stablehlo.custom_call @effect(%a) {has_side_effect = true}
            : (tensor<i32>) -> tensor<i32>
          return %a : tensor<i32>
        }"""
    )
    assert without_dead_code(module.ir) is module.ir


def test_collectives_that_no_process_needs_go_where_all_run_the_same() -> None:
    module = sm.load(
        """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = "stablehlo.all_gather"(%a) <{
            replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
            all_gather_dim = 0 : i64,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
          }> : (tensor<4xf32>) -> tensor<8xf32>
          return %a : tensor<4xf32>
        }"""
    )
    assert without_dead_code(module.ir) is module.ir
    live = without_dead_code(module.ir, same_on_all=True)
    assert [operation.name for operation in live.body.operations[0].walk()][1:] == ["func.return"]
