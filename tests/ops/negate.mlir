// The specification's example.
func.func @negate_example() {
  %a = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %0 = stablehlo.negate %a : tensor<2xi32>
  check.expect_eq_const %0, dense<[0, 2]> : tensor<2xi32>
  return
}

// The specification's example.
func.func @negate_complex_example() {
  %a = stablehlo.constant dense<[(2.5, 0.0)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.negate %a : tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(-2.5, -0.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @negate_wraps() {
  %a = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %0 = stablehlo.negate %a : tensor<2xi8>
  check.expect_eq_const %0, dense<[-128, -127]> : tensor<2xi8>
  return
}

// As if the same bits were signed.
func.func @negate_unsigned() {
  %a = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %0 = stablehlo.negate %a : tensor<3xui8>
  check.expect_eq_const %0, dense<[0, 255, 1]> : tensor<3xui8>
  return
}

func.func @negate_narrow_unsigned() {
  %a = stablehlo.constant dense<[0, 1, 15]> : tensor<3xui4>
  %0 = stablehlo.negate %a : tensor<3xui4>
  check.expect_eq_const %0, dense<[0, 15, 1]> : tensor<3xui4>
  return
}

// Zero has a sign.
func.func @negate_zero() {
  %a = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %0 = stablehlo.negate %a : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %bits, dense<[-2147483648, 0]> : tensor<2xi32>
  return
}

func.func @negate_quantized() {
  %a = stablehlo.constant() <{value = dense<[-4, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.negate %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[4, -4]> : tensor<2xi8>
  return
}
