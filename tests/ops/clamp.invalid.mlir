// clamp_i1
// error@4:24: stablehlo.clamp I1: min = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<2xindex>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// clamp_i2
// error@4:28: stablehlo.clamp I2: operand = tensor<2xindex>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xindex>, %c: tensor<2xf32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<2xf32>, tensor<2xindex>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// clamp_i3
// error@4:32: stablehlo.clamp I3: max = tensor<2xindex>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xindex>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<2xf32>, tensor<2xf32>, tensor<2xindex>) -> tensor<2xf32>
  return
}
// -----
// clamp_c1
// error@4:8: stablehlo.clamp C1: min = [3], operand = [2]
func.func @main(%a: tensor<3xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
// clamp_c2
// error@4:8: stablehlo.clamp C2: max = [1], operand = [2]
func.func @main(%a: tensor<f32>, %b: tensor<2xf32>, %c: tensor<1xf32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return
}
// -----
// clamp_c3
// error@4:8: stablehlo.clamp C3: min = f64, operand = f32, max = f32
func.func @main(%a: tensor<f64>, %b: tensor<2xf32>, %c: tensor<f32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f64>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
// clamp_c4
// error@4:37: stablehlo.clamp C4: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<f32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
