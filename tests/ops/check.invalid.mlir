// check: types
// error@4:3: check.expect_eq types: actual = tensor<2xf32>, expected = tensor<3xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}
// -----
// check: the literal
// error@4:3: check.expect_eq_const types: actual = tensor<2xf32>, expected = tensor<2xf64>
func.func @f(%a: tensor<2xf32>) {
  check.expect_eq_const %a, dense<1.0> : tensor<2xf64>
  return
}
// -----
// check: units in the last place of integers
// error@4:22: check.expect_close: actual = tensor<2xi32>
func.func @f(%a: tensor<2xi32>) {
  check.expect_close %a, %a, max_ulp_difference = 1 : tensor<2xi32>, tensor<2xi32>
  return
}
