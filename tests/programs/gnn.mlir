module @jit_gnn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<40xi32>, %arg2: tensor<40xi32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8xf32>) -> (tensor<16x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<16x8xf32>
    %4 = stablehlo.tanh %3 : tensor<16x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %6 = stablehlo.compare LT, %arg1, %5, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %8 = stablehlo.add %arg1, %7 : tensor<40xi32>
    %9 = stablehlo.select %6, %8, %arg1 : tensor<40xi1>, tensor<40xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %11 = "stablehlo.gather"(%4, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<40x1xi32>) -> tensor<40x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %14 = "stablehlo.scatter"(%12, %13, %11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %36 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<40x1xi32>, tensor<40x8xf32>) -> tensor<16x8xf32>
    %cst_1 = stablehlo.constant dense<3.500000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %16 = stablehlo.divide %14, %15 : tensor<16x8xf32>
    %17 = stablehlo.add %arg0, %16 : tensor<16x8xf32>
    %18 = stablehlo.dot_general %17, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %19 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %21 = stablehlo.add %18, %20 : tensor<16x8xf32>
    %22 = stablehlo.tanh %21 : tensor<16x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %24 = stablehlo.compare LT, %arg1, %23, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_3 = stablehlo.constant dense<16> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %26 = stablehlo.add %arg1, %25 : tensor<40xi32>
    %27 = stablehlo.select %24, %26, %arg1 : tensor<40xi1>, tensor<40xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %29 = "stablehlo.gather"(%22, %28) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<40x1xi32>) -> tensor<40x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %31 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %32 = "stablehlo.scatter"(%30, %31, %29) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %36 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<40x1xi32>, tensor<40x8xf32>) -> tensor<16x8xf32>
    %cst_5 = stablehlo.constant dense<3.500000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %34 = stablehlo.divide %32, %33 : tensor<16x8xf32>
    %35 = stablehlo.add %17, %34 : tensor<16x8xf32>
    return %35 : tensor<16x8xf32>
  }
}
