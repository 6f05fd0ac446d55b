module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x3xf32> {jax.result_info = "result[0][0][0][0]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][0][0][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][0][1][0]"}, tensor<2x4x3xf32> {jax.result_info = "result[0][0][1][1]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][1][0][0]"}, tensor<2x3x4xf32> {jax.result_info = "result[0][1][0][1]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][1][1][0]"}, tensor<2x3x4xf32> {jax.result_info = "result[0][1][1][1]"}, tensor<2x4x3xf64> {jax.result_info = "result[1][0][0][0]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][0][0][1]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0][1][0]"}, tensor<2x4x3xf64> {jax.result_info = "result[1][0][1][1]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][1][0][0]"}, tensor<2x3x4xf64> {jax.result_info = "result[1][1][0][1]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][1][1][0]"}, tensor<2x3x4xf64> {jax.result_info = "result[1][1][1][1]"}, tensor<2x4x3xcomplex<f32>> {jax.result_info = "result[2][0][0][0]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][0][0][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0][1][0]"}, tensor<2x4x3xcomplex<f32>> {jax.result_info = "result[2][0][1][1]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][1][0][0]"}, tensor<2x3x4xcomplex<f32>> {jax.result_info = "result[2][1][0][1]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][1][1][0]"}, tensor<2x3x4xcomplex<f32>> {jax.result_info = "result[2][1][1][1]"}, tensor<2x4x3xcomplex<f64>> {jax.result_info = "result[3][0][0][0]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][0][0][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0][1][0]"}, tensor<2x4x3xcomplex<f64>> {jax.result_info = "result[3][0][1][1]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][1][0][0]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[3][1][0][1]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][1][1][0]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[3][1][1][1]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %arg0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf32>) -> tensor<2x4x3xf32>
    %6:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%5) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
    %7 = stablehlo.custom_call @lapack_sorgqr_ffi(%6#0, %6#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=3, l=3, m=4, n=3}, custom>} : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
    %8 = stablehlo.slice %6#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
    %9 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %11 = stablehlo.add %9, %10 : tensor<3x3xi64>
    %12 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %13 = stablehlo.compare GE, %11, %12, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %16 = stablehlo.select %14, %15, %8 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %17:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%5) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %17#0, %cst_0, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %19 = stablehlo.custom_call @lapack_sorgqr_ffi(%18, %17#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x3xf32>) -> tensor<2x4x4xf32>
    %20 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %21 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %22 = stablehlo.add %20, %21 : tensor<4x3xi64>
    %23 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %27 = stablehlo.select %25, %26, %17#0 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    %28 = stablehlo.slice %arg0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
    %29:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%28) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>)
    %30 = stablehlo.slice %29#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
    %31 = stablehlo.custom_call @lapack_sorgqr_ffi(%30, %29#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %32 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_3 = stablehlo.constant dense<-1> : tensor<i64>
    %33 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %34 = stablehlo.add %32, %33 : tensor<3x4xi64>
    %35 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %36 = stablehlo.compare GE, %34, %35, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %39 = stablehlo.select %37, %38, %29#0 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %40:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%28) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>)
    %41 = stablehlo.slice %40#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
    %42 = stablehlo.custom_call @lapack_sorgqr_ffi(%41, %40#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %43 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_5 = stablehlo.constant dense<-1> : tensor<i64>
    %44 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %45 = stablehlo.add %43, %44 : tensor<3x4xi64>
    %46 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %47 = stablehlo.compare GE, %45, %46, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %50 = stablehlo.select %48, %49, %40#0 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %51 = stablehlo.slice %0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf64>) -> tensor<2x4x3xf64>
    %52:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%51) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>)
    %53 = stablehlo.custom_call @lapack_dorgqr_ffi(%52#0, %52#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=3, l=3, m=4, n=3}, custom>} : (tensor<2x4x3xf64>, tensor<2x3xf64>) -> tensor<2x4x3xf64>
    %54 = stablehlo.slice %52#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
    %55 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_7 = stablehlo.constant dense<-1> : tensor<i64>
    %56 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %57 = stablehlo.add %55, %56 : tensor<3x3xi64>
    %58 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %59 = stablehlo.compare GE, %57, %58, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %60 = stablehlo.broadcast_in_dim %59, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %61 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
    %62 = stablehlo.select %60, %61, %54 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %63:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%51) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>)
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %64 = stablehlo.pad %63#0, %cst_9, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf64>, tensor<f64>) -> tensor<2x4x4xf64>
    %65 = stablehlo.custom_call @lapack_dorgqr_ffi(%64, %63#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x3xf64>) -> tensor<2x4x4xf64>
    %66 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_10 = stablehlo.constant dense<-1> : tensor<i64>
    %67 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %68 = stablehlo.add %66, %67 : tensor<4x3xi64>
    %69 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %70 = stablehlo.compare GE, %68, %69, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %71 = stablehlo.broadcast_in_dim %70, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %72 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %73 = stablehlo.select %71, %72, %63#0 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    %74 = stablehlo.slice %0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x3x4xf64>
    %75:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%74) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>)
    %76 = stablehlo.slice %75#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf64>) -> tensor<2x3x3xf64>
    %77 = stablehlo.custom_call @lapack_dorgqr_ffi(%76, %75#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf64>, tensor<2x3xf64>) -> tensor<2x3x3xf64>
    %78 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_12 = stablehlo.constant dense<-1> : tensor<i64>
    %79 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %80 = stablehlo.add %78, %79 : tensor<3x4xi64>
    %81 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %82 = stablehlo.compare GE, %80, %81, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %83 = stablehlo.broadcast_in_dim %82, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %84 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<2x3x4xf64>
    %85 = stablehlo.select %83, %84, %75#0 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    %86:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%74) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>)
    %87 = stablehlo.slice %86#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf64>) -> tensor<2x3x3xf64>
    %88 = stablehlo.custom_call @lapack_dorgqr_ffi(%87, %86#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf64>, tensor<2x3xf64>) -> tensor<2x3x3xf64>
    %89 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_14 = stablehlo.constant dense<-1> : tensor<i64>
    %90 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %91 = stablehlo.add %89, %90 : tensor<3x4xi64>
    %92 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %93 = stablehlo.compare GE, %91, %92, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %94 = stablehlo.broadcast_in_dim %93, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %95 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2x3x4xf64>
    %96 = stablehlo.select %94, %95, %86#0 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    %97 = stablehlo.slice %1 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %98:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%97) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
    %99 = stablehlo.custom_call @lapack_cungqr_ffi(%98#0, %98#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=3, l=3, m=4, n=3}, custom>} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %100 = stablehlo.slice %98#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %101 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_16 = stablehlo.constant dense<-1> : tensor<i64>
    %102 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %103 = stablehlo.add %101, %102 : tensor<3x3xi64>
    %104 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %105 = stablehlo.compare GE, %103, %104, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %106 = stablehlo.broadcast_in_dim %105, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
    %cst_17 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %107 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %108 = stablehlo.select %106, %107, %100 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
    %109:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%97) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
    %cst_18 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %110 = stablehlo.pad %109#0, %cst_18, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %111 = stablehlo.custom_call @lapack_cungqr_ffi(%110, %109#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %112 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_19 = stablehlo.constant dense<-1> : tensor<i64>
    %113 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %114 = stablehlo.add %112, %113 : tensor<4x3xi64>
    %115 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %116 = stablehlo.compare GE, %114, %115, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %117 = stablehlo.broadcast_in_dim %116, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_20 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %118 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %119 = stablehlo.select %117, %118, %109#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %120 = stablehlo.slice %1 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %121:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%120) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f32>>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
    %122 = stablehlo.slice %121#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %123 = stablehlo.custom_call @lapack_cungqr_ffi(%122, %121#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %124 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_21 = stablehlo.constant dense<-1> : tensor<i64>
    %125 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %126 = stablehlo.add %124, %125 : tensor<3x4xi64>
    %127 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %128 = stablehlo.compare GE, %126, %127, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %129 = stablehlo.broadcast_in_dim %128, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_22 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %130 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %131 = stablehlo.select %129, %130, %121#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f32>>
    %132:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%120) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f32>>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
    %133 = stablehlo.slice %132#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %134 = stablehlo.custom_call @lapack_cungqr_ffi(%133, %132#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %135 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_23 = stablehlo.constant dense<-1> : tensor<i64>
    %136 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %137 = stablehlo.add %135, %136 : tensor<3x4xi64>
    %138 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %139 = stablehlo.compare GE, %137, %138, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %140 = stablehlo.broadcast_in_dim %139, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_24 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %141 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %142 = stablehlo.select %140, %141, %132#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f32>>
    %143 = stablehlo.slice %4 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %144:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%143) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
    %145 = stablehlo.custom_call @lapack_zungqr_ffi(%144#0, %144#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=3, l=3, m=4, n=3}, custom>} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %146 = stablehlo.slice %144#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %147 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_25 = stablehlo.constant dense<-1> : tensor<i64>
    %148 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %149 = stablehlo.add %147, %148 : tensor<3x3xi64>
    %150 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %151 = stablehlo.compare GE, %149, %150, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %152 = stablehlo.broadcast_in_dim %151, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<2x3x3xi1>
    %cst_26 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %153 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %154 = stablehlo.select %152, %153, %146 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
    %155:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%143) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
    %cst_27 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %156 = stablehlo.pad %155#0, %cst_27, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %157 = stablehlo.custom_call @lapack_zungqr_ffi(%156, %155#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %158 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_28 = stablehlo.constant dense<-1> : tensor<i64>
    %159 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %160 = stablehlo.add %158, %159 : tensor<4x3xi64>
    %161 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %162 = stablehlo.compare GE, %160, %161, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %163 = stablehlo.broadcast_in_dim %162, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_29 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %164 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %165 = stablehlo.select %163, %164, %155#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f64>>
    %166 = stablehlo.slice %4 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %167:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%166) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f64>>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
    %168 = stablehlo.slice %167#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %169 = stablehlo.custom_call @lapack_zungqr_ffi(%168, %167#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %170 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_30 = stablehlo.constant dense<-1> : tensor<i64>
    %171 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %172 = stablehlo.add %170, %171 : tensor<3x4xi64>
    %173 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %174 = stablehlo.compare GE, %172, %173, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %175 = stablehlo.broadcast_in_dim %174, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_31 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %176 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %177 = stablehlo.select %175, %176, %167#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f64>>
    %178:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%166) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f64>>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
    %179 = stablehlo.slice %178#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %180 = stablehlo.custom_call @lapack_zungqr_ffi(%179, %178#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %181 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_32 = stablehlo.constant dense<-1> : tensor<i64>
    %182 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %183 = stablehlo.add %181, %182 : tensor<3x4xi64>
    %184 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %185 = stablehlo.compare GE, %183, %184, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %186 = stablehlo.broadcast_in_dim %185, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_33 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %187 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %188 = stablehlo.select %186, %187, %178#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f64>>
    return %7, %16, %19, %27, %31, %39, %42, %50, %53, %62, %65, %73, %77, %85, %88, %96, %99, %108, %111, %119, %123, %131, %134, %142, %145, %154, %157, %165, %169, %177, %180, %188 : tensor<2x4x3xf32>, tensor<2x3x3xf32>, tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2x4x3xf64>, tensor<2x3x3xf64>, tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x3x3xf64>, tensor<2x3x4xf64>, tensor<2x3x3xf64>, tensor<2x3x4xf64>, tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>
  }
}
