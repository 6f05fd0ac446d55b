// The specification's example.
func.func @remainder_example() {
  %a = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %b = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %0 = stablehlo.remainder %a, %b : tensor<4xi64>
  check.expect_eq_const %0, dense<[2, -2, 2, -2]> : tensor<4xi64>
  return
}

// As in XLA: the dividend.
func.func @remainder_integers_by_zero() {
  %a = stablehlo.constant dense<[7, -7, -128]> : tensor<3xi8>
  %b = stablehlo.constant dense<[0, 0, -1]> : tensor<3xi8>
  %0 = stablehlo.remainder %a, %b : tensor<3xi8>
  check.expect_eq_const %0, dense<[7, -7, 0]> : tensor<3xi8>
  return
}

func.func @remainder_unsigned() {
  %a = stablehlo.constant dense<[250, 7]> : tensor<2xui8>
  %b = stablehlo.constant dense<[4, 0]> : tensor<2xui8>
  %0 = stablehlo.remainder %a, %b : tensor<2xui8>
  check.expect_eq_const %0, dense<[2, 7]> : tensor<2xui8>
  return
}

func.func @remainder_narrow() {
  %a = stablehlo.constant dense<[-7, 7, -8]> : tensor<3xi4>
  %b = stablehlo.constant dense<[2, -2, -1]> : tensor<3xi4>
  %0 = stablehlo.remainder %a, %b : tensor<3xi4>
  check.expect_eq_const %0, dense<[-1, 1, 0]> : tensor<3xi4>
  return
}

// With the sign of the dividend.
func.func @remainder_floats() {
  %a = stablehlo.constant dense<[17.5, -17.5, 17.5, 5.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, 0x7F800000]> : tensor<4xf32>
  %0 = stablehlo.remainder %a, %b : tensor<4xf32>
  check.expect_eq_const %0, dense<[2.5, -2.5, 2.5, 5.0]> : tensor<4xf32>
  return
}

func.func @remainder_quantized() {
  %a = stablehlo.constant() <{value = dense<[7, -7]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[4, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.remainder %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, -3]> : tensor<2xi8>
  return
}
