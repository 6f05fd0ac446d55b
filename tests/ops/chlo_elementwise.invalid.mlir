// erf operand
// error@4:17: chlo.erf: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = chlo.erf %a : tensor<2xi32> -> tensor<2xi32>
  return
}
// -----
// erf complex operand
// error@4:17: chlo.erf: operand = tensor<2xcomplex<f32>>
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = chlo.erf %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return
}
// -----
// erf result element type
// error@4:22: chlo.erf: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = chlo.erf %a : tensor<2xf32> -> tensor<2xf64>
  return
}
// -----
// erf result shape
// error@4:22: chlo.erf: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = chlo.erf %a : tensor<2xf32> -> tensor<3xf32>
  return
}
// -----
// asin operand
// error@4:18: chlo.asin: operand = tensor<2xi1>
func.func @main(%a: tensor<2xi1>) {
  %0 = chlo.asin %a : tensor<2xi1> -> tensor<2xi1>
  return
}
// -----
// asin_acos_kernel operand
// error@4:31: chlo._asin_acos_kernel: operand = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = chlo._asin_acos_kernel %a : tensor<2xf32> -> tensor<2xf32>
  return
}
// -----
// is_inf result
// error@4:25: chlo.is_inf: result = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = chlo.is_inf %a : tensor<2xf32> -> tensor<2xf32>
  return
}
// -----
// is_inf result shape
// error@4:25: chlo.is_inf: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xf32>) {
  %0 = chlo.is_inf %a : tensor<2xf32> -> tensor<3xi1>
  return
}
// -----
// zeta operand
// error@4:18: chlo.zeta: x = tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = chlo.zeta %a, %b : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  return
}
// -----
// zeta element types
// error@4:8: chlo.zeta types: x = tensor<2xf32>, q = tensor<2xf64>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = chlo.zeta %a, %b : tensor<2xf32>, tensor<2xf64> -> tensor<2xf32>
  return
}
// -----
// next_after shapes
// error@4:8: chlo.next_after types: x = tensor<2xf32>, y = tensor<3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  %0 = chlo.next_after %a, %b : tensor<2xf32>, tensor<3xf32> -> tensor<2xf32>
  return
}
// -----
// polygamma result
// error@4:32: chlo.polygamma: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.polygamma %a, %b : tensor<2xf32>, tensor<2xf32> -> tensor<2xf64>
  return
}
// -----
// mulhi operand
// error@4:19: chlo.mulhi: lhs = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi1>) {
  %0 = chlo.mulhi %a, %b : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
  return
}
