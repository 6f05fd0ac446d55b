// The specification's example.
func.func @exponential_minus_one_example() {
  %a = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %0 = stablehlo.exponential_minus_one %a : tensor<2xf64>
  check.expect_almost_eq_const %0, dense<[0.0, 1.71828187]> : tensor<2xf64>, tolerance = 1.0e-07
  return
}

// Where exp(x) - 1 would lose all digits.
func.func @exponential_minus_one_near_zero() {
  %a = stablehlo.constant dense<[1.0e-15, -1.0e-15]> : tensor<2xf64>
  %0 = stablehlo.exponential_minus_one %a : tensor<2xf64>
  check.expect_almost_eq_const %0, dense<[1.0000000000000005e-15, -9.999999999999995e-16]> : tensor<2xf64>, tolerance = 1.0e-30
  return
}

// The real part is cos(y) - 1.
func.func @exponential_minus_one_complex_near_zero() {
  %a = stablehlo.constant dense<[(0.0, 1.0e-10)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.exponential_minus_one %a : tensor<1xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(-5.0e-21, 1.0e-10)]> : tensor<1xcomplex<f64>>, tolerance = 1.0e-30
  return
}

func.func @exponential_minus_one_quantized() {
  %a = stablehlo.constant() <{value = dense<[0, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.exponential_minus_one %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[0, 3]> : tensor<2xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @exponential_minus_one_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential_minus_one %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
