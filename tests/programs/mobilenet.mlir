module @jit_mobilenet attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x16x16x8xf32>, %arg1: tensor<3x3x1x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<1x1x8x8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<3x3x1x8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<1x1x8x16xf32>, %arg8: tensor<16xf32>) -> (tensor<1x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x16x16x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x16x16x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x16x16x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %4 = call @clip(%3, %c, %c_0) : (tensor<1x16x16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16x8xf32>
    %5 = stablehlo.convolution(%4, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x16x16x8xf32>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x16x16x8xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x16x16x8xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %9 = call @clip(%8, %c_1, %c_2) : (tensor<1x16x16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16x8xf32>
    %10 = stablehlo.convolution(%9, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x8x8x8xf32>
    %11 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x8x8x8xf32>
    %13 = stablehlo.add %10, %12 : tensor<1x8x8x8xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<6> : tensor<i32>
    %14 = call @clip_0(%13, %c_3, %c_4) : (tensor<1x8x8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8xf32>
    %15 = stablehlo.convolution(%14, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x8x8x16xf32>
    %16 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
    %18 = stablehlo.add %15, %17 : tensor<1x8x8x16xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %19 = call @clip_1(%18, %c_5, %c_6) : (tensor<1x8x8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %cst_7 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
    %22 = stablehlo.divide %20, %21 : tensor<1x16xf32>
    return %22 : tensor<1x16xf32>
  }
  func.func private @clip(%arg0: tensor<1x16x16x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x16x16x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x16x16x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x16x16x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x16x16x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x16x16x8xf32>
    return %5 : tensor<1x16x16x8xf32>
  }
  func.func private @clip_0(%arg0: tensor<1x8x8x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x8x8x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x8x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x8x8x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x8x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x8x8x8xf32>
    return %5 : tensor<1x8x8x8xf32>
  }
  func.func private @clip_1(%arg0: tensor<1x8x8x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x8x8x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x8x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x8x8x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x8x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x8x8x16xf32>
    return %5 : tensor<1x8x8x16xf32>
  }
}
