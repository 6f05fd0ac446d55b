// infeed_c1
// error@4:3: stablehlo.infeed C1: size = 0
func.func @main(%a0: !stablehlo.token) {
  "stablehlo.infeed"(%a0) <{}> : (!stablehlo.token) -> ()
  return
}
// -----
// infeed_c2
// error@4:10: stablehlo.infeed C2: results = [!stablehlo.token]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a0) <{}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
// infeed_c3
// error@4:8: stablehlo.infeed C3: result = tensor<2x4xf32>
func.func @main(%a0: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%a0) <{}> : (!stablehlo.token) -> tensor<2x4xf32>
  return
}
// -----
// infeed_layout: number
// error@4:10: stablehlo.infeed layout: layout = [], tensors = 1
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a0) <{layout = []}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// infeed_layout: items
// error@4:10: stablehlo.infeed layout: layout = [0], tensors = 1
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a0) <{layout = [0]}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// infeed_i1
// error@4:27: stablehlo.infeed I1: token = tensor<2xi1>
func.func @main(%arg0: tensor<2xi1>) {
  %0 = "stablehlo.infeed"(%arg0) <{infeed_config = ""}> : (tensor<2xi1>) -> !stablehlo.token
  return
}
// -----
// infeed_i2
// error@4:36: stablehlo.infeed I2: infeed_config = 1 : i32
func.func @main(%arg0: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%arg0) <{infeed_config = 1 : i32}> : (!stablehlo.token) -> !stablehlo.token
  return
}
