// if_c1
// error@4:8: stablehlo.if C1: true_branch = (tensor<i32>) -> tensor<i32>, false_branch = () -> tensor<i32>
func.func @main(%p: tensor<i1>, %a: tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// if_c2
// error@4:8: stablehlo.if C2: true_branch = () -> tensor<i32>, false_branch = () -> tensor<i64>
func.func @main(%p: tensor<i1>, %a: tensor<i32>, %b: tensor<i64>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i64>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// if_c3
// error@4:8: stablehlo.if C3: type = tensor<i64>, expected = tensor<i32>
func.func @main(%p: tensor<i1>, %a: tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i1>) -> tensor<i64>
  return
}
// -----
// if_i1
// error@4:23: stablehlo.if I1: pred = tensor<1xi1>
func.func @main(%p: tensor<1xi1>, %a: tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<1xi1>) -> tensor<i32>
  return
}
// -----
// if_i3
// error@4:8: stablehlo.if: number = 1
func.func @main(%p: tensor<i1>, %a: tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
