// The specification's example.
func.func @rsqrt_example() {
  %a = stablehlo.constant dense<[[1.0, 4.0], [9.0, 25.0]]> : tensor<2x2xf32>
  %0 = stablehlo.rsqrt %a : tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[1.0, 0.5], [0.33333343, 0.2]]> : tensor<2x2xf32>, tolerance = 1.0e-06
  return
}

func.func @rsqrt_limits() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.rsqrt %a : tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[0x7F800000, 0xFF800000, 0.0]> : tensor<3xf32>
  return
}

// On both sides of the branch cut.
func.func @rsqrt_complex() {
  %a = stablehlo.constant dense<[(-1.0, 0.0), (-1.0, -0.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.rsqrt %a : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.0, -1.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-14
  return
}

func.func @rsqrt_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 8, 0]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.rsqrt %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 1, 127]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @rsqrt_with_accuracy() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.rsqrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  return
}
