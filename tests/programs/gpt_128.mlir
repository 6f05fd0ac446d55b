module @jit_gpt_128 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x8x48xf32>, %arg1: tensor<48xf32>, %arg2: tensor<48xf32>, %arg3: tensor<48x144xf32>, %arg4: tensor<144xf32>, %arg5: tensor<48x48xf32>, %arg6: tensor<48xf32>, %arg7: tensor<48xf32>, %arg8: tensor<48xf32>, %arg9: tensor<48x192xf32>, %arg10: tensor<192xf32>, %arg11: tensor<192x48xf32>, %arg12: tensor<48xf32>, %arg13: tensor<48xf32>, %arg14: tensor<48xf32>, %arg15: tensor<48x144xf32>, %arg16: tensor<144xf32>, %arg17: tensor<48x48xf32>, %arg18: tensor<48xf32>, %arg19: tensor<48xf32>, %arg20: tensor<48xf32>, %arg21: tensor<48x192xf32>, %arg22: tensor<192xf32>, %arg23: tensor<192x48xf32>, %arg24: tensor<48xf32>) -> (tensor<1x8x48xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %1 = call @tril(%0) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_0 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<1x8x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<1x8x48xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<1x8x48xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_2 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<1x8x1xf32>
    %13 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %14 = stablehlo.subtract %arg0, %13 : tensor<1x8x48xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %16 = stablehlo.add %12, %15 : tensor<1x8x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<1x8x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %19 = stablehlo.multiply %14, %18 : tensor<1x8x48xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %21 = stablehlo.add %20, %arg1 : tensor<48xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<1x8x48xf32>
    %25 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %27 = stablehlo.add %24, %26 : tensor<1x8x48xf32>
    %28 = stablehlo.dot_general %27, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x144xf32>) -> tensor<1x8x144xf32>
    %29 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<144xf32>) -> tensor<1x1x144xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x144xf32>) -> tensor<1x8x144xf32>
    %31 = stablehlo.add %28, %30 : tensor<1x8x144xf32>
    %32 = stablehlo.reshape %31 : (tensor<1x8x144xf32>) -> tensor<1x8x3x4x12xf32>
    %33 = stablehlo.slice %32 [0:1, 0:8, 0:1, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %34 = stablehlo.reshape %33 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %35 = stablehlo.transpose %34, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %36 = stablehlo.slice %32 [0:1, 0:8, 1:2, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %39 = stablehlo.slice %32 [0:1, 0:8, 2:3, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %40 = stablehlo.reshape %39 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %42 = stablehlo.transpose %38, dims = [0, 1, 3, 2] : (tensor<1x4x8x12xf32>) -> tensor<1x4x12x8xf32>
    %43 = stablehlo.reshape %35 : (tensor<1x4x8x12xf32>) -> tensor<4x8x12xf32>
    %44 = stablehlo.reshape %42 : (tensor<1x4x12x8xf32>) -> tensor<4x12x8xf32>
    %45 = stablehlo.dot_general %43, %44, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<4x12x8xf32>) -> tensor<4x8x8xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %cst_5 = stablehlo.constant dense<3.46410155> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %48 = stablehlo.divide %46, %47 : tensor<1x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %49 = call @_where(%1, %48, %cst_6) : (tensor<8x8xi1>, tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4x8xf32>
    %52 = stablehlo.maximum %51, %50 : tensor<1x4x8xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %55 = stablehlo.subtract %49, %54 : tensor<1x4x8x8xf32>
    %56 = stablehlo.exponential %55 : tensor<1x4x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %60 = stablehlo.divide %56, %59 : tensor<1x4x8x8xf32>
    %61 = stablehlo.reshape %60 : (tensor<1x4x8x8xf32>) -> tensor<4x8x8xf32>
    %62 = stablehlo.reshape %41 : (tensor<1x4x8x12xf32>) -> tensor<4x8x12xf32>
    %63 = stablehlo.dot_general %61, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x12xf32>) -> tensor<4x8x12xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [1, 2, 3] : (tensor<4x8x12xf32>) -> tensor<1x4x8x12xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<1x4x8x12xf32>) -> tensor<1x8x4x12xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x8x4x12xf32>) -> tensor<1x8x48xf32>
    %67 = stablehlo.dot_general %66, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x48xf32>) -> tensor<1x8x48xf32>
    %68 = stablehlo.add %arg0, %67 : tensor<1x8x48xf32>
    %69 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %71 = stablehlo.add %68, %70 : tensor<1x8x48xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_11 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %75 = stablehlo.divide %73, %74 : tensor<1x8x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %77 = stablehlo.subtract %71, %76 : tensor<1x8x48xf32>
    %78 = stablehlo.multiply %77, %77 : tensor<1x8x48xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_13 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %82 = stablehlo.divide %80, %81 : tensor<1x8x1xf32>
    %83 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %84 = stablehlo.subtract %71, %83 : tensor<1x8x48xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %86 = stablehlo.add %82, %85 : tensor<1x8x1xf32>
    %87 = stablehlo.rsqrt %86 : tensor<1x8x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %89 = stablehlo.multiply %84, %88 : tensor<1x8x48xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %91 = stablehlo.add %90, %arg7 : tensor<48xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %94 = stablehlo.multiply %89, %93 : tensor<1x8x48xf32>
    %95 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %97 = stablehlo.add %94, %96 : tensor<1x8x48xf32>
    %98 = stablehlo.dot_general %97, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x192xf32>) -> tensor<1x8x192xf32>
    %99 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<192xf32>) -> tensor<1x1x192xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<1x1x192xf32>) -> tensor<1x8x192xf32>
    %101 = stablehlo.add %98, %100 : tensor<1x8x192xf32>
    %102 = stablehlo.multiply %101, %101 : tensor<1x8x192xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<1x8x192xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<1x8x192xf32>
    %106 = stablehlo.add %101, %105 : tensor<1x8x192xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<1x8x192xf32>
    %109 = stablehlo.tanh %108 : tensor<1x8x192xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %111 = stablehlo.add %110, %109 : tensor<1x8x192xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %113 = stablehlo.multiply %112, %111 : tensor<1x8x192xf32>
    %114 = stablehlo.multiply %101, %113 : tensor<1x8x192xf32>
    %115 = stablehlo.dot_general %114, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x192xf32>, tensor<192x48xf32>) -> tensor<1x8x48xf32>
    %116 = stablehlo.add %71, %115 : tensor<1x8x48xf32>
    %117 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %119 = stablehlo.add %116, %118 : tensor<1x8x48xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_21 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %123 = stablehlo.divide %121, %122 : tensor<1x8x1xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %125 = stablehlo.subtract %119, %124 : tensor<1x8x48xf32>
    %126 = stablehlo.multiply %125, %125 : tensor<1x8x48xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_23 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<1x8x1xf32>
    %131 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %132 = stablehlo.subtract %119, %131 : tensor<1x8x48xf32>
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %134 = stablehlo.add %130, %133 : tensor<1x8x1xf32>
    %135 = stablehlo.rsqrt %134 : tensor<1x8x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %137 = stablehlo.multiply %132, %136 : tensor<1x8x48xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %139 = stablehlo.add %138, %arg13 : tensor<48xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %142 = stablehlo.multiply %137, %141 : tensor<1x8x48xf32>
    %143 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %145 = stablehlo.add %142, %144 : tensor<1x8x48xf32>
    %146 = stablehlo.dot_general %145, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x144xf32>) -> tensor<1x8x144xf32>
    %147 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<144xf32>) -> tensor<1x1x144xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<1x1x144xf32>) -> tensor<1x8x144xf32>
    %149 = stablehlo.add %146, %148 : tensor<1x8x144xf32>
    %150 = stablehlo.reshape %149 : (tensor<1x8x144xf32>) -> tensor<1x8x3x4x12xf32>
    %151 = stablehlo.slice %150 [0:1, 0:8, 0:1, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %152 = stablehlo.reshape %151 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %153 = stablehlo.transpose %152, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %154 = stablehlo.slice %150 [0:1, 0:8, 1:2, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %155 = stablehlo.reshape %154 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %156 = stablehlo.transpose %155, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %157 = stablehlo.slice %150 [0:1, 0:8, 2:3, 0:4, 0:12] : (tensor<1x8x3x4x12xf32>) -> tensor<1x8x1x4x12xf32>
    %158 = stablehlo.reshape %157 : (tensor<1x8x1x4x12xf32>) -> tensor<1x8x4x12xf32>
    %159 = stablehlo.transpose %158, dims = [0, 2, 1, 3] : (tensor<1x8x4x12xf32>) -> tensor<1x4x8x12xf32>
    %160 = stablehlo.transpose %156, dims = [0, 1, 3, 2] : (tensor<1x4x8x12xf32>) -> tensor<1x4x12x8xf32>
    %161 = stablehlo.reshape %153 : (tensor<1x4x8x12xf32>) -> tensor<4x8x12xf32>
    %162 = stablehlo.reshape %160 : (tensor<1x4x12x8xf32>) -> tensor<4x12x8xf32>
    %163 = stablehlo.dot_general %161, %162, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<4x12x8xf32>) -> tensor<4x8x8xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [1, 2, 3] : (tensor<4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %cst_26 = stablehlo.constant dense<3.46410155> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %166 = stablehlo.divide %164, %165 : tensor<1x4x8x8xf32>
    %cst_27 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %167 = call @_where(%1, %166, %cst_27) : (tensor<8x8xi1>, tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8x8xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_28) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x4x8xf32>
    %170 = stablehlo.maximum %169, %168 : tensor<1x4x8xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %173 = stablehlo.subtract %167, %172 : tensor<1x4x8x8xf32>
    %174 = stablehlo.exponential %173 : tensor<1x4x8x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%174 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %178 = stablehlo.divide %174, %177 : tensor<1x4x8x8xf32>
    %179 = stablehlo.reshape %178 : (tensor<1x4x8x8xf32>) -> tensor<4x8x8xf32>
    %180 = stablehlo.reshape %159 : (tensor<1x4x8x12xf32>) -> tensor<4x8x12xf32>
    %181 = stablehlo.dot_general %179, %180, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x12xf32>) -> tensor<4x8x12xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [1, 2, 3] : (tensor<4x8x12xf32>) -> tensor<1x4x8x12xf32>
    %183 = stablehlo.transpose %182, dims = [0, 2, 1, 3] : (tensor<1x4x8x12xf32>) -> tensor<1x8x4x12xf32>
    %184 = stablehlo.reshape %183 : (tensor<1x8x4x12xf32>) -> tensor<1x8x48xf32>
    %185 = stablehlo.dot_general %184, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x48xf32>) -> tensor<1x8x48xf32>
    %186 = stablehlo.add %119, %185 : tensor<1x8x48xf32>
    %187 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %189 = stablehlo.add %186, %188 : tensor<1x8x48xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%189 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_32 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %193 = stablehlo.divide %191, %192 : tensor<1x8x1xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %195 = stablehlo.subtract %189, %194 : tensor<1x8x48xf32>
    %196 = stablehlo.multiply %195, %195 : tensor<1x8x48xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.reduce(%196 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<1x8x48xf32>, tensor<f32>) -> tensor<1x8xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_34 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %200 = stablehlo.divide %198, %199 : tensor<1x8x1xf32>
    %201 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %202 = stablehlo.subtract %189, %201 : tensor<1x8x48xf32>
    %cst_35 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %204 = stablehlo.add %200, %203 : tensor<1x8x1xf32>
    %205 = stablehlo.rsqrt %204 : tensor<1x8x1xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x48xf32>
    %207 = stablehlo.multiply %202, %206 : tensor<1x8x48xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %209 = stablehlo.add %208, %arg19 : tensor<48xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %212 = stablehlo.multiply %207, %211 : tensor<1x8x48xf32>
    %213 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %215 = stablehlo.add %212, %214 : tensor<1x8x48xf32>
    %216 = stablehlo.dot_general %215, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x48xf32>, tensor<48x192xf32>) -> tensor<1x8x192xf32>
    %217 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<192xf32>) -> tensor<1x1x192xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2] : (tensor<1x1x192xf32>) -> tensor<1x8x192xf32>
    %219 = stablehlo.add %216, %218 : tensor<1x8x192xf32>
    %220 = stablehlo.multiply %219, %219 : tensor<1x8x192xf32>
    %221 = stablehlo.multiply %220, %219 : tensor<1x8x192xf32>
    %cst_37 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %223 = stablehlo.multiply %222, %221 : tensor<1x8x192xf32>
    %224 = stablehlo.add %219, %223 : tensor<1x8x192xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %226 = stablehlo.multiply %225, %224 : tensor<1x8x192xf32>
    %227 = stablehlo.tanh %226 : tensor<1x8x192xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %229 = stablehlo.add %228, %227 : tensor<1x8x192xf32>
    %cst_40 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x8x192xf32>
    %231 = stablehlo.multiply %230, %229 : tensor<1x8x192xf32>
    %232 = stablehlo.multiply %219, %231 : tensor<1x8x192xf32>
    %233 = stablehlo.dot_general %232, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x192xf32>, tensor<192x48xf32>) -> tensor<1x8x48xf32>
    %234 = stablehlo.add %189, %233 : tensor<1x8x48xf32>
    %235 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x8x48xf32>
    %237 = stablehlo.add %234, %236 : tensor<1x8x48xf32>
    return %237 : tensor<1x8x48xf32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<1x4x8x8xf32>, %arg2: tensor<f32>) -> tensor<1x4x8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>
    return %3 : tensor<1x4x8x8xf32>
  }
}
