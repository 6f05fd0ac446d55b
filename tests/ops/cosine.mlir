// The specification's example.
func.func @cosine_example() {
  %a = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %0 = stablehlo.cosine %a : tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[1.0, 0.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  return
}

// cos(i) = cosh(1).
func.func @cosine_complex() {
  %a = stablehlo.constant dense<[(0.0, 1.0), (0.0, 0.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.cosine %a : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(1.5430806348152437, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-12
  return
}

func.func @cosine_quantized() {
  %a = stablehlo.constant() <{value = dense<[0]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.cosine %a : tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1xi8>
  check.expect_eq_const %stored, dense<[2]> : tensor<1xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @cosine_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.cosine %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  return
}
