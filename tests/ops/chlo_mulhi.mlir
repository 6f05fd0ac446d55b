func.func @mulhi_i32() {
  %a = stablehlo.constant dense<[2147483647, -2147483648, -1, 65536, 5]> : tensor<5xi32>
  %b = stablehlo.constant dense<[2147483647, -2147483648, 1, 65536, 7]> : tensor<5xi32>
  %0 = chlo.mulhi %a, %b : tensor<5xi32>, tensor<5xi32> -> tensor<5xi32>
  check.expect_eq_const %0, dense<[1073741823, 1073741824, -1, 1, 0]> : tensor<5xi32>
  return
}

func.func @mulhi_ui8() {
  %a = stablehlo.constant dense<[255, 255, 16, 200]> : tensor<4xui8>
  %b = stablehlo.constant dense<[255, 1, 16, 3]> : tensor<4xui8>
  %0 = chlo.mulhi %a, %b : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  check.expect_eq_const %0, dense<[254, 0, 1, 2]> : tensor<4xui8>
  return
}

func.func @mulhi_i4() {
  %a = stablehlo.constant dense<[7, -8, -8, -1]> : tensor<4xi4>
  %b = stablehlo.constant dense<[7, 7, -8, -1]> : tensor<4xi4>
  %0 = chlo.mulhi %a, %b : tensor<4xi4>, tensor<4xi4> -> tensor<4xi4>
  check.expect_eq_const %0, dense<[3, -4, 4, 0]> : tensor<4xi4>
  return
}

func.func @mulhi_i64() {
  %a = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, -1, 4294967301, -8589934592]> : tensor<5xi64>
  %b = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 1, -4294967303, 12884901888]> : tensor<5xi64>
  %0 = chlo.mulhi %a, %b : tensor<5xi64>, tensor<5xi64> -> tensor<5xi64>
  check.expect_eq_const %0, dense<[4611686018427387903, 4611686018427387904, -1, -2, -6]> : tensor<5xi64>
  return
}

func.func @mulhi_ui64() {
  %a = stablehlo.constant dense<[18446744073709551615, 18446744073709551615, 8589934592]> : tensor<3xui64>
  %b = stablehlo.constant dense<[18446744073709551615, 1, 8589934592]> : tensor<3xui64>
  %0 = chlo.mulhi %a, %b : tensor<3xui64>, tensor<3xui64> -> tensor<3xui64>
  check.expect_eq_const %0, dense<[18446744073709551614, 0, 4]> : tensor<3xui64>
  return
}
