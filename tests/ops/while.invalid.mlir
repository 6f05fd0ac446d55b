// while_c1: types of the arguments
// error@4:8: stablehlo.while C1: cond = (tensor<i32>) -> tensor<i1>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c1: type of the result
// error@4:8: stablehlo.while C1: cond = (tensor<i64>) -> tensor<i64>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c2: types of the arguments
// error@4:8: stablehlo.while C2: body = (tensor<i64>, tensor<i64>) -> tensor<i64>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c2: types of the results
// error@4:8: stablehlo.while C2: body = (tensor<i64>) -> tensor<i1>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c3
// error@10:8: stablehlo.while C3: type = tensor<i32>, expected = tensor<i64>
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i32>
  return
}
