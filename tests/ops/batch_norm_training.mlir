// The specification's example.
func.func @batch_norm_training_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %0:3 = "stablehlo.batch_norm_training"(%operand, %one, %one) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %0#0, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %0#1, dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_almost_eq_const %0#2, dense<[1.0, 1.0]> : tensor<2xf64>
  return
}

// Features in the first dimension; epsilon counts, and narrow floats are computed in 32 bits.
func.func @batch_norm_training_first_dimension() {
  %operand = stablehlo.constant dense<[[1.0, 3.0], [5.0, 5.0]]> : tensor<2x2xbf16>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %offset = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xbf16>
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 3.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %0#0, dense<[[9.0, 11.0], [20.0, 20.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %0#1, dense<[2.0, 5.0]> : tensor<2xbf16>
  check.expect_eq_const %0#2, dense<[1.0, 0.0]> : tensor<2xbf16>
  return
}

// Quantized: each result by its own parameters.
func.func @batch_norm_training_quantized() {
  %operand = stablehlo.constant() <{value = dense<[[2], [6]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %one = stablehlo.constant() <{value = dense<2> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0:3 = "stablehlo.batch_norm_training"(%operand, %one, %one) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>, tensor<1x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>)
  %1 = stablehlo.uniform_dequantize %0#0 : (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>) -> tensor<2x1xf32>
  check.expect_eq_const %1, dense<[[0.0], [2.0]]> : tensor<2x1xf32>
  %2 = stablehlo.uniform_dequantize %0#1 : (tensor<1x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<1xf32>
  check.expect_eq_const %2, dense<2.0> : tensor<1xf32>
  %3 = stablehlo.uniform_dequantize %0#2 : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1xf32>
  check.expect_eq_const %3, dense<1.0> : tensor<1xf32>
  return
}
