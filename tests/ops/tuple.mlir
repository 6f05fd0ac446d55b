// Tuples hold tensors and tuples.
func.func @tuple_nested() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %b = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.tuple %b : tuple<tensor<i64>>
  %1 = stablehlo.tuple %a, %0 : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<i64>>) -> tensor<i64>
  check.expect_eq_const %3, dense<3> : tensor<i64>
  return
}
