// The specification's example.
func.func @is_finite_example() {
  %a = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, -10.0, -0.0, 0.0, 10.0]> : tensor<7xf64>
  %0 = stablehlo.is_finite %a : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %0, dense<[false, false, false, true, true, true, true]> : tensor<7xi1>
  return
}

func.func @is_finite_narrow() {
  %a = stablehlo.constant dense<[0x7C, 0x7D, 57344.0]> : tensor<3xf8E5M2>
  %0 = stablehlo.is_finite %a : (tensor<3xf8E5M2>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, true]> : tensor<3xi1>
  return
}

func.func @is_finite_without_infinities() {
  %a = stablehlo.constant dense<[6.0, -0.0]> : tensor<2xf4E2M1FN>
  %0 = stablehlo.is_finite %a : (tensor<2xf4E2M1FN>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @is_finite_quantized() {
  %a = stablehlo.constant() <{value = dense<[127, 0]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.is_finite %a : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, true]> : tensor<2xi1>
  return
}
