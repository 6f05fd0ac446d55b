// Expected values were computed in 60 digits.
func.func @acos_f64() {
  %a = stablehlo.constant dense<[
      0.9999999999999999, 0.9999999999999998, 0.9999999999999991, 0.9, 0.5, 1.0e-09,
      -1.0e-300, -0.5, -0.99999, -0.9999999999999998]> : tensor<10xf64>
  %0 = chlo.acos %a : tensor<10xf64> -> tensor<10xf64>
  %expected = stablehlo.constant dense<[
      1.4901161193847656e-08, 2.1073424255447017e-08, 4.2146848510894035e-08,
      0.45102681179626236, 1.0471975511965979, 1.5707963257948967, 1.5707963267948966,
      2.0943951023931957, 3.1371205139080156, 3.1415926325163688]> : tensor<10xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @acos_f32() {
  %a = stablehlo.constant dense<[
      0.99999994, 0.9999999, 0.9999995, 0.9, 0.5, 1.0e-09, -1.0e-30, -0.5, -0.999,
      -0.9999999]> : tensor<10xf32>
  %0 = chlo.acos %a : tensor<10xf32> -> tensor<10xf32>
  %expected = stablehlo.constant dense<[
      0.00034526698, 0.00048828125, 0.0009765625, 0.45102686, 1.0471976, 1.5707964,
      1.5707964, 2.0943952, 3.0968678, 3.1411045]> : tensor<10xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf32>, tensor<10xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @acos_bf16() {
  %a = stablehlo.constant dense<[0.5, -0.25, 0.996094, 0.0]> : tensor<4xbf16>
  %0 = chlo.acos %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[1.04688, 1.82031, 0.0883789, 1.57031]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @acos_special_values() {
  %a = stablehlo.constant dense<[1.0, -1.0, 0.0, 1.0000001, -2.0, 0x7FC00000]> : tensor<6xf32>
  %0 = chlo.acos %a : tensor<6xf32> -> tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, 3.1415927, 1.5707964, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<6xf32>, tensor<6xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @acos_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.acos %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (1.0691874735193958, -0.2813960562452928), (2.1773078449946515, -1.6224941488715938),
      (0.9368124611557199, 2.305509031243477),
      (3.162278010988223e-05, -3.162277309348575e-05),
      (3.1622762555717806e-05, 3.162279064765601e-05),
      (3.1414194485094695, -0.00017320508118990043),
      (1.0471975511965979, -1.1547005383792515e-300),
      (5.773502691896257e-301, -1.3169578969248168),
      (1.5707962560842186, -0.8813735870195454), (1.5707963975055748, -0.8813735870195446),
      (1.5707963267948966, 1.0e-300), (1.5697963271282303, -0.0010000003333330333),
      (0.7853981633974483, 691.8152486690536), (1.5707963267948966, -691.4686750787737),
      (1.0000000000500001e-10, -12.206072645505174)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @acos_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.acos %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (1.0691875, -0.28139606), (2.1773078, -1.6224941), (0.93681246, 2.305509),
      (0.00048828556, -2.047982e-06), (1.0239993e-06, 0.000976563),
      (3.1414194, -0.00017320507), (1.0471976, -1.1547005e-37), (5.7735027e-38, -1.316958),
      (1.5707963, -0.88137394), (1.5707964, -0.8813735), (1.5707964, 1.0e-37),
      (1.5697963, -0.0010000004), (0.7853982, 86.23537), (1.5707964, -85.888794),
      (9.9999994e-11, -12.206073)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @acos_complex_special_values() {
  %a = stablehlo.constant dense<[(2.0, 0.0), (2.0, -0.0), (-2.0, 0.0), (0x7F800000, 1.0), (1.0, 0x7F800000)]> : tensor<5xcomplex<f32>>
  %0 = chlo.acos %a : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.0, -1.316958), (0.0, 1.316958), (3.1415927, -1.316958), (0.0, 0xFF800000),
      (1.5707964, 0xFF800000)]> : tensor<5xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}
