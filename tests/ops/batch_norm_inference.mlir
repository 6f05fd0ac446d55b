// The specification's example.
func.func @batch_norm_inference_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %0 = "stablehlo.batch_norm_inference"(%operand, %one, %one, %mean, %one) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_almost_eq_const %0, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  return
}

// Each vector in its role, along the first of two dimensions: 2 * (x - 1) / sqrt(1 + 3) + 10.
func.func @batch_norm_inference_roles() {
  %operand = stablehlo.constant dense<[[1.0, 3.0, 0x7F800000]]> : tensor<1x3xf32>
  %scale = stablehlo.constant dense<2.0> : tensor<1xf32>
  %offset = stablehlo.constant dense<10.0> : tensor<1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %one, %one) <{epsilon = 3.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xf32>
  check.expect_eq_const %0, dense<[[10.0, 12.0, 0x7F800000]]> : tensor<1x3xf32>
  return
}

// Quantized: dequantized, normalised, quantized.
func.func @batch_norm_inference_quantized() {
  %operand = stablehlo.constant() <{value = dense<[[2], [6]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %one = stablehlo.constant() <{value = dense<2> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = "stablehlo.batch_norm_inference"(%operand, %one, %one, %one, %one) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>) -> tensor<2x1xf32>
  check.expect_eq_const %1, dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  return
}
