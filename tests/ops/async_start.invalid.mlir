// async_start_c1
// error@4:8: stablehlo.async_start C1: body = [stablehlo.abs, stablehlo.all_gather, stablehlo.return], returned = 1
func.func @main(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x2xf32>):
    %2 = stablehlo.abs %x : tensor<2x2xf32>
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    stablehlo.return %1 : tensor<2x4xf32>
  }) : (tensor<2x2xf32>) -> !stablehlo.future<tensor<2x4xf32>>
  return
}
// -----
// async_start_c1: results
// error@4:8: stablehlo.async_start C1: body = [stablehlo.all_gather, stablehlo.return], returned = 2
func.func @main(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x2xf32>):
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    stablehlo.return %1, %1 : tensor<2x4xf32>, tensor<2x4xf32>
  }) : (tensor<2x2xf32>) -> !stablehlo.future<tensor<2x4xf32>>
  return
}
// -----
// async_start_c2
// error@4:8: stablehlo.async_start C2: operation = stablehlo.abs
func.func @main(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x2xf32>):
    %1 = stablehlo.abs %x : tensor<2x2xf32>
    stablehlo.return %1 : tensor<2x2xf32>
  }) : (tensor<2x2xf32>) -> !stablehlo.future<tensor<2x2xf32>>
  return
}
// -----
// async_start_c3
// error@4:8: stablehlo.async_start C3: arguments = [tensor<2x2xf32>], operands = [tensor<2x3xf32>]
func.func @main(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x2xf32>):
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    stablehlo.return %1 : tensor<2x4xf32>
  }) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<2x4xf32>>
  return
}
// -----
// async_start_c4
// error@4:8: stablehlo.async_start C4: type = !stablehlo.future<tensor<2x5xf32>>, expected = !stablehlo.future<tensor<2x4xf32>>
func.func @main(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x2xf32>):
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    stablehlo.return %1 : tensor<2x4xf32>
  }) : (tensor<2x2xf32>) -> !stablehlo.future<tensor<2x5xf32>>
  return
}
// -----
// async_start_i1
// error@4:32: stablehlo.async_start I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<2x4xf32>):
    %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
    "stablehlo.return"(%1) : (tensor<2x8xf32>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> !stablehlo.future<tensor<2x8xf32>>
  return
}
// -----
// async_start_i2
// error@4:8: stablehlo.async_start I2: body has a block
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.async_start"(%arg0) ({
  }) : (tensor<2x4xf32>) -> !stablehlo.future<tensor<2x8xf32>>
  return
}
