// ----- func.call
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func private @edges(%arg0: tensor<2xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xi64> {
  %0 = sdy.func_data_flow_edge %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = call @edges(%c) : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// ----- func.call_indirect
func.func private @double(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> {
  %f = constant @double : (tensor<2xi32>) -> tensor<2xi32>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = call_indirect %f(%a) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// ----- func.constant
func.func private @negative(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.negate %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> {
  %f = constant @negative : (tensor<2xi32>) -> tensor<2xi32>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = call_indirect %f(%a) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// ----- func.func
func.func @main() -> tensor<2xi32> {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- func.return
func.func @main() -> tensor<2xi32> {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
