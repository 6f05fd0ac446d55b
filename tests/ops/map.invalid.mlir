// map_c1: shapes of the inputs
// error@4:8: stablehlo.map C1: shapes = [[2], [3]]
func.func @main(%a: tensor<2xi64>, %b: tensor<3xi64>) {
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    stablehlo.return %x : tensor<i64>
  }) : (tensor<2xi64>, tensor<3xi64>) -> tensor<2xi64>
  return
}
// -----
// map_c1: shape of the result
// error@4:8: stablehlo.map C1: type = tensor<3xi64>, expected = tensor<2xi64>
func.func @main(%a: tensor<2xi64>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i64>):
    stablehlo.return %x : tensor<i64>
  }) : (tensor<2xi64>) -> tensor<3xi64>
  return
}
// -----
// map_c2
// error@4:8: stablehlo.map C2: size = 0
func.func @main(%a: tensor<i64>) {
  %0 = "stablehlo.map"() <{dimensions = array<i64>}> ({
    stablehlo.return %a : tensor<i64>
  }) : () -> tensor<i64>
  return
}
// -----
// map_c3
// error@4:8: stablehlo.map C3: dimensions = [0], rank = 2
func.func @main(%a: tensor<2x3xi64>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i64>):
    stablehlo.return %x : tensor<i64>
  }) : (tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}
// -----
// map_c4: arguments
// error@4:8: stablehlo.map C4: computation = (tensor<i32>) -> tensor<i32>, element_types = [i64]
func.func @main(%a: tensor<2xi64>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<2xi64>) -> tensor<2xi32>
  return
}
// -----
// map_c4: element type of the result
// error@4:8: stablehlo.map C4: type = tensor<2xi32>, expected = tensor<2xi64>
func.func @main(%a: tensor<2xi64>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i64>):
    stablehlo.return %x : tensor<i64>
  }) : (tensor<2xi64>) -> tensor<2xi32>
  return
}
// -----
// map_i1
// error@4:24: stablehlo.map I1: inputs = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64>}> ({
  ^bb0(%arg1: tensor<i32>):
    %1 = "stablehlo.negate"(%arg1) : (tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i32>
  return
}
// -----
// map_i2
// error@4:33: stablehlo.map I2: dimensions = 1 : i32
func.func @main(%arg0: tensor<i32>) {
  %0 = "stablehlo.map"(%arg0) <{dimensions = 1 : i32}> ({
  ^bb0(%arg1: tensor<i32>):
    %1 = "stablehlo.negate"(%arg1) : (tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// map_i3
// error@4:8: stablehlo.map I3: computation has a block
func.func @main(%arg0: tensor<i32>) {
  %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64>}> ({
  }) : (tensor<i32>) -> tensor<i32>
  return
}
