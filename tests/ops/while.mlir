// The specification's example; nine steps from 1 to 10, so the sum is 9.
func.func @while_example() {
  %i = stablehlo.constant dense<1> : tensor<i64>
  %sum = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %0:2 = stablehlo.while(%iterArg = %i, %iterArg_0 = %sum) : tensor<i64>, tensor<i64>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg_0, %one : tensor<i64>
    %2 = stablehlo.add %iterArg, %one : tensor<i64>
    stablehlo.return %2, %1 : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %0#0, dense<10> : tensor<i64>
  check.expect_eq_const %0#1, dense<9> : tensor<i64>
  return
}

// A condition that is false at once: the operands are the results.
func.func @while_never() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%iterArg = %x) : tensor<2xf32>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = stablehlo.negate %iterArg : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }
  check.expect_eq_const %0, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// A loop in a loop that swaps its state: 2 * 3 swaps bring it back, the third operand counts them.
func.func @while_nested() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %token = stablehlo.create_token : !stablehlo.token
  %0:5 = stablehlo.while(%iterArg = %a, %iterArg_0 = %b, %iterArg_1 = %zero, %iterArg_2 = %zero, %iterArg_3 = %token) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, !stablehlo.token
  cond {
    %1 = stablehlo.compare LT, %iterArg_2, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:4 = stablehlo.while(%iterArg_4 = %iterArg, %iterArg_5 = %iterArg_0, %iterArg_6 = %zero, %iterArg_7 = %iterArg_1) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %3 = stablehlo.compare LT, %iterArg_6, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %iterArg_6, %one : tensor<i32>
      %4 = stablehlo.add %iterArg_7, %one : tensor<i32>
      stablehlo.return %iterArg_5, %iterArg_4, %3, %4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    }
    %2 = stablehlo.add %iterArg_2, %one : tensor<i32>
    stablehlo.return %1#0, %1#1, %1#3, %2, %iterArg_3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, !stablehlo.token
  }
  check.expect_eq_const %0#0, dense<1> : tensor<i32>
  check.expect_eq_const %0#1, dense<2> : tensor<i32>
  check.expect_eq_const %0#2, dense<6> : tensor<i32>
  return
}
// A comma may stand behind the last value.
func.func @while_with_a_last_comma() {
  %i = stablehlo.constant dense<1> : tensor<i64>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%iterArg = %i,) : tensor<i64>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    stablehlo.return %iterArg : tensor<i64>
  }
  check.expect_eq_const %0, dense<1> : tensor<i64>
  return
}
