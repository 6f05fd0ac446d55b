// The specification's example.
func.func @log_example() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %0 = stablehlo.log %a : tensor<2x2xf64>
  check.expect_almost_eq_const %0, dense<[[0.0, 0.69314718055994529], [1.0986122886681098, 1.3862943611198906]]> : tensor<2x2xf64>, tolerance = 1.0e-14
  return
}

func.func @log_limits() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.log %a : tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[0xFF800000, 0xFF800000, 0x7F800000]> : tensor<3xf32>
  return
}

// NaN.
func.func @log_negative() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.log %a : tensor<f32>
  %1 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  return
}

// On both sides of the branch cut.
func.func @log_complex() {
  %a = stablehlo.constant dense<[(-1.0, 0.0), (-1.0, -0.0), (0.0, 1.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.log %a : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.0, 3.141592653589793), (0.0, -3.141592653589793), (0.0, 1.5707963267948966)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  return
}

func.func @log_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 127, 0]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.log %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[0, 8, -128]> : tensor<3xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @log_with_accuracy() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.log %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
