// ----- interpreter.print
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  interpreter.print %c : tensor<2xi32>
  return %c : tensor<2xi32>
}

// ----- interpreter.probe
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = interpreter.probe %c, probe_id = "example" : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- interpreter.run_parallel
func.func private @writes(%arg0: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = "stablehlo.outfeed"(%arg0, %0) <{outfeed_config = ""}> : (tensor<2x2x2xi64>, !stablehlo.token) -> !stablehlo.token
  return %arg0 : tensor<2x2x2xi64>
}
func.func @main() -> tensor<2x2x2xi64> {
  %c = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %0 = "interpreter.run_parallel"(%c) <{programs = [[@writes]]}> : (tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  return %0 : tensor<2x2x2xi64>
}
