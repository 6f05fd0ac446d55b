// The specification's example; NaN is checked below.
func.func @reduce_precision_example() {
  %a = stablehlo.constant dense<[0x7FF0000000000000, 4.940656e-324, 0.0, 65519.0, 65520.0]> : tensor<5xf64>
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<5xf64>
  check.expect_eq_const %0, dense<[0x7FF0000000000000, 0.0, 0.0, 65504.0, 0x7FF0000000000000]> : tensor<5xf64>
  return
}

// To the even mantissa.
func.func @reduce_precision_ties() {
  %a = stablehlo.constant dense<[1.125, 1.375, 1.0, -1.125]> : tensor<4xf32>
  %0 = stablehlo.reduce_precision %a, format = e8m2 : tensor<4xf32>
  check.expect_eq_const %0, dense<[1.0, 1.5, 1.0, -1.0]> : tensor<4xf32>
  return
}

// Infinities and zeros keep the sign.
func.func @reduce_precision_range() {
  %a = stablehlo.constant dense<[65536.0, -65536.0, 1.0e-05, -1.0e-05]> : tensor<4xf32>
  %0 = stablehlo.reduce_precision %a, format = e5m23 : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %bits, dense<[2139095040, -8388608, 0, -2147483648]> : tensor<4xi32>
  return
}

// A format that holds every number changes none.
func.func @reduce_precision_wider() {
  %a = stablehlo.constant dense<[1.5, 0x7C00, 6.0e-08]> : tensor<3xf16>
  %0 = stablehlo.reduce_precision %a, format = e8m23 : tensor<3xf16>
  check.expect_eq_const %0, dense<[1.5, 0x7C00, 6.0e-08]> : tensor<3xf16>
  return
}

func.func @reduce_precision_to_bf16() {
  %a = stablehlo.constant dense<[3.14159274]> : tensor<1xf32>
  %0 = stablehlo.reduce_precision %a, format = e8m7 : tensor<1xf32>
  check.expect_eq_const %0, dense<[3.140625]> : tensor<1xf32>
  return
}

// 1.5 and 3 are ties; the exponent of 2 is even as it is stored, 128.
func.func @reduce_precision_without_mantissa() {
  %a = stablehlo.constant dense<[1.5, 1.25, 3.0]> : tensor<3xf32>
  %0 = stablehlo.reduce_precision %a, format = e8m0 : tensor<3xf32>
  check.expect_eq_const %0, dense<[2.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

func.func @reduce_precision_narrow() {
  %a = stablehlo.constant dense<[1.25, 1.75, 57344.0]> : tensor<3xf8E5M2>
  %0 = stablehlo.reduce_precision %a, format = e5m1 : tensor<3xf8E5M2>
  check.expect_eq_const %0, dense<[1.0, 2.0, 0x7C]> : tensor<3xf8E5M2>
  return
}

// The largest number in place of infinity.
func.func @reduce_precision_without_infinities() {
  %a = stablehlo.constant dense<[1.5, 6.0]> : tensor<2xf4E2M1FN>
  %0 = stablehlo.reduce_precision %a, format = e2m0 : tensor<2xf4E2M1FN>
  check.expect_eq_const %0, dense<[2.0, 6.0]> : tensor<2xf4E2M1FN>
  return
}

// Numbers that an IEEE format of as many bits does not have: 448 is too large for four bits of exponent, and 2**-7 too small.
func.func @reduce_precision_beyond_ieee() {
  %a = stablehlo.constant dense<[240.0, 448.0]> : tensor<2xf8E4M3FN>
  %0 = stablehlo.reduce_precision %a, format = e4m3 : tensor<2xf8E4M3FN>
  %finite = stablehlo.is_finite %0 : (tensor<2xf8E4M3FN>) -> tensor<2xi1>
  check.expect_eq_const %finite, dense<[true, false]> : tensor<2xi1>
  %b = stablehlo.constant dense<[1.5625e-2, 7.8125e-3]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.reduce_precision %b, format = e4m3 : tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[1.5625e-2, 0.0]> : tensor<2xf8E4M3FNUZ>
  return
}

// Without a mantissa ties go to odd exponents, whatever the bias: 12 to 2**3, 6 to 2**3.
func.func @reduce_precision_ties_without_mantissa() {
  %a = stablehlo.constant dense<[12.0, 6.0]> : tensor<2xf8E5M2FNUZ>
  %0 = stablehlo.reduce_precision %a, format = e5m0 : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[8.0, 8.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[12.0, 6.0]> : tensor<2xf32>
  %1 = stablehlo.reduce_precision %b, format = e8m0 : tensor<2xf32>
  check.expect_eq_const %1, dense<[8.0, 8.0]> : tensor<2xf32>
  return
}

// 1.5 and 2.5 become 2 and 2.
func.func @reduce_precision_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.reduce_precision %a, format = e8m0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[4, 4]> : tensor<2xi8>
  return
}

func.func @reduce_precision_nan() {
  %a = stablehlo.constant dense<0x7FFFFFFFFFFFFFFF> : tensor<f64>
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<f64>
  %1 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  return
}
