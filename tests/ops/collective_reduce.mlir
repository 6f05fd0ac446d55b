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
func.func private @collective_reduce_of_quantized(%x: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.5:1>> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5:1>>, %b: tensor<!quant.uniform<i32:f32, 0.5:1>>):
    %c = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5:1>>
    stablehlo.return %c : tensor<!quant.uniform<i32:f32, 0.5:1>>
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.5:1>>
  return %0 : tensor<2x!quant.uniform<i32:f32, 0.5:1>>
}

// Stored values x of both types stand for (x - 1) * 0.5: the sums 4 and 120 at the root, zeros elsewhere.
func.func @collective_reduce_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, 121]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.constant() <{value = dense<[7, 121]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@collective_reduce_of_quantized], [@collective_reduce_of_quantized]]}> : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i32:f32, 0.5:1>>, tensor<2x!quant.uniform<i32:f32, 0.5:1>>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!quant.uniform<i32:f32, 0.5:1>>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[9, 241]> : tensor<2xi32>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!quant.uniform<i32:f32, 0.5:1>>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<1> : tensor<2xi32>
  return
}
