// The specification's example, and the other branch.
func.func @if_example() {
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<11> : tensor<i32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%true) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %0, dense<10> : tensor<i32>
  %1 = "stablehlo.if"(%false) ({
    stablehlo.return %a : tensor<i32>
  }, {
    %2 = stablehlo.negate %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %1, dense<-11> : tensor<i32>
  return
}

// Several results; branches whose types agree where they are known.
func.func @if_results() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %shape = stablehlo.constant dense<[3]> : tensor<1xi32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %0:2 = "stablehlo.if"(%true) ({
    stablehlo.return %a, %b : tensor<2xi32>, tensor<?xi32>
  }, {
    stablehlo.return %b, %a : tensor<?xi32>, tensor<2xi32>
  }) : (tensor<i1>) -> (tensor<?xi32>, tensor<?xi32>)
  check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[0, 1, 2]> : tensor<3xi32>
  return
}
