// dynamic_slice_i2
// error@4:36: stablehlo.dynamic_slice I2: start_indices = tensor<1xi64>
func.func @main(%a: tensor<4xi32>, %i: tensor<1xi64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<1xi64>) -> tensor<2xi32>
  return
}
// -----
// dynamic_slice_c1
// error@4:54: stablehlo.dynamic_slice C1: type = tensor<2xi64>, expected = tensor<2xi32>
func.func @main(%a: tensor<4xi32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<i64>) -> tensor<2xi64>
  return
}
// -----
// dynamic_slice_c2
// error@4:8: stablehlo.dynamic_slice C2: sizes = [2, 1], rank = 1
func.func @main(%a: tensor<4xi32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2] : (tensor<4xi32>, tensor<i64>, tensor<i64>) -> tensor<2xi32>
  return
}
// -----
// dynamic_slice_c3
// error@4:8: stablehlo.dynamic_slice C3: types = [tensor<i64>, tensor<i32>]
func.func @main(%a: tensor<4x4xi32>, %i: tensor<i64>, %j: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i32>) -> tensor<2x2xi32>
  return
}
// -----
// dynamic_slice_c4
// error@4:8: stablehlo.dynamic_slice C4: slice_sizes = [5], shape = [4]
func.func @main(%a: tensor<4xi32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [5] : (tensor<4xi32>, tensor<i64>) -> tensor<5xi32>
  return
}
// -----
// dynamic_slice_c5
// error@4:54: stablehlo.dynamic_slice C5: type = tensor<3xi32>, expected = tensor<2xi32>
func.func @main(%a: tensor<4xi32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<i64>) -> tensor<3xi32>
  return
}
// -----
// -----
// dynamic_slice_i1
// error@4:34: stablehlo.dynamic_slice I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.dynamic_slice"(%arg0) <{slice_sizes = array<i64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i32>
  return
}
// -----
// dynamic_slice_i3
// error@4:43: stablehlo.dynamic_slice I3: slice_sizes = 1 : i32
func.func @main(%arg0: tensor<i32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0) <{slice_sizes = 1 : i32}> : (tensor<i32>) -> tensor<i32>
  return
}
