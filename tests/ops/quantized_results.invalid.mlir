// async_done_c1: another scale
// error@4:38: stablehlo.async_done C1: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: !stablehlo.future<tensor<2x!quant.uniform<i8:f32, 0.5>>>) {
  %0 = "stablehlo.async_done"(%a0) : (!stablehlo.future<tensor<2x!quant.uniform<i8:f32, 0.5>>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// case_c4: another scale than the branches
// error@4:8: stablehlo.case C4: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<i32>) {
  %0 = "stablehlo.case"(%a0) ({
    %c = "stablehlo.custom_call"() <{call_target_name = "foo"}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%c) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// if_c2: another scale in the other branch
// error@4:8: stablehlo.if C2: true_branch = () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, false_branch = () -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>
func.func @main(%a0: tensor<i1>) {
  %0 = "stablehlo.if"(%a0) ({
    %c = "stablehlo.custom_call"() <{call_target_name = "foo"}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%c) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    %c = "stablehlo.custom_call"() <{call_target_name = "foo"}> : () -> tensor<2x!quant.uniform<i8:f32, 0.25>>
    "stablehlo.return"(%c) : (tensor<2x!quant.uniform<i8:f32, 0.25>>) -> ()
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// if_c3: another scale than the branches
// error@4:8: stablehlo.if C3: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<i1>) {
  %0 = "stablehlo.if"(%a0) ({
    %c = "stablehlo.custom_call"() <{call_target_name = "foo"}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%c) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    %c = "stablehlo.custom_call"() <{call_target_name = "foo"}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%c) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// while_c1: another scale in the condition
// error@4:8: stablehlo.while C1: cond = (tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<i1>, operand = [tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>]
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.25>>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    "stablehlo.return"(%x) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// while_c2: another scale in the body
// error@4:8: stablehlo.while C2: body = (tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, operand = [tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>]
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.25>>):
    "stablehlo.return"(%x) : (tensor<2x!quant.uniform<i8:f32, 0.25>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// while_c3: another scale than the operand
// error@4:8: stablehlo.while C3: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.while"(%a0) ({
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    "stablehlo.return"(%x) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// all_reduce_c7: another scale than the computation
// error@4:8: stablehlo.all_reduce C7: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// reduce_scatter_c9: another scale than the computation
// error@4:8: stablehlo.reduce_scatter C9: result = !quant.uniform<i8:f32, 2.500000e-01>, computation = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a0: tensor<?x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<?x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// reduce_c8: another scale than the body
// error@4:8: stablehlo.reduce C8: type = tensor<!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce"(%a0, %a1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// reduce_window_c16: another scale than the body
// error@4:8: stablehlo.reduce_window C16: type = tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce_window"(%a0, %a1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<1x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// scatter_c25: another scale than the computation
// error@4:8: stablehlo.scatter C25: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<1x1xi64>, %a2: tensor<1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<1x1xi64>, tensor<1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// select_and_scatter_c12: another scale than the computation
// error@4:8: stablehlo.select_and_scatter C12: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<1x!quant.uniform<i8:f32, 0.5>>, %a2: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// map_c4: another scale than the computation
// error@4:8: stablehlo.map C4: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.map"(%a0, %a1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.add"(%x, %y) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%r) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// sort_c2: another scale than the input
// error@4:8: stablehlo.sort C2: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.sort"(%a0) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// dynamic_gather_c14: another scale than the operand
// error@4:195: stablehlo.dynamic_gather C14: type = tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<1x1xi64>, %a2: tensor<1xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a0, %a1, %a2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<1x1xi64>, tensor<1xi64>) -> tensor<1x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// get_tuple_element_c2: another scale than the element
// error@4:65: stablehlo.get_tuple_element C2: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tuple<tensor<2x!quant.uniform<i8:f32, 0.5>>>) {
  %0 = "stablehlo.get_tuple_element"(%a0) <{index = 0 : i32}> : (tuple<tensor<2x!quant.uniform<i8:f32, 0.5>>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// set_dimension_size_c2: another scale than the operand
// error@4:75: stablehlo.set_dimension_size C2: type = tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<?x!quant.uniform<i8:f32, 5.000000e-01>, #stablehlo.bounds<2>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%a0, %a1) <{dimension = 0 : i64}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}
// -----
// reshape_c1: other scales, in open shapes
// error@5:8: stablehlo.reshape C1: operand = !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>, result = !quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>
// error@5:8: stablehlo.reshape C3: operand = tensor<?x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, result = tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>>
func.func @main(%a0: tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = "stablehlo.reshape"(%a0) : (tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 1.0}>>
  return
}
// -----
// top_k: another scale than the operand
// error@4:46: chlo.top_k: type = tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0:2 = "chlo.top_k"(%a0) <{k = 1 : i64}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1xi32>)
  return
}
// -----
// broadcast_select: an element type that is nowhere else
// error@4:49: chlo.broadcast_select: type = tensor<2xi1>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a0: tensor<2xi1>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5>>, %a2: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_select"(%a0, %a1, %a2) : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi1>
  return
}
// -----
// reduce_c6: numbers for booleans
// error@4:8: stablehlo.reduce C6: body = (tensor<i8>, tensor<i8>) -> tensor<i8>, element_types = [i1]
func.func @main(%a0: tensor<2xi1>, %a1: tensor<i1>) {
  %0 = "stablehlo.reduce"(%a0, %a1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %r = "stablehlo.add"(%x, %y) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%r) : (tensor<i8>) -> ()
  }) : (tensor<2xi1>, tensor<i1>) -> tensor<i8>
  return
}
// -----
// scatter_c23: a narrower computation
// error@4:8: stablehlo.scatter C23: update_computation = (tensor<f16>, tensor<f16>) -> tensor<f16>, element_types = [f32]
func.func @main(%a0: tensor<2xf32>, %a1: tensor<1x1xi64>, %a2: tensor<1xf32>) {
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    %r = "stablehlo.add"(%x, %y) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    "stablehlo.return"(%r) : (tensor<f16>) -> ()
  }) : (tensor<2xf32>, tensor<1x1xi64>, tensor<1xf32>) -> tensor<2xf16>
  return
}
// -----
// select_and_scatter_c10: a narrower computation
// error@4:8: stablehlo.select_and_scatter C10: scatter = (tensor<f16>, tensor<f16>) -> tensor<f16>, element_types = [f32]
func.func @main(%a0: tensor<2xf32>, %a1: tensor<1xf32>, %a2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    %r = "stablehlo.add"(%x, %y) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    "stablehlo.return"(%r) : (tensor<f16>) -> ()
  }) : (tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf16>
  return
}
// -----
// abs_i1: floats that the specification lacks
// error@5:16: quantized element type expressed_type: expressed_type = f80
// error@5:1: quantized element type expressed_type: expressed_type = f80
// error@6:31: quantized element type expressed_type: expressed_type = f80
func.func @main(%a0: tensor<2x!quant.uniform<i8:f80, 0.5>>) {
  %0 = "stablehlo.abs"(%a0) : (tensor<2x!quant.uniform<i8:f80, 0.5>>) -> tensor<2x!quant.uniform<i8:f80, 0.5>>
  return
}
// -----
// transpose_c1: more scales than the operand
// error@4:71: stablehlo.transpose C1: type = tensor<?x?x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e+00}>>, expected = tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<?x?x!quant.uniform<i8:f32:1, {0.5, 0.25, 1.0}>>
  return
}
