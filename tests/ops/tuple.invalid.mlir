// tuple_i1
// error@4:24: stablehlo.tuple I1: val = index
func.func @main(%a: index) {
  %0 = stablehlo.tuple %a : tuple<index>
  return
}
// -----
// tuple_c1
// error@4:32: stablehlo.tuple C1: type = tuple<tensor<i32>>, expected = tuple<tensor<f32>>
func.func @main(%a: tensor<f32>) {
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<i32>>
  return
}
// -----
