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
// -----
// moved_parts_are_merged
// error@5:8: sdy.all_gather axes: axes = ["z":(1)2, "z":(2)4]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"z"}]>}) {
  %0 = sdy.all_gather [{}, {"z":(1)2, "z":(2)4}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// sources_ascend
// error@5:8: sdy.all_to_all params: sources = [2, 0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) {
  %0 = sdy.all_to_all [{"y"}: 2->3, {"x"}: 0->1] %a out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  return
}
// -----
// reduction_axes_ordered
// error@5:8: sdy.all_reduce reduction_axes: axes = ["z", "y"], mesh = [x, y, z]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.all_reduce {"z", "y"} %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// reduction_axes_reduced
// error@5:8: sdy.all_reduce reduction_axes: axes = ["z"]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced={"z"}>}) {
  %0 = sdy.all_reduce {"z"} %a out_sharding=<@mesh, [{"x"}, {"y"}], unreduced={"z"}> : tensor<8x8xf32>
  return
}
// -----
// replicated_to_unreduced_operand
// error@5:8: sdy.replicated_to_unreduced operand: operand = tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.replicated_to_unreduced {"z"} %a out_sharding=<@mesh, [{}, {}], unreduced={"z"}> : tensor<8x8xf32>
  return
}
// -----
// replicated_to_unreduced_some_axis
// error@5:8: sdy.replicated_to_unreduced axes: axes = [], mesh = [x, y]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.replicated_to_unreduced {} %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}
// -----
// replicated_to_unreduced_order
// error@5:8: sdy.replicated_to_unreduced axes: axes = ["z", "y"], mesh = [x, y, z]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"z", "y"} %a out_sharding=<@mesh, [{"x"}, {}], unreduced={"y", "z"}> : tensor<8x8xf32>
  return
}
// -----
// replicated_to_unreduced_result
// error@5:8: sdy.replicated_to_unreduced out_sharding: unreduced = [], moved = ["z"]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.replicated_to_unreduced {"z"} %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}
// -----
// sharded_to_unreduced_result
// error@5:8: sdy.sharded_to_unreduced out_sharding: unreduced = [], moved = ["y"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.sharded_to_unreduced [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// permute_mesh
// error@6:8: sdy.collective_permute mesh: operand = @mesh, result = @mesh2
sdy.mesh @mesh2 = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh2, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return
}
// -----
// permute_axes
// error@6:8: sdy.collective_permute mesh: operand = @mesh, result = @two
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @two = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@two, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
// operand_sharding_axes
// error@5:1: func.func attributes of arguments and results: argument = 0, sdy.sharding = axes: The axes of a sharding are axes of its mesh, axes = ["w"]
// error@6:8: sdy.all_gather operand: axes = ["w"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w"}, {}]>}) {
  %0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
