// The specification's example.
func.func @dynamic_broadcast_in_dim_example() {
  %a = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %shape = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %0, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  return
}

// The sizes come from the operand where the types leave them open.
func.func @dynamic_broadcast_in_dim_dynamic_result() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xui8>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [1] : (tensor<2xf32>, tensor<2xui8>) -> tensor<?x?xf32>
  %1 = stablehlo.slice %0 [2:3, 0:2] : (tensor<?x?xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %1, dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  return
}

func.func @dynamic_broadcast_in_dim_scalar_to_scalar() {
  %a = stablehlo.constant dense<4> : tensor<i8>
  %shape = stablehlo.constant dense<> : tensor<0xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [] : (tensor<i8>, tensor<0xi32>) -> tensor<i8>
  check.expect_eq_const %0, dense<4> : tensor<i8>
  return
}
