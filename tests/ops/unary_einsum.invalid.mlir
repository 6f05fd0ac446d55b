// unary_einsum_i1
// error@4:31: stablehlo.unary_einsum I1: operand = tensor<2x3xindex>
func.func @main(%a: tensor<2x3xindex>) {
  %0 = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<2x3xindex>) -> tensor<2xf32>
  return
}
// -----
// unary_einsum_i2
// error@4:39: stablehlo.unary_einsum I2: einsum_config = 1 : i64
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = 1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// unary_einsum_c1
// error@4:8: stablehlo.unary_einsum C1: einsum_config = ab,c->a, ranks = [2]
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.unary_einsum %a, config = "ab,c->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
// -----
// unary_einsum_c2
// error@4:8: stablehlo.unary_einsum C2: sizes = [[a, 2], [a, 3]]
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.unary_einsum %a, config = "aa->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
// -----
// unary_einsum_c3
// error@4:8: stablehlo.unary_einsum C3: einsum_config = ab->c
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.unary_einsum %a, config = "ab->c" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
// -----
// unary_einsum_c4
// error@4:54: stablehlo.unary_einsum C4: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}
