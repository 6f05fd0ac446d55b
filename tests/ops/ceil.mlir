// The specification's example.
func.func @ceil_example() {
  %a = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %0 = stablehlo.ceil %a : tensor<5xf32>
  check.expect_eq_const %0, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xf32>
  return
}

// -0, -0 and infinity.
func.func @ceil_signed_zero() {
  %a = stablehlo.constant dense<[-0.5, -0.0, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.ceil %a : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %bits, dense<[-2147483648, -2147483648, 2139095040]> : tensor<3xi32>
  return
}

func.func @ceil_narrow() {
  %a = stablehlo.constant dense<[0.125, -1.5, 0.875]> : tensor<3xf8E4M3FN>
  %0 = stablehlo.ceil %a : tensor<3xf8E4M3FN>
  check.expect_eq_const %0, dense<[1.0, -1.0, 1.0]> : tensor<3xf8E4M3FN>
  return
}

func.func @ceil_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, -3, 4]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.ceil %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, -2, 4]> : tensor<3xi8>
  return
}
