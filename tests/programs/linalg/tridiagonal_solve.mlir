module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0]"}, tensor<2x4x4xf64> {jax.result_info = "result[1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3]"}) {
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
    %17:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%9, %16, %14, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o], [i, p], [i, q], [i, r, s], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4, s=4}, custom>} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %19 = stablehlo.compare EQ, %17#4, %18, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_3 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %23 = stablehlo.select %22, %17#3, %21 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %24 = stablehlo.slice %0 [0:2, 1:2, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x1x4xf64>
    %25 = stablehlo.reshape %24 : (tensor<2x1x4xf64>) -> tensor<2x4xf64>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %28 = "stablehlo.scatter"(%25, %26, %27) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      stablehlo.return %arg3 : tensor<f64>
    }) : (tensor<2x4xf64>, tensor<1xi32>, tensor<2xf64>) -> tensor<2x4xf64>
    %29 = stablehlo.slice %0 [0:2, 2:3, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x1x4xf64>
    %30 = stablehlo.reshape %29 : (tensor<2x1x4xf64>) -> tensor<2x4xf64>
    %c_6 = stablehlo.constant dense<3> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %33 = "stablehlo.scatter"(%30, %31, %32) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      stablehlo.return %arg3 : tensor<f64>
    }) : (tensor<2x4xf64>, tensor<1xi32>, tensor<2xf64>) -> tensor<2x4xf64>
    %34 = stablehlo.slice %0 [0:2, 0:1, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x1x4xf64>
    %35 = stablehlo.reshape %34 : (tensor<2x1x4xf64>) -> tensor<2x4xf64>
    %36:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%28, %35, %33, %0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o], [i, p], [i, q], [i, r, s], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4, s=4}, custom>} : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %38 = stablehlo.compare EQ, %36#4, %37, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_9 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %42 = stablehlo.select %41, %36#3, %40 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %43 = stablehlo.slice %1 [0:2, 1:2, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x1x4xcomplex<f32>>
    %44 = stablehlo.reshape %43 : (tensor<2x1x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_11 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %46 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %47 = "stablehlo.scatter"(%44, %45, %46) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      stablehlo.return %arg3 : tensor<complex<f32>>
    }) : (tensor<2x4xcomplex<f32>>, tensor<1xi32>, tensor<2xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %48 = stablehlo.slice %1 [0:2, 2:3, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x1x4xcomplex<f32>>
    %49 = stablehlo.reshape %48 : (tensor<2x1x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %c_12 = stablehlo.constant dense<3> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_13 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %52 = "stablehlo.scatter"(%49, %50, %51) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      stablehlo.return %arg3 : tensor<complex<f32>>
    }) : (tensor<2x4xcomplex<f32>>, tensor<1xi32>, tensor<2xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %53 = stablehlo.slice %1 [0:2, 0:1, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x1x4xcomplex<f32>>
    %54 = stablehlo.reshape %53 : (tensor<2x1x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %55:5 = stablehlo.custom_call @lapack_cgtsv_ffi(%47, %54, %52, %1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o], [i, p], [i, q], [i, r, s], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4, s=4}, custom>} : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %57 = stablehlo.compare EQ, %55#4, %56, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_15 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %59 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %60 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %61 = stablehlo.select %60, %55#3, %59 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %62 = stablehlo.slice %4 [0:2, 1:2, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %63 = stablehlo.reshape %62 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_17 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %65 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %66 = "stablehlo.scatter"(%63, %64, %65) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %67 = stablehlo.slice %4 [0:2, 2:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %68 = stablehlo.reshape %67 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %c_18 = stablehlo.constant dense<3> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_19 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %70 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %71 = "stablehlo.scatter"(%68, %69, %70) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4xcomplex<f64>>, tensor<1xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %72 = stablehlo.slice %4 [0:2, 0:1, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x1x4xcomplex<f64>>
    %73 = stablehlo.reshape %72 : (tensor<2x1x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
    %74:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%66, %73, %71, %4) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, k], [i, l], [i, m, n])->([i, o], [i, p], [i, q], [i, r, s], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4, s=4}, custom>} : (tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %76 = stablehlo.compare EQ, %74#4, %75, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_21 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %78 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %80 = stablehlo.select %79, %74#3, %78 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    return %23, %42, %61, %80 : tensor<2x4x4xf32>, tensor<2x4x4xf64>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f64>>
  }
}
