// Each result is rounded once: 1 + 2^-11 = 1 in 16 bits, 1 / 3 = 0x3555.
func.func @float_rounding() {
  %a = arith.constant 1.000000e+00 : f16
  %b = arith.constant 0x1000 : f16
  %c = arith.constant 3.000000e+00 : f16
  %0 = arith.addf %a, %b : f16
  %1 = arith.divf %a, %c fastmath<nnan,arcp> : f16
  %2 = arith.subf %a, %c fastmath<fast> : f16
  %3 = arith.mulf %c, %c : f16
  %4 = tensor.from_elements %0, %1, %2, %3 : tensor<4xf16>
  check.expect_eq_const %4, dense<[1.000000e+00, 3.332520e-01, -2.000000e+00, 9.000000e+00]> : tensor<4xf16>
  return
}

// The rest has the sign of the first operand: -5.5 - (-2) * 2 = -1.5.
func.func @float_remainder() {
  %a = arith.constant -5.500000e+00 : f32
  %b = arith.constant 2.000000e+00 : f32
  %0 = arith.remf %a, %b : f32
  %1 = tensor.from_elements %0 : tensor<f32>
  check.expect_eq_const %1, dense<-1.500000e+00> : tensor<f32>
  return
}

// maximumf and minimumf hand on a NaN, maxnumf and minnumf choose the number.
func.func @float_extrema() {
  %a = arith.constant 1.000000e+00 : f32
  %b = arith.constant 0x7FC00000 : f32
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %b, %a : f32
  %3 = arith.minnumf %a, %b : f32
  %4 = arith.bitcast %0 : f32 to i32
  %5 = arith.bitcast %1 : f32 to i32
  %6 = tensor.from_elements %4, %5 : tensor<2xi32>
  %7 = tensor.from_elements %2, %3 : tensor<2xf32>
  check.expect_eq_const %6, dense<2143289344> : tensor<2xi32>
  check.expect_eq_const %7, dense<1.000000e+00> : tensor<2xf32>
  return
}

// The sign of zero: -0.0 is the smaller one, negf turns it, flushing keeps it.
func.func @float_signs_of_zero() {
  %a = arith.constant 0.000000e+00 : f32
  %b = arith.constant -0.000000e+00 : f32
  %c = arith.constant 0x80000001 : f32
  %0 = arith.maximumf %b, %a : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.negf %a : f32
  %3 = arith.flush_denormals %c : f32
  %4 = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %5 = arith.bitcast %4 : tensor<4xf32> to tensor<4xi32>
  check.expect_eq_const %5, dense<[0, -2147483648, -2147483648, -2147483648]> : tensor<4xi32>
  return
}
