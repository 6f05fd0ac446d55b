// send_c1
// error@4:8: stablehlo.send C1: source_target_pairs = [1, 3]
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_c2
// error@4:8: stablehlo.send C2: source_target_pairs = [[0, 1], [0, 2]]
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_c3
// error@4:8: stablehlo.send C3: source_target_pairs = [[0, 1], [2, 1]]
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_c4
// error@4:8: stablehlo.send C4: source_target_pairs = [[0, -1]]
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_c5: to a device
// error@4:8: stablehlo.send C5: channel_type = 2, expected = DEVICE_TO_DEVICE
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_c5: to the host
// error@4:8: stablehlo.send C5: channel_type = 1, expected = DEVICE_TO_HOST
func.func @main(%a0: tensor<2x4xf32>, %a1: !stablehlo.token) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i2
// error@4:30: stablehlo.send I2: token = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<2x4xf32>) {
  %0 = "stablehlo.send"(%a0, %a1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> !stablehlo.token
  return
}
// -----
// send_i1
// error@4:25: stablehlo.send I1: inputs = !stablehlo.token
func.func @main(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i3
// error@4:41: stablehlo.send I3: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = 1 : i32, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i5
// error@4:107: stablehlo.send I5: is_host_transfer = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = 1 : i32}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i6
// error@4:132: stablehlo.send I6: source_target_pairs = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true, source_target_pairs = 1 : i32}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i4: the channel type is a number
// error@4:97: expected an integer, found 'DEVICE_TO_HOST'
func.func @main(%a: tensor<2xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = DEVICE_TO_HOST>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// send_i6: pairs in a list
// error@4:101: stablehlo.send I6: source_target_pairs = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a: tensor<2xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
