// scan dimension
// error@4:10: chlo.scan dimension: dimension = 1, rank = 1
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=1 {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>)
  return
}
// -----
// scan dimension negative
// error@4:10: chlo.scan dimension: dimension = -1, rank = 1
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=-1 {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>)
  return
}
// -----
// scan scan_dim_size
// error@4:10: chlo.scan scan_dim_size: scan_dim_size = 9, sizes = [10]
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 attributes {scan_dim_size = 9 : i64} {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>)
  return
}
// -----
// scan body arguments
// error@4:10: chlo.scan body: body = (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>), expected = [tensor<3xf32>, tensor<f32>]
func.func @main(%a: tensor<3x10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=1 {
  ^bb0(%x: tensor<10xf32>, %c: tensor<f32>):
    stablehlo.return %x, %c : tensor<10xf32>, tensor<f32>
  } : (tensor<3x10xf32>, tensor<f32>) -> (tensor<10x10xf32>, tensor<f32>)
  return
}
// -----
// scan body carries
// error@5:10: chlo.scan body: body = (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f64>), expected = [tensor<f32>, tensor<f32>]
// error@5:10: chlo.scan: type = tensor<f64>, expected = tensor<f32>
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.convert %c : (tensor<f32>) -> tensor<f64>
    stablehlo.return %x, %1 : tensor<f32>, tensor<f64>
  } : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f64>)
  return
}
// -----
// scan results
// error@4:10: chlo.scan: type = tensor<9xf32>, expected = tensor<10xf32>
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%b) dimension=0 {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<10xf32>, tensor<f32>) -> (tensor<9xf32>, tensor<f32>)
  return
}
// -----
// chlo.scan gives what the body returns
// error@4:10: chlo.scan: type = tensor<i2>, expected = tensor<i32>
func.func @main(%a: tensor<i32>) {
  %0:2 = "chlo.scan"(%a) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64}> ({
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x, %x) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>) -> (tensor<5xi32>, tensor<i2>)
  return
}
// -----
// scan segments of results that are not those there are
// error@4:10: chlo.scan results: sizes = [2, 2], results = 2, inputs = 1
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = "chlo.scan"(%a, %b) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %x, %c : tensor<f32>, tensor<f32>
  }) : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>)
  return
}
// -----
// scan of nothing to nothing
// error@4:8: chlo.scan results: sizes = [0, 1], results = 1, inputs = 0
func.func @main(%b: tensor<f32>) {
  %0 = "chlo.scan"(%b) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%c: tensor<f32>):
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// scan: slices keep the bounds of the dimensions that they keep
// error@4:10: chlo.scan body: body = (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>), expected = [tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>]
func.func @main(%a: tensor<?x12xf32, #stablehlo.bounds<4, ?>>, %b: tensor<f32>) {
  %0:2 = "chlo.scan"(%a, %b) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<10xf32>, %c: tensor<f32>):
    stablehlo.return %x, %c : tensor<10xf32>, tensor<f32>
  }) : (tensor<?x12xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> (tensor<?x12xf32>, tensor<f32>)
  return
}
// -----
// scan sizes of operands that are no array
// error@4:53: chlo.scan operandSegmentSizes: operandSegmentSizes = {}
func.func @main(%a: tensor<10xf32>, %b: tensor<f32>) {
  %0:2 = "chlo.scan"(%a, %b) <{dimension = 0 : i64, operandSegmentSizes = {}, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    "stablehlo.return"(%x, %carry) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<10xf32>, tensor<f32>) -> (tensor<10xf32>, tensor<f32>)
  return
}
