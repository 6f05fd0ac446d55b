// Expected values were computed in 60 digits.
func.func @acosh_f64() {
  %a = stablehlo.constant dense<[
      1.0000000000000002, 1.0000000000000007, 1.0000001, 1.002, 1.5, 2.0, 10.0, 268435456.0,
      1.152921504606847e+18, 1.5e+308]> : tensor<10xf64>
  %0 = chlo.acosh %a : tensor<10xf64> -> tensor<10xf64>
  %expected = stablehlo.constant dense<[
      2.1073424255447014e-08, 3.650024149988857e-08, 0.0004472135919037347,
      0.06323501701842867, 0.9624236501192069, 1.3169578969248168, 2.993222846126381,
      20.101268236238415, 42.281978014156664, 710.2948209308341]> : tensor<10xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @acosh_f32() {
  %a = stablehlo.constant dense<[1.0000001, 1.0000004, 1.0001, 1.002, 1.5, 2.0, 10.0, 16384.0, 268435460.0, 3.0e+38]> : tensor<10xf32>
  %0 = chlo.acosh %a : tensor<10xf32> -> tensor<10xf32>
  %expected = stablehlo.constant dense<[
      0.00048828125, 0.0008457279, 0.014143191, 0.06323461, 0.9624236, 1.316958, 2.993223,
      10.397207, 20.101269, 89.28999]> : tensor<10xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf32>, tensor<10xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @acosh_bf16() {
  %a = stablehlo.constant dense<[1.00781, 1.5, 2.0, 100.0]> : tensor<4xbf16>
  %0 = chlo.acosh %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.125, 0.960938, 1.32031, 5.3125]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @acosh_special_values() {
  %a = stablehlo.constant dense<[1.0, 0.99999994, -2.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %0 = chlo.acosh %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @acosh_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.acosh %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.2813960562452928, 1.0691874735193958), (1.6224941488715938, 2.1773078449946515),
      (2.305509031243477, -0.9368124611557199),
      (3.162277309348575e-05, 3.162278010988223e-05),
      (3.162279064765601e-05, -3.1622762555717806e-05),
      (0.00017320508118990043, 3.1414194485094695),
      (1.1547005383792515e-300, 1.0471975511965979),
      (1.3169578969248168, 5.773502691896257e-301), (0.8813735870195454, 1.5707962560842186),
      (0.8813735870195446, 1.5707963975055748), (1.0e-300, -1.5707963267948966),
      (0.0010000003333330333, 1.5697963271282303), (691.8152486690536, -0.7853981633974483),
      (691.4686750787737, 1.5707963267948966), (12.206072645505174, 1.0000000000500001e-10)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @acosh_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.acosh %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.28139606, 1.0691875), (1.6224941, 2.1773078), (2.305509, -0.93681246),
      (2.047982e-06, 0.00048828556), (0.000976563, -1.0239993e-06),
      (0.00017320507, 3.1414194), (1.1547005e-37, 1.0471976), (1.316958, 5.7735027e-38),
      (0.88137394, 1.5707963), (0.8813735, 1.5707964), (1.0e-37, -1.5707964),
      (0.0010000004, 1.5697963), (86.23537, -0.7853982), (85.888794, 1.5707964),
      (12.206073, 9.9999994e-11)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @acosh_complex_special_values() {
  %a = stablehlo.constant dense<[(0.5, 0.0), (0.5, -0.0), (-2.0, 0.0), (-2.0, -0.0), (0x7F800000, 1.0)]> : tensor<5xcomplex<f32>>
  %0 = chlo.acosh %a : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.0, 1.0471976), (0.0, -1.0471976), (1.316958, 3.1415927), (1.316958, -3.1415927),
      (0x7F800000, 0.0)]> : tensor<5xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}
