// Expected values were computed in 60 digits.
func.func @lgamma_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 1.0e-300, 1.0e-10, 0.25, 0.5, 0.999999, 1.0000001, 1.35, 1.9999997,
      2.0000002, 2.5, 3.0, 3.9, 4.5, 5.0, 7.7, 100.0, 1.0e+20, 2.5e+305, -1.0e-300, -0.25,
      -0.5, -1.5, -1.999, -100.5]> : tensor<25xf64>
  %0 = chlo.lgamma %a : tensor<25xf64> -> tensor<25xf64>
  %expected = stablehlo.constant dense<[
      744.4400719213812, 690.7755278982137, 23.025850929882736, 1.2880225246980774,
      0.5723649429247001, 5.772164873855652e-07, -5.772155829918507e-08,
      -0.11524089735244514, -1.268352714876833e-07, 8.455687996774423e-08,
      0.2846828704729192, 0.6931471805599453, 1.6675803472417396, 2.4537365708424423,
      3.1780538303479458, 7.926541356269005, 359.1342053695754, 4.505170185988091e+21,
      1.7555118602376452e+308, 690.7755278982137, 1.589575312551186, 1.2655121234846454,
      0.860047015376481, 6.215532330199284, -364.90096830942736]> : tensor<25xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<25xf64>, tensor<25xf64>
  return
}

func.func @lgamma_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.0e-30, 1.0e-10, 0.25, 0.5, 0.999999, 1.0000001, 1.35, 1.9999998, 2.0000002,
      2.5, 3.0, 3.9, 4.5, 5.0, 7.7, 100.0, 1.0e+20, 4.0e+36, -1.0e-30, -0.25, -0.5, -1.5,
      -1.999, -100.5, -2.457, -2.7476826]> : tensor<27xf32>
  %0 = chlo.lgamma %a : tensor<27xf32> -> tensor<27xf32>
  %expected = stablehlo.constant dense<[
      103.27893, 69.07755, 23.02585, 1.2880225, 0.5723649, 5.848813e-07, -6.8809456e-08,
      -0.1152409, -1.00799625e-07, 1.0079966e-07, 0.28468287, 0.6931472, 1.6675805,
      2.4537365, 3.1780539, 7.926541, 359.13422, 4.5051703e+21, 3.3311742e+38, 69.07755,
      1.5895753, 1.2655121, 0.86004704, 6.2154856, -364.90097, 3.7470283e-05, -1.4418168e-07]> : tensor<27xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<27xf32>, tensor<27xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @lgamma_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.lgamma %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.574219, -0.120605, 0.0, 0.691406]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @lgamma_special_values() {
  %a = stablehlo.constant dense<[1.0, 2.0, 0.0, -0.0, -1.0, -2.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e+38]> : tensor<10xf32>
  %0 = chlo.lgamma %a : tensor<10xf32> -> tensor<10xf32>
  %expected = stablehlo.constant dense<[
      0.0, 0.0, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000,
      0x7FC00000, 0x7F800000]> : tensor<10xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<10xf32>, tensor<10xf32>
  return
}
