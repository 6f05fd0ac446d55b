// all_reduce_c1
// error@4:8: stablehlo.all_reduce C1: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_c3
// error@4:8: stablehlo.all_reduce C3: replica_groups = [[0, 2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_i2: the mesh
// error@4:8: stablehlo.all_reduce I2: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_i2: its axes
// error@4:8: stablehlo.all_reduce I2: axes = [x], unknown = [y]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_i2: the groups
// error@4:38: stablehlo.all_reduce I2: replica_groups = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[0, 1]> : tensor<2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_c2
// error@4:8: stablehlo.all_reduce C2: replica_groups = [], use_global_device_ids = true
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_c4
// error@4:8: stablehlo.all_reduce C4: channel_id = 0
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_c5: promotion
// error@4:8: stablehlo.all_reduce C5: computation = (tensor<f32>, tensor<f32>) -> tensor<f32>, element_types = [f64]
func.func @main(%a0: tensor<2xf64>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// all_reduce_c5: arguments
// error@4:8: stablehlo.all_reduce C5: computation = (tensor<f32>) -> tensor<f32>, element_types = [f32]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_reduce_c6
// error@4:8: stablehlo.all_reduce C6: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
// all_reduce_c7
// error@4:8: stablehlo.all_reduce C7: type = tensor<2x4xf64>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf64>
  return
}
// -----
// all_reduce_i1
// error@4:31: stablehlo.all_reduce I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
    %1 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%1) : (tensor<i64>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2xi64>
  return
}
// -----
// all_reduce_i3
// error@4:40: stablehlo.all_reduce I3: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2xi32>) {
  %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = 1 : i32, replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
    %1 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%1) : (tensor<i64>) -> ()
  }) : (tensor<2xi32>) -> tensor<2xi64>
  return
}
// -----
// all_reduce_i4
// error@4:84: stablehlo.all_reduce I4: use_global_device_ids = 1 : i32
func.func @main(%arg0: tensor<2xi32>) {
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids = 1 : i32}> ({
  ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
    %1 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%1) : (tensor<i64>) -> ()
  }) : (tensor<2xi32>) -> tensor<2xi64>
  return
}
// -----
// all_reduce_i5
// error@4:8: stablehlo.all_reduce I5: computation has a block
func.func @main(%arg0: tensor<2xi32>) {
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  }) : (tensor<2xi32>) -> tensor<2xi64>
  return
}
