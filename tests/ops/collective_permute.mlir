func.func private @collective_permute(%x: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}
// Targets have the operand of their source, all others zeros (the specification's example).
func.func @collective_permute_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %c = stablehlo.constant dense<[[9, 10], [11, 12]]> : tensor<2x2xi64>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@collective_permute], [@collective_permute], [@collective_permute]]}> : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %r#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  check.expect_eq_const %r#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %r#2, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return
}
func.func private @collective_permute_ring(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// A ring of partitions: nobody waits for itself.
func.func @collective_permute_in_a_ring() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@collective_permute_ring, @collective_permute_ring, @collective_permute_ring]]}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<3.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<1.0> : tensor<f32>
  check.expect_eq_const %r#2, dense<2.0> : tensor<f32>
  return
}
func.func private @collective_permute_self(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// A process may send to itself.
func.func @collective_permute_to_itself() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@collective_permute_self], [@collective_permute_self]]}> : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<0.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<2.0> : tensor<f32>
  return
}
func.func private @collective_permute_nobody(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// Without pairs everybody has zeros.
func.func @collective_permute_without_pairs() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "interpreter.run_parallel"(%a) <{programs = [[@collective_permute_nobody]]}> : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %r, dense<0.0> : tensor<f32>
  return
}
