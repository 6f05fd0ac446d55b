// The specification's example.
func.func @compare_example() {
  %a = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.1, 2.9]> : tensor<2xf32>
  %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  return
}

func.func @compare_integers_eq() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, false]> : tensor<3xi1>
  return
}

func.func @compare_integers_ne() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare NE, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  return
}

func.func @compare_integers_ge() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare GE, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, true]> : tensor<3xi1>
  return
}

func.func @compare_integers_gt() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, true]> : tensor<3xi1>
  return
}

func.func @compare_integers_le() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare LE, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, true, false]> : tensor<3xi1>
  return
}

func.func @compare_integers_lt() {
  %a = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi32>
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, false]> : tensor<3xi1>
  return
}

func.func @compare_unsigned() {
  %a = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %b = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

// false is less than true.
func.func @compare_booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, false, false]> : tensor<4xi1>
  return
}

func.func @compare_narrow() {
  %a = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %b = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %0 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @compare_without_type() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %0 = stablehlo.compare GE, %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @compare_notype() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %b = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf16>
  %0 = stablehlo.compare GE, %a, %b, NOTYPE : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

// NaN is not comparable.
func.func @compare_nan() {
  %a = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 1.0]> : tensor<3xf32>
  %0 = stablehlo.compare LE, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, false]> : tensor<3xi1>
  return
}

func.func @compare_nan_differs() {
  %a = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %b = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %0 = stablehlo.compare NE, %a, %b, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  check.expect_eq_const %0, dense<[true]> : tensor<1xi1>
  return
}

func.func @compare_zeros() {
  %a = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %b = stablehlo.constant dense<[-0.0]> : tensor<1xf32>
  %0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  check.expect_eq_const %0, dense<[true]> : tensor<1xi1>
  return
}

// -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN.
func.func @compare_total_order() {
  %a = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000]> : tensor<7xf32>
  %b = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %0, dense<[true, true, true, true, true, true, true]> : tensor<7xi1>
  return
}

// As in XLA: what the order puts apart is not equal, and NaN equals itself.
func.func @compare_total_order_equality() {
  %a = stablehlo.constant dense<[0x7FC0, -0.0, 1.0]> : tensor<3xbf16>
  %b = stablehlo.constant dense<[0x7FC0, 0.0, 1.0]> : tensor<3xbf16>
  %0 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  return
}

func.func @compare_complex_eq() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  return
}

// Lexicographically.
func.func @compare_complex_order() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (2.0, 0.0), (1.0, 2.0)]> : tensor<4xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (1.0, 9.0), (2.0, 0.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, true, false]> : tensor<4xi1>
  return
}

// 1 < 1.5 and 2 < 1.5.
func.func @compare_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[9, 9]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>
  %0 = stablehlo.compare LT, %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  return
}
