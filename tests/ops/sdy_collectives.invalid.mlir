// all_gather_lists_fit
// error@6:8: sdy.all_gather axes: lists = 1, rank = 2
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"y"}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_gather_result_sharding
// error@6:8: sdy.all_gather out_sharding: dimensions = [0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_gather_one_mesh
// error@6:8: sdy.all_gather mesh: operand = @mesh, result = #sdy.mesh<["z"=2]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{}, {}] %0 out_sharding=<mesh<["z"=2]>, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_gather_moved_axes_exist
// error@6:8: sdy.all_gather axes: axes = ["w"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"w"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_gather_operand_is_sharded
// error@6:8: sdy.all_gather operand: operand = tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_slice_result_sharding
// error@6:8: sdy.all_slice out_sharding: dimensions = [1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {"x"}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// reduce_scatter_result_sharding
// error@6:8: sdy.reduce_scatter out_sharding: dimensions = [1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{}, {"x"}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_to_all_some_move
// error@6:8: sdy.all_to_all params: params = []
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [] %0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_to_all_dimensions_exist
// error@6:8: sdy.all_to_all params: dimensions = [0, 2], rank = 2
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"y"}: 0->2] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_to_all_dimensions_differ
// error@6:8: sdy.all_to_all params: dimensions = [0, 0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"y"}: 0->0] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_to_all_result_sharding
// error@6:8: sdy.all_to_all out_sharding: dimensions = [1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"y"}: 0->1] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_reduce_result_sharding
// error@6:8: sdy.all_reduce out_sharding: dimensions = [0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
// all_reduce_axes_do_not_divide
// error@6:8: sdy.all_reduce reduction_axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// collective_permute_same_counts
// error@6:8: sdy.collective_permute out_sharding: operand = [8, 1], result = [4, 1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return
}
