sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @one_device = <[], device_ids=[0]>

// Shardings and sharding rules on operations of other dialects change no value.
func.func @annotations() {
  %a = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = stablehlo.dot %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=2, j=2, k=2} reduction={k}, custom>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  %1 = stablehlo.add %a, %0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}, {"y":(1)2 = operand-1 -> [result-0]}]}, {step-2 = [{"y" = result-0 -> [operand-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)2}, {"y":(2)2, ?}p1], replicated={"x"}>]>} : tensor<2x2xi64>
  %2 = stablehlo.abs %1 {sdy.sharding = #sdy.sharding_per_value<[<@one_device, []>]>} : tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[8, 12], [18, 26]]> : tensor<2x2xi64>
  return
}

// An edge between functions has edges of its own.
func.func private @edges(%a: tensor<2xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xi64> {
  %0 = sdy.func_data_flow_edge %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @edge_between_functions() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = call @edges(%a) : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi64>
  return
}

// On arguments and results of functions, and on what has no results, as well.
func.func private @called(%a: tensor<2xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2xi64> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) {
  stablehlo.custom_call @dce_sink(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one_device, []>]>} : (tensor<2xi64>) -> ()
  return %a : tensor<2xi64>
}

func.func @function() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = call @called(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi64>
  return
}
