// einsum_i1
// error@4:25: stablehlo.einsum I1: lhs = tensor<2x3xindex>
func.func @main(%a: tensor<2x3xindex>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xindex>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_i2
// error@4:29: stablehlo.einsum I2: rhs = tensor<3x4xindex>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xindex>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xindex>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_i3
// error@4:8: stablehlo.einsum I3: expected the attribute einsum_config, a string
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.einsum"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// einsum_c1
// error@4:8: stablehlo.einsum C1: einsum_config = ab->ab, ranks = [2, 2]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab->ab" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}
// -----
// einsum_c1 with a rank
// error@4:8: stablehlo.einsum C1: einsum_config = a,bc->ac, ranks = [2, 2]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "a,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_c1 with a blank
// error@4:8: stablehlo.einsum C1: einsum_config = ab, bc->ac, ranks = [2, 2]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab, bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_c2
// error@4:8: stablehlo.einsum C2: sizes = [[a, 2], [b, 3], [b, 2], [c, 4]]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_c3
// error@4:8: stablehlo.einsum C3: einsum_config = ab,bc->ad
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ad" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// einsum_c3 twice
// error@4:8: stablehlo.einsum C3: einsum_config = ab,bc->aa
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->aa" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// einsum_c4
// error@4:56: stablehlo.einsum C4: type = tensor<2x3xf32>, expected = tensor<2x4xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}
