// A dimension of size 1 expands, the other one moves (the specification's example).
func.func @broadcast_in_dim_example() {
  %a = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %0, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi32>
  return
}

func.func @broadcast_in_dim_scalar() {
  %a = stablehlo.constant dense<1.5> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %0, dense<1.5> : tensor<2x2xbf16>
  return
}

func.func @broadcast_in_dim_nothing_changes() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi4>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xi4>) -> tensor<2xi4>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi4>
  return
}

// Dimensions in another order transpose.
func.func @broadcast_in_dim_transposes() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %0, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
  return
}

func.func @broadcast_in_dim_to_the_front_and_between() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x2xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %0, dense<[[[1, 2], [1, 2], [1, 2]], [[3, 4], [3, 4], [3, 4]]]> : tensor<2x3x2xi64>
  return
}

func.func @broadcast_in_dim_to_nothing() {
  %a = stablehlo.constant dense<[[1]]> : tensor<1x1xi64>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x1xi64>) -> tensor<0x4xi64>
  check.expect_eq_const %0, dense<> : tensor<0x4xi64>
  return
}

// Large results are views: what is done with them must not show it.
func.func @broadcast_in_dim_large() {
  %a = stablehlo.constant dense<[7, 8]> : tensor<2xi64>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xi64>) -> tensor<5000x2xi64>
  %1 = stablehlo.slice %0 [4998:5000, 0:2] : (tensor<5000x2xi64>) -> tensor<2x2xi64>
  %2 = stablehlo.reshape %1 : (tensor<2x2xi64>) -> tensor<4xi64>
  check.expect_eq_const %2, dense<[7, 8, 7, 8]> : tensor<4xi64>
  return
}

// A bounded size is the operand's, or the bound where the operand is repeated.
func.func @broadcast_in_dim_bounded() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<3>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<?xi64, #stablehlo.bounds<3>>) -> tensor<2x?xi64, #stablehlo.bounds<?, 3>>
  %2 = stablehlo.slice %1 [0:2, 0:2] : (tensor<2x?xi64, #stablehlo.bounds<?, 3>>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[1, 2], [1, 2]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<5> : tensor<1xi64>
  %3 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<1xi64>) -> tensor<?xi64, #stablehlo.bounds<4>>
  %4 = stablehlo.get_dimension_size %3, dim = 0 : (tensor<?xi64, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %4, dense<4> : tensor<i32>
  return
}

// A repeated scale is the same scale.
func.func @broadcast_in_dim_per_axis_quantized() {
  %a = stablehlo.constant() <{value = dense<[[1, 2]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32:0, {0.5:1}>>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<1x2x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1}>>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[0.0, 0.0], [0.5, 0.5]]> : tensor<2x2xf32>
  return
}
