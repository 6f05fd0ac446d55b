// The specification's example.
func.func @tanh_example() {
  %a = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %0 = stablehlo.tanh %a : tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[-0.76159416, 0.0, 0.76159416]> : tensor<3xf32>, tolerance = 1.0e-07
  return
}

func.func @tanh_limits() {
  %a = stablehlo.constant dense<[0x7F800000, 0xFF800000, 100.0]> : tensor<3xf32>
  %0 = stablehlo.tanh %a : tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[1.0, -1.0, 1.0]> : tensor<3xf32>
  return
}

// exp(200) is beyond f32.
func.func @tanh_complex() {
  %a = stablehlo.constant dense<[(0.0, 0.7853982), (200.0, 1.0), (-200.0, 1.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.tanh %a : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]> : tensor<3xcomplex<f32>>, tolerance = 1.0e-06
  return
}

// tanh(0.5) = 0.4621, rounded to the format.
func.func @tanh_narrow() {
  %a = stablehlo.constant dense<[0.5, 448.0]> : tensor<2xf8E4M3FN>
  %0 = stablehlo.tanh %a : tensor<2xf8E4M3FN>
  check.expect_eq_const %0, dense<[0.46875, 1.0]> : tensor<2xf8E4M3FN>
  return
}

func.func @tanh_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.tanh %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, -2, 2]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @tanh_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
