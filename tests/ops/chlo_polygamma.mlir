// Expected values were computed in 60 digits.
func.func @polygamma_f64() {
  %a = stablehlo.constant dense<[0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 12.0, 25.0, 1.0, 3.0]> : tensor<10xf64>
  %b = stablehlo.constant dense<[1.5, 1.0, 0.25, 3.5, 10.25, 0.125, 7.7, 30.25, -0.5, -1.75]> : tensor<10xf64>
  %0 = chlo.polygamma %a, %b : tensor<10xf64>, tensor<10xf64> -> tensor<10xf64>
  %expected = stablehlo.constant dense<[
      0.03648997397857652, 1.6449340668482264, 17.19732915450711, -0.1082040516417274,
      0.0021465780199769065, 31457340.659602646, -0.0018256457617113083,
      8.757235553965682e-14, 8.934802200544679, 1558.3848404165494]> : tensor<10xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @polygamma_f32() {
  %a = stablehlo.constant dense<[0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 12.0, 25.0, 1.0, 3.0]> : tensor<10xf32>
  %b = stablehlo.constant dense<[1.5, 1.0, 0.25, 3.5, 10.25, 0.125, 7.7, 30.25, -0.5, -1.75]> : tensor<10xf32>
  %0 = chlo.polygamma %a, %b : tensor<10xf32>, tensor<10xf32> -> tensor<10xf32>
  %expected = stablehlo.constant dense<[
      0.036489975, 1.644934, 17.197329, -0.10820405, 0.002146578, 31457340.0, -0.0018256464,
      8.757236e-14, 8.934802, 1558.3849]> : tensor<10xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @polygamma_special_values() {
  %a = stablehlo.constant dense<[1.5, -1.0, 1.0, 2.0, 0.0, 1.0, 0x7FC00000, 1.0]> : tensor<8xf32>
  %b = stablehlo.constant dense<[1.0, 1.0, 0.0, 0.0, 0.0, 0x7F800000, 1.0, 0x7FC00000]> : tensor<8xf32>
  %0 = chlo.polygamma %a, %b : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %expected = stablehlo.constant dense<[
      0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000,
      0x7FC00000]> : tensor<8xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<8xf32>, tensor<8xf32>
  return
}
