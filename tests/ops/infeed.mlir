func.func private @queue0() -> tensor<2x2xi64> {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}
func.func private @queue1() -> tensor<2x2xi64> {
  %0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}
func.func private @reads_twice() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %token = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  return %0#0, %1#0 : tensor<2x2xi64>, tensor<2x2xi64>
}
// Reads the queue in order (the specification's example).
func.func @infeed_example() {
  %r:2 = "interpreter.run_parallel"() <{infeed = [@queue0, @queue1], programs = [[@reads_twice]]}> : () -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %r#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %r#1, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return
}
func.func private @reads_once() -> tensor<2x2xi64> {
  %token = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  return %0#0 : tensor<2x2xi64>
}
// All processes share the queue, in the order of their ids.
func.func @infeed_of_two_processes() {
  %r:2 = "interpreter.run_parallel"() <{infeed = [@queue0, @queue1], programs = [[@reads_once], [@reads_once]]}> : () -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %r#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %r#1, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return
}
