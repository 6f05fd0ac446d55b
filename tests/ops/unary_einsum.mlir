// A sum, a transpose, a diagonal and a trace.
func.func @unary_einsum_forms() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 7]> : tensor<2xi32>
  %1 = stablehlo.unary_einsum %x, config = "ab->ba" : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[1, 3], [2, 4]]> : tensor<2x2xi32>
  %2 = stablehlo.unary_einsum %x, config = "aa->a" : (tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[1, 4]> : tensor<2xi32>
  %3 = stablehlo.unary_einsum %x, config = "aa->" : (tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %3, dense<5> : tensor<i32>
  return
}
