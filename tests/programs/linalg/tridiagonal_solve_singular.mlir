module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][0]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %arg0 [0:2, 1:2, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %9 = "stablehlo.scatter"(%6, %7, %8) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x4xf32>
    %10 = stablehlo.slice %arg0 [0:2, 2:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %11 = stablehlo.reshape %10 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %14 = "stablehlo.scatter"(%11, %12, %13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x4xf32>
    %15 = stablehlo.slice %arg0 [0:2, 0:1, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %18 = stablehlo.slice %17 [0:2, 1:2, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %22 = "stablehlo.scatter"(%19, %20, %21) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x4xf32>
    %23 = stablehlo.slice %17 [0:2, 2:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %c_5 = stablehlo.constant dense<3> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %27 = "stablehlo.scatter"(%24, %25, %26) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x4xf32>
    %28 = stablehlo.slice %17 [0:2, 0:1, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x1x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %30 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%9, %16, %14, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o, p]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %31 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%22, %29, %27, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o, p]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %32 = stablehlo.slice %4 [0:2, 1:2, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %33 = stablehlo.reshape %32 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_8 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %36 = "stablehlo.scatter"(%33, %34, %35) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %37 = stablehlo.slice %4 [0:2, 2:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %38 = stablehlo.reshape %37 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_10 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %41 = "stablehlo.scatter"(%38, %39, %40) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %42 = stablehlo.slice %4 [0:2, 0:1, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %43 = stablehlo.reshape %42 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %cst_11 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %45 = stablehlo.slice %44 [0:2, 1:2, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %46 = stablehlo.reshape %45 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_13 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %48 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %49 = "stablehlo.scatter"(%46, %47, %48) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %50 = stablehlo.slice %44 [0:2, 2:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %51 = stablehlo.reshape %50 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_14 = stablehlo.constant dense<3> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %54 = "stablehlo.scatter"(%51, %52, %53) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %55 = stablehlo.slice %44 [0:2, 0:1, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %56 = stablehlo.reshape %55 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %57 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%36, %43, %41, %4) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o, p]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %58 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%49, %56, %54, %4) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o, p]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    return %30, %31, %57, %58 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>
  }
}
