// The specification's example.
func.func @imag_example() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// A float has no imaginary part.
func.func @imag_of_floats() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %0 = stablehlo.imag %a : tensor<2xbf16>
  check.expect_eq_const %0, dense<[0.0, 0.0]> : tensor<2xbf16>
  return
}

// f8E8M0FNU has no zero: NaN.
func.func @imag_of_scales() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  %0 = stablehlo.imag %a : tensor<2xf8E8M0FNU>
  %1 = stablehlo.is_finite %0 : (tensor<2xf8E8M0FNU>) -> tensor<2xi1>
  check.expect_eq_const %1, dense<[false, false]> : tensor<2xi1>
  return
}
