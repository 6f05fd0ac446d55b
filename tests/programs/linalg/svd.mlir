module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x3xf32> {jax.result_info = "result[0][0][0][0]"}, tensor<2x3xf32> {jax.result_info = "result[0][0][0][1]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][0][0][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][0][1][0]"}, tensor<2x3xf32> {jax.result_info = "result[0][0][1][1]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][0][1][2]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][1][0][0]"}, tensor<2x3xf32> {jax.result_info = "result[0][1][0][1]"}, tensor<2x3x4xf32> {jax.result_info = "result[0][1][0][2]"}, tensor<2x3x3xf32> {jax.result_info = "result[0][1][1][0]"}, tensor<2x3xf32> {jax.result_info = "result[0][1][1][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1][1][2]"}, tensor<2x4x3xf64> {jax.result_info = "result[1][0][0][0]"}, tensor<2x3xf64> {jax.result_info = "result[1][0][0][1]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][0][0][2]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0][1][0]"}, tensor<2x3xf64> {jax.result_info = "result[1][0][1][1]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][0][1][2]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][1][0][0]"}, tensor<2x3xf64> {jax.result_info = "result[1][1][0][1]"}, tensor<2x3x4xf64> {jax.result_info = "result[1][1][0][2]"}, tensor<2x3x3xf64> {jax.result_info = "result[1][1][1][0]"}, tensor<2x3xf64> {jax.result_info = "result[1][1][1][1]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][1][1][2]"}, tensor<2x4x3xcomplex<f32>> {jax.result_info = "result[2][0][0][0]"}, tensor<2x3xf32> {jax.result_info = "result[2][0][0][1]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][0][0][2]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0][1][0]"}, tensor<2x3xf32> {jax.result_info = "result[2][0][1][1]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][0][1][2]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][1][0][0]"}, tensor<2x3xf32> {jax.result_info = "result[2][1][0][1]"}, tensor<2x3x4xcomplex<f32>> {jax.result_info = "result[2][1][0][2]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[2][1][1][0]"}, tensor<2x3xf32> {jax.result_info = "result[2][1][1][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][1][1][2]"}, tensor<2x4x3xcomplex<f64>> {jax.result_info = "result[3][0][0][0]"}, tensor<2x3xf64> {jax.result_info = "result[3][0][0][1]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][0][0][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0][1][0]"}, tensor<2x3xf64> {jax.result_info = "result[3][0][1][1]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][0][1][2]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][1][0][0]"}, tensor<2x3xf64> {jax.result_info = "result[3][1][0][1]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[3][1][0][2]"}, tensor<2x3x3xcomplex<f64>> {jax.result_info = "result[3][1][1][0]"}, tensor<2x3xf64> {jax.result_info = "result[3][1][1][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][1][1][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %arg0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf32>) -> tensor<2x4x3xf32>
    %6:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%5) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=3, q=3, r=3}, custom>} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.compare EQ, %6#4, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %12 = stablehlo.select %11, %6#1, %10 : tensor<2x3xi1>, tensor<2x3xf32>
    %13 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %16 = stablehlo.select %15, %6#2, %14 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    %17 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %20 = stablehlo.select %19, %6#3, %18 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %21:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%5) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=4, q=3, r=3}, custom>} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x4xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %23 = stablehlo.compare EQ, %21#4, %22, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_3 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %27 = stablehlo.select %26, %21#1, %25 : tensor<2x3xi1>, tensor<2x3xf32>
    %28 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %31 = stablehlo.select %30, %21#2, %29 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %32 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %35 = stablehlo.select %34, %21#3, %33 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %36 = stablehlo.slice %arg0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
    %37:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%36) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=3, r=4}, custom>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>)
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %39 = stablehlo.compare EQ, %37#4, %38, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %43 = stablehlo.select %42, %37#1, %41 : tensor<2x3xi1>, tensor<2x3xf32>
    %44 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_8 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %47 = stablehlo.select %46, %37#2, %45 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %48 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_9 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %51 = stablehlo.select %50, %37#3, %49 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %52:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%36) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=4, r=4}, custom>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x4x4xf32>, tensor<2xi32>)
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %54 = stablehlo.compare EQ, %52#4, %53, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %58 = stablehlo.select %57, %52#1, %56 : tensor<2x3xi1>, tensor<2x3xf32>
    %59 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_12 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %62 = stablehlo.select %61, %52#2, %60 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
    %63 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_13 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %66 = stablehlo.select %65, %52#3, %64 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %67 = stablehlo.slice %0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf64>) -> tensor<2x4x3xf64>
    %68:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%67) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=3, q=3, r=3}, custom>} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %70 = stablehlo.compare EQ, %68#4, %69, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_15 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %72 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %73 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %74 = stablehlo.select %73, %68#1, %72 : tensor<2x3xi1>, tensor<2x3xf64>
    %75 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_16 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %76 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %77 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %78 = stablehlo.select %77, %68#2, %76 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    %79 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_17 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %80 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
    %81 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %82 = stablehlo.select %81, %68#3, %80 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %83:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%67) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=4, q=3, r=3}, custom>} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x4xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %84 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %85 = stablehlo.compare EQ, %83#4, %84, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_19 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %87 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %88 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %89 = stablehlo.select %88, %83#1, %87 : tensor<2x3xi1>, tensor<2x3xf64>
    %90 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_20 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %92 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %93 = stablehlo.select %92, %83#2, %91 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %94 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_21 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %95 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
    %96 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %97 = stablehlo.select %96, %83#3, %95 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %98 = stablehlo.slice %0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x3x4xf64>
    %99:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%98) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=3, r=4}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x3x4xf64>, tensor<2xi32>)
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %101 = stablehlo.compare EQ, %99#4, %100, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_23 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %103 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %105 = stablehlo.select %104, %99#1, %103 : tensor<2x3xi1>, tensor<2x3xf64>
    %106 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_24 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %107 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
    %108 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %109 = stablehlo.select %108, %99#2, %107 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %110 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_25 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %111 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<2x3x4xf64>
    %112 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %113 = stablehlo.select %112, %99#3, %111 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    %114:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%98) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=4, r=4}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %116 = stablehlo.compare EQ, %114#4, %115, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_27 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %118 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %119 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %120 = stablehlo.select %119, %114#1, %118 : tensor<2x3xi1>, tensor<2x3xf64>
    %121 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_28 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %122 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
    %123 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %124 = stablehlo.select %123, %114#2, %122 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %125 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_29 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %126 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %127 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %128 = stablehlo.select %127, %114#3, %126 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %129 = stablehlo.slice %1 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %130:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%129) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=3, q=3, r=3}, custom>} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %132 = stablehlo.compare EQ, %130#4, %131, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_31 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %135 = stablehlo.broadcast_in_dim %133, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %136 = stablehlo.select %135, %130#1, %134 : tensor<2x3xi1>, tensor<2x3xf32>
    %137 = stablehlo.broadcast_in_dim %132, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_32 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %138 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %139 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %140 = stablehlo.select %139, %130#2, %138 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %141 = stablehlo.broadcast_in_dim %132, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_33 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %142 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %143 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %144 = stablehlo.select %143, %130#3, %142 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
    %145:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%129) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=4, q=3, r=3}, custom>} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %146 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %147 = stablehlo.compare EQ, %145#4, %146, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_35 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %150 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %151 = stablehlo.select %150, %145#1, %149 : tensor<2x3xi1>, tensor<2x3xf32>
    %152 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_36 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %153 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %154 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %155 = stablehlo.select %154, %145#2, %153 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %156 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_37 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %157 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %158 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %159 = stablehlo.select %158, %145#3, %157 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
    %160 = stablehlo.slice %1 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %161:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%160) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=3, r=4}, custom>} : (tensor<2x3x4xcomplex<f32>>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>, tensor<2xi32>)
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %162 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %163 = stablehlo.compare EQ, %161#4, %162, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_39 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %166 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %167 = stablehlo.select %166, %161#1, %165 : tensor<2x3xi1>, tensor<2x3xf32>
    %168 = stablehlo.broadcast_in_dim %163, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_40 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %169 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %170 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %171 = stablehlo.select %170, %161#2, %169 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
    %172 = stablehlo.broadcast_in_dim %163, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_41 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %173 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %174 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %175 = stablehlo.select %174, %161#3, %173 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f32>>
    %176:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%160) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=4, r=4}, custom>} : (tensor<2x3x4xcomplex<f32>>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %177 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %178 = stablehlo.compare EQ, %176#4, %177, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_43 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %181 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %182 = stablehlo.select %181, %176#1, %180 : tensor<2x3xi1>, tensor<2x3xf32>
    %183 = stablehlo.broadcast_in_dim %178, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_44 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %184 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    %185 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %186 = stablehlo.select %185, %176#2, %184 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
    %187 = stablehlo.broadcast_in_dim %178, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_45 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %188 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %189 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %190 = stablehlo.select %189, %176#3, %188 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %191 = stablehlo.slice %4 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %192:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%191) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=3, q=3, r=3}, custom>} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %193 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %194 = stablehlo.compare EQ, %192#4, %193, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_47 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %196 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %197 = stablehlo.broadcast_in_dim %195, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %198 = stablehlo.select %197, %192#1, %196 : tensor<2x3xi1>, tensor<2x3xf64>
    %199 = stablehlo.broadcast_in_dim %194, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_48 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %200 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %201 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %202 = stablehlo.select %201, %192#2, %200 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f64>>
    %203 = stablehlo.broadcast_in_dim %194, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_49 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %204 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %205 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %206 = stablehlo.select %205, %192#3, %204 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
    %207:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%191) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=4, k=3, l=4, m=3, n=3, o=4, p=4, q=3, r=3}, custom>} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x4xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %208 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %209 = stablehlo.compare EQ, %207#4, %208, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_51 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %211 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %212 = stablehlo.broadcast_in_dim %210, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %213 = stablehlo.select %212, %207#1, %211 : tensor<2x3xi1>, tensor<2x3xf64>
    %214 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_52 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %215 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %216 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %217 = stablehlo.select %216, %207#2, %215 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %218 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_53 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %219 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %220 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %221 = stablehlo.select %220, %207#3, %219 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
    %222 = stablehlo.slice %4 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %223:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%222) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=3, r=4}, custom>} : (tensor<2x3x4xcomplex<f64>>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>, tensor<2xi32>)
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %224 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %225 = stablehlo.compare EQ, %223#4, %224, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_55 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %227 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %228 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %229 = stablehlo.select %228, %223#1, %227 : tensor<2x3xi1>, tensor<2x3xf64>
    %230 = stablehlo.broadcast_in_dim %225, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_56 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %231 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %232 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %233 = stablehlo.select %232, %223#2, %231 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
    %234 = stablehlo.broadcast_in_dim %225, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_57 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %235 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %236 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %237 = stablehlo.select %236, %223#3, %235 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f64>>
    %238:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%222) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=4, r=4}, custom>} : (tensor<2x3x4xcomplex<f64>>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
    %c_58 = stablehlo.constant dense<0> : tensor<i32>
    %239 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %240 = stablehlo.compare EQ, %238#4, %239, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_59 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %242 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %243 = stablehlo.broadcast_in_dim %241, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %244 = stablehlo.select %243, %238#1, %242 : tensor<2x3xi1>, tensor<2x3xf64>
    %245 = stablehlo.broadcast_in_dim %240, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_60 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %246 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
    %247 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %248 = stablehlo.select %247, %238#2, %246 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
    %249 = stablehlo.broadcast_in_dim %240, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_61 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %250 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %251 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %252 = stablehlo.select %251, %238#3, %250 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    return %16, %12, %20, %31, %27, %35, %47, %43, %51, %62, %58, %66, %78, %74, %82, %93, %89, %97, %109, %105, %113, %124, %120, %128, %140, %136, %144, %155, %151, %159, %171, %167, %175, %186, %182, %190, %202, %198, %206, %217, %213, %221, %233, %229, %237, %248, %244, %252 : tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x4x4xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x4x4xf32>, tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x4x4xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>, tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x4x4xf64>, tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x4xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x4xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x4xcomplex<f64>>
  }
}
