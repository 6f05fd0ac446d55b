// The specification's example: an index below 0 takes the last branch.
func.func @case_example() {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %b = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %0:2 = "stablehlo.case"(%index) ({
    stablehlo.return %a, %a : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %b, %b : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %0#0, dense<[1, 1]> : tensor<2xi64>
  check.expect_eq_const %0#1, dense<[1, 1]> : tensor<2xi64>
  return
}

// An index in range, and one beyond it.
func.func @case_indices() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i64>
  %b = stablehlo.constant dense<11> : tensor<i64>
  %0 = "stablehlo.case"(%zero) ({
    stablehlo.return %a : tensor<i64>
  }, {
    stablehlo.return %b : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %0, dense<10> : tensor<i64>
  %1 = "stablehlo.case"(%two) ({
    stablehlo.return %a : tensor<i64>
  }, {
    stablehlo.return %b : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %1, dense<11> : tensor<i64>
  return
}
