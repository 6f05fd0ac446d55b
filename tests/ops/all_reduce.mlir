func.func private @all_reduce(%x: tensor<4xi64>, %y: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %0:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xi64>, tensor<4xi64>
}
// Sums over two replicas (the specification's example).
func.func @all_reduce_example() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %b = stablehlo.constant dense<[9, 10, 11, 12]> : tensor<4xi64>
  %c = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %d = stablehlo.constant dense<[13, 14, 15, 16]> : tensor<4xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@all_reduce], [@all_reduce]]}> : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %r#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
  check.expect_eq_const %r#1, dense<[22, 24, 26, 28]> : tensor<4xi64>
  check.expect_eq_const %r#2, dense<[6, 8, 10, 12]> : tensor<4xi64>
  check.expect_eq_const %r#3, dense<[22, 24, 26, 28]> : tensor<4xi64>
  return
}
func.func private @all_reduce_order(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// Combines in the order of the group: the first operand is that of replica 2.
func.func @all_reduce_in_the_order_of_the_group() {
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<11> : tensor<i32>
  %c = stablehlo.constant dense<12> : tensor<i32>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@all_reduce_order], [@all_reduce_order], [@all_reduce_order]]}> : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<12> : tensor<i32>
  check.expect_eq_const %r#1, dense<12> : tensor<i32>
  check.expect_eq_const %r#2, dense<12> : tensor<i32>
  return
}
func.func private @all_reduce_loop(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = "stablehlo.all_reduce"(%s) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %4 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
// In a loop the processes meet each time: ((1 + 2) * 2) * 2.
func.func @all_reduce_in_a_loop() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@all_reduce_loop], [@all_reduce_loop]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<12> : tensor<i32>
  check.expect_eq_const %r#1, dense<12> : tensor<i32>
  return
}
func.func private @all_reduce_padded(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// Groups of different sizes: -1 is nobody.
func.func @all_reduce_groups_of_different_sizes() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@all_reduce_padded], [@all_reduce_padded], [@all_reduce_padded]]}> : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<5> : tensor<i32>
  check.expect_eq_const %r#1, dense<2> : tensor<i32>
  check.expect_eq_const %r#2, dense<5> : tensor<i32>
  return
}
