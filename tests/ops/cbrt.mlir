// The specification's example.
func.func @cbrt_example() {
  %a = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf64>
  %0 = stablehlo.cbrt %a : tensor<4xf64>
  check.expect_almost_eq_const %0, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  return
}

func.func @cbrt_negative() {
  %a = stablehlo.constant dense<[-8.0, 0x7F800000]> : tensor<2xf32>
  %0 = stablehlo.cbrt %a : tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[-2.0, 0x7F800000]> : tensor<2xf32>
  return
}

// The principal root: a third of the argument.
func.func @cbrt_complex() {
  %a = stablehlo.constant dense<[(8.0, 0.0), (0.0, 8.0), (-8.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.cbrt %a : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(2.0, 0.0), (1.7320508075688772, 1.0), (1.0, 1.7320508075688772)]> : tensor<3xcomplex<f64>>
  return
}

func.func @cbrt_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 16]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.cbrt %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, 4]> : tensor<2xi8>
  return
}

// A tolerance asks for no more than what is computed anyway.
func.func @cbrt_with_accuracy() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.cbrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  return
}
