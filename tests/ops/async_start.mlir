func.func private @overlapped(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xf32>):
    %3 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %3 : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  %1 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// A collective operation goes on beside the process.
func.func @async_start_of_a_collective() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r:4 = "interpreter.run_parallel"(%x, %y) <{programs = [[@overlapped], [@overlapped]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[1.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[4.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<[9.0, 16.0]> : tensor<2xf32>
  check.expect_eq_const %r#3, dense<[4.0, 6.0]> : tensor<2xf32>
  return
}
// What needs no other process is done at once.
func.func @async_start_of_a_slice() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<3xf32>):
    %1 = stablehlo.slice %y [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<2xf32>>
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 3.0]> : tensor<2xf32>
  return
}
