func.func @conj_f32() {
  %a = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xf32>
  %0 = chlo.conj %a : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  return
}

func.func @conj_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (-3.0, -4.0)]> : tensor<2xcomplex<f64>>
  %0 = chlo.conj %a : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0, -2.0), (-3.0, 4.0)]> : tensor<2xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
