// The specification's example.
func.func @get_tuple_element_example() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %b = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.tuple %b : tuple<tensor<i64>>
  %1 = stablehlo.tuple %a, %0 : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tensor<2xf64>
  check.expect_eq_const %2, dense<[1.0, 2.0]> : tensor<2xf64>
  return
}
