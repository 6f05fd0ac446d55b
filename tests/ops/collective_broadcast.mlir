func.func private @collective_broadcast(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}
// The members of the group have the operand of its first, all others zeros (the specification's example).
func.func @collective_broadcast_example() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@collective_broadcast], [@collective_broadcast], [@collective_broadcast], [@collective_broadcast]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %r#0, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %r#1, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %r#2, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %r#3, dense<[[0, 0]]> : tensor<1x2xi64>
  return
}
