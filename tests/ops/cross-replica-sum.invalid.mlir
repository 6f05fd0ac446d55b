// cross_replica_sum_groups
// error@4:45: stablehlo.cross-replica-sum: replica_groups = dense<0> : tensor<1x1x1xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%a0) <{replica_groups = dense<0> : tensor<1x1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// cross_replica_sum_type
// error@4:100: stablehlo.cross-replica-sum: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x5xf32>
  return
}
