// all_gather_c1
// error@4:8: stablehlo.all_gather C1: all_gather_dim = 2, ranks = [2]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c1: below 0
// error@4:8: stablehlo.all_gather C1: all_gather_dim = -1, ranks = [2]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c2
// error@4:8: stablehlo.all_gather C2: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c4
// error@4:8: stablehlo.all_gather C4: replica_groups = [[0, 2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i3: the mesh
// error@4:8: stablehlo.all_gather I3: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i3: its axes
// error@4:8: stablehlo.all_gather I3: axes = [x], unknown = [y]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i3: the groups
// error@4:64: stablehlo.all_gather I3: replica_groups = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c3
// error@4:8: stablehlo.all_gather C3: replica_groups = [], use_global_device_ids = true
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c5
// error@4:8: stablehlo.all_gather C5: channel_id = 0
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c4: no group is filled up
// error@4:8: stablehlo.all_gather C4: replica_groups = [[0, -1]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_c6: size
// error@4:8: stablehlo.all_gather C6: operands = [tensor<2x4xf32>], results = [tensor<2x12xf32>], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x12xf32>
  return
}
// -----
// all_gather_c6: other sizes
// error@4:8: stablehlo.all_gather C6: operands = [tensor<2x4xf32>], results = [tensor<3x8xf32>], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<3x8xf32>
  return
}
// -----
// all_gather_c6: element type
// error@4:8: stablehlo.all_gather C6: operands = [tensor<2x4xf32>], results = [tensor<2x8xf64>], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf64>
  return
}
// -----
// all_gather_c6: number of results
// error@4:3: stablehlo.all_gather C6: operands = [tensor<2x4xf32>], results = [], group = 2
func.func @main(%a0: tensor<2x4xf32>) {
  "stablehlo.all_gather"(%a0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> ()
  return
}
// -----
// all_gather_i1
// error@4:31: stablehlo.all_gather I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i2
// error@4:40: stablehlo.all_gather I2: all_gather_dim = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i32, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i4
// error@4:66: stablehlo.all_gather I4: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = 1 : i32, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
// all_gather_i5
// error@4:192: stablehlo.all_gather I5: use_global_device_ids = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids = 1 : i32}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
