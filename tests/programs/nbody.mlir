module @jit_nbody attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>, %arg1: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result[0]"}, tensor<8x3xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1) : tensor<i32>, tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>) -> (tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1, %1#2 : tensor<i32>, tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>
    }
    return %0#2, %0#3 : tensor<8x3xf32>, tensor<8x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8x3xf32>, %arg2: tensor<8x3xf32>) -> (tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x3xf32>) -> tensor<1x8x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<8x3xf32>) -> tensor<8x1x3xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x8x3xf32>) -> tensor<8x8x3xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<8x1x3xf32>) -> tensor<8x8x3xf32>
    %5 = stablehlo.subtract %3, %4 : tensor<8x8x3xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<8x8x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x3xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<-1.500000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %11 = stablehlo.power %9, %10 : tensor<8x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x3xf32>
    %14 = stablehlo.multiply %5, %13 : tensor<8x8x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x3xf32>
    %18 = stablehlo.add %arg2, %17 : tensor<8x3xf32>
    %cst_4 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<8x3xf32>
    %21 = stablehlo.add %arg1, %20 : tensor<8x3xf32>
    return %0, %21, %18 : tensor<i32>, tensor<8x3xf32>, tensor<8x3xf32>
  }
}
