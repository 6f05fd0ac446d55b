// The specification's example.
func.func @sqrt_example() {
  %a = stablehlo.constant dense<[[0.0, 1.0], [4.0, 9.0]]> : tensor<2x2xf32>
  %0 = stablehlo.sqrt %a : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  return
}

// Correctly rounded: the nearest f32 to 1.41421356237.
func.func @sqrt_negative_zero() {
  %a = stablehlo.constant dense<[-0.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.sqrt %a : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %bits, dense<[-2147483648, 1068827891]> : tensor<2xi32>
  return
}

// On both sides of the branch cut.
func.func @sqrt_complex() {
  %a = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0), (0.0, 2.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.sqrt %a : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.0, 2.0), (0.0, -2.0), (1.0, 1.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  return
}

func.func @sqrt_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 8, 32]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.sqrt %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 4, 8]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @sqrt_with_accuracy() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  return
}
