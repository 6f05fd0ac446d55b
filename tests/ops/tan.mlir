func.func @tan_example() {
  %a = stablehlo.constant dense<[[0.0, 0.7853981633974483], [3.141592653589793, -0.7853981633974483]]> : tensor<2x2xf64>
  %0 = stablehlo.tan %a : tensor<2x2xf64>
  check.expect_almost_eq_const %0, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf64>, tolerance = 1.0e-12
  return
}

// tan(i) = i tanh(1); exp(200) is beyond f32.
func.func @tan_complex() {
  %a = stablehlo.constant dense<[(0.0, 1.0), (1.0, 200.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.tan %a : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[(0.0, 0.76159416), (0.0, 1.0)]> : tensor<2xcomplex<f32>>, tolerance = 1.0e-06
  return
}

func.func @tan_quantized() {
  %a = stablehlo.constant() <{value = dense<[0]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.tan %a : tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1xi8>
  check.expect_eq_const %stored, dense<[0]> : tensor<1xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @tan_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tan %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
