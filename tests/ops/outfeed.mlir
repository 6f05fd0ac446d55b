func.func private @writes(%x: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
  %token = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.outfeed"(%x, %token) <{outfeed_config = ""}> : (tensor<2x2x2xi64>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<2x2x2xi64>
}
// Writes and goes on.
func.func @outfeed_example() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %r = "interpreter.run_parallel"(%x) <{programs = [[@writes]]}> : (tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}
