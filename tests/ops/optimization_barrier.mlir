// The specification's example.
func.func @optimization_barrier_example() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<f32>, tensor<f32>
  check.expect_eq_const %0#0, dense<0.0> : tensor<f32>
  check.expect_eq_const %0#1, dense<1.0> : tensor<f32>
  return
}

func.func @optimization_barrier_one_or_none() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.optimization_barrier %a : tensor<2xi32>
  stablehlo.optimization_barrier()
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}
