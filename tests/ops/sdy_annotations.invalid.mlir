// mesh_positive_sizes
// error@3:15: sdy.mesh axes: sizes = [2, 0]
sdy.mesh @m = <["x"=2, "y"=0]>
// -----
// mesh_unique_axes
// error@3:15: sdy.mesh axes: axes = [x, x]
sdy.mesh @m = <["x"=2, "x"=2]>
// -----
// mesh_known_devices
// error@3:15: sdy.mesh device_ids: device_ids = [0, 2]
sdy.mesh @m = <["x"=2], device_ids=[0, 2]>
// -----
// mesh_device_count
// error@3:15: sdy.mesh device_ids: device_ids = [1]
sdy.mesh @m = <["x"=2], device_ids=[1]>
// -----
// mesh_exists
// error@5:8: sdy.sharding_constraint mesh: mesh = [@nothing]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@nothing, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// mesh_in_place_is_valid
// error@5:40: sdy.mesh axes: axes = [x, x]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <mesh<["x"=2, "x"=2]>, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// maximal_mesh
// error@5:8: sdy.sharding_constraint mesh: shardings = [<mesh<[], device_ids=[0]>, [{}, {}]>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <mesh<[], device_ids=[0]>, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// rank_fits
// error@5:8: sdy.sharding_constraint rank: shardings = [<@mesh, [{}]>], types = [tensor<8x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8x8xf32>
  return
}
// -----
// priorities_say_something
// error@5:8: sdy.sharding_constraint priority: dimensions = [{}p0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}p0, {?}p1]> : tensor<8x8xf32>
  return
}
// -----
// axes_exist
// error@5:8: sdy.sharding_constraint axes: axes = ["w"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"w"}, {"x"}]> : tensor<8x8xf32>
  return
}
// -----
// parts_fit_size
// error@5:8: sdy.sharding_constraint axes: axes = ["y":(1)3]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)3}, {}]> : tensor<8x8xf32>
  return
}
// -----
// parts_fit_whole
// error@5:8: sdy.sharding_constraint axes: axes = ["y":(1)4]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)4}, {}]> : tensor<8x8xf32>
  return
}
// -----
// parts_fit_before
// error@5:8: sdy.sharding_constraint axes: axes = ["y":(0)2]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(0)2}, {}]> : tensor<8x8xf32>
  return
}
// -----
// axes_used_once
// error@5:8: sdy.sharding_constraint axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"x"}]> : tensor<8x8xf32>
  return
}
// -----
// axes_used_once_replicated
// error@5:8: sdy.sharding_constraint axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}], replicated={"x"}> : tensor<8x8xf32>
  return
}
// -----
// axes_used_once_part
// error@5:8: sdy.sharding_constraint axes: axes = ["y", "y":(1)2]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)2}, {"y"}]> : tensor<8x8xf32>
  return
}
// -----
// parts_are_merged
// error@5:8: sdy.sharding_constraint axes: axes = ["y":(1)2, "y":(2)2]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)2, "y":(2)2}, {}]> : tensor<8x8xf32>
  return
}
// -----
// lists_are_ordered
// error@5:8: sdy.sharding_constraint axes: axes = ["y", "x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}], replicated={"y", "x"}> : tensor<8x8xf32>
  return
}
// -----
// reshard_rank
// error@5:8: sdy.reshard rank: shardings = [<@mesh, [{"x"}]>], types = [tensor<8x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x"}]> : tensor<8x8xf32>
  return
}
// -----
// propagation_barrier_blocks_something
// error@5:8: sdy.propagation_barrier allowed_direction: allowed_direction = BOTH
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>
  return
}
// -----
// data_flow_edge_one_use
// error@5:8: sdy.data_flow_edge input: uses = [stablehlo.abs]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<8x8xf32>
  %1 = stablehlo.abs %a : tensor<8x8xf32>
  return
}
// -----
// data_flow_edge_starts_outside
// error@6:8: sdy.data_flow_edge input: operation = sdy.reshard
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8x8xf32>
  return
}
// -----
// edge_static
// error@4:8: sdy.data_flow_edge result: result = tensor<?xf32>
func.func @main(%a: tensor<?xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<?xf32>
  return
}
// -----
// func_edge_static
// error@4:8: sdy.func_data_flow_edge result: result = tensor<?xf32>
func.func @main(%a: tensor<?xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<?xf32>
  return
}
// -----
// func_edge_one_use
// error@4:8: sdy.func_data_flow_edge operand: uses = [stablehlo.abs]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>
  %1 = stablehlo.abs %a : tensor<8x8xf32>
  return
}
// -----
// func_edge_start
// error@5:8: sdy.func_data_flow_edge operand: operation = stablehlo.abs
func.func @main(%a: tensor<8x8xf32>) {
  %1 = stablehlo.abs %a : tensor<8x8xf32>
  %0 = sdy.func_data_flow_edge %1 : tensor<8x8xf32>
  return
}
// -----
// func_edge_type
// error@4:8: sdy.func_data_flow_edge type: operand = tensor<?xf32>, result = tensor<2xf32>
func.func @main(%a: tensor<?xf32>) {
  %0 = "sdy.func_data_flow_edge"(%a) : (tensor<?xf32>) -> tensor<2xf32>
  return
}
// -----
// propagation_barrier: the type of the input, unknown sizes too
// error@4:72: sdy.propagation_barrier type: type = tensor<8xf32>, expected = tensor<?xf32>
func.func @main(%a: tensor<?xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = 1 : i32}> : (tensor<?xf32>) -> tensor<8xf32>
  return
}
// -----
// data_flow_edge: the type of the input, unknown sizes too
// error@4:35: sdy.data_flow_edge type: type = tensor<8xf32>, expected = tensor<?xf32>
func.func @main(%a: tensor<?xf32>) {
  %0 = "sdy.data_flow_edge"(%a) : (tensor<?xf32>) -> tensor<8xf32>
  return
}
