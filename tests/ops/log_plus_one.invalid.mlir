// log_plus_one_i1
// error@4:31: stablehlo.log_plus_one I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.log_plus_one %a : tensor<2xi32>
  return
}
// -----
// log_plus_one_c1
// error@4:36: stablehlo.log_plus_one C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.log_plus_one %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// log_plus_one_c1 shape
// error@4:36: stablehlo.log_plus_one C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.log_plus_one %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// log_plus_one_result_accuracy negative
// error@4:53: stablehlo.log_plus_one result_accuracy: atol = -1.0, rtol = 0.0, ulps = 0, mode = TOLERANCE
func.func @main(%a: tensor<f32>) {
  %0 = stablehlo.log_plus_one %a {result_accuracy = #stablehlo.result_accuracy<atol = -1.000000e+00, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  return
}
// -----
// log_plus_one_result_accuracy without tolerances
// error@4:53: stablehlo.log_plus_one result_accuracy: atol = 0.0, rtol = 0.0, ulps = 2, mode = HIGHEST
func.func @main(%a: tensor<f32>) {
  %0 = stablehlo.log_plus_one %a {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
  return
}
