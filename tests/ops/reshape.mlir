// The specification's example.
func.func @reshape_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

// Elements keep their order also where the operand is a view in another one.
func.func @reshape_transposed() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.reshape %0 : (tensor<3x2xi32>) -> tensor<6xi32>
  check.expect_eq_const %1, dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi32>
  return
}

func.func @reshape_scalar() {
  %a = stablehlo.constant dense<-0.0> : tensor<f8E4M3FN>
  %0 = stablehlo.reshape %a : (tensor<f8E4M3FN>) -> tensor<1x1xf8E4M3FN>
  %1 = stablehlo.reshape %0 : (tensor<1x1xf8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %1, dense<-0.0> : tensor<f8E4M3FN>
  return
}

func.func @reshape_nothing() {
  %a = stablehlo.constant dense<> : tensor<0x3xi32>
  %0 = stablehlo.reshape %a : (tensor<0x3xi32>) -> tensor<5x0xi32>
  check.expect_eq_const %0, dense<> : tensor<5x0xi32>
  return
}

// The one bounded size is what the number of elements leaves.
func.func @reshape_bounded() {
  %a = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %0 = stablehlo.reshape %a : (tensor<6xi32>) -> tensor<?x2xi32, #stablehlo.bounds<3, ?>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  check.expect_eq_const %1, dense<3> : tensor<i32>
  return
}

// The slices that share a scale stay together.
func.func @reshape_per_axis_quantized() {
  %a = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0}>>
  %0 = stablehlo.reshape %a : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0}>>) -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5, 2.0}>>
  %1 = stablehlo.reshape %0 : (tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5, 2.0}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 2.0}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 2.0}>>) -> tensor<1x2x2xf32>
  check.expect_eq_const %2, dense<[[[1.0, 8.0], [3.0, 16.0]]]> : tensor<1x2x2xf32>
  return
}
