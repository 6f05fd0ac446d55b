// reduce_window_i1
// error@4:34: stablehlo.reduce_window I1: inputs = tensor<4x6xindex>
func.func @main(%a: tensor<4x6xindex>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xindex>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i2
// error@4:38: stablehlo.reduce_window I2: init_values = tensor<1xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<1xf32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<1xf32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i3
// error@4:8: stablehlo.reduce_window I3: expected the attribute window_dimensions, an array of i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i4
// error@4:82: stablehlo.reduce_window I4: window_strides = 1 : i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>, window_strides = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i5
// error@4:44: stablehlo.reduce_window I5: base_dilations = 1 : i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{base_dilations = 1 : i64, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i6
// error@4:44: stablehlo.reduce_window I6: window_dilations = 1 : i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dilations = 1 : i64, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_i7
// error@4:44: stablehlo.reduce_window I7: padding = dense<0> : tensor<2xi64>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{padding = dense<0> : tensor<2xi64>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c1
// error@4:3: stablehlo.reduce_window C1: inputs = 0, init_values = 0, results = 0
func.func @main() {
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
  ^bb0:
    stablehlo.return
  }) : () -> ()
  return
}
// -----
// reduce_window_c1 of one result too many
// error@4:10: stablehlo.reduce_window C1: inputs = 1, init_values = 1, results = 2
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// reduce_window_c2
// error@4:10: stablehlo.reduce_window C2: shapes = [[4], [5]]
func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// reduce_window_c3
// error@4:8: stablehlo.reduce_window C3: inputs = [f32], init_values = [f64]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f64>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<f64>) -> tensor<3x6xf64>
  return
}
// -----
// reduce_window_c4
// error@4:8: stablehlo.reduce_window C4: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c5
// error@4:8: stablehlo.reduce_window C5: window_dimensions = [2, 0]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c6
// error@4:8: stablehlo.reduce_window C6: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c7
// error@4:8: stablehlo.reduce_window C7: window_strides = [0, 1]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c8
// error@4:8: stablehlo.reduce_window C8: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{base_dilations = array<i64: 1>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c9
// error@4:8: stablehlo.reduce_window C9: base_dilations = [1, 0]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{base_dilations = array<i64: 1, 0>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c10
// error@4:8: stablehlo.reduce_window C10: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dilations = array<i64: 1>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c11
// error@4:8: stablehlo.reduce_window C11: window_dilations = [1, -1]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dilations = array<i64: 1, -1>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c12
// error@4:8: stablehlo.reduce_window C12: shape = [3, 2], rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c12 of triples
// error@4:8: stablehlo.reduce_window C12: shape = [2, 3], rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{padding = dense<0> : tensor<2x3xi64>, window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c13
// error@4:8: stablehlo.reduce_window C13: body = (tensor<f32>) -> tensor<f32>, element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c13 by the type of an argument
// error@4:8: stablehlo.reduce_window C13: body = (tensor<f32>, tensor<f64>) -> tensor<f32>, element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c13 without promotion
// error@4:8: stablehlo.reduce_window C13: body = (tensor<f32>, tensor<f32>) -> tensor<f32>, element_types = [f64]
func.func @main(%a: tensor<4x6xf64>, %b: tensor<f64>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf64>, tensor<f64>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c13 of tensors
// error@4:8: stablehlo.reduce_window C13: body = (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>, element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<1xf32>, %y: tensor<1xf32>):
    stablehlo.return %x : tensor<1xf32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c13 by the number of results
// error@4:8: stablehlo.reduce_window C13: body = (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>), element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c15
// error@4:8: stablehlo.reduce_window C15: type = tensor<4x6xf32>, expected = tensor<3x6xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// reduce_window_c16
// error@4:8: stablehlo.reduce_window C16: type = tensor<3x6xf64>, expected = tensor<3x6xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf64>
  return
}
// -----
// reduce_window_c14
// error@5:10: stablehlo.reduce_window C14: shapes = [[3], [2]]
// error@5:10: stablehlo.reduce_window C15: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %a, %b, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<2xf32>)
  return
}
// -----
// reduce_window_c14 shapes that do not follow
// error@4:10: stablehlo.reduce_window C14: shapes = [[3], [2]]
func.func @main(%a: tensor<?xf32>, %b: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %a, %b, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<2xf32>)
  return
}
// -----
// reduce_window_i8
// error@4:8: stablehlo.reduce_window I8: body has a block
func.func @main(%arg0: tensor<i32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg0) <{window_dimensions = array<i64>}> ({
  }) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
// -----
// reduce_window_c16: other quantization parameters
// error@4:8: stablehlo.reduce_window C16: type = tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}
// -----
// reduce_window_i2: initial value of rank 1
// error@5:38: stablehlo.reduce_window I2: init_values = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// error@5:8: stablehlo.reduce_window C13: body = (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, element_types = [!quant.uniform<i8:f32, 5.000000e-01>]
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, %i: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
    "stablehlo.return"(%1) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  }) : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// reduce_window_c1: an odd number of operands
// error@4:8: stablehlo.reduce_window: number = 3
func.func @main(%a: tensor<4x6xf32>, %i: tensor<f32>, %m: memref<?xf32>) {
  %0 = "stablehlo.reduce_window"(%a, %i, %m) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>, memref<?xf32>) -> tensor<3x6xf32>
  return
}
// -----
// reduce_window_c1: a surplus operand, which upstream ignores, beside a result of another shape
// error@4:8: stablehlo.reduce_window: number = 3
func.func @main(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %i, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// reduce_window_c1: a surplus operand beside a window of another rank
// error@4:8: stablehlo.reduce_window: number = 3
func.func @main(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %i, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> tensor<3x6xf32>
  return
}
