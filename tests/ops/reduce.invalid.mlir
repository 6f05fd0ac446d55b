// reduce_c1
// error@4:10: stablehlo.reduce C1: shapes = [[2, 3], [2, 4]]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %i: tensor<f32>) {
  %0:2 = stablehlo.reduce(%a init: %i), (%b init: %i) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    stablehlo.return %x, %z : tensor<f32>, tensor<f32>
  }
  return
}
// -----
// reduce_c2
// error@4:8: stablehlo.reduce C2: inputs = [f32], init_values = [f64]
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f64>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<f64>) -> tensor<3xf64>
  return
}
// -----
// reduce_c3
// error@4:3: stablehlo.reduce C3: inputs = 0, init_values = 0, results = 0
func.func @main() {
  "stablehlo.reduce"() <{dimensions = array<i64>}> ({
  ^bb0:
    stablehlo.return
  }) : () -> ()
  return
}
// -----
// reduce_c4
// error@4:8: stablehlo.reduce C4: dimensions = [2], rank = 2
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
// -----
// reduce_c5
// error@4:8: stablehlo.reduce C5: dimensions = [0, 0]
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
// -----
// reduce_c6: the number of arguments
// error@4:8: stablehlo.reduce C6: body = (tensor<f32>) -> tensor<f32>, element_types = [f32]
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
// -----
// reduce_c6: not promotable
// error@4:8: stablehlo.reduce C6: body = (tensor<i32>, tensor<i32>) -> tensor<i32>, element_types = [i64]
func.func @main(%a: tensor<2x3xi64>, %i: tensor<i64>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<2x3xi64>, tensor<i64>) -> tensor<3xi32>
  return
}
// -----
// reduce_c6: not on scalars
// error@4:8: stablehlo.reduce C6: body = (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>, element_types = [i64]
func.func @main(%a: tensor<2x3xi64>, %i: tensor<i64>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<1xi64>, %y: tensor<1xi64>):
    stablehlo.return %x : tensor<1xi64>
  }) : (tensor<2x3xi64>, tensor<i64>) -> tensor<3xi64>
  return
}
// -----
// reduce_c7
// error@4:86: stablehlo.reduce C7: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
// reduce_c7: sizes that only the second input has
// error@5:10: stablehlo.reduce C7: type = tensor<3xf32>, expected = tensor<4xf32>
// error@5:10: stablehlo.reduce C7: type = tensor<3xf32>, expected = tensor<4xf32>
func.func @main(%a: tensor<?x?xf32>, %b: tensor<2x4xf32>, %i: tensor<f32>) {
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<?x?xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// reduce_c8
// error@4:86: stablehlo.reduce C8: type = tensor<3xf64>, expected = tensor<3xf32>
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf64>
  return
}
// -----
// reduce_i2
// error@4:34: stablehlo.reduce I2: init_values = tensor<1xf32>
func.func @main(%a: tensor<2x3xf32>, %i: tensor<1xf32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
// reduce_i1
// error@7:27: stablehlo.reduce I1: inputs = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>,
  %arg1: tensor<i8>
) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg2: tensor<i8>, %arg3: tensor<i8>):
    %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%1) : (tensor<i8>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i8>) -> tensor<i8>
  return
}
// -----
// reduce_i3
// error@4:43: stablehlo.reduce I3: dimensions = 1 : i32
func.func @main(%arg0: tensor<2xi8>, %arg1: tensor<i8>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = 1 : i32}> ({
  ^bb0(%arg2: tensor<i8>, %arg3: tensor<i8>):
    %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%1) : (tensor<i8>) -> ()
  }) : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  return
}
// -----
// reduce_i4
// error@4:8: stablehlo.reduce I4: body has a block
func.func @main(%arg0: tensor<2xi8>, %arg1: tensor<i8>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
  }) : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  return
}
// -----
// reduce_c8: other quantization parameters
// error@4:8: stablehlo.reduce C8: type = tensor<!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i8:f32, 2.500000e-01>>
  return
}
// -----
// reduce_c3: an operand too many
// error@4:8: stablehlo.reduce: number = 3
func.func @main(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %b, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
// reduce_i2: initial value of rank 1
// error@5:31: stablehlo.reduce I2: init_values = tensor<1xi64>
// error@5:8: stablehlo.reduce C6: body = (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>, element_types = [i64]
func.func @main(%a: tensor<1x6xi64>, %i: tensor<1xi64>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<1xi64>, %y: tensor<1xi64>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    "stablehlo.return"(%1) : (tensor<1xi64>) -> ()
  }) : (tensor<1x6xi64>, tensor<1xi64>) -> tensor<1xi64>
  return
}
// -----
// reduce: what the short form applies is refused where it stands
// error@4:46: stablehlo.and I1: lhs = tensor<f32>
func.func @main(%a: tensor<2xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.and across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
// reduce_c7: a surplus operand, which upstream ignores, beside a result of another shape
// error@4:8: stablehlo.reduce: number = 3
func.func @main(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %i, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// reduce_c1: one operand, beside which upstream finds no inputs
// error@4:8: stablehlo.reduce: number = 1
func.func @main(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.reduce"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    "stablehlo.return"(%x) : (tensor<f64>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<3xf64>
  return
}
