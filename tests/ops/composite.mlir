// The value is that of the decomposition; regions do not count.
func.func @composite_example() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.composite "my.twice" %a {composite_attributes = {n = 2 : i64}, decomposition = @twice, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 4.0]> : tensor<2xf32>
  %1:2 = stablehlo.composite "my.both" %a, %0 ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {decomposition = @both} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %1#0, dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %1#1, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @both(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}

// The name says nothing about the value: a composite of an operation of CHLO is its decomposition too.
func.func @composite_of_chlo() {
  %a = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = stablehlo.composite "chlo.square" %a {decomposition = @chlo.square.impl, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 4.0]> : tensor<2xf32>
  return
}
func.func private @chlo.square.impl(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
