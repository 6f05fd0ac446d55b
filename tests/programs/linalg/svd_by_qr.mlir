module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0]"}, tensor<2x4xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][2]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0]"}, tensor<2x4xf64> {jax.result_info = "result[1][1]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][2]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0]"}, tensor<2x4xf32> {jax.result_info = "result[2][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0]"}, tensor<2x4xf64> {jax.result_info = "result[3][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %7 = stablehlo.compare EQ, %5#4, %6, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %11 = stablehlo.select %10, %5#1, %9 : tensor<2x4xi1>, tensor<2x4xf32>
    %12 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %15 = stablehlo.select %14, %5#2, %13 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %16 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %19 = stablehlo.select %18, %5#3, %17 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %20:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %22 = stablehlo.compare EQ, %20#4, %21, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_3 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %26 = stablehlo.select %25, %20#1, %24 : tensor<2x4xi1>, tensor<2x4xf64>
    %27 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_4 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %30 = stablehlo.select %29, %20#2, %28 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %31 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_5 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %33 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %34 = stablehlo.select %33, %20#3, %32 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %35:5 = stablehlo.custom_call @lapack_cgesvd_ffi(%1) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4}, custom>} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %37 = stablehlo.compare EQ, %35#4, %36, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %41 = stablehlo.select %40, %35#1, %39 : tensor<2x4xi1>, tensor<2x4xf32>
    %42 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_8 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %43 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %45 = stablehlo.select %44, %35#2, %43 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %46 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_9 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %48 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %49 = stablehlo.select %48, %35#3, %47 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %50:5 = stablehlo.custom_call @lapack_zgesvd_ffi(%4) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4, r=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %52 = stablehlo.compare EQ, %50#4, %51, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %56 = stablehlo.select %55, %50#1, %54 : tensor<2x4xi1>, tensor<2x4xf64>
    %57 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_12 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %59 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %60 = stablehlo.select %59, %50#2, %58 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %61 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_13 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %63 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %64 = stablehlo.select %63, %50#3, %62 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    return %15, %11, %19, %30, %26, %34, %45, %41, %49, %60, %56, %64 : tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x4x4xcomplex<f64>>
  }
}
