func.func @is_pos_inf_f32() {
  %a = stablehlo.constant dense<[0.0, 1.0, -1.0, 0x7F800000, 0xFF800000, 0x7FC00000, 3.4028234663852886e38]> : tensor<7xf32>
  %0 = chlo.is_pos_inf %a : tensor<7xf32> -> tensor<7xi1>
  check.expect_eq_const %0, dense<[false, false, false, true, false, false, false]> : tensor<7xi1>
  return
}

// f8E4M3FN has none: its largest number and NaN.
func.func @is_pos_inf_without_infinities() {
  %a = stablehlo.constant dense<[448.0, -448.0, 0x7F]> : tensor<3xf8E4M3FN>
  %0 = chlo.is_pos_inf %a : tensor<3xf8E4M3FN> -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, false]> : tensor<3xi1>
  return
}
