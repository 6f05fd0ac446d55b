// dynamic_pad_i2
// error@4:34: stablehlo.dynamic_pad I2: padding_value = tensor<1xi32>
func.func @main(%a: tensor<2xi32>, %p: tensor<1xi32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<1xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return
}
// -----
// dynamic_pad_i3
// error@4:38: stablehlo.dynamic_pad I3: edge_padding_low = tensor<?xi64>
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>, %b: tensor<?xi64>) {
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<i32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi32>
  return
}
// -----
// dynamic_pad_c1
// error@4:8: stablehlo.dynamic_pad C1: operand = i32, padding_value = i32, result = i64
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  return
}
// -----
// dynamic_pad_c2
// error@4:8: stablehlo.dynamic_pad C2: types = [tensor<2xi64>, tensor<2xi64>, tensor<2xi64>], rank = 1
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>, %b: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xi32>
  return
}
// -----
// dynamic_pad_c3
// error@5:8: stablehlo.dynamic_pad C3: interior_padding = [-1]
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>, %b: tensor<1xi64>) {
  %i = stablehlo.constant dense<-1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %i : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return
}
// -----
// dynamic_pad_c4 rank
// error@4:8: stablehlo.dynamic_pad C4: operand = [2], result = [2, 2]
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi32>
  return
}
// -----
// dynamic_pad_c4 constant padding
// error@5:8: stablehlo.dynamic_pad C4: shape = [5], result = [4]
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %b = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %p, %b, %b, %b : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi32>
  return
}
// -----
// -----
// dynamic_pad_i1
// error@10:32: stablehlo.dynamic_pad I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>,
  %arg1: tensor<i64>,
  %arg2: tensor<1xi32>,
  %arg3: tensor<1xi32>,
  %arg4: tensor<1xi32>
) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi64>
  return
}
// -----
// dynamic_pad_i4
// error@10:53: stablehlo.dynamic_pad I4: edge_padding_high = tensor<2xi1>
func.func @main(
  %arg0: tensor<3xi64>,
  %arg1: tensor<i64>,
  %arg2: tensor<1xi32>,
  %arg3: tensor<2xi1>,
  %arg4: tensor<1xi32>
) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3xi64>, tensor<i64>, tensor<1xi32>, tensor<2xi1>, tensor<1xi32>) -> tensor<?xi64>
  return
}
// -----
// dynamic_pad_i5
// error@10:60: stablehlo.dynamic_pad I5: interior_padding = tensor<2xi1>
func.func @main(
  %arg0: tensor<3xi64>,
  %arg1: tensor<i64>,
  %arg2: tensor<1xi32>,
  %arg3: tensor<1xi32>,
  %arg4: tensor<2xi1>
) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<3xi64>, tensor<i64>, tensor<1xi32>, tensor<1xi32>, tensor<2xi1>) -> tensor<?xi64>
  return
}
