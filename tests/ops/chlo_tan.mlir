// Expected values were computed in 60 digits.
func.func @tan_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.5, 1.5707963267948966, 3.0,
      22.0, 100000.0, -10000000000.0]> : tensor<10xf64>
  %0 = chlo.tan %a : tensor<10xf64> -> tensor<10xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.5463024898437905,
      1.633123935319537e+16, -0.1425465430742778, 0.00885165604168446, -0.035771662952898776,
      0.5583496378112418]> : tensor<10xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @tan_f32() {
  %a = stablehlo.constant dense<[1.0e-45, 1.1754944e-38, 1.0e-20, 0.5, 1.5707964, 3.0, 22.0, 100000.0, -10000000000.0]> : tensor<9xf32>
  %0 = chlo.tan %a : tensor<9xf32> -> tensor<9xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.5463025, -22877332.0, -0.14254655, 0.008851656,
      -0.035771664, 0.5583496]> : tensor<9xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<9xf32>, tensor<9xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @tan_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.tan %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.546875, 14.125, -2.1875, -0.142578]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @tan_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %0 = chlo.tan %a : tensor<4xf32> -> tensor<4xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  return
}

func.func @tan_complex() {
  %a = stablehlo.constant dense<[(0.5, 0.25), (0.0001, -2.0), (1.0, 100.0)]> : tensor<3xcomplex<f32>>
  %0 = chlo.tan %a : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.5045007, 0.3124207), (7.065082e-06, -0.9640276), (0.0, 1.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}
