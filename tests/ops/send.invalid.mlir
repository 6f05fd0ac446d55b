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
