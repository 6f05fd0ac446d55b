// async_done_c1
// error@4:37: stablehlo.async_done C1: type = tensor<2x3xf32>, expected = tensor<2x2xf32>
func.func @main(%a: !stablehlo.future<tensor<2x2xf32>>) {
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<2x2xf32>>) -> tensor<2x3xf32>
  return
}
// -----
// async_done_c1: of one value
// error@4:8: stablehlo.async_done C1: operand = !stablehlo.future<tensor<2xf32>, tensor<2xf32>>
func.func @main(%a: !stablehlo.future<tensor<2xf32>, tensor<2xf32>>) {
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  return
}
// -----
// async_done_i1
// error@4:31: stablehlo.async_done I1: operand = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.async_done"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
