// optimization_barrier_i1
// error@4:39: stablehlo.optimization_barrier I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.optimization_barrier %a : tensor<2xindex>
  return
}
// -----
// optimization_barrier_c1
// error@4:8: stablehlo.optimization_barrier C1: operand = [tensor<f32>], result = [tensor<f64>]
func.func @main(%a: tensor<f32>) {
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> tensor<f64>
  return
}
// -----
// optimization_barrier_c1 number
// error@4:3: stablehlo.optimization_barrier C1: operand = [tensor<f32>], result = []
func.func @main(%a: tensor<f32>) {
  "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> ()
  return
}
// -----
