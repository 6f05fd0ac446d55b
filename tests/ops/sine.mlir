// The specification's example.
func.func @sine_example() {
  %a = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %0 = stablehlo.sine %a : tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf32>
  return
}

// sin(i) = i sinh(1).
func.func @sine_complex() {
  %a = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.sine %a : tensor<1xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.0, 1.1752011936438014)]> : tensor<1xcomplex<f64>>, tolerance = 1.0e-12
  return
}

// Every digit of the argument counts.
func.func @sine_large_argument() {
  %a = stablehlo.constant dense<[1.0e+22]> : tensor<1xf64>
  %0 = stablehlo.sine %a : tensor<1xf64>
  check.expect_almost_eq_const %0, dense<[-0.8522008497671888]> : tensor<1xf64>, tolerance = 1.0e-12
  return
}

func.func @sine_quantized() {
  %a = stablehlo.constant() <{value = dense<[0]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.sine %a : tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1xi8>
  check.expect_eq_const %stored, dense<[0]> : tensor<1xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @sine_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.sine %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
