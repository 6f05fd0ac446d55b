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
// error@8:8: stablehlo.sort C2: type = tensor<2xf64>, expected = tensor<2xf32>
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
