// New dimensions stand before the others.
func.func @broadcast_leading_dimensions() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %a, sizes = [3, 1] : (tensor<2xi32>) -> tensor<3x1x2xi32>
  check.expect_eq_const %0, dense<[[[1, 2]], [[1, 2]], [[1, 2]]]> : tensor<3x1x2xi32>
  return
}

func.func @broadcast_scalar() {
  %a = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<true> : tensor<2xi1>
  return
}

func.func @broadcast_to_nothing() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %a, sizes = [0] : (tensor<2xi32>) -> tensor<0x2xi32>
  check.expect_eq_const %0, dense<> : tensor<0x2xi32>
  return
}
