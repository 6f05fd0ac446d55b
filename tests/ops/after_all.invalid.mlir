// after_all_i1
// error@4:30: stablehlo.after_all I1: inputs = tensor<i32>
func.func @main(%a: tensor<i32>) {
  %0 = "stablehlo.after_all"(%a) : (tensor<i32>) -> !stablehlo.token
  return
}
// -----
// after_all: the result
// error@4:36: stablehlo.after_all: result = tensor<i32>
func.func @main(%a: !stablehlo.token) {
  %0 = "stablehlo.after_all"(%a) : (!stablehlo.token) -> tensor<i32>
  return
}
