// The specification's example.
func.func @batch_norm_grad_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %grad_output = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %one, %mean, %one, %grad_output) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %0#0, dense<0.0> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %0#1, dense<0.0> : tensor<2xf64>
  check.expect_almost_eq_const %0#2, dense<0.4> : tensor<2xf64>
  return
}

// centered = [-1, 1], stddev = sqrt(1 + 3) = 2, n = 2, i3 = sum([4, 8] * centered) = 4:
// i6 = 2 * [4, 8] - 12 - 4 * centered / 4 = [-3, 3], grad_operand = 6 / 2 / 2 * i6.
func.func @batch_norm_grad_roles() {
  %operand = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %scale = stablehlo.constant dense<6.0> : tensor<1xf32>
  %mean = stablehlo.constant dense<2.0> : tensor<1xf32>
  %variance = stablehlo.constant dense<1.0> : tensor<1xf32>
  %grad_output = stablehlo.constant dense<[[4.0], [8.0]]> : tensor<2x1xf32>
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 3.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  check.expect_almost_eq_const %0#0, dense<[[-4.5], [4.5]]> : tensor<2x1xf32>
  check.expect_almost_eq_const %0#1, dense<2.0> : tensor<1xf32>
  check.expect_almost_eq_const %0#2, dense<12.0> : tensor<1xf32>
  return
}

// The same quantized, all numbers in steps of 0.5; the results in steps of 0.25 from 1 on, of 1 and of 4.
func.func @batch_norm_grad_quantized() {
  %operand = stablehlo.constant() <{value = dense<[[2], [6]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %scale = stablehlo.constant() <{value = dense<12> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %mean = stablehlo.constant() <{value = dense<4> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %variance = stablehlo.constant() <{value = dense<2> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %grad_output = stablehlo.constant() <{value = dense<[[8], [16]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 3.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>) -> (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>, tensor<1x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<1x!quant.uniform<i8:f32, 4.000000e+00>>)
  %1 = stablehlo.bitcast_convert %0#0 : (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:1>>) -> tensor<2x1xi8>
  check.expect_eq_const %1, dense<[[-17], [19]]> : tensor<2x1xi8>
  %2 = stablehlo.bitcast_convert %0#1 : (tensor<1x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<1xi8>
  check.expect_eq_const %2, dense<2> : tensor<1xi8>
  %3 = stablehlo.bitcast_convert %0#2 : (tensor<1x!quant.uniform<i8:f32, 4.000000e+00>>) -> tensor<1xi8>
  check.expect_eq_const %3, dense<3> : tensor<1xi8>
  return
}
