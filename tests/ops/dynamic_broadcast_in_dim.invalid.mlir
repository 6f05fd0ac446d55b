// dynamic_broadcast_in_dim_i1
// error@4:43: stablehlo.dynamic_broadcast_in_dim I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xindex>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_i2
// error@4:47: stablehlo.dynamic_broadcast_in_dim I2: output_dimensions = tensor<1xi1>
func.func @main(%a: tensor<2xf32>, %b: tensor<1xi1>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<1xi1>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_i2 dynamic
// error@4:47: stablehlo.dynamic_broadcast_in_dim I2: output_dimensions = tensor<?xi64>
func.func @main(%a: tensor<2xf32>, %b: tensor<?xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<?xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c1
// error@4:8: stablehlo.dynamic_broadcast_in_dim C1: operand = f32, result = i32
func.func @main(%a: tensor<2xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xi32>
  return
}
// -----
// dynamic_broadcast_in_dim_c2
// error@4:8: stablehlo.dynamic_broadcast_in_dim C2: size = 0, rank = 1
func.func @main(%a: tensor<2xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [] : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c3
// error@4:8: stablehlo.dynamic_broadcast_in_dim C3: broadcast_dimensions = [1], rank = 1
func.func @main(%a: tensor<2xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1] : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c4
// error@4:8: stablehlo.dynamic_broadcast_in_dim C4: broadcast_dimensions = [1, 1]
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1, 1] : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c5
// error@4:8: stablehlo.dynamic_broadcast_in_dim C5: operand = [2], result = [3], dimensions = [0]
func.func @main(%a: tensor<2xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c5 constant shape
// error@5:8: stablehlo.dynamic_broadcast_in_dim C5: operand = [2], result = [3], dimensions = [0]
func.func @main(%a: tensor<2xf32>) {
  %b = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c6
// error@4:8: stablehlo.dynamic_broadcast_in_dim C6: operand = !quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>, result = !quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, %b: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}
// -----
// dynamic_broadcast_in_dim_c7
// error@4:8: stablehlo.dynamic_broadcast_in_dim C7: size = 2, result = [2]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c7 constant shape
// error@5:8: stablehlo.dynamic_broadcast_in_dim C7: size = 1, output_dimensions = [3], result = [2]
func.func @main(%a: tensor<1xf32>) {
  %b = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] : (tensor<1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c8
// error@4:8: stablehlo.dynamic_broadcast_in_dim C8: expanding = [0], nonexpanding = [0]
func.func @main(%a: tensor<1xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c9
// error@4:8: stablehlo.dynamic_broadcast_in_dim C9: known_expanding_dimensions = [1], rank = 1
func.func @main(%a: tensor<1xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] {known_expanding_dimensions = array<i64: 1>} : (tensor<1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_c10
// error@4:8: stablehlo.dynamic_broadcast_in_dim C10: known_nonexpanding_dimensions = [-1], rank = 1
func.func @main(%a: tensor<1xf32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [0] {known_nonexpanding_dimensions = array<i64: -1>} : (tensor<1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
// -----
// dynamic_broadcast_in_dim_i3
// error@4:61: stablehlo.dynamic_broadcast_in_dim I3: broadcast_dimensions = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) <{broadcast_dimensions = 1 : i32}> : (tensor<i8>, tensor<0xi32>) -> tensor<i8>
  return
}
// -----
// dynamic_broadcast_in_dim_i4
// error@4:96: stablehlo.dynamic_broadcast_in_dim I4: known_expanding_dimensions = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = 1 : i32}> : (tensor<i8>, tensor<0xi32>) -> tensor<i8>
  return
}
// -----
// dynamic_broadcast_in_dim_i5
// error@4:96: stablehlo.dynamic_broadcast_in_dim I5: known_nonexpanding_dimensions = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) <{broadcast_dimensions = array<i64>, known_nonexpanding_dimensions = 1 : i32}> : (tensor<i8>, tensor<0xi32>) -> tensor<i8>
  return
}
// -----
// dynamic_broadcast_in_dim_c1: quantized and not
// error@4:8: stablehlo.dynamic_broadcast_in_dim C1: operand = !quant.uniform<i8:f32, 5.000000e-01>, result = i64
func.func @main(%a: tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2xi64>) -> tensor<2x3xi64>
  return
}
