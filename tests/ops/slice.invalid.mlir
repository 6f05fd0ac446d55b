// slice_i1
// error@4:24: stablehlo.slice I1: operand = tensor<2x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  %0 = stablehlo.slice %a [0:2] : (tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}
// -----
// slice_i2
// error@4:8: stablehlo.slice I2: expected the attribute start_indices, an array of i64
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.slice"(%a) <{limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// slice_c1
// error@4:35: stablehlo.slice C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [0:2] : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// slice_c2
// error@4:8: stablehlo.slice C2: sizes = [2, 2, 2], rank = 1
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [0:2, 0:1] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// slice_c3 negative start
// error@4:8: stablehlo.slice C3: start_indices = [-1], limit_indices = [2], shape = [2]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [-1:2] : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// slice_c3 start above limit
// error@4:8: stablehlo.slice C3: start_indices = [2], limit_indices = [1], shape = [2]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [2:1] : (tensor<2xf32>) -> tensor<0xf32>
  return
}
// -----
// slice_c3 limit above size
// error@4:8: stablehlo.slice C3: start_indices = [0], limit_indices = [3], shape = [2]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [0:3] : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// slice_c3 limit above bound
// error@4:8: stablehlo.slice C3: start_indices = [0], limit_indices = [3], shape = [2]
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<2>>) {
  %0 = stablehlo.slice %a [0:3] : (tensor<?xf32, #stablehlo.bounds<2>>) -> tensor<3xf32>
  return
}
// -----
// slice_c4
// error@4:8: stablehlo.slice C4: strides = [0]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.slice %a [0:2:0] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// slice_c5
// error@4:37: stablehlo.slice C5: type = tensor<1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<3xf32>) {
  %0 = stablehlo.slice %a [0:3:2] : (tensor<3xf32>) -> tensor<1xf32>
  return
}
// -----
// -----
// slice_i3
// error@4:35: stablehlo.slice I3: limit_indices = 1 : i32
func.func @main(%arg0: tensor<f16>) {
  %0 = "stablehlo.slice"(%arg0) <{limit_indices = 1 : i32, start_indices = array<i64>, strides = array<i64>}> : (tensor<f16>) -> tensor<f16>
  return
}
// -----
// slice_i4
// error@4:91: stablehlo.slice I4: strides = 1 : i32
func.func @main(%arg0: tensor<f16>) {
  %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64>, start_indices = array<i64>, strides = 1 : i32}> : (tensor<f16>) -> tensor<f16>
  return
}
