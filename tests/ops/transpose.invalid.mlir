// transpose_i1
// error@4:28: stablehlo.transpose I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.transpose %a, dims = [0] : (tensor<2xindex>) -> tensor<2xindex>
  return
}
// -----
// transpose_c1
// error@4:48: stablehlo.transpose C1: type = tensor<3x2xf64>, expected = tensor<3x2xf32>
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}
// -----
// transpose_c2
// error@4:8: stablehlo.transpose C2: permutation = [1, 1], rank = 2
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
// transpose_c2 size
// error@4:8: stablehlo.transpose C2: permutation = [0], rank = 2
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
// transpose_c3
// error@4:48: stablehlo.transpose C3: type = tensor<2x3xf32>, expected = tensor<3x2xf32>
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// transpose_c4
// error@4:8: stablehlo.transpose C4: operand = 0, permutation = [1, 0], result = 0
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}
// -----
// -----
// transpose_i2
// error@4:39: stablehlo.transpose I2: permutation = 1 : i32
func.func @main(%arg0: tensor<i32>) {
  %0 = "stablehlo.transpose"(%arg0) <{permutation = 1 : i32}> : (tensor<i32>) -> tensor<i32>
  return
}
