// collective_reduce_c1
// error@4:8: stablehlo.collective_reduce C1: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_reduce_c2
// error@4:8: stablehlo.collective_reduce C2: replica_groups = [[0, -2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_reduce_c3: operands
// error@4:3: stablehlo.collective_reduce C3: size = 0
func.func @main() {
  "stablehlo.collective_reduce"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : () -> ()
  return
}
// -----
// collective_reduce_c3: roots
// error@4:8: stablehlo.collective_reduce C3: size = 2, roots = tensor<2xi32>
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<2xi32>) {
  %0 = "stablehlo.collective_reduce"(%a0, %a1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_reduce_c3: shapes
// error@4:8: stablehlo.collective_reduce C3: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
// collective_reduce_c4: computation
// error@4:8: stablehlo.collective_reduce C4: computation = (tensor<f32>, tensor<f32>) -> tensor<f32>, element_types = [f64]
func.func @main(%a0: tensor<2xf64>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// collective_reduce_c4: element type
// error@4:8: stablehlo.collective_reduce C4: type = tensor<2x4xf64>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf64>
  return
}
// -----
// collective_reduce_i2
// error@4:8: stablehlo.collective_reduce I2: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_reduce_use_global_device_ids
// error@4:8: stablehlo.collective_reduce use_global_device_ids: channel_id = 0
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_reduce_i1
// error@4:38: stablehlo.collective_reduce I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.collective_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  return
}
// -----
// collective_reduce_i3
// error@4:44: stablehlo.collective_reduce I3: channel_handle = 1 : i64
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.collective_reduce"(%a) <{channel_handle = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// collective_reduce_i4
// error@4:110: stablehlo.collective_reduce I4: has_dynamic_root = true
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.collective_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root = true, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// collective_reduce_i5
// error@4:8: stablehlo.collective_reduce I5: computation has a block
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.collective_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
