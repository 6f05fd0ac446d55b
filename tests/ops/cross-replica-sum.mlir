func.func private @cross_replica_sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// Sums over two replicas.
func.func @cross_replica_sum_of_two() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@cross_replica_sum], [@cross_replica_sum]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[4.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[4.0, 6.0]> : tensor<2xf32>
  return
}
