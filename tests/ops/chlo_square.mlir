func.func @square_f32() {
  %a = stablehlo.constant dense<[1.5, -3.0, 0.0, 0x7F800000, 1.0e20]> : tensor<5xf32>
  %0 = chlo.square %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[2.25, 9.0, 0.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

func.func @square_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, 3.0), (-3.0, 3.0), (0.0, -2.0)]> : tensor<4xcomplex<f32>>
  %0 = chlo.square %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(-3.0, 4.0), (0.0, 18.0), (0.0, -18.0), (-4.0, 0.0)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// (a - b)(a + b), not a^2 - b^2.
func.func @square_cancelling() {
  %a = stablehlo.constant dense<[(1.0000001192092896, 1.0)]> : tensor<1xcomplex<f32>>
  %0 = chlo.square %a : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>
  %expected = stablehlo.constant dense<[(2.3841859e-07, 2.0000002384185791)]> : tensor<1xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>
  return
}
