// torch_index_select_i1
// error@4:39: stablehlo.torch_index_select I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %i: tensor<1xi32>) {
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2xindex>, tensor<1xi32>) -> tensor<1xi32>
  return
}
// -----
// torch_index_select_i3
// error@4:8: stablehlo.torch_index_select I3: expected the attribute dim, a 64-bit integer
func.func @main(%a: tensor<2xi32>, %i: tensor<1xi32>) {
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<1xi32>
  return
}
// -----
