// collective_broadcast_c1
// error@4:8: stablehlo.collective_broadcast C1: replica_groups = [[0, 0]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%a0) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_c2
// error@4:8: stablehlo.collective_broadcast C2: replica_groups = [[0, -1]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%a0) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_c3: operands
// error@4:3: stablehlo.collective_broadcast C3: size = 0
func.func @main() {
  "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : () -> ()
  return
}
// -----
// collective_broadcast_c3: types
// error@4:103: stablehlo.collective_broadcast C3: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
// collective_broadcast_c4: operands
// error@4:3: stablehlo.collective_broadcast C4: size = 1
func.func @main(%a0: tensor<2x4xf32>) {
  "stablehlo.collective_broadcast"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2x4xf32>) -> ()
  return
}
// -----
// collective_broadcast_c4: roots
// error@4:8: stablehlo.collective_broadcast C4: size = 2, roots = tensor<1xi64>
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<1xi64>) {
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_c4: number of roots
// error@4:8: stablehlo.collective_broadcast C4: size = 2, roots = tensor<2xi32>
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<2xi32>) {
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_c5
// error@4:10: stablehlo.collective_broadcast C5: results = 2, operands = 2
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<1xi32>) {
  %0:2 = "stablehlo.collective_broadcast"(%a0, %a1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2x4xf32>, tensor<1xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}
// -----
// collective_broadcast_i2
// error@4:8: stablehlo.collective_broadcast I2: mesh = @nowhere
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%a0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_i1
// error@4:41: stablehlo.collective_broadcast I1: operands = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_i3
// error@4:50: stablehlo.collective_broadcast I3: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = 1 : i32, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_broadcast_i4
// error@4:116: stablehlo.collective_broadcast I4: has_dynamic_root = true
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, has_dynamic_root = true, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
