module @jit_gpt_bf16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x32xbf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32x96xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32xbf16>, %arg5: tensor<32x128xbf16>, %arg6: tensor<128x32xbf16>) -> (tensor<2x8x32xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x8x32xbf16>) -> tensor<2x8x32xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<2x8x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x8x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x8x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %10 = stablehlo.multiply %0, %9 : tensor<2x8x32xf32>
    %11 = stablehlo.convert %10 : (tensor<2x8x32xf32>) -> tensor<2x8x32xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<32xbf16>
    %13 = stablehlo.add %12, %arg1 : tensor<32xbf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [2] : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x8x32xbf16>
    %16 = stablehlo.multiply %11, %15 : tensor<2x8x32xbf16>
    %17 = stablehlo.dot_general %16, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xbf16>, tensor<32x96xbf16>) -> tensor<2x8x96xbf16>
    %18 = stablehlo.reshape %17 : (tensor<2x8x96xbf16>) -> tensor<2x8x3x2x16xbf16>
    %19 = stablehlo.transpose %18, dims = [2, 0, 3, 1, 4] : (tensor<2x8x3x2x16xbf16>) -> tensor<3x2x2x8x16xbf16>
    %20 = stablehlo.slice %19 [0:1, 0:2, 0:2, 0:8, 0:16] : (tensor<3x2x2x8x16xbf16>) -> tensor<1x2x2x8x16xbf16>
    %21 = stablehlo.reshape %20 : (tensor<1x2x2x8x16xbf16>) -> tensor<2x2x8x16xbf16>
    %22 = stablehlo.slice %19 [1:2, 0:2, 0:2, 0:8, 0:16] : (tensor<3x2x2x8x16xbf16>) -> tensor<1x2x2x8x16xbf16>
    %23 = stablehlo.reshape %22 : (tensor<1x2x2x8x16xbf16>) -> tensor<2x2x8x16xbf16>
    %24 = stablehlo.slice %19 [2:3, 0:2, 0:2, 0:8, 0:16] : (tensor<3x2x2x8x16xbf16>) -> tensor<1x2x2x8x16xbf16>
    %25 = stablehlo.reshape %24 : (tensor<1x2x2x8x16xbf16>) -> tensor<2x2x8x16xbf16>
    %26 = stablehlo.transpose %23, dims = [0, 1, 3, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x2x16x8xbf16>
    %27 = stablehlo.dot_general %21, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x16xbf16>, tensor<2x2x16x8xbf16>) -> tensor<2x2x8x8xbf16>
    %28 = stablehlo.convert %27 : (tensor<2x2x8x8xbf16>) -> tensor<2x2x8x8xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %30 = stablehlo.divide %28, %29 : tensor<2x2x8x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %33 = stablehlo.maximum %32, %31 : tensor<2x2x8xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %36 = stablehlo.subtract %30, %35 : tensor<2x2x8x8xf32>
    %37 = stablehlo.exponential %36 : tensor<2x2x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %41 = stablehlo.divide %37, %40 : tensor<2x2x8x8xf32>
    %42 = stablehlo.convert %41 : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xbf16>
    %43 = stablehlo.dot_general %42, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xbf16>, tensor<2x2x8x16xbf16>) -> tensor<2x2x8x16xbf16>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<2x2x8x16xbf16>) -> tensor<2x8x2x16xbf16>
    %45 = stablehlo.reshape %44 : (tensor<2x8x2x16xbf16>) -> tensor<2x8x32xbf16>
    %46 = stablehlo.dot_general %45, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xbf16>, tensor<32x32xbf16>) -> tensor<2x8x32xbf16>
    %47 = stablehlo.add %arg0, %46 : tensor<2x8x32xbf16>
    %48 = stablehlo.convert %47 : (tensor<2x8x32xbf16>) -> tensor<2x8x32xf32>
    %49 = stablehlo.multiply %48, %48 : tensor<2x8x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_8 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %53 = stablehlo.divide %51, %52 : tensor<2x8x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %55 = stablehlo.add %53, %54 : tensor<2x8x1xf32>
    %56 = stablehlo.rsqrt %55 : tensor<2x8x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %58 = stablehlo.multiply %48, %57 : tensor<2x8x32xf32>
    %59 = stablehlo.convert %58 : (tensor<2x8x32xf32>) -> tensor<2x8x32xbf16>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<32xbf16>
    %61 = stablehlo.add %60, %arg4 : tensor<32xbf16>
    %62 = stablehlo.broadcast_in_dim %61, dims = [2] : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x8x32xbf16>
    %64 = stablehlo.multiply %59, %63 : tensor<2x8x32xbf16>
    %65 = stablehlo.dot_general %64, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xbf16>, tensor<32x128xbf16>) -> tensor<2x8x128xbf16>
    %66 = call @silu(%65) : (tensor<2x8x128xbf16>) -> tensor<2x8x128xbf16>
    %67 = stablehlo.dot_general %66, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x128xbf16>, tensor<128x32xbf16>) -> tensor<2x8x32xbf16>
    %68 = stablehlo.add %47, %67 : tensor<2x8x32xbf16>
    return %68 : tensor<2x8x32xbf16>
  }
  func.func private @silu(%arg0: tensor<2x8x128xbf16>) -> tensor<2x8x128xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<2x8x128xbf16>
    %1 = stablehlo.exponential %0 : tensor<2x8x128xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x8x128xbf16>
    %3 = stablehlo.add %2, %1 : tensor<2x8x128xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x8x128xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<2x8x128xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x8x128xbf16>
    return %6 : tensor<2x8x128xbf16>
  }
}
