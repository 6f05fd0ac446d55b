// (sqrt(a^2 - x^2), acosh(a)) with a half the sum of the distances from 1 and -1.
func.func @asin_acos_kernel_example() {
  %a = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (2.0, -0.5), (0.001, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = chlo._asin_acos_kernel %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.9117543, 0.28139606), (2.1621966, 1.6224941), (0.5702489, 1.3618009),
      (1.4142134, 0.88137376)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
