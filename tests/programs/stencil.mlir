module @jit_stencil attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<16x16xf32> {jax.result_info = "result[0]"}, tensor<16x16xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1) : tensor<i32>, tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1, %1#2 : tensor<i32>, tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
    }
    return %0#2, %0#3 : tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>) -> (tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad(%arg1, %c_0) : (tensor<16x16xf32>, tensor<i32>) -> tensor<18x18xf32>
    %2 = stablehlo.slice %1 [0:16, 1:17] : (tensor<18x18xf32>) -> tensor<16x16xf32>
    %3 = stablehlo.slice %1 [2:18, 1:17] : (tensor<18x18xf32>) -> tensor<16x16xf32>
    %4 = stablehlo.add %2, %3 : tensor<16x16xf32>
    %5 = stablehlo.slice %1 [1:17, 0:16] : (tensor<18x18xf32>) -> tensor<16x16xf32>
    %6 = stablehlo.add %4, %5 : tensor<16x16xf32>
    %7 = stablehlo.slice %1 [1:17, 2:18] : (tensor<18x18xf32>) -> tensor<16x16xf32>
    %8 = stablehlo.add %6, %7 : tensor<16x16xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %10 = stablehlo.multiply %9, %arg1 : tensor<16x16xf32>
    %11 = stablehlo.subtract %8, %10 : tensor<16x16xf32>
    %cst_1 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %13 = stablehlo.multiply %arg2, %12 : tensor<16x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %15 = stablehlo.multiply %14, %11 : tensor<16x16xf32>
    %16 = stablehlo.add %13, %15 : tensor<16x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<16x16xf32>
    %19 = stablehlo.add %arg1, %18 : tensor<16x16xf32>
    return %0, %19, %16 : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func private @_pad(%arg0: tensor<16x16xf32>, %arg1: tensor<i32>) -> tensor<18x18xf32> {
    %0 = stablehlo.slice %arg0 [15:16, 0:16] : (tensor<16x16xf32>) -> tensor<1x16xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:16] : (tensor<16x16xf32>) -> tensor<1x16xf32>
    %2 = stablehlo.concatenate %0, %arg0, %1, dim = 0 : (tensor<1x16xf32>, tensor<16x16xf32>, tensor<1x16xf32>) -> tensor<18x16xf32>
    %3 = stablehlo.slice %2 [0:18, 15:16] : (tensor<18x16xf32>) -> tensor<18x1xf32>
    %4 = stablehlo.slice %2 [0:18, 0:1] : (tensor<18x16xf32>) -> tensor<18x1xf32>
    %5 = stablehlo.concatenate %3, %2, %4, dim = 1 : (tensor<18x1xf32>, tensor<18x16xf32>, tensor<18x1xf32>) -> tensor<18x18xf32>
    return %5 : tensor<18x18xf32>
  }
}
