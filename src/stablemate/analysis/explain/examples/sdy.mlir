// ----- sdy.all_gather
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.sharding_constraint %c <@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_gather [{"y":(2)2}, {}] %0 out_sharding=<@mesh, [{"x", "y":(1)2}, {}]> : tensor<2x2xi64>
  %2 = sdy.all_slice [{"y":(2)2}, {}] %1 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %3 = sdy.all_gather [{"x", "y"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.all_reduce
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.all_reduce {"y"} %c out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.replicated_to_unreduced {"y"} %1 out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<2x2xi64>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.all_slice
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.sharding_constraint %c <@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_gather [{"y":(2)2}, {}] %0 out_sharding=<@mesh, [{"x", "y":(1)2}, {}]> : tensor<2x2xi64>
  %2 = sdy.all_slice [{"y":(2)2}, {}] %1 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %3 = sdy.all_gather [{"x", "y"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.all_to_all
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.reshard %c <@mesh, [{"x"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{}, {"y":(2)2}]> : tensor<2x2xi64>
  return %2 : tensor<2x2xi64>
}

// ----- sdy.collective_permute
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.reshard %c <@mesh, [{"x"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{}, {"y":(2)2}]> : tensor<2x2xi64>
  return %2 : tensor<2x2xi64>
}

// ----- sdy.constant
func.func @main() -> tensor<2xi32> {
  %0 = sdy.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- sdy.data_flow_edge
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = sdy.propagation_barrier %cst allowed_direction=FORWARD : tensor<2xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<2xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<2xf32>
  sdy.sharding_group %2 group_id=1 : tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}]> : tensor<2xf32>
  %5 = stablehlo.negate %4 : tensor<2xf32>
  %6 = sdy.data_flow_edge %5 : tensor<2xf32>
  return %6 : tensor<2xf32>
}

// ----- sdy.func_data_flow_edge
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func private @edges(%arg0: tensor<2xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xi64> {
  %0 = sdy.func_data_flow_edge %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = call @edges(%c) : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// ----- sdy.manual_computation
sdy.mesh @one = <["x"=1]>
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = sdy.manual_computation(%c) in_shardings=[<@one, [{"x"}]>] out_shardings=[<@one, [{"x"}]>] manual_axes={"x"} (%arg0: tensor<2xi64>) {
    %1 = stablehlo.add %arg0, %arg0 : tensor<2xi64>
    sdy.return %1 : tensor<2xi64>
  } : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// ----- sdy.mesh
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0:2 = sdy.named_computation<"double">(%c) out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] (%arg0: tensor<2xi64>) {
    %1 = stablehlo.add %arg0, %arg0 : tensor<2xi64>
    sdy.return %1, %arg0 : tensor<2xi64>, tensor<2xi64>
  } : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

// ----- sdy.named_computation
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0:2 = sdy.named_computation<"double">(%c) out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] (%arg0: tensor<2xi64>) {
    %1 = stablehlo.add %arg0, %arg0 : tensor<2xi64>
    sdy.return %1, %arg0 : tensor<2xi64>, tensor<2xi64>
  } : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

// ----- sdy.propagation_barrier
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = sdy.propagation_barrier %cst allowed_direction=FORWARD : tensor<2xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<2xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<2xf32>
  sdy.sharding_group %2 group_id=1 : tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}]> : tensor<2xf32>
  %5 = stablehlo.negate %4 : tensor<2xf32>
  %6 = sdy.data_flow_edge %5 : tensor<2xf32>
  return %6 : tensor<2xf32>
}

// ----- sdy.reduce_scatter
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.all_reduce {"y"} %c out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.replicated_to_unreduced {"y"} %1 out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<2x2xi64>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.replicated_to_unreduced
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.all_reduce {"y"} %c out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.replicated_to_unreduced {"y"} %1 out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<2x2xi64>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.reshard
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.reshard %c <@mesh, [{"y":(2)2}, {"y":(1)2}], unreduced={"x"}> : tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// ----- sdy.return
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0:2 = sdy.named_computation<"double">(%c) out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] (%arg0: tensor<2xi64>) {
    %1 = stablehlo.add %arg0, %arg0 : tensor<2xi64>
    sdy.return %1, %arg0 : tensor<2xi64>, tensor<2xi64>
  } : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

// ----- sdy.sharded_to_unreduced
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.all_reduce {"y"} %c out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.replicated_to_unreduced {"y"} %1 out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<2x2xi64>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.sharding_constraint
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.sharding_constraint %c <@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_gather [{"y":(2)2}, {}] %0 out_sharding=<@mesh, [{"x", "y":(1)2}, {}]> : tensor<2x2xi64>
  %2 = sdy.all_slice [{"y":(2)2}, {}] %1 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %3 = sdy.all_gather [{"x", "y"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  return %3 : tensor<2x2xi64>
}

// ----- sdy.sharding_group
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = sdy.propagation_barrier %cst allowed_direction=FORWARD : tensor<2xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<2xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<2xf32>
  sdy.sharding_group %2 group_id=1 : tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}]> : tensor<2xf32>
  %5 = stablehlo.negate %4 : tensor<2xf32>
  %6 = sdy.data_flow_edge %5 : tensor<2xf32>
  return %6 : tensor<2xf32>
}
