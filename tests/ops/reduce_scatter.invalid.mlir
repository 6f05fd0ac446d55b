// reduce_scatter_c1
// error@5:8: stablehlo.reduce_scatter C1: size = 3, group = 2
// error@5:8: stablehlo.reduce_scatter C8: operand = [2, 3], result = [2, 1], group = 2
func.func @main(%a0: tensor<2x3xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}
// -----
// reduce_scatter_c2
// error@4:8: stablehlo.reduce_scatter C2: scatter_dimension = 2, rank = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c3
// error@4:8: stablehlo.reduce_scatter C3: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c5
// error@4:8: stablehlo.reduce_scatter C5: replica_groups = [[0, 2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i3: the mesh
// error@4:8: stablehlo.reduce_scatter I3: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i3: its axes
// error@4:8: stablehlo.reduce_scatter I3: axes = [x], unknown = [y]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i3: the groups
// error@4:71: stablehlo.reduce_scatter I3: replica_groups = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c4
// error@4:8: stablehlo.reduce_scatter C4: replica_groups = [], use_global_device_ids = true
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c6
// error@4:8: stablehlo.reduce_scatter C6: channel_id = 0
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c7
// error@4:8: stablehlo.reduce_scatter C7: computation = (tensor<f32>, tensor<f32>) -> tensor<f32>, element_types = [f64]
func.func @main(%a0: tensor<2x4xf64>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf64>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c8: size
// error@4:8: stablehlo.reduce_scatter C8: operand = [2, 4], result = [2, 1], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x1xf32>
  return
}
// -----
// reduce_scatter_c8: other sizes
// error@4:8: stablehlo.reduce_scatter C8: operand = [2, 4], result = [3, 2], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<3x2xf32>
  return
}
// -----
// reduce_scatter_c8: rank
// error@4:8: stablehlo.reduce_scatter C8: operand = [2, 4], result = [2], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2xf32>
  return
}
// -----
// reduce_scatter_c9
// error@4:8: stablehlo.reduce_scatter C9: result = f64, computation = f32
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a0) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf64>
  return
}
// -----
// reduce_scatter_i1
// error@4:35: stablehlo.reduce_scatter I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i2
// error@4:170: stablehlo.reduce_scatter I2: scatter_dimension = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i32, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i4
// error@4:44: stablehlo.reduce_scatter I4: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = 1 : i32, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i5
// error@4:199: stablehlo.reduce_scatter I5: use_global_device_ids = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids = 1 : i32}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_i6
// error@4:8: stablehlo.reduce_scatter I6: computation has a block
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reduce_scatter_c9: of a dynamic dimension
// error@4:8: stablehlo.reduce_scatter C9: result = f64, computation = f32
func.func @main(%a: tensor<2x?xf32>) {
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2x?xf32>) -> tensor<2x2xf64>
  return
}
