// The specification's example.
func.func @exponential_example() {
  %a = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %0 = stablehlo.exponential %a : tensor<2x2xf64>
  check.expect_almost_eq_const %0, dense<[[1.0, 2.7182818284590451], [7.3890560989306504, 20.085536923187668]]> : tensor<2x2xf64>, tolerance = 1.0e-14
  return
}

func.func @exponential_limits() {
  %a = stablehlo.constant dense<[0xFF800000, 0x7F800000, 1000.0, -1000.0]> : tensor<4xf32>
  %0 = stablehlo.exponential %a : tensor<4xf32>
  check.expect_almost_eq_const %0, dense<[0.0, 0x7F800000, 0x7F800000, 0.0]> : tensor<4xf32>
  return
}

// 2.718282, 0.367879 and 54.59815 in eight bits.
func.func @exponential_rounds_once() {
  %a = stablehlo.constant dense<[1.0, -1.0, 4.0]> : tensor<3xbf16>
  %0 = stablehlo.exponential %a : tensor<3xbf16>
  check.expect_eq_const %0, dense<[2.71875, 0.367188, 54.5]> : tensor<3xbf16>
  return
}

// exp(i pi) = -1.
func.func @exponential_complex() {
  %a = stablehlo.constant dense<[(0.0, 3.141592653589793), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.exponential %a : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(-1.0, 0.0), (2.718281828459045, 0.0)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-14
  return
}

func.func @exponential_quantized() {
  %a = stablehlo.constant() <{value = dense<[0, 2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.exponential %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 5, 127]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @exponential_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  return
}
