// The specification's example.
func.func @transpose_example() {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %0 = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %0, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi32>
  return
}

// A cycle, which is not its own inverse.
func.func @transpose_cycle() {
  %a = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x1x3xi32>) -> tensor<1x3x2xi32>
  check.expect_eq_const %0, dense<[[[1, 4], [2, 5], [3, 6]]]> : tensor<1x3x2xi32>
  return
}

func.func @transpose_scalar() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.transpose %a, dims = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  return
}

func.func @transpose_bounded() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x?xi32, #stablehlo.bounds<?, 3>>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x?xi32, #stablehlo.bounds<?, 3>>) -> tensor<?x2xi32, #stablehlo.bounds<3, ?>>
  %2 = stablehlo.slice %1 [0:2, 0:2] : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[1, 4], [2, 5]]> : tensor<2x2xi32>
  return
}

func.func @transpose_per_axis_quantized() {
  %a = stablehlo.constant() <{value = dense<[[1, 2]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x1x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x1x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x1xf32>
  check.expect_eq_const %1, dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  return
}
