// The specification's example.
func.func @iota_example_rows() {
  %0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
  check.expect_eq_const %0, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi32>
  return
}

// The specification's example.
func.func @iota_example_columns() {
  %0 = stablehlo.iota dim = 1 : tensor<4x5xi32>
  check.expect_eq_const %0, dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xi32>
  return
}

func.func @iota_complex() {
  %0 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @iota_wraps() {
  %0 = stablehlo.iota dim = 0 : tensor<6xi2>
  check.expect_eq_const %0, dense<[0, 1, -2, -1, 0, 1]> : tensor<6xi2>
  return
}

func.func @iota_rounds() {
  %0 = stablehlo.iota dim = 0 : tensor<10xf4E2M1FN>
  check.expect_eq_const %0, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 6.0, 6.0, 6.0, 6.0]> : tensor<10xf4E2M1FN>
  return
}

func.func @iota_quantized() {
  %0 = stablehlo.iota dim = 0 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[0, 2, 4]> : tensor<3xi8>
  return
}

func.func @iota_nothing() {
  %0 = stablehlo.iota dim = 1 : tensor<2x0xf32>
  check.expect_eq_const %0, dense<> : tensor<2x0xf32>
  return
}
