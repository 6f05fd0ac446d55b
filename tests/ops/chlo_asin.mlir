// Expected values were computed in 60 digits.
func.func @asin_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-05, 0.1, 0.5, 0.9,
      0.9999999999999999, 0.9999999999999998, 0.9999999999999991, -0.7, -0.9999999999999998]> : tensor<13xf64>
  %0 = chlo.asin %a : tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0000000000166668e-05,
      0.1001674211615598, 0.5235987755982989, 1.1197695149986342, 1.5707963118937354,
      1.5707963057214724, 1.570796284648048, -0.775397496610753, -1.5707963057214724]> : tensor<13xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf64>, tensor<13xf64>
  return
}

func.func @asin_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 1.0e-05, 0.1, 0.5, 0.9, 0.99999994, 0.9999999,
      0.9999995, -0.7, -0.9999999]> : tensor<12xf32>
  %0 = chlo.asin %a : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 1.0e-05, 0.10016742, 0.5235988, 1.1197695, 1.570451,
      1.5703081, 1.5698198, -0.7753975, -1.5703081]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @asin_bf16() {
  %a = stablehlo.constant dense<[0.5, -0.25, 0.996094, 0.015625]> : tensor<4xbf16>
  %0 = chlo.asin %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.523438, -0.251953, 1.48438, 0.015625]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @asin_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0000001, 0x7F800000]> : tensor<6xf32>
  %0 = chlo.asin %a : tensor<6xf32> -> tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 1.5707964, -1.5707964, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<6xf32>, tensor<6xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @asin_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.asin %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.5016088532755008, 0.2813960562452928), (-0.6065115181997548, 1.6224941488715938),
      (0.6339838656391767, -2.305509031243477), (1.5707647040147867, 3.162277309348575e-05),
      (1.570764704032341, -3.162279064765601e-05),
      (-1.5706231217145727, 0.00017320508118990043),
      (0.5235987755982989, 1.1547005383792515e-300),
      (1.5707963267948966, 1.3169578969248168), (7.071067811865469e-08, 0.8813735870195454),
      (-7.071067811865473e-08, 0.8813735870195446), (1.0e-300, -1.0e-300),
      (0.0009999996666663668, 0.0010000003333330333),
      (0.7853981633974483, -691.8152486690536), (0.0, 691.4686750787737),
      (1.5707963266948965, 12.206072645505174)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @asin_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.asin %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.50160885, 0.28139606), (-0.60651153, 1.6224941), (0.63398385, -2.305509),
      (1.5703081, 2.047982e-06), (1.5707953, -0.000976563), (-1.5706232, 0.00017320507),
      (0.5235988, 1.1547005e-37), (1.5707964, 1.316958), (7.071066e-08, 0.88137394),
      (-7.071068e-08, 0.8813735), (1.0e-37, -1.0e-37), (0.0009999997, 0.0010000004),
      (0.7853982, -86.23537), (0.0, 85.888794), (1.5707964, 12.206073)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @asin_complex_special_values() {
  %a = stablehlo.constant dense<[
      (2.0, 0.0), (2.0, -0.0), (-2.0, 0.0), (0x7F800000, 1.0), (1.0, 0x7F800000),
      (0x7F800000, 0x7F800000)]> : tensor<6xcomplex<f32>>
  %0 = chlo.asin %a : tensor<6xcomplex<f32>> -> tensor<6xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (1.5707964, 1.316958), (1.5707964, -1.316958), (-1.5707964, 1.316958),
      (1.5707964, 0x7F800000), (0.0, 0x7F800000), (0.7853982, 0x7F800000)]> : tensor<6xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}
