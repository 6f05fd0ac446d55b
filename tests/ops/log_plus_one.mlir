// The specification's example, whose logarithm of 0.001 is that of an operand in f32.
func.func @log_plus_one_example() {
  %a = stablehlo.constant dense<[0.0, -0.999, 7.0, 6.38905621, 15.0]> : tensor<5xf64>
  %0 = stablehlo.log_plus_one %a : tensor<5xf64>
  check.expect_almost_eq_const %0, dense<[0.0, -6.90775528, 2.07944155, 2.0, 2.77258873]> : tensor<5xf64>, tolerance = 1.0e-07
  return
}

// Where log(1 + x) would lose all digits.
func.func @log_plus_one_near_zero() {
  %a = stablehlo.constant dense<[1.0e-15]> : tensor<1xf64>
  %0 = stablehlo.log_plus_one %a : tensor<1xf64>
  check.expect_almost_eq_const %0, dense<[9.999999999999995e-16]> : tensor<1xf64>, tolerance = 1.0e-30
  return
}

// The modulus of 1 + z is nearly 1.
func.func @log_plus_one_complex_near_zero() {
  %a = stablehlo.constant dense<[(0.0, 1.0e-10), (-5.0e-01, 8.660254037844386e-01)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.log_plus_one %a : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(5.0e-21, 1.0e-10), (-5.6e-17, 1.0471975511965976)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-15
  return
}

func.func @log_plus_one_quantized() {
  %a = stablehlo.constant() <{value = dense<[0, 126]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.log_plus_one %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[0, 8]> : tensor<2xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @log_plus_one_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.log_plus_one %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
