sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @reversed = <["x"=2], device_ids=[1, 0]>
sdy.mesh @empty = <[]>
sdy.mesh @one_device = <[], device_ids=[0]>

// A sharding says where elements are, not what they are.
func.func @sharding_constraint() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}], replicated={"y"}> : tensor<2x2xi64>
  %1 = sdy.sharding_constraint %0 <@one_device, []> : tensor<2x2xi64>
  %2 = sdy.sharding_constraint %1 <mesh<["z"=2]>, [{"z", ?}p1, {}]> : tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return
}

// Parts of axes, and a tensor that is a sum along an axis.
func.func @reshard() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.reshard %a <@mesh, [{"y":(2)2}, {"y":(1)2}], unreduced={"x"}> : tensor<2x2xi64>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return
}

// Barriers, groups and edges let the values pass.
func.func @propagation() {
  %a = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<2xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<2xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<2xf32>
  sdy.sharding_group %2 group_id=1 : tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}]> : tensor<2xf32>
  %5 = stablehlo.negate %4 : tensor<2xf32>
  %6 = sdy.data_flow_edge %5 : tensor<2xf32>
  check.expect_eq_const %6, dense<[1.0, -0.0]> : tensor<2xf32>
  return
}

// A literal.
func.func @constant() {
  %0 = sdy.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}

// Attributes of Shardy on other operations and on arguments.
func.func private @attributes(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<2x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@reversed, [{}, {?}]>}) {
  %0 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=8, j=4} need_replication={i} permutation={j} blocked_propagation={i, j}, custom>} : (tensor<8x4xf32>) -> tensor<32xf32>
  return %0 : tensor<8x4xf32>
}

// An argument of a function flows from its callers, and what it returns to them.
func.func private @called(%a: tensor<2xi64>) -> tensor<2xi64> {
  %0 = sdy.func_data_flow_edge %a : tensor<2xi64>
  %1 = stablehlo.add %0, %0 : tensor<2xi64>
  return %1 : tensor<2xi64>
}

func.func @func_data_flow_edge() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = call @called(%a) : (tensor<2xi64>) -> tensor<2xi64>
  %1 = sdy.func_data_flow_edge %0 : tensor<2xi64>
  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi64>
  return
}
