module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][3]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][0]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][3]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %6 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %8 = stablehlo.add %5, %7 : tensor<4x4xi64>
    %9 = stablehlo.compare EQ, %8, %6, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %10 = stablehlo.convert %9 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<4x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %15 = stablehlo.add %arg0, %14 : tensor<2x4x4xf32>
    %16 = stablehlo.custom_call @lapack_strsm_ffi(%15, %arg0) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %17 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %18 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %19 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %20 = stablehlo.add %17, %19 : tensor<4x4xi64>
    %21 = stablehlo.compare EQ, %20, %18, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %22 = stablehlo.convert %21 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<4x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %27 = stablehlo.add %arg0, %26 : tensor<2x4x4xf32>
    %28 = stablehlo.custom_call @lapack_strsm_ffi(%27, %arg0) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %29 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %30 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %31 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %32 = stablehlo.add %29, %31 : tensor<4x4xi64>
    %33 = stablehlo.compare EQ, %32, %30, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %34 = stablehlo.convert %33 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<4x4xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %39 = stablehlo.add %arg0, %38 : tensor<2x4x4xf32>
    %40 = stablehlo.custom_call @lapack_strsm_ffi(%39, %arg0) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %41 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %42 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %43 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %44 = stablehlo.add %41, %43 : tensor<4x4xi64>
    %45 = stablehlo.compare EQ, %44, %42, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %46 = stablehlo.convert %45 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<4x4xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %51 = stablehlo.add %arg0, %50 : tensor<2x4x4xf32>
    %52 = stablehlo.custom_call @lapack_strsm_ffi(%51, %arg0) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %53 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %54 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %55 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %56 = stablehlo.add %53, %55 : tensor<4x4xi64>
    %57 = stablehlo.compare EQ, %56, %54, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %58 = stablehlo.convert %57 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_7 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %59 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %60 = stablehlo.multiply %59, %58 : tensor<4x4xcomplex<f64>>
    %61 = stablehlo.broadcast_in_dim %60, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %63 = stablehlo.add %4, %62 : tensor<2x4x4xcomplex<f64>>
    %64 = stablehlo.custom_call @lapack_ztrsm_ffi(%63, %4) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %65 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %66 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %67 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %68 = stablehlo.add %65, %67 : tensor<4x4xi64>
    %69 = stablehlo.compare EQ, %68, %66, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %70 = stablehlo.convert %69 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_9 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %71 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %72 = stablehlo.multiply %71, %70 : tensor<4x4xcomplex<f64>>
    %73 = stablehlo.broadcast_in_dim %72, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %75 = stablehlo.add %4, %74 : tensor<2x4x4xcomplex<f64>>
    %76 = stablehlo.custom_call @lapack_ztrsm_ffi(%75, %4) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %77 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %78 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %79 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %80 = stablehlo.add %77, %79 : tensor<4x4xi64>
    %81 = stablehlo.compare EQ, %80, %78, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %82 = stablehlo.convert %81 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_11 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %83 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %84 = stablehlo.multiply %83, %82 : tensor<4x4xcomplex<f64>>
    %85 = stablehlo.broadcast_in_dim %84, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %87 = stablehlo.add %4, %86 : tensor<2x4x4xcomplex<f64>>
    %88 = stablehlo.custom_call @lapack_ztrsm_ffi(%87, %4) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %89 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %90 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %91 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %92 = stablehlo.add %89, %91 : tensor<4x4xi64>
    %93 = stablehlo.compare EQ, %92, %90, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %94 = stablehlo.convert %93 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_13 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %95 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %96 = stablehlo.multiply %95, %94 : tensor<4x4xcomplex<f64>>
    %97 = stablehlo.broadcast_in_dim %96, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %99 = stablehlo.add %4, %98 : tensor<2x4x4xcomplex<f64>>
    %100 = stablehlo.custom_call @lapack_ztrsm_ffi(%99, %4) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    return %16, %28, %40, %52, %64, %76, %88, %100 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>
  }
}
