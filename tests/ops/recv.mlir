func.func private @shift(%x: tensor<i64>) -> tensor<i64> {
  %token = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%x, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<i64>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
  return %1#0 : tensor<i64>
}
// Every process sends to the next one; the last sends to nobody, the first receives zeros.
func.func @recv_from_the_neighbour() {
  %a = stablehlo.constant dense<10> : tensor<i64>
  %b = stablehlo.constant dense<11> : tensor<i64>
  %c = stablehlo.constant dense<12> : tensor<i64>
  %r:3 = "interpreter.run_parallel"(%a, %b, %c) <{programs = [[@shift, @shift, @shift]]}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>)
  check.expect_eq_const %r#0, dense<0> : tensor<i64>
  check.expect_eq_const %r#1, dense<10> : tensor<i64>
  check.expect_eq_const %r#2, dense<11> : tensor<i64>
  return
}
func.func private @first(%x: tensor<i64>, %y: tensor<2xf32>) {
  %token = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%x, %y, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<i64>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func private @second() -> (tensor<i64>, tensor<2xf32>) {
  %token = stablehlo.after_all : !stablehlo.token
  %0:3 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<i64>, tensor<2xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<i64>, tensor<2xf32>
}
// Several values at once; without pairs they are for whoever receives.
func.func @recv_several_values() {
  %x = stablehlo.constant dense<7> : tensor<i64>
  %y = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r:2 = "interpreter.run_parallel"(%x, %y) <{programs = [[@first], [@second]]}> : (tensor<i64>, tensor<2xf32>) -> (tensor<i64>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<7> : tensor<i64>
  check.expect_eq_const %r#1, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
