// composite_c1
// error@4:8: stablehlo.composite C1: name = foo
func.func @main(%a: tensor<4xf32>) {
  %0 = stablehlo.composite "foo" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// composite_c2
// error@4:8: stablehlo.composite C2: decomposition = @g
func.func @main(%a: tensor<4xf32>) {
  %0 = stablehlo.composite "foo.bar" %a {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// composite_c3
// error@4:8: stablehlo.composite C3: inputs = [tensor<?xf32>], decomposition = [tensor<4xf32>]
func.func @main(%a: tensor<?xf32>) {
  %0 = stablehlo.composite "foo.bar" %a {decomposition = @f} : (tensor<?xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// composite_c4
// error@4:8: stablehlo.composite C4: results = [tensor<5xf32>], decomposition = [tensor<4xf32>]
func.func @main(%a: tensor<4xf32>) {
  %0 = stablehlo.composite "foo.bar" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<5xf32>
  return
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
