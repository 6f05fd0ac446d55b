// outfeed_i2
// error@4:33: stablehlo.outfeed I2: token = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>) {
  %0 = "stablehlo.outfeed"(%a0, %a1) <{}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> !stablehlo.token
  return
}
// -----
// outfeed_result
// error@4:45: stablehlo.outfeed: result = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%a0, %a1) <{}> : (tensor<2x4xf32>, !stablehlo.token) -> tensor<2x4xf32>
  return
}
