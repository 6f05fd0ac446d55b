// The specification's example.
func.func @reverse_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = stablehlo.reverse %a, dims = [1] : tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xi32>
  return
}

func.func @reverse_all_and_none() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = stablehlo.reverse %a, dims = [1, 0] : tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[6, 5], [4, 3], [2, 1]]> : tensor<3x2xi32>
  %1 = stablehlo.reverse %a, dims = [] : tensor<3x2xi32>
  check.expect_eq_const %1, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

func.func @reverse_scalar() {
  %a = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %0 = stablehlo.reverse %a, dims = [] : tensor<complex<f32>>
  check.expect_eq_const %0, dense<(1.0, 2.0)> : tensor<complex<f32>>
  return
}
