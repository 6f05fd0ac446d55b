// The specification's example.
func.func @minimum_example() {
  %a = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.minimum %a, %b : tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

func.func @minimum_booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.minimum %a, %b : tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, false, true]> : tensor<4xi1>
  return
}

func.func @minimum_narrow() {
  %a = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %b = stablehlo.constant dense<[7, -1]> : tensor<2xi4>
  %0 = stablehlo.minimum %a, %b : tensor<2xi4>
  check.expect_eq_const %0, dense<[-8, -1]> : tensor<2xi4>
  return
}

// -0 is less than +0.
func.func @minimum_zeros() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0.0, 1.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[-0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %0 = stablehlo.minimum %a, %b : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %bits, dense<[-2147483648, -2147483648, 0, 0]> : tensor<4xi32>
  return
}

// NaN if one is NaN.
func.func @minimum_nan() {
  %a = stablehlo.constant dense<[0x7FC00000, 1.0, 1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %0 = stablehlo.minimum %a, %b : tensor<3xf32>
  %1 = stablehlo.is_finite %0 : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[false, false, true]> : tensor<3xi1>
  return
}

// Lexicographically.
func.func @minimum_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 3.0), (1.0, 1.0), (1.0, 9.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.minimum %a, %b : tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 2.0), (1.0, 1.0), (1.0, 9.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @minimum_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, -4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[2, -5]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.minimum %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, -5]> : tensor<2xi8>
  return
}
