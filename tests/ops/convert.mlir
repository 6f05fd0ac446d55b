// The specification's example.
func.func @convert_example() {
  %a = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %0 = stablehlo.convert %a : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %0, dense<[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

func.func @convert_from_boolean() {
  %a = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %0 = stablehlo.convert %a : (tensor<2xi1>) -> tensor<2xf8E4M3FN>
  check.expect_eq_const %0, dense<[0.0, 1.0]> : tensor<2xf8E4M3FN>
  return
}

// All but zero is true.
func.func @convert_to_boolean() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC00000]> : tensor<4xf32>
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, true, true]> : tensor<4xi1>
  return
}

// The imaginary part is dropped.
func.func @convert_complex_to_boolean() {
  %a = stablehlo.constant dense<[(0.0, 1.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.convert %a : (tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @convert_integers_wrap() {
  %a = stablehlo.constant dense<[300, -1, 128]> : tensor<3xi32>
  %0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[44, -1, -128]> : tensor<3xi8>
  return
}

func.func @convert_to_unsigned() {
  %a = stablehlo.constant dense<[-1, 127]> : tensor<2xi8>
  %0 = stablehlo.convert %a : (tensor<2xi8>) -> tensor<2xui16>
  check.expect_eq_const %0, dense<[65535, 127]> : tensor<2xui16>
  return
}

func.func @convert_to_narrow() {
  %a = stablehlo.constant dense<[9, -9, 7]> : tensor<3xi32>
  %0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xi4>
  check.expect_eq_const %0, dense<[-7, 7, 7]> : tensor<3xi4>
  return
}

func.func @convert_between_narrow() {
  %a = stablehlo.constant dense<[-1, 7, -8]> : tensor<3xi4>
  %0 = stablehlo.convert %a : (tensor<3xi4>) -> tensor<3xui2>
  check.expect_eq_const %0, dense<[3, 3, 0]> : tensor<3xui2>
  return
}

func.func @convert_truncates() {
  %a = stablehlo.constant dense<[2.9, -2.9, -0.5]> : tensor<3xf32>
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[2, -2, 0]> : tensor<3xi32>
  return
}

// As in XLA: the nearest integer, and zero for NaN.
func.func @convert_out_of_range() {
  %a = stablehlo.constant dense<[300.0, -300.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi8>
  check.expect_eq_const %0, dense<[127, -128, 127, -128, 0]> : tensor<5xi8>
  return
}

func.func @convert_out_of_range_unsigned() {
  %a = stablehlo.constant dense<[-1.0, 1.0e+30, 0x7FF8000000000000]> : tensor<3xf64>
  %0 = stablehlo.convert %a : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %0, dense<[0, 18446744073709551615, 0]> : tensor<3xui64>
  return
}

func.func @convert_out_of_range_narrow() {
  %a = stablehlo.constant dense<[100.0, -100.0, 3.0]> : tensor<3xf16>
  %0 = stablehlo.convert %a : (tensor<3xf16>) -> tensor<3xi4>
  check.expect_eq_const %0, dense<[7, -8, 3]> : tensor<3xi4>
  return
}

// By way of f32 the first would be a tie as the second is, and go the other way.
func.func @convert_integers_round_once() {
  %a = stablehlo.constant dense<[16842753, 16842752, 16777217]> : tensor<3xi32>
  %0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xbf16>
  check.expect_eq_const %0, dense<[1.6908288e+07, 1.6777216e+07, 1.6777216e+07]> : tensor<3xbf16>
  return
}

// By way of f64 the second would be a tie, and go the other way.
func.func @convert_large_integers_round_once() {
  %a = stablehlo.constant dense<[1152921504606846977, 1157425104234217473]> : tensor<2xi64>
  %0 = stablehlo.convert %a : (tensor<2xi64>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.152921504606847e+18, 1.161928703861588e+18]> : tensor<2xbf16>
  return
}

// By way of f32 the last two would be ties.
func.func @convert_floats_round_once() {
  %a = stablehlo.constant dense<[1.00390625, 1.0039062500000002, 1.0117187499999998]> : tensor<3xf64>
  %0 = stablehlo.convert %a : (tensor<3xf64>) -> tensor<3xbf16>
  check.expect_eq_const %0, dense<[1.0, 1.0078125, 1.0078125]> : tensor<3xbf16>
  return
}

func.func @convert_f16() {
  %a = stablehlo.constant dense<[1.00048828125, 65519.0, 65520.0]> : tensor<3xf64>
  %0 = stablehlo.convert %a : (tensor<3xf64>) -> tensor<3xf16>
  check.expect_eq_const %0, dense<[1.0, 65504.0, 0x7C00]> : tensor<3xf16>
  return
}

func.func @convert_overflow_to_infinity() {
  %a = stablehlo.constant dense<[1.0e+10, -1.0e+10]> : tensor<2xf32>
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xf8E5M2>
  check.expect_eq_const %0, dense<[0x7C, 0xFC]> : tensor<2xf8E5M2>
  return
}

// A format without infinities; 464 still rounds to 448.
func.func @convert_overflow_to_nan() {
  %a = stablehlo.constant dense<[1.0e+10, 464.0, 465.0]> : tensor<3xf32>
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  %1 = stablehlo.is_finite %0 : (tensor<3xf8E4M3FN>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[false, true, false]> : tensor<3xi1>
  return
}

// A format with neither infinities nor NaN.
func.func @convert_overflow_to_largest() {
  %a = stablehlo.constant dense<[1.0e+10, -1.0e+10, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xf4E2M1FN>
  check.expect_eq_const %0, dense<[6.0, -6.0, 6.0]> : tensor<3xf4E2M1FN>
  return
}

// Powers of two: 1.5 and 3 are ties, and up is away from a significand that is odd.
func.func @convert_to_scale() {
  %a = stablehlo.constant dense<[1.0, 1.5, 3.0, 2.9]> : tensor<4xf32>
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  check.expect_eq_const %0, dense<[1.0, 2.0, 4.0, 2.0]> : tensor<4xf8E8M0FNU>
  return
}

func.func @convert_complex_to_real() {
  %a = stablehlo.constant dense<[(1.5, 2.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.convert %a : (tensor<1xcomplex<f64>>) -> tensor<1xf32>
  check.expect_eq_const %0, dense<[1.5]> : tensor<1xf32>
  return
}

func.func @convert_complex() {
  %a = stablehlo.constant dense<[(1.5, 16777217.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.convert %a : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.5, 16777216.0)]> : tensor<1xcomplex<f32>>
  return
}
