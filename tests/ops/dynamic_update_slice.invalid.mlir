// dynamic_update_slice_i3
// error@4:47: stablehlo.dynamic_update_slice I3: start_indices = tensor<f32>
func.func @main(%a: tensor<4xi32>, %u: tensor<2xi32>, %i: tensor<f32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<2xi32>, tensor<f32>) -> tensor<4xi32>
  return
}
// -----
// dynamic_update_slice_c1
// error@4:52: stablehlo.dynamic_update_slice C1: type = tensor<5xi32>, expected = tensor<4xi32>
func.func @main(%a: tensor<4xi32>, %u: tensor<2xi32>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  return
}
// -----
// dynamic_update_slice_c2
// error@4:8: stablehlo.dynamic_update_slice C2: update = i64, operand = i32
func.func @main(%a: tensor<4xi32>, %u: tensor<2xi64>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<2xi64>, tensor<i32>) -> tensor<4xi32>
  return
}
// -----
// dynamic_update_slice_c3
// error@4:8: stablehlo.dynamic_update_slice C3: update = 2, operand = 1
func.func @main(%a: tensor<4xi32>, %u: tensor<2x1xi32>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<2x1xi32>, tensor<i32>) -> tensor<4xi32>
  return
}
// -----
// dynamic_update_slice_c4
// error@4:8: stablehlo.dynamic_update_slice C4: size = 2, rank = 1
func.func @main(%a: tensor<4xi32>, %u: tensor<2xi32>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
  return
}
// -----
// dynamic_update_slice_c5
// error@4:8: stablehlo.dynamic_update_slice C5: types = [tensor<i32>, tensor<i64>]
func.func @main(%a: tensor<4x4xi32>, %u: tensor<2x2xi32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i64>) -> tensor<4x4xi32>
  return
}
// -----
// dynamic_update_slice_c6
// error@4:8: stablehlo.dynamic_update_slice C6: update = [5], operand = [4]
func.func @main(%a: tensor<4xi32>, %u: tensor<5xi32>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<5xi32>, tensor<i32>) -> tensor<4xi32>
  return
}
// -----
// -----
// dynamic_update_slice_i1
// error@7:41: stablehlo.dynamic_update_slice I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>,
  %arg1: tensor<i32>
) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i32>) -> tensor<i32>
  return
}
// -----
// dynamic_update_slice_i2
// error@7:48: stablehlo.dynamic_update_slice I2: update = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<i32>,
  %arg1: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i32>
  return
}
