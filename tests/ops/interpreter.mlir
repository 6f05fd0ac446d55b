func.func private @doubled(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = stablehlo.add %x, %x : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func private @pair(%x: tensor<i64>, %y: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  return %y, %x : tensor<i64>, tensor<i64>
}
// Different programs; inputs and results are those of one process after the other.
func.func @run_parallel_different_programs() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<3> : tensor<i64>
  %c = stablehlo.constant dense<4> : tensor<i64>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@doubled, @pair]]}> : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> (tensor<2xi64>, tensor<i64>, tensor<i64>)
  check.expect_eq_const %r#0, dense<[2, 4]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<4> : tensor<i64>
  check.expect_eq_const %r#2, dense<3> : tensor<i64>
  return
}
func.func private @sum_here(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @sum_there(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
// Different programs meet at equal operations.
func.func @run_parallel_programs_that_meet() {
  %a = stablehlo.constant dense<5.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@sum_here], [@sum_there]]}> : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<3.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<3.0> : tensor<f32>
  return
}
func.func private @observed(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = interpreter.probe %x, probe_id = "x" : tensor<2xi64>
  interpreter.print %0 {note = "here"} : tensor<2xi64>
  return %0 : tensor<2xi64>
}
