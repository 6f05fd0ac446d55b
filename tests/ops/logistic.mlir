// The specification's example.
func.func @logistic_example() {
  %a = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %0 = stablehlo.logistic %a : tensor<2x2xf64>
  check.expect_almost_eq_const %0, dense<[[0.5, 0.73105858], [0.88079708, 0.95257413]]> : tensor<2x2xf64>, tolerance = 1.0e-08
  return
}

func.func @logistic_limits() {
  %a = stablehlo.constant dense<[0x7F800000, 0xFF800000, 200.0, -200.0]> : tensor<4xf32>
  %0 = stablehlo.logistic %a : tensor<4xf32>
  check.expect_almost_eq_const %0, dense<[1.0, 0.0, 1.0, 0.0]> : tensor<4xf32>
  return
}

// exp(200) is beyond f32.
func.func @logistic_complex() {
  %a = stablehlo.constant dense<[(0.0, 0.0), (200.0, 1.0), (-200.0, 1.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.logistic %a : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[(0.5, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @logistic_quantized() {
  %a = stablehlo.constant() <{value = dense<[0, 127, -128]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.logistic %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 2, 0]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @logistic_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.logistic %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.5> : tensor<f32>
  return
}
