// case_c1
// error@4:3: stablehlo.case C1: size = 0
func.func @main(%i: tensor<i32>) {
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}
// -----
// case_c2
// error@4:8: stablehlo.case C2: branches = [(tensor<i64>) -> tensor<i64>]
func.func @main(%i: tensor<i32>) {
  %0 = "stablehlo.case"(%i) ({
  ^bb0(%x: tensor<i64>):
    stablehlo.return %x : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  return
}
// -----
// case_c3
// error@4:8: stablehlo.case C3: branches = [() -> tensor<2xi64>, () -> tensor<3xi64>]
func.func @main(%i: tensor<i32>, %a: tensor<2xi64>, %b: tensor<3xi64>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xi64>
  }, {
    stablehlo.return %b : tensor<3xi64>
  }) : (tensor<i32>) -> tensor<2xi64>
  return
}
// -----
// case_c4
// error@4:8: stablehlo.case C4: type = tensor<3xi64>, expected = tensor<2xi64>
func.func @main(%i: tensor<i32>, %a: tensor<2xi64>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xi64>
  }) : (tensor<i32>) -> tensor<3xi64>
  return
}
// -----
// case_i1
// error@4:25: stablehlo.case I1: index = tensor<i64>
func.func @main(%i: tensor<i64>, %a: tensor<2xi64>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xi64>
  }) : (tensor<i64>) -> tensor<2xi64>
  return
}
// -----
// case_i2
// error@4:8: stablehlo.case I2: branches has a block
func.func @main(%arg0: tensor<i32>, %arg1: tensor<i64>, %arg2: tensor<i64>) {
  %0 = "stablehlo.case"(%arg0) ({
  }, {
    "stablehlo.return"(%arg2) : (tensor<i64>) -> ()
  }) : (tensor<i32>) -> tensor<i64>
  return
}
