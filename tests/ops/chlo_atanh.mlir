// Expected values were computed in 60 digits.
func.func @atanh_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-08, 0.001, 0.5, 0.75,
      0.9999999999999999, 0.9999999999999998, 0.9999999999999991, -0.25]> : tensor<12xf64>
  %0 = chlo.atanh %a : tensor<12xf64> -> tensor<12xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-08, 0.0010000003333335333,
      0.5493061443340549, 0.9729550745276566, 18.714973875118524, 18.36840028483855,
      17.675253104278607, -0.25541281188299536]> : tensor<12xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @atanh_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.001, 0.5, 0.75, 0.99999994, 0.9999999,
      0.9999995, -0.25]> : tensor<11xf32>
  %0 = chlo.atanh %a : tensor<11xf32> -> tensor<11xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.0010000004, 0.54930615, 0.97295505, 8.66434,
      8.317766, 7.624619, -0.25541282]> : tensor<11xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<11xf32>, tensor<11xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @atanh_bf16() {
  %a = stablehlo.constant dense<[0.5, -0.25, 0.996094, 0.015625]> : tensor<4xbf16>
  %0 = chlo.atanh %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.550781, -0.255859, 3.125, 0.015625]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @atanh_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0000001, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = chlo.atanh %a : tensor<7xf32> -> tensor<7xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<7xf32>, tensor<7xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @atanh_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.atanh %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.5003700000525311, 0.3143981432077165), (-0.22008968066202292, 1.2452579660726568),
      (0.1175009073114339, -1.4099210495965755), (10.708206508753166, 0.7853980526251458),
      (10.708206508752982, -0.7853986077366581), (-9.0076078179221, 0.7853981708974483),
      (0.5493061443340549, 1.3333333333333334e-300),
      (0.5493061443340549, 1.5707963267948966), (4.999999999999987e-08, 0.7853981633974513),
      (-4.9999999999999925e-08, 0.7853981633974507), (1.0e-300, -1.0e-300),
      (0.0009999993333325333, 0.0010000006666658666), (5.0e-301, -1.5707963267948966),
      (0.0, 1.5707963267948966), (1.0000000000333334e-05, 1.5707963267948957)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @atanh_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.atanh %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.50037, 0.31439814), (-0.22008967, 1.245258), (0.11750091, -1.409921),
      (8.317748, 0.0041942056), (7.624618, -1.5697478), (-9.007607, 0.7853982),
      (0.54930615, 1.3333334e-37), (0.54930615, 1.5707964), (4.9999976e-08, 0.7853984),
      (-5.0000008e-08, 0.7853981), (1.0e-37, -1.0e-37), (0.0009999993, 0.0010000007),
      (5.0e-38, -1.5707964), (0.0, 1.5707964), (1.0e-05, 1.5707964)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @atanh_complex_special_values() {
  %a = stablehlo.constant dense<[(2.0, 0.0), (2.0, -0.0), (1.0, 0.0), (1.0, 0x7F800000)]> : tensor<4xcomplex<f32>>
  %0 = chlo.atanh %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.54930615, 1.5707964), (0.54930615, -1.5707964), (0x7F800000, 0.0), (0.0, 1.5707964)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
