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
// -----
// outfeed_i1
// error@4:28: stablehlo.outfeed I1: inputs = !stablehlo.token
func.func @main(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1) <{outfeed_config = "x"}> : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// outfeed_i3
// error@4:37: stablehlo.outfeed I3: outfeed_config = 1 : i32
func.func @main(%arg0: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0) <{outfeed_config = 1 : i32}> : (!stablehlo.token) -> !stablehlo.token
  return
}
