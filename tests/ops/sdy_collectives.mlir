sdy.mesh @mesh = <["x"=2, "y"=4]>

// The values of the global tensor stay as they are.
func.func @gather_and_slice() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_gather [{"y":(2)2}, {}] %0 out_sharding=<@mesh, [{"x", "y":(1)2}, {}]> : tensor<2x2xi64>
  %2 = sdy.all_slice [{"y":(2)2}, {}] %1 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<2x2xi64>
  %3 = sdy.all_gather [{"x", "y"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  check.expect_eq_const %3, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return
}

// The sums along axes are part of how the global tensor is stored.
func.func @reductions() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.all_reduce {"y"} %a out_sharding=<@mesh, [{}, {}]> : tensor<2x2xi64>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.replicated_to_unreduced {"y"} %1 out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<2x2xi64>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x2xi64>
  check.expect_eq_const %3, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return
}

// Axes move between dimensions and devices.
func.func @moves() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<2x2xi64>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xi64>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{}, {"y":(2)2}]> : tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return
}
