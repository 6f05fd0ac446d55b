// The specification's example.
func.func @multiply_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.multiply %a, %b : tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[5, 12], [21, 32]]> : tensor<2x2xi32>
  return
}

// Conjunction.
func.func @multiply_booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.multiply %a, %b : tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, false, true]> : tensor<4xi1>
  return
}

func.func @multiply_wraps() {
  %a = stablehlo.constant dense<[256, -32768]> : tensor<2xi16>
  %b = stablehlo.constant dense<[256, -1]> : tensor<2xi16>
  %0 = stablehlo.multiply %a, %b : tensor<2xi16>
  check.expect_eq_const %0, dense<[0, -32768]> : tensor<2xi16>
  return
}

func.func @multiply_wraps_in_four_bits() {
  %a = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %b = stablehlo.constant dense<[7, -1]> : tensor<2xi4>
  %0 = stablehlo.multiply %a, %b : tensor<2xi4>
  check.expect_eq_const %0, dense<[1, -8]> : tensor<2xi4>
  return
}

func.func @multiply_overflows() {
  %a = stablehlo.constant dense<[300.0, 256.0]> : tensor<2xf16>
  %b = stablehlo.constant dense<[300.0, 255.0]> : tensor<2xf16>
  %0 = stablehlo.multiply %a, %b : tensor<2xf16>
  check.expect_eq_const %0, dense<[0x7C00, 65280.0]> : tensor<2xf16>
  return
}

// The format has no negative zero.
func.func @multiply_underflows() {
  %a = stablehlo.constant dense<[-7.62939453125e-06]> : tensor<1xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0.5]> : tensor<1xf8E5M2FNUZ>
  %0 = stablehlo.multiply %a, %b : tensor<1xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[0.0]> : tensor<1xf8E5M2FNUZ>
  return
}

func.func @multiply_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %b = stablehlo.constant dense<[(3.0, -5.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.multiply %a, %b : tensor<1xcomplex<f64>>
  check.expect_eq_const %0, dense<[(13.0, 1.0)]> : tensor<1xcomplex<f64>>
  return
}

// 2 * 3.
func.func @multiply_quantized() {
  %a = stablehlo.constant() <{value = dense<[4, 100]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[6, 100]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.multiply %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[12, 127]> : tensor<2xi8>
  return
}
