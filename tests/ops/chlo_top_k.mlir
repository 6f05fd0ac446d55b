func.func @top_k_vector() {
  %a = stablehlo.constant dense<[3.0, 1.0, 4.0, 1.0, 5.0]> : tensor<5xf32>
  %values, %indices = chlo.top_k(%a, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %values, dense<[5.0, 4.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %indices, dense<[4, 2, 0]> : tensor<3xi32>
  return
}

// Of equal elements the first one comes first.
func.func @top_k_of_equal_elements() {
  %a = stablehlo.constant dense<[[2, 7, 7], [5, 5, 5]]> : tensor<2x3xi64>
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<2x3xi64> -> (tensor<2x2xi64>, tensor<2x2xi32>)
  check.expect_eq_const %values, dense<[[7, 7], [5, 5]]> : tensor<2x2xi64>
  check.expect_eq_const %indices, dense<[[1, 2], [0, 1]]> : tensor<2x2xi32>
  return
}

// NaN is larger than infinity, +0.0 larger than -0.0.
func.func @top_k_of_special_values() {
  %a = stablehlo.constant dense<[-0.0, 0.0, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<5xf32>
  %values, %indices = chlo.top_k(%a, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %indices, dense<[3, 2, 1, 0, 4]> : tensor<5xi32>
  return
}

func.func @top_k_of_unsigned_integers() {
  %a = stablehlo.constant dense<[1, 255, 128]> : tensor<3xui8>
  %values, %indices = chlo.top_k(%a, k = 1) : tensor<3xui8> -> (tensor<1xui8>, tensor<1xi32>)
  check.expect_eq_const %values, dense<[255]> : tensor<1xui8>
  check.expect_eq_const %indices, dense<[1]> : tensor<1xi32>
  return
}

func.func @top_k_of_nothing() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %values, %indices = chlo.top_k(%a, k = 0, is_stable = false) : tensor<2xf32> -> (tensor<0xf32>, tensor<0xi32>)
  check.expect_eq_const %values, dense<> : tensor<0xf32>
  return
}

func.func @top_k_dynamic() {
  %a = stablehlo.constant dense<[[1, 3, 2], [6, 4, 5]]> : tensor<2x3xi32>
  %x = stablehlo.convert %a : (tensor<2x3xi32>) -> tensor<?x3xi32>
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<?x3xi32> -> (tensor<?x2xi32>, tensor<?x2xi32>)
  check.expect_eq_const %values, dense<[[3, 2], [6, 5]]> : tensor<2x2xi32>
  check.expect_eq_const %indices, dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>
  return
}
