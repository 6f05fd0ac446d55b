// Expected values were computed in 60 digits.
func.func @atan_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-05, 0.4375, 1.0, 2.4,
      1.0e+16, 1.0e+300, -0.7, -1000000000.0]> : tensor<12xf64>
  %0 = chlo.atan %a : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 9.999999999666668e-06,
      0.4124104415973873, 0.7853981633974483, 1.176005207095135, 1.5707963267948966,
      1.5707963267948966, -0.6107259643892086, -1.5707963257948967]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @atan_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 1.0e-05, 0.4375, 1.0, 2.4, 1000000000.0, 1.0e+38,
      -0.7, -100000.0]> : tensor<11xf32>
  %0 = chlo.atan %a : tensor<11xf32> -> tensor<11xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 1.0e-05, 0.41241044, 0.7853982, 1.1760052, 1.5707964,
      1.5707964, -0.61072594, -1.5707864]> : tensor<11xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<11xf32>, tensor<11xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @atan_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.atan %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.462891, 0.984375, 1.10938, 1.25]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @atan_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %0 = chlo.atan %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 1.5707964, -1.5707964, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @atan_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.atan %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.4842544903299662, 0.20058661813123432), (-1.311223269671635, 0.3104282830771958),
      (1.4483069952314644, -0.15899719167999918),
      (0.7853981633974482, 5.000000000000001e-10),
      (0.7853981633974487, -4.999999999999996e-10),
      (-0.7853981633974485, 1.4999999999999995e-08), (0.4636476090008061, 8.0e-301),
      (1.1071487177940904, 2.0e-301), (0.7853981928383404, 8.405621415759134),
      (-0.7853981872872253, 8.405621415759134), (1.0e-300, -1.0e-300),
      (0.0010000006666658666, 0.0009999993333325333), (1.5707963267948966, -5.0e-301),
      (1.5707963267948966, 1.0e-300), (1.570786326794897, 9.999999999000001e-16)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @atan_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.atan %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.48425448, 0.20058662), (-1.3112233, 0.3104283), (1.448307, -0.1589972),
      (0.7853981, 5.0000004e-10), (0.7853984, -4.9999976e-10), (-0.7853982, 1.5e-08),
      (0.4636476, 8.0e-38), (1.1071488, 2.0e-38), (1.4674367, 7.6138587),
      (-0.3489958, 8.184567), (1.0e-37, -1.0e-37), (0.0010000007, 0.0009999993),
      (1.5707964, -5.0e-38), (1.5707964, 1.0e-37), (1.5707864, 1.0e-15)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @atan_complex_special_values() {
  %a = stablehlo.constant dense<[(0.0, 2.0), (-0.0, 2.0), (0x7F800000, 1.0), (0.0, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = chlo.atan %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.5707964, 0.54930615), (-1.5707964, 0.54930615), (1.5707964, 0.0), (0.0, 0x7F800000)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
