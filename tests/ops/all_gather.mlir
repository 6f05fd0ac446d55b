func.func private @all_gather(%x: tensor<2x2xi64>, %y: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>) {
  %0:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  return %0#0, %0#1 : tensor<2x4xi64>, tensor<2x4xi64>
}
// Both replicas have the operands of both (the specification's example).
func.func @all_gather_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<[[11, 12], [13, 14]]> : tensor<2x2xi64>
  %c = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %d = stablehlo.constant dense<[[15, 16], [17, 18]]> : tensor<2x2xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@all_gather], [@all_gather]]}> : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>)
  check.expect_eq_const %r#0, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  check.expect_eq_const %r#1, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
  check.expect_eq_const %r#2, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  check.expect_eq_const %r#3, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
  return
}
func.func private @all_gather_all(%x: tensor<1xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<1xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// cross_replica_and_partition: replicas vary fastest, in the order of their group.
func.func @all_gather_cross_replica_and_partition() {
  %a = stablehlo.constant dense<0> : tensor<1xi32>
  %b = stablehlo.constant dense<1> : tensor<1xi32>
  %c = stablehlo.constant dense<10> : tensor<1xi32>
  %d = stablehlo.constant dense<11> : tensor<1xi32>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@all_gather_all, @all_gather_all], [@all_gather_all, @all_gather_all]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %r#0, dense<[10, 0, 11, 1]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<[10, 0, 11, 1]> : tensor<4xi32>
  check.expect_eq_const %r#2, dense<[10, 0, 11, 1]> : tensor<4xi32>
  check.expect_eq_const %r#3, dense<[10, 0, 11, 1]> : tensor<4xi32>
  return
}
func.func private @all_gather_flattened(%x: tensor<1xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// flattened_ids: 3 is the process (1, 1).
func.func @all_gather_flattened_ids() {
  %a = stablehlo.constant dense<0> : tensor<1xi32>
  %b = stablehlo.constant dense<1> : tensor<1xi32>
  %c = stablehlo.constant dense<10> : tensor<1xi32>
  %d = stablehlo.constant dense<11> : tensor<1xi32>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@all_gather_flattened, @all_gather_flattened], [@all_gather_flattened, @all_gather_flattened]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[11, 0]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, 10]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<[1, 10]> : tensor<2xi32>
  check.expect_eq_const %r#3, dense<[11, 0]> : tensor<2xi32>
  return
}
