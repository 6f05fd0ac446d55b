// recv_c1
// error@4:10: stablehlo.recv C1: source_target_pairs = [1, 3]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_c2
// error@4:10: stablehlo.recv C2: source_target_pairs = [[0, 1], [0, 2]]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_c3
// error@4:10: stablehlo.recv C3: source_target_pairs = [[0, 1], [2, 1]]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_c4
// error@4:10: stablehlo.recv C4: source_target_pairs = [[0, -1]]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_c5: from a device
// error@4:10: stablehlo.recv C5: channel_type = 3, expected = DEVICE_TO_DEVICE
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_c5: from the host
// error@4:10: stablehlo.recv C5: channel_type = 2, expected = HOST_TO_DEVICE
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_results: no token
// error@4:8: stablehlo.recv results: results = [tensor<2x4xf32>]
func.func @main(%a0: !stablehlo.token) {
  %0 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> tensor<2x4xf32>
  return
}
// -----
// recv_results: a second token
// error@4:10: stablehlo.recv results: results = [!stablehlo.token, !stablehlo.token]
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
// recv_results: an unknown size
// error@4:103: stablehlo.recv: results = tensor<?xf32>
func.func @main(%a0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return
}
// -----
// recv_i1
// error@4:27: stablehlo.recv I1: token = tensor<2xi1>
func.func @main(%arg0: tensor<2xi1>) {
  %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (tensor<2xi1>) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_i2
// error@4:36: stablehlo.recv I2: channel_handle = 1 : i32
func.func @main(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = 1 : i32, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_i4
// error@4:102: stablehlo.recv I4: is_host_transfer = 1 : i32
func.func @main(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = 1 : i32}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_i5
// error@4:127: stablehlo.recv I5: source_target_pairs = 1 : i32
func.func @main(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true, source_target_pairs = 1 : i32}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return
}
// -----
// recv_i3: the channel type is a number
// error@4:95: expected an integer, found 'HOST_TO_DEVICE'
func.func @main(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = HOST_TO_DEVICE>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}
// -----
// recv_i5: pairs in a list
// error@4:99: stablehlo.recv I5: source_target_pairs = dense<[0, 1]> : tensor<2xi64>
func.func @main(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
  return
}
