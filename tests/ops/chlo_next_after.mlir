func.func @next_after_f32() {
  %a = stablehlo.constant dense<[
      1.0, 1.0, -1.0, 0.0, 0.0, -0.0, 1.0e-45, -1.0e-45, 3.4028235e+38, 0x7F800000, 2.0, 0.0,
      0x7FC00000, 1.0]> : tensor<14xf32>
  %b = stablehlo.constant dense<[2.0, 0.0, 0.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0x7F800000, 0.0, 2.0, -0.0, 1.0, 0x7FC00000]> : tensor<14xf32>
  %0 = chlo.next_after %a, %b : tensor<14xf32>, tensor<14xf32> -> tensor<14xf32>
  %expected = stablehlo.constant dense<[
      1.0000001, 0.99999994, -0.99999994, 1.0e-45, -1.0e-45, 1.0e-45, 0.0, -0.0, 0x7F800000,
      3.4028235e+38, 2.0, -0.0, 0x7FC00000, 0x7FC00000]> : tensor<14xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<14xf32>, tensor<14xf32>
  return
}

func.func @next_after_bf16() {
  %a = stablehlo.constant dense<[1.0, 1.0, 0.0, -2.0]> : tensor<4xbf16>
  %b = stablehlo.constant dense<[2.0, 0.0, -1.0, -1.0]> : tensor<4xbf16>
  %0 = chlo.next_after %a, %b : tensor<4xbf16>, tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[1.00781, 0.996094, -9.18355e-41, -1.99219]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<4xbf16>, tensor<4xbf16>
  return
}

// The bits of -0.0 are NaN in this format.
func.func @next_after_narrow() {
  %a = stablehlo.constant dense<[0.0009765625, -0.0009765625, 1.0]> : tensor<3xf8E4M3FNUZ>
  %b = stablehlo.constant dense<[-1.0, 1.0, 240.0]> : tensor<3xf8E4M3FNUZ>
  %0 = chlo.next_after %a, %b : tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ> -> tensor<3xf8E4M3FNUZ>
  %expected = stablehlo.constant dense<[0.0, 0.0, 1.125]> : tensor<3xf8E4M3FNUZ>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>
  return
}

// There is no integer of this width.
func.func @next_after_six_bits() {
  %a = stablehlo.constant dense<[1.0, 1.0, 0.0, -7.5, 0.125]> : tensor<5xf6E2M3FN>
  %b = stablehlo.constant dense<[7.5, -1.0, -1.0, 0.0, 0.0]> : tensor<5xf6E2M3FN>
  %0 = chlo.next_after %a, %b : tensor<5xf6E2M3FN>, tensor<5xf6E2M3FN> -> tensor<5xf6E2M3FN>
  %expected = stablehlo.constant dense<[1.125, 0.875, -0.125, -7.0, 0.0]> : tensor<5xf6E2M3FN>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf6E2M3FN>, tensor<5xf6E2M3FN>
  return
}
