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
// -----
// composite_i1
// error@4:30: stablehlo.composite I1: inputs = vector<2xf32>
func.func @main(%a: vector<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{decomposition = @f, name = "a.b"}> : (vector<2xf32>) -> vector<2xf32>
  return
}
func.func private @f(%a: vector<2xf32>) -> vector<2xf32> { return %a : vector<2xf32> }
// -----
// composite_i2
// error@4:56: stablehlo.composite I2: name = @a
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{decomposition = @f, name = @a}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
// -----
// composite_i3
// error@4:36: stablehlo.composite I3: composite_attributes = []
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{composite_attributes = [], decomposition = @f, name = "a.b"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
// -----
// composite_i4
// error@4:36: stablehlo.composite I4: decomposition = "f"
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{decomposition = "f", name = "a.b"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
// -----
// composite_i5
// error@4:70: stablehlo.composite I5: version = 1 : i64
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{decomposition = @f, name = "a.b", version = 1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
// -----
// composite_i6
// error@5:5: stablehlo.composite I6: composite_regions ends with a terminator
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%a) <{decomposition = @f, name = "a.b"}> ({
    "stablehlo.add"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
