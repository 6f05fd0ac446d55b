func.func private @sender(%x: tensor<2xi64>) {
  %token = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%x, %token) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func private @receiver() -> tensor<2xi64> {
  %token = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %0#0 : tensor<2xi64>
}
// One program sends, another one receives.
func.func @send_between_programs() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = "interpreter.run_parallel"(%x) <{programs = [[@sender], [@receiver]]}> : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi64>
  return
}
// The same between partitions.
func.func @send_between_partitions() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = "interpreter.run_parallel"(%x) <{programs = [[@sender, @receiver]]}> : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi64>
  return
}
