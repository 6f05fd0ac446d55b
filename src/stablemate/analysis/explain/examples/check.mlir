// ----- check.expect_almost_eq
func.func @main() {
  %cst = stablehlo.constant dense<[1.000000e+00, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[1.000050e+00, 0xFF800000, 0xFFC00000]> : tensor<3xf32>
  check.expect_almost_eq %cst, %cst_0 : tensor<3xf32>
  check.expect_almost_eq_const %cst, dense<[1.400000e+00, 0xFF800000, 0x7FC00000]> : tensor<3xf32>, tolerance = 5.000000e-01
  %cst_1 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  check.expect_almost_eq_const %cst_1, dense<(1.250000e+00,1.750000e+00)> : tensor<complex<f32>>, tolerance = 2.500000e-01
  return
}

// ----- check.expect_almost_eq_const
func.func @main() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>
  %0 = stablehlo.exponential_minus_one %cst : tensor<2xf64>
  check.expect_almost_eq_const %0, dense<[0.000000e+00, 1.71828187]> : tensor<2xf64>, tolerance = 9.9999999999999995E-8
  return
}

// ----- check.expect_close
func.func @main() {
  %cst = stablehlo.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = chlo.conj %cst : tensor<2xf32> -> tensor<2xf32>
  %cst_0 = stablehlo.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
  check.expect_close %0, %cst_0, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  return
}

// ----- check.expect_eq
func.func @main() {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq_const %output_state, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[2100602697, 2847456232, 2074354647]> : tensor<3xui32>
  %output_state_0, %output_1 = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq %output, %output_1 : tensor<3xui32>
  return
}

// ----- check.expect_eq_const
func.func @main() {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}

// ----- check.expect_serialized_eq
func.func @main() {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = interpreter.probe %c, probe_id = "example" : tensor<2xi32>
  check.expect_serialized_eq %0, probe_id = "example", iter = 1 : tensor<2xi32>
  return
}
