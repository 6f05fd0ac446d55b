module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][3]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][1]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][2]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][3]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][2]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][3]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][3]"}) {
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
    %16 = stablehlo.custom_call @lapack_strsm_ffi(%15, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
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
    %28 = stablehlo.custom_call @lapack_strsm_ffi(%27, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
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
    %40 = stablehlo.custom_call @lapack_strsm_ffi(%39, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
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
    %52 = stablehlo.custom_call @lapack_strsm_ffi(%51, %arg0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %53 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %54 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %55 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %56 = stablehlo.add %53, %55 : tensor<4x4xi64>
    %57 = stablehlo.compare EQ, %56, %54, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %58 = stablehlo.convert %57 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %59 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %60 = stablehlo.multiply %59, %58 : tensor<4x4xf64>
    %61 = stablehlo.broadcast_in_dim %60, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %63 = stablehlo.add %0, %62 : tensor<2x4x4xf64>
    %64 = stablehlo.custom_call @lapack_dtrsm_ffi(%63, %0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %65 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %66 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %67 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %68 = stablehlo.add %65, %67 : tensor<4x4xi64>
    %69 = stablehlo.compare EQ, %68, %66, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %70 = stablehlo.convert %69 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %71 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %72 = stablehlo.multiply %71, %70 : tensor<4x4xf64>
    %73 = stablehlo.broadcast_in_dim %72, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %75 = stablehlo.add %0, %74 : tensor<2x4x4xf64>
    %76 = stablehlo.custom_call @lapack_dtrsm_ffi(%75, %0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %77 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %78 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %79 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %80 = stablehlo.add %77, %79 : tensor<4x4xi64>
    %81 = stablehlo.compare EQ, %80, %78, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %82 = stablehlo.convert %81 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %83 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %84 = stablehlo.multiply %83, %82 : tensor<4x4xf64>
    %85 = stablehlo.broadcast_in_dim %84, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %87 = stablehlo.add %0, %86 : tensor<2x4x4xf64>
    %88 = stablehlo.custom_call @lapack_dtrsm_ffi(%87, %0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %89 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %90 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %91 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %92 = stablehlo.add %89, %91 : tensor<4x4xi64>
    %93 = stablehlo.compare EQ, %92, %90, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %94 = stablehlo.convert %93 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst_13 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %95 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %96 = stablehlo.multiply %95, %94 : tensor<4x4xf64>
    %97 = stablehlo.broadcast_in_dim %96, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %99 = stablehlo.add %0, %98 : tensor<2x4x4xf64>
    %100 = stablehlo.custom_call @lapack_dtrsm_ffi(%99, %0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %101 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %102 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_14 = stablehlo.constant dense<0> : tensor<i64>
    %103 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %104 = stablehlo.add %101, %103 : tensor<4x4xi64>
    %105 = stablehlo.compare EQ, %104, %102, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %106 = stablehlo.convert %105 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst_15 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %107 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %108 = stablehlo.multiply %107, %106 : tensor<4x4xcomplex<f32>>
    %109 = stablehlo.broadcast_in_dim %108, dims = [1, 2] : (tensor<4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %111 = stablehlo.add %1, %110 : tensor<2x4x4xcomplex<f32>>
    %112 = stablehlo.custom_call @lapack_ctrsm_ffi(%111, %1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %113 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %114 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_16 = stablehlo.constant dense<0> : tensor<i64>
    %115 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %116 = stablehlo.add %113, %115 : tensor<4x4xi64>
    %117 = stablehlo.compare EQ, %116, %114, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %118 = stablehlo.convert %117 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst_17 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %119 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %120 = stablehlo.multiply %119, %118 : tensor<4x4xcomplex<f32>>
    %121 = stablehlo.broadcast_in_dim %120, dims = [1, 2] : (tensor<4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %123 = stablehlo.add %1, %122 : tensor<2x4x4xcomplex<f32>>
    %124 = stablehlo.custom_call @lapack_ctrsm_ffi(%123, %1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %125 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %126 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %127 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %128 = stablehlo.add %125, %127 : tensor<4x4xi64>
    %129 = stablehlo.compare EQ, %128, %126, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %130 = stablehlo.convert %129 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst_19 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %131 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %132 = stablehlo.multiply %131, %130 : tensor<4x4xcomplex<f32>>
    %133 = stablehlo.broadcast_in_dim %132, dims = [1, 2] : (tensor<4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %135 = stablehlo.add %1, %134 : tensor<2x4x4xcomplex<f32>>
    %136 = stablehlo.custom_call @lapack_ctrsm_ffi(%135, %1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %137 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %138 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_20 = stablehlo.constant dense<0> : tensor<i64>
    %139 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %140 = stablehlo.add %137, %139 : tensor<4x4xi64>
    %141 = stablehlo.compare EQ, %140, %138, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %142 = stablehlo.convert %141 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst_21 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %143 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %144 = stablehlo.multiply %143, %142 : tensor<4x4xcomplex<f32>>
    %145 = stablehlo.broadcast_in_dim %144, dims = [1, 2] : (tensor<4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %147 = stablehlo.add %1, %146 : tensor<2x4x4xcomplex<f32>>
    %148 = stablehlo.custom_call @lapack_ctrsm_ffi(%147, %1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %149 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %150 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_22 = stablehlo.constant dense<0> : tensor<i64>
    %151 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %152 = stablehlo.add %149, %151 : tensor<4x4xi64>
    %153 = stablehlo.compare EQ, %152, %150, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %154 = stablehlo.convert %153 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_23 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %155 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %156 = stablehlo.multiply %155, %154 : tensor<4x4xcomplex<f64>>
    %157 = stablehlo.broadcast_in_dim %156, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %159 = stablehlo.add %4, %158 : tensor<2x4x4xcomplex<f64>>
    %160 = stablehlo.custom_call @lapack_ztrsm_ffi(%159, %4) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %161 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %162 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_24 = stablehlo.constant dense<0> : tensor<i64>
    %163 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %164 = stablehlo.add %161, %163 : tensor<4x4xi64>
    %165 = stablehlo.compare EQ, %164, %162, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %166 = stablehlo.convert %165 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_25 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %167 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %168 = stablehlo.multiply %167, %166 : tensor<4x4xcomplex<f64>>
    %169 = stablehlo.broadcast_in_dim %168, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %171 = stablehlo.add %4, %170 : tensor<2x4x4xcomplex<f64>>
    %172 = stablehlo.custom_call @lapack_ztrsm_ffi(%171, %4) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %173 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %174 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_26 = stablehlo.constant dense<0> : tensor<i64>
    %175 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %176 = stablehlo.add %173, %175 : tensor<4x4xi64>
    %177 = stablehlo.compare EQ, %176, %174, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %178 = stablehlo.convert %177 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_27 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %179 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %180 = stablehlo.multiply %179, %178 : tensor<4x4xcomplex<f64>>
    %181 = stablehlo.broadcast_in_dim %180, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %183 = stablehlo.add %4, %182 : tensor<2x4x4xcomplex<f64>>
    %184 = stablehlo.custom_call @lapack_ztrsm_ffi(%183, %4) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %185 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %186 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_28 = stablehlo.constant dense<0> : tensor<i64>
    %187 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %188 = stablehlo.add %185, %187 : tensor<4x4xi64>
    %189 = stablehlo.compare EQ, %188, %186, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %190 = stablehlo.convert %189 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_29 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %191 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %192 = stablehlo.multiply %191, %190 : tensor<4x4xcomplex<f64>>
    %193 = stablehlo.broadcast_in_dim %192, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %195 = stablehlo.add %4, %194 : tensor<2x4x4xcomplex<f64>>
    %196 = stablehlo.custom_call @lapack_ztrsm_ffi(%195, %4) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    return %16, %28, %40, %52, %64, %76, %88, %100, %112, %124, %136, %148, %160, %172, %184, %196 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>
  }
}
