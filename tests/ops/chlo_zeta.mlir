// Expected values were computed in 60 digits.
func.func @zeta_f64() {
  %a = stablehlo.constant dense<[2.0, 1.0001, 1.5, 3.0, 2.0, 10.0, 17.0, 50.0, 2.0, 3.0, 4.0]> : tensor<11xf64>
  %b = stablehlo.constant dense<[1.0, 0.5, 3.25, 1.0e-05, 10.5, 7.3, 15.98, 0.5, -0.5, -2.25, -20.3]> : tensor<11xf64>
  %0 = chlo.zeta %a, %b : tensor<11xf64>, tensor<11xf64> -> tensor<11xf64>
  %expected = stablehlo.constant dense<[
      1.6449340668482264, 10001.963645377935, 1.2012173113703717, 1000000000000001.0,
      0.09991695605912673, 3.3062418274795323e-09, 5.487321264865615e-21, 1125899906842624.0,
      8.934802200544679, -61.94847488703008, 128.1701153901192]> : tensor<11xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @zeta_f32() {
  %a = stablehlo.constant dense<[2.0, 1.001, 1.5, 3.0, 2.0, 10.0, 2.0, 3.0, 4.0]> : tensor<9xf32>
  %b = stablehlo.constant dense<[1.0, 0.5, 3.25, 1.0e-05, 10.5, 7.3, -0.5, -2.25, -20.3]> : tensor<9xf32>
  %0 = chlo.zeta %a, %b : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  %expected = stablehlo.constant dense<[
      1.644934, 1001.91815, 1.2012173, 1000000050000000.0, 0.09991696, 3.306241e-09,
      8.934802, -61.948475, 128.17136]> : tensor<9xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @zeta_special_values() {
  %a = stablehlo.constant dense<[
      1.0, 0.5, 2.0, 2.0, 3.0, 2.5, 2.0, 0x7FC00000, 2.0, 0x7F800000, 0x7F800000, 3.0]> : tensor<12xf32>
  %b = stablehlo.constant dense<[
      1.0, 1.0, 0.0, -3.0, -3.0, -0.5, 0x7F800000, 1.0, 0x7FC00000, -1.0e-45, 0.5, -1.0e-45]> : tensor<12xf32>
  %0 = chlo.zeta %a, %b : tensor<12xf32>, tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0.0,
      0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<12xf32>, tensor<12xf32>
  return
}
