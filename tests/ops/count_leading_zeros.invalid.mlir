// count_leading_zeros_i1
// error@4:38: stablehlo.count_leading_zeros I1: operand = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.count_leading_zeros %a : tensor<2xf32>
  return
}
// -----
// count_leading_zeros_c1
// error@4:43: stablehlo.count_leading_zeros C1: type = tensor<2xi16>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.count_leading_zeros %a : (tensor<2xi8>) -> tensor<2xi16>
  return
}
// -----
// count_leading_zeros_c1 shape
// error@4:43: stablehlo.count_leading_zeros C1: type = tensor<2x1xi8>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.count_leading_zeros %a : (tensor<2xi8>) -> tensor<2x1xi8>
  return
}
