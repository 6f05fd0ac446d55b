func.func private @id() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}
// The replica ids of two replicas of two partitions.
func.func @replica_id_on_a_grid() {
  %r:4 = "interpreter.run_parallel"() <{programs = [[@id, @id], [@id, @id]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %r#0, dense<0> : tensor<ui32>
  check.expect_eq_const %r#1, dense<0> : tensor<ui32>
  check.expect_eq_const %r#2, dense<1> : tensor<ui32>
  check.expect_eq_const %r#3, dense<1> : tensor<ui32>
  return
}
// A process that is alone has the id 0.
func.func @replica_id_alone() {
  %0 = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %0, dense<0> : tensor<ui32>
  return
}
