module @jit_smallwhile attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %cst) : tensor<i32>, tensor<8xf32>, tensor<f32>
    cond {
      %c_2 = stablehlo.constant dense<50> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<1.000000e+06> : tensor<f32>
      %2 = stablehlo.compare LT, %iterArg_1, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_4 = stablehlo.constant dense<false> : tensor<i1>
      %3 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<i1>
      %4 = stablehlo.compare NE, %1, %3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %5 = stablehlo.convert %4 : tensor<i1>
      %6 = stablehlo.and %5, %2 : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %1 = stablehlo.broadcast_in_dim %iterArg_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %2 = stablehlo.add %iterArg_0, %1 : tensor<8xf32>
      %3 = stablehlo.sine %2 : tensor<8xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_4 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %8 = stablehlo.multiply %iterArg_0, %7 : tensor<8xf32>
      %cst_5 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %10 = stablehlo.add %8, %9 : tensor<8xf32>
      %11 = func.call @_where(%6, %3, %10) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_6 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
      %12 = stablehlo.multiply %iterArg_1, %cst_6 : tensor<f32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.reduce(%3 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %14 = stablehlo.multiply %13, %cst_8 : tensor<f32>
      %15 = stablehlo.add %12, %14 : tensor<f32>
      stablehlo.return %4, %11, %15 : tensor<i32>, tensor<8xf32>, tensor<f32>
    }
    return %0#0, %0#1, %0#2 : tensor<i32>, tensor<8xf32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
