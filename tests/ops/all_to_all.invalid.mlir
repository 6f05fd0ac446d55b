// all_to_all_c1
// error@4:8: stablehlo.all_to_all C1: split_dimension = 2, ranks = [2]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c2
// error@4:8: stablehlo.all_to_all C2: sizes = [3], split_count = 2
func.func @main(%a0: tensor<2x3xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c3
// error@4:8: stablehlo.all_to_all C3: concat_dimension = -1, ranks = [2]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = -1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c4
// error@4:8: stablehlo.all_to_all C4: split_count = 0
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c5
// error@4:8: stablehlo.all_to_all C5: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c7
// error@4:8: stablehlo.all_to_all C7: replica_groups = [[0, 2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i5: the mesh
// error@4:8: stablehlo.all_to_all I5: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i5: its axes
// error@4:8: stablehlo.all_to_all I5: axes = [x], unknown = [y]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i5: the groups
// error@4:116: stablehlo.all_to_all I5: replica_groups = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c8
// error@4:8: stablehlo.all_to_all C8: size = 4, split_count = 2
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c9: shape
// error@4:171: stablehlo.all_to_all C9: type = tensor<2x4xf32>, expected = tensor<4x2xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// all_to_all_c9: element type
// error@4:171: stablehlo.all_to_all C9: type = tensor<4x2xf64>, expected = tensor<4x2xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf64>
  return
}
// -----
// all_to_all_i1
// error@4:31: stablehlo.all_to_all I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i2
// error@4:217: stablehlo.all_to_all I2: split_dimension = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i32}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i3
// error@4:106: stablehlo.all_to_all I3: concat_dimension = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 1 : i32, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i4
// error@4:194: stablehlo.all_to_all I4: split_count = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 1 : i32, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_i6
// error@4:40: stablehlo.all_to_all I6: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = 1 : i32, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
// -----
// all_to_all_c8: groups of a mesh
// error@4:8: stablehlo.all_to_all C8: size = 1, split_count = 2
func.func @main(%a: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = []>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
