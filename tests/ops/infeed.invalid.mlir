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
// error@4:10: stablehlo.infeed layout: layout = [0 : i64], tensors = 1
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a0) <{layout = [0]}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
