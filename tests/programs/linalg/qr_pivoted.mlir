module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0][0]"}, tensor<2x4x3xf32> {jax.result_info = "result[0][0][1]"}, tensor<2x3xi32> {jax.result_info = "result[0][0][2]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][1][0]"}, tensor<2x3x4xf32> {jax.result_info = "result[0][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][1][2]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0][0]"}, tensor<2x4x3xf64> {jax.result_info = "result[1][0][1]"}, tensor<2x3xi32> {jax.result_info = "result[1][0][2]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][1][0]"}, tensor<2x3x4xf64> {jax.result_info = "result[1][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][1][2]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0][0]"}, tensor<2x4x3xcomplex<f32>> {jax.result_info = "result[2][0][1]"}, tensor<2x3xi32> {jax.result_info = "result[2][0][2]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][1][0]"}, tensor<2x3x4xcomplex<f32>> {jax.result_info = "result[2][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[2][1][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0][0]"}, tensor<2x4x3xcomplex<f64>> {jax.result_info = "result[3][0][1]"}, tensor<2x3xi32> {jax.result_info = "result[3][0][2]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][1][0]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[3][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[3][1][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %arg0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf32>) -> tensor<2x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %7:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%5, %6) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=4, k=3, l=3, m=4, n=3, o=3, p=3}, custom>} : (tensor<2x4x3xf32>, tensor<2x3xi32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>)
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %9 = stablehlo.subtract %7#1, %8 : tensor<2x3xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.pad %7#0, %cst, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %11 = stablehlo.custom_call @lapack_sorgqr_ffi(%10, %7#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xf32>, tensor<2x3xf32>) -> tensor<2x4x4xf32>
    %12 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %14 = stablehlo.add %12, %13 : tensor<4x3xi64>
    %15 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %19 = stablehlo.select %17, %18, %7#0 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    %20 = stablehlo.slice %arg0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %22:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%20, %21) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=3, k=4, l=4, m=3, n=4, o=4, p=3}, custom>} : (tensor<2x3x4xf32>, tensor<2x4xi32>) -> (tensor<2x3x4xf32>, tensor<2x4xi32>, tensor<2x3xf32>)
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %24 = stablehlo.subtract %22#1, %23 : tensor<2x4xi32>
    %25 = stablehlo.slice %22#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
    %26 = stablehlo.custom_call @lapack_sorgqr_ffi(%25, %22#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %27 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_5 = stablehlo.constant dense<-1> : tensor<i64>
    %28 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %29 = stablehlo.add %27, %28 : tensor<3x4xi64>
    %30 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %31 = stablehlo.compare GE, %29, %30, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %32 = stablehlo.broadcast_in_dim %31, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %34 = stablehlo.select %32, %33, %22#0 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %35 = stablehlo.slice %0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf64>) -> tensor<2x4x3xf64>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %37:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%35, %36) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=4, k=3, l=3, m=4, n=3, o=3, p=3}, custom>} : (tensor<2x4x3xf64>, tensor<2x3xi32>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x3xf64>)
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %39 = stablehlo.subtract %37#1, %38 : tensor<2x3xi32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %40 = stablehlo.pad %37#0, %cst_9, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf64>, tensor<f64>) -> tensor<2x4x4xf64>
    %41 = stablehlo.custom_call @lapack_dorgqr_ffi(%40, %37#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x3xf64>) -> tensor<2x4x4xf64>
    %42 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_10 = stablehlo.constant dense<-1> : tensor<i64>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %44 = stablehlo.add %42, %43 : tensor<4x3xi64>
    %45 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %46 = stablehlo.compare GE, %44, %45, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %47 = stablehlo.broadcast_in_dim %46, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %49 = stablehlo.select %47, %48, %37#0 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    %50 = stablehlo.slice %0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x3x4xf64>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %52:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%50, %51) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=3, k=4, l=4, m=3, n=4, o=4, p=3}, custom>} : (tensor<2x3x4xf64>, tensor<2x4xi32>) -> (tensor<2x3x4xf64>, tensor<2x4xi32>, tensor<2x3xf64>)
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %54 = stablehlo.subtract %52#1, %53 : tensor<2x4xi32>
    %55 = stablehlo.slice %52#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf64>) -> tensor<2x3x3xf64>
    %56 = stablehlo.custom_call @lapack_dorgqr_ffi(%55, %52#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf64>, tensor<2x3xf64>) -> tensor<2x3x3xf64>
    %57 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_14 = stablehlo.constant dense<-1> : tensor<i64>
    %58 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %59 = stablehlo.add %57, %58 : tensor<3x4xi64>
    %60 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %61 = stablehlo.compare GE, %59, %60, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %62 = stablehlo.broadcast_in_dim %61, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %63 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2x3x4xf64>
    %64 = stablehlo.select %62, %63, %52#0 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    %65 = stablehlo.slice %1 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %67:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%65, %66) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=4, k=3, l=3, m=4, n=3, o=3, p=3}, custom>} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3xcomplex<f32>>)
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %69 = stablehlo.subtract %67#1, %68 : tensor<2x3xi32>
    %cst_18 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %70 = stablehlo.pad %67#0, %cst_18, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %71 = stablehlo.custom_call @lapack_cungqr_ffi(%70, %67#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %72 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_19 = stablehlo.constant dense<-1> : tensor<i64>
    %73 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %74 = stablehlo.add %72, %73 : tensor<4x3xi64>
    %75 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %76 = stablehlo.compare GE, %74, %75, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %77 = stablehlo.broadcast_in_dim %76, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_20 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %79 = stablehlo.select %77, %78, %67#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %80 = stablehlo.slice %1 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %81 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %82:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%80, %81) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=3, k=4, l=4, m=3, n=4, o=4, p=3}, custom>} : (tensor<2x3x4xcomplex<f32>>, tensor<2x4xi32>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x4xi32>, tensor<2x3xcomplex<f32>>)
    %c_22 = stablehlo.constant dense<1> : tensor<i32>
    %83 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %84 = stablehlo.subtract %82#1, %83 : tensor<2x4xi32>
    %85 = stablehlo.slice %82#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %86 = stablehlo.custom_call @lapack_cungqr_ffi(%85, %82#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %87 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_23 = stablehlo.constant dense<-1> : tensor<i64>
    %88 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %89 = stablehlo.add %87, %88 : tensor<3x4xi64>
    %90 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %91 = stablehlo.compare GE, %89, %90, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %92 = stablehlo.broadcast_in_dim %91, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_24 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %93 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %94 = stablehlo.select %92, %93, %82#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f32>>
    %95 = stablehlo.slice %4 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %96 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %97:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%95, %96) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=4, k=3, l=3, m=4, n=3, o=3, p=3}, custom>} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3xcomplex<f64>>)
    %c_26 = stablehlo.constant dense<1> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %99 = stablehlo.subtract %97#1, %98 : tensor<2x3xi32>
    %cst_27 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %100 = stablehlo.pad %97#0, %cst_27, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %101 = stablehlo.custom_call @lapack_zungqr_ffi(%100, %97#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=3, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %102 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c_28 = stablehlo.constant dense<-1> : tensor<i64>
    %103 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %104 = stablehlo.add %102, %103 : tensor<4x3xi64>
    %105 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %106 = stablehlo.compare GE, %104, %105, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %107 = stablehlo.broadcast_in_dim %106, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_29 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %108 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %109 = stablehlo.select %107, %108, %97#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f64>>
    %110 = stablehlo.slice %4 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %112:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%110, %111) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n], [i, o], [i, p]) {i=2, j=3, k=4, l=4, m=3, n=4, o=4, p=3}, custom>} : (tensor<2x3x4xcomplex<f64>>, tensor<2x4xi32>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x3xcomplex<f64>>)
    %c_31 = stablehlo.constant dense<1> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %114 = stablehlo.subtract %112#1, %113 : tensor<2x4xi32>
    %115 = stablehlo.slice %112#0 [0:2, 0:3, 0:3] : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %116 = stablehlo.custom_call @lapack_zungqr_ffi(%115, %112#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %117 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_32 = stablehlo.constant dense<-1> : tensor<i64>
    %118 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %119 = stablehlo.add %117, %118 : tensor<3x4xi64>
    %120 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %121 = stablehlo.compare GE, %119, %120, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %122 = stablehlo.broadcast_in_dim %121, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %cst_33 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %123 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %124 = stablehlo.select %122, %123, %112#0 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f64>>
    return %11, %19, %9, %26, %34, %24, %41, %49, %39, %56, %64, %54, %71, %79, %69, %86, %94, %84, %101, %109, %99, %116, %124, %114 : tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2x4xi32>, tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x3x3xf64>, tensor<2x3x4xf64>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>, tensor<2x4xi32>
  }
}
