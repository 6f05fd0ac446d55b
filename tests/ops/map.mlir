// The specification's example.
func.func @map_example() {
  %a = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %1 = stablehlo.multiply %x, %y : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %0, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>
  return
}

// Other types out than in; a computation that is not elementwise; one that gives a constant.
func.func @map_computations() {
  %a = stablehlo.constant dense<[1.5, -2.5]> : tensor<2xf32>
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[1, -2]> : tensor<2xi32>
  %2 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[4.5, -7.5]> : tensor<2xf32>
  %4 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %4, dense<true> : tensor<2xi1>
  return
}

// Scalars, and nothing.
func.func @map_corner_cases() {
  %a = stablehlo.constant dense<3> : tensor<i32>
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64>}> ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.negate %x : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<-3> : tensor<i32>
  %b = stablehlo.constant dense<> : tensor<0xi32>
  %2 = "stablehlo.map"(%b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.negate %x : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %2, dense<> : tensor<0xi32>
  return
}
