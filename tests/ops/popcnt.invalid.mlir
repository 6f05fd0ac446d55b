// popcnt_i1
// error@4:25: stablehlo.popcnt I1: operand = tensor<2xi1>
func.func @main(%a: tensor<2xi1>) {
  %0 = stablehlo.popcnt %a : tensor<2xi1>
  return
}
// -----
// popcnt_c1
// error@4:30: stablehlo.popcnt C1: type = tensor<2xi16>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.popcnt %a : (tensor<2xi8>) -> tensor<2xi16>
  return
}
// -----
// popcnt_c1 shape
// error@4:30: stablehlo.popcnt C1: type = tensor<2x1xi8>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.popcnt %a : (tensor<2xi8>) -> tensor<2x1xi8>
  return
}
