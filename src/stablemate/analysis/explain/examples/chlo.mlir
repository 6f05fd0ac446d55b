// ----- chlo._asin_acos_kernel
func.func @main() -> tensor<4xcomplex<f32>> {
  %cst = stablehlo.constant dense<[(5.000000e-01,2.500000e-01), (-1.500000e+00,2.000000e+00), (2.000000e+00,-5.000000e-01), (1.000000e-03,1.000000e+00)]> : tensor<4xcomplex<f32>>
  %0 = chlo._asin_acos_kernel %cst : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// ----- chlo.acos
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, -2.500000e-01, 9.960930e-01, 0.000000e+00]> : tensor<4xbf16>
  %0 = chlo.acos %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.acosh
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[1.007810e+00, 1.500000e+00, 2.000000e+00, 1.000000e+02]> : tensor<4xbf16>
  %0 = chlo.acosh %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.asin
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, -2.500000e-01, 9.960930e-01, 1.562500e-02]> : tensor<4xbf16>
  %0 = chlo.asin %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.asinh
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.asinh %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.atan
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.atan %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.atanh
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, -2.500000e-01, 9.960930e-01, 1.562500e-02]> : tensor<4xbf16>
  %0 = chlo.atanh %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.bessel_i1e
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.bessel_i1e %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.broadcast_add
func.func @main() -> tensor<3x2xi32> {
  %c = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %c_0 = stablehlo.constant dense<[[1], [2], [3]]> : tensor<3x1xi32>
  %0 = chlo.broadcast_add %c, %c_0 : (tensor<2xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// ----- chlo.broadcast_and
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_atan2
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_compare
func.func @main() -> (tensor<3xi1>, tensor<3xi1>) {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_compare %cst, %cst_0 {comparison_direction = #chlo<comparison_direction GE>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  %1 = chlo.broadcast_compare %cst, %cst_0 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %0, %1 : tensor<3xi1>, tensor<3xi1>
}

// ----- chlo.broadcast_complex
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_divide
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_maximum
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_minimum
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_multiply
func.func @main() -> tensor<2x1x2xi32> {
  %c = stablehlo.constant dense<[[2], [3]]> : tensor<2x1xi32>
  %c_0 = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %0 = chlo.broadcast_multiply %c, %c_0 {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x1xi32>, tensor<2x1x2xi32>) -> tensor<2x1x2xi32>
  return %0 : tensor<2x1x2xi32>
}

// ----- chlo.broadcast_next_after
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_or
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_polygamma
func.func @main() -> (tensor<2xf64>, tensor<2xf64>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %0 = chlo.broadcast_polygamma %cst, %cst_0 : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  %1 = chlo.broadcast_zeta %cst_0, %cst : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}

// ----- chlo.broadcast_power
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_remainder
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[1.000000e+00, -8.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = chlo.broadcast_divide %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_maximum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = chlo.broadcast_minimum %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = chlo.broadcast_power %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = chlo.broadcast_remainder %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = chlo.broadcast_atan2 %cst_0, %cst : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = chlo.broadcast_next_after %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = chlo.broadcast_complex %cst, %cst_0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// ----- chlo.broadcast_select
func.func @main() -> tensor<2x3xi32> {
  %c = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %c_0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = chlo.broadcast_select %c, %c_0, %c_1 : (tensor<2x1xi1>, tensor<3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// ----- chlo.broadcast_shift_left
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_shift_right_arithmetic
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_shift_right_logical
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_subtract
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<10> : tensor<i32>
  %c_0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = chlo.broadcast_subtract %c, %c_0 : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- chlo.broadcast_xor
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %c = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %c_0 = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = chlo.broadcast_or %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = chlo.broadcast_xor %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = chlo.broadcast_shift_left %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %c, %c_0 : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// ----- chlo.broadcast_zeta
func.func @main() -> (tensor<2xf64>, tensor<2xf64>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %0 = chlo.broadcast_polygamma %cst, %cst_0 : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  %1 = chlo.broadcast_zeta %cst_0, %cst : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}

// ----- chlo.conj
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = chlo.conj %cst : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ----- chlo.constant
func.func @main() -> tensor<2xi32> {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- chlo.constant_like
func.func @main() -> tensor<3xf32> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = "chlo.constant_like"(%c) <{value = 2.500000e+00 : f32}> : (tensor<3xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// ----- chlo.cosh
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.cosh %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.digamma
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.digamma %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.erf
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.erf %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.erf_inv
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, -2.500000e-01, 9.960930e-01, 1.562500e-02]> : tensor<4xbf16>
  %0 = chlo.erf_inv %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.erfc
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.erfc %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.is_inf
func.func @main() -> tensor<7xi1> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 3.40282347E+38]> : tensor<7xf32>
  %0 = chlo.is_inf %cst : tensor<7xf32> -> tensor<7xi1>
  return %0 : tensor<7xi1>
}

// ----- chlo.is_neg_inf
func.func @main() -> tensor<7xi1> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 3.40282347E+38]> : tensor<7xf32>
  %0 = chlo.is_neg_inf %cst : tensor<7xf32> -> tensor<7xi1>
  return %0 : tensor<7xi1>
}

// ----- chlo.is_pos_inf
func.func @main() -> tensor<7xi1> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 3.40282347E+38]> : tensor<7xf32>
  %0 = chlo.is_pos_inf %cst : tensor<7xf32> -> tensor<7xi1>
  return %0 : tensor<7xi1>
}

// ----- chlo.lgamma
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.lgamma %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.mulhi
func.func @main() -> tensor<5xi32> {
  %c = stablehlo.constant dense<[2147483647, -2147483648, -1, 65536, 5]> : tensor<5xi32>
  %c_0 = stablehlo.constant dense<[2147483647, -2147483648, 1, 65536, 7]> : tensor<5xi32>
  %0 = chlo.mulhi %c, %c_0 : tensor<5xi32>, tensor<5xi32> -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// ----- chlo.next_after
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00]> : tensor<4xbf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, -1.000000e+00, -1.000000e+00]> : tensor<4xbf16>
  %0 = chlo.next_after %cst, %cst_0 : tensor<4xbf16>, tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.polygamma
func.func @main() -> tensor<10xf64> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 5.000000e+00, 1.200000e+01, 2.500000e+01, 1.000000e+00, 3.000000e+00]> : tensor<10xf64>
  %cst_0 = stablehlo.constant dense<[1.500000e+00, 1.000000e+00, 2.500000e-01, 3.500000e+00, 1.025000e+01, 1.250000e-01, 7.700000e+00, 3.025000e+01, -5.000000e-01, -1.750000e+00]> : tensor<10xf64>
  %0 = chlo.polygamma %cst, %cst_0 : tensor<10xf64>, tensor<10xf64> -> tensor<10xf64>
  return %0 : tensor<10xf64>
}

// ----- chlo.ragged_dot
func.func @main() -> tensor<4x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %c_0 = stablehlo.constant dense<[[[1, 0], [0, 1]], [[10, 0], [0, 100]]]> : tensor<2x2x2xi32>
  %c_1 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%c, %c_0, %c_1) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x2xi32>, tensor<2x2x2xi32>, tensor<2xi64>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// ----- chlo.scan
func.func @main() -> (tensor<4xi32>, tensor<i32>) {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = chlo.scan(%c) inits (%c_0) dimension=0  {
  ^bb0(%input: tensor<i32>, %carry: tensor<i32>):
    %1 = stablehlo.add %input, %carry : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<i32>
}

// ----- chlo.sinh
func.func @main() -> tensor<4xbf16> {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.500000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xbf16>
  %0 = chlo.sinh %cst : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// ----- chlo.square
func.func @main() -> tensor<5xf32> {
  %cst = stablehlo.constant dense<[1.500000e+00, -3.000000e+00, 0.000000e+00, 0x7F800000, 1.000000e+20]> : tensor<5xf32>
  %0 = chlo.square %cst : tensor<5xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// ----- chlo.tan
func.func @main() -> tensor<9xf32> {
  %cst = stablehlo.constant dense<[1.401300e-45, 1.17549435E-38, 9.99999968E-21, 5.000000e-01, 1.57079637, 3.000000e+00, 2.200000e+01, 1.000000e+05, -1.000000e+10]> : tensor<9xf32>
  %0 = chlo.tan %cst : tensor<9xf32> -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// ----- chlo.top_k
func.func @main() -> (tensor<3xf32>, tensor<3xi32>) {
  %cst = stablehlo.constant dense<[3.000000e+00, 1.000000e+00, 4.000000e+00, 1.000000e+00, 5.000000e+00]> : tensor<5xf32>
  %values, %indices = chlo.top_k(%cst, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %values, %indices : tensor<3xf32>, tensor<3xi32>
}

// ----- chlo.zeta
func.func @main() -> tensor<9xf32> {
  %cst = stablehlo.constant dense<[2.000000e+00, 1.001000e+00, 1.500000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+01, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 5.000000e-01, 3.250000e+00, 9.99999974E-6, 1.050000e+01, 7.300000e+00, -5.000000e-01, -2.250000e+00, -2.030000e+01]> : tensor<9xf32>
  %0 = chlo.zeta %cst, %cst_0 : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
