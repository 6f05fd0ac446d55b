func.func private @collective_reduce(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}
// The first of the group has the sum, all others zeros (the specification's example).
func.func @collective_reduce_example() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@collective_reduce], [@collective_reduce], [@collective_reduce], [@collective_reduce]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %r#0, dense<[[16, 20]]> : tensor<1x2xi64>
  check.expect_eq_const %r#1, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#2, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#3, dense<[[0, 0]]> : tensor<1x2xi64>
  return
}
func.func private @collective_reduce_root(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %root = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = "stablehlo.collective_reduce"(%x, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<1x2xi64>, tensor<1xi32>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}
// The root is an operand (the specification's second example).
func.func @collective_reduce_dynamic_root() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@collective_reduce_root], [@collective_reduce_root], [@collective_reduce_root], [@collective_reduce_root]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %r#0, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#1, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#2, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#3, dense<[[16, 20]]> : tensor<1x2xi64>
  return
}
