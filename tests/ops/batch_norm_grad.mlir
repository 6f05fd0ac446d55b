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
