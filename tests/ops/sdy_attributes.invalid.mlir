// sharding_kind
// error@4:8: stablehlo.add sdy.sharding kind: attribute = 1 : i32
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
// sharding_of_a_value
// error@5:8: stablehlo.add sdy.sharding kind: attribute = #sdy.sharding<@mesh, [{}, {}]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_count
// error@5:8: stablehlo.add sdy.sharding count: shardings = 2, results = 1
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_for_none
// error@4:8: stablehlo.add sdy.sharding count: shardings = 0, results = 1
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_without_results
// error@5:3: stablehlo.custom_call sdy.sharding count: shardings = 2, results = 0
sdy.mesh @max = <[], device_ids=[3]>
func.func @main(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @foo(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@max, []>, <@max, []>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
// sharding_without_results_divides
// error@5:3: stablehlo.custom_call sdy.sharding count: shardings = 1, results = 0
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @foo(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
// sharding_mesh
// error@4:8: stablehlo.add sdy.sharding mesh: mesh = [@nothing]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@nothing, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_rank
// error@5:8: stablehlo.add sdy.sharding rank: shardings = [<@mesh, [{"x"}]>], types = [tensor<8x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_maximal
// error@5:8: stablehlo.add sdy.sharding mesh: shardings = [<@max, [{}, {}]>]
sdy.mesh @max = <[], device_ids=[3]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@max, [{}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_priority
// error@5:8: stablehlo.add sdy.sharding priority: dimensions = [{}p0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}p0, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_axes_exist
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["w"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"w"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_axes_used_once
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"x"}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_axes_replicated_and_dividing
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], replicated={"x"}>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_axes_unreduced_and_dividing
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"x"}>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_axes_ordered
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["y", "x"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], replicated={"y", "x"}>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_parts_overlap
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["z":(1)4, "z":(2)2]
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"z":(1)4}, {"z":(2)2}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_part_is_whole
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["y":(1)4]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)4}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_part_of_one
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["y":(1)1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)1}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_part_too_large
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["y":(2)4]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(2)4}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_parts_merged
// error@5:8: stablehlo.add sdy.sharding axes: axes = ["y":(1)2, "y":(2)2]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)2, "y":(2)2}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
// sharding_of_a_token
// error@5:8: stablehlo.after_all sdy.sharding rank: shardings = [<@mesh, [{}]>], types = [!stablehlo.token]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() {
  %0 = stablehlo.after_all {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : !stablehlo.token
  return
}
// -----
// sharding_of_a_token_replicated
// error@5:8: stablehlo.after_all sdy.sharding rank: shardings = [<@mesh, [], replicated={"x"}>], types = [!stablehlo.token]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main() {
  %0 = stablehlo.after_all {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], replicated={"x"}>]>} : !stablehlo.token
  return
}
// -----
// sharding_of_a_tuple
// error@5:8: stablehlo.custom_call sdy.sharding rank: shardings = [<@mesh, [{"x"}, {}]>], types = [tuple<tensor<8x8xf32>, tensor<8x8xf32>>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>) -> tuple<tensor<8x8xf32>, tensor<8x8xf32>>
  return
}
// -----
// sharding_bound_axis
// error@6:10: stablehlo.add sdy.sharding axes: axes = [x]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    %1 = stablehlo.add %b, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// argument_rank
// error@4:1: func.func attributes of arguments and results: argument = 0, sdy.sharding = rank: A sharding has as many dimensions as its tensor, shardings = [<@mesh, [{"x"}]>], types = [tensor<8x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {

  return
}
// -----
// argument_kind
// error@3:1: func.func attributes of arguments and results: argument = 0, sdy.sharding = kind: It is a #sdy.sharding, attribute = unit
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = unit}) {

  return
}
// -----
// argument_axis
// error@4:1: func.func attributes of arguments and results: argument = 0, sdy.sharding = axes: The axes of a sharding are axes of its mesh, axes = ["w"]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w"}, {}]>}) {

  return
}
// -----
// result_mesh
// error@3:1: func.func attributes of arguments and results: result = 0, sdy.sharding = mesh: The mesh of a sharding is defined, mesh = [@none]
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@none, [{}, {}]>}) {
  return %a : tensor<8x8xf32>
}
// -----
// result_kind
// error@3:1: func.func attributes of arguments and results: result = 0, sdy.sharding = kind: It is a #sdy.sharding, attribute = unit
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = unit}) {
  return %a : tensor<8x8xf32>
}
// -----
// rule_kind
// error@4:8: stablehlo.add sdy.sharding_rule kind: attribute = 1 : i32
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
// rule_count
// error@4:8: stablehlo.add sdy.sharding_rule mappings: mappings = [1, 1], values = [2, 1]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
// rule_static
// error@4:8: stablehlo.add sdy.sharding_rule mappings: types = [tensor<?xf32>, tensor<?xf32>, tensor<?xf32>]
func.func @main(%a: tensor<?xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=8}>} : tensor<?xf32>
  return
}
// -----
// rule_rank
// error@4:8: stablehlo.add sdy.sharding_rule mappings: mappings = [1, 2, 2], ranks = [2, 2, 2]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
// rule_sizes
// error@4:8: stablehlo.add sdy.sharding_rule factors: factors = [k], sizes = [8, 8]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
// rule_used_once
// error@4:8: stablehlo.add sdy.sharding_rule factors: factors = [i]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
// rule_size_one
// error@4:8: stablehlo.add sdy.sharding_rule factors: factors = [k]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([ik, j], [i, j])->([i, j]) {i=8, j=8, k=1}>} : tensor<8x8xf32>
  return
}
// -----
// rule_all_used
// error@4:8: stablehlo.add sdy.sharding_rule factors: factors = [k]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8, k=2}>} : tensor<8x8xf32>
  return
}
// -----
// rule_ordered
// error@4:8: stablehlo.add sdy.sharding_rule kinds: permutation = [j, i]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8} permutation={j, i}>} : tensor<8x8xf32>
  return
}
// -----
// rule_twice
// error@4:8: stablehlo.add sdy.sharding_rule kinds: permutation = [i, i]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8} permutation={i, i}>} : tensor<8x8xf32>
  return
}
// -----
// rule_unknown_factor
// error@4:8: stablehlo.add sdy.sharding_rule kinds: permutation = [m]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8} permutation={m}>} : tensor<8x8xf32>
  return
}
// -----
// rule_one_kind
// error@4:8: stablehlo.add sdy.sharding_rule kinds: factors = [k]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, j])->([i, j]) {i=8, j=8, k=8} reduction={k} permutation={k}>} : tensor<8x8xf32>
  return
}
// -----
// rule_reduced
// error@4:8: stablehlo.add sdy.sharding_rule kinds: factors = [i]
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8} reduction={i}>} : tensor<8x8xf32>
  return
}
// -----
// edges_kind
// error@4:8: stablehlo.add sdy.propagation_edges kind: attribute = 1 : i32
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
// edges_steps
// error@5:8: stablehlo.add sdy.propagation_edges steps: steps = [0, 0]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edges_source
// error@5:8: stablehlo.add sdy.propagation_edges edges: edges = [{"x" = operand-0 -> [operand-0]}]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edges_targets
// error@5:8: stablehlo.add sdy.propagation_edges edges: edges = [{"x" = operand-0 -> [result-0, result-0]}]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0, result-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edges_values
// error@5:8: stablehlo.add sdy.propagation_edges edges: values = [result-1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-1]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edges_axis
// error@5:8: stablehlo.add sdy.propagation_edges axes: axes = ["w"], meshes = [<["x"=2, "y"=4]>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"w" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edges_without_mesh
// error@4:8: stablehlo.add sdy.propagation_edges axes: axes = ["x"], meshes = []
func.func @main(%a: tensor<8x8xf32> ) {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
// edge_lists
// error@4:8: stablehlo.add sdy.result_propagation_edges kind: attribute = 1 : i32
func.func @main(%a: tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.result_propagation_edges = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
// sharding of what has no results: its mesh is one of the module
// error@4:3: stablehlo.custom_call sdy.sharding mesh: mesh = [@nowhere]
func.func @main(%a: tensor<5xi64>) {
  "stablehlo.custom_call"(%a) <{call_target_name = "sink", has_side_effect = true}> {sdy.sharding = #sdy.sharding_per_value<[<@nowhere, []>]>} : (tensor<5xi64>) -> ()
  return
}
