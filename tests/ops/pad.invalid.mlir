// pad_i2
// error@4:26: stablehlo.pad I2: padding_value = tensor<1xi32>
func.func @main(%a: tensor<2xi32>, %p: tensor<1xi32>) {
  %0 = stablehlo.pad %a, %p, low = [0], high = [0], interior = [0] : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  return
}
// -----
// pad_c1
// error@4:8: stablehlo.pad C1: operand = i32, padding_value = i64
func.func @main(%a: tensor<2xi32>, %p: tensor<i64>) {
  %0 = stablehlo.pad %a, %p, low = [0], high = [0], interior = [0] : (tensor<2xi32>, tensor<i64>) -> tensor<2xi32>
  return
}
// -----
// pad_c1 result
// error@4:70: stablehlo.pad C1: type = tensor<2xi64>, expected = tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %0 = stablehlo.pad %a, %p, low = [0], high = [0], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi64>
  return
}
// -----
// pad_c2
// error@4:8: stablehlo.pad C2: sizes = [2, 1, 1], rank = 1
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
// -----
// pad_c3
// error@4:8: stablehlo.pad C3: interior_padding = [-1]
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %0 = stablehlo.pad %a, %p, low = [0], high = [0], interior = [-1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
  return
}
// -----
// pad_c4 negative size
// error@4:8: stablehlo.pad C4: shape = [2], result = [-1]
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %0 = stablehlo.pad %a, %p, low = [-3], high = [0], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<?xi32>
  return
}
// -----
// pad_c4
// error@4:70: stablehlo.pad C4: type = tensor<2xi32>, expected = tensor<3xi32>
func.func @main(%a: tensor<2xi32>, %p: tensor<i32>) {
  %0 = stablehlo.pad %a, %p, low = [0], high = [0], interior = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
// -----
// -----
// pad_i1
// error@7:24: stablehlo.pad I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>,
  %arg1: tensor<i32>
) {
  %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64>, edge_padding_low = array<i64>, interior_padding = array<i64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i32>) -> tensor<i32>
  return
}
// -----
// pad_i3
// error@4:72: stablehlo.pad I3: edge_padding_low = 1 : i32
func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64>, edge_padding_low = 1 : i32, interior_padding = array<i64>}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
// -----
// pad_i4
// error@4:40: stablehlo.pad I4: edge_padding_high = 1 : i32
func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = 1 : i32, edge_padding_low = array<i64>, interior_padding = array<i64>}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
// -----
// pad_i5
// error@4:103: stablehlo.pad I5: interior_padding = 1 : i32
func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64>, edge_padding_low = array<i64>, interior_padding = 1 : i32}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
