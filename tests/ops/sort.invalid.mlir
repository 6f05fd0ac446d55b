// sort_c1
// error@4:3: stablehlo.sort C1: size = 0
func.func @main() {
  "stablehlo.sort"() ({
  ^bb0:
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : () -> ()
  return
}
// -----
// sort_c2
// error@4:8: stablehlo.sort C2: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// sort_c3
// error@4:10: stablehlo.sort C3: shapes = [[2], [-1], [2], [3]]
func.func @main(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2xf32>, tensor<?xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  return
}
// -----
// sort_c3: two inputs of unknown size between them
// error@4:10: stablehlo.sort C3: shapes = [[-1], [2], [-1], [3]]
func.func @main(%a: tensor<?xf32>, %b: tensor<2xf32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<3xf32>)
  return
}
// -----
// sort_c4
// error@4:8: stablehlo.sort C4: dimension = -2, rank = 1
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.sort"(%a) <{dimension = -2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// sort_c5: argument types
// error@4:8: stablehlo.sort C5: comparator = (tensor<f64>, tensor<f64>) -> tensor<i1>, element_types = [f32]
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// sort_c5: result type
// error@4:8: stablehlo.sort C5: comparator = (tensor<f32>, tensor<f32>) -> tensor<f32>, element_types = [f32]
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// sort_i1
// error@4:25: stablehlo.sort I1: inputs = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
    %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4xi1>
  return
}
// -----
// sort_i2
// error@4:34: stablehlo.sort I2: dimension = 1 : i32
func.func @main(%arg0: tensor<4xi1>) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i32}> ({
  ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
    %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4xi1>) -> tensor<4xi1>
  return
}
// -----
// sort_i3
// error@4:34: stablehlo.sort I3: is_stable = 1 : i32
func.func @main(%arg0: tensor<4xi1>) {
  %0 = "stablehlo.sort"(%arg0) <{is_stable = 1 : i32}> ({
  ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
    %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4xi1>) -> tensor<4xi1>
  return
}
// -----
// sort_i4
// error@4:8: stablehlo.sort I4: comparator has a block
func.func @main(%arg0: tensor<4xi1>) {
  %0 = "stablehlo.sort"(%arg0) ({
  }) : (tensor<4xi1>) -> tensor<4xi1>
  return
}
