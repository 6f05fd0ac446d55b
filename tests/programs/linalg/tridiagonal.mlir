module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0][0]"}, tensor<2x4xf32> {jax.result_info = "result[0][0][1]"}, tensor<2x3xf32> {jax.result_info = "result[0][0][2]"}, tensor<2x3xf32> {jax.result_info = "result[0][0][3]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1][0]"}, tensor<2x4xf32> {jax.result_info = "result[0][1][1]"}, tensor<2x3xf32> {jax.result_info = "result[0][1][2]"}, tensor<2x3xf32> {jax.result_info = "result[0][1][3]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0][0]"}, tensor<2x4xf64> {jax.result_info = "result[1][0][1]"}, tensor<2x3xf64> {jax.result_info = "result[1][0][2]"}, tensor<2x3xf64> {jax.result_info = "result[1][0][3]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][1][0]"}, tensor<2x4xf64> {jax.result_info = "result[1][1][1]"}, tensor<2x3xf64> {jax.result_info = "result[1][1][2]"}, tensor<2x3xf64> {jax.result_info = "result[1][1][3]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0][0]"}, tensor<2x4xf32> {jax.result_info = "result[2][0][1]"}, tensor<2x3xf32> {jax.result_info = "result[2][0][2]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[2][0][3]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][1][0]"}, tensor<2x4xf32> {jax.result_info = "result[2][1][1]"}, tensor<2x3xf32> {jax.result_info = "result[2][1][2]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[2][1][3]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0][0]"}, tensor<2x4xf64> {jax.result_info = "result[3][0][1]"}, tensor<2x3xf64> {jax.result_info = "result[3][0][2]"}, tensor<2x3xcomplex<f64>> {jax.result_info = "result[3][0][3]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][1][0]"}, tensor<2x4xf64> {jax.result_info = "result[3][1][1]"}, tensor<2x3xf64> {jax.result_info = "result[3][1][2]"}, tensor<2x3xcomplex<f64>> {jax.result_info = "result[3][1][3]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<2x4x4xf32>
    %7:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%6) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %9 = stablehlo.compare EQ, %7#4, %8, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = stablehlo.select %12, %7#0, %11 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %17 = stablehlo.select %16, %7#1, %15 : tensor<2x4xi1>, tensor<2x4xf32>
    %18 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %21 = stablehlo.select %20, %7#2, %19 : tensor<2x3xi1>, tensor<2x3xf32>
    %22 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %25 = stablehlo.select %24, %7#3, %23 : tensor<2x3xi1>, tensor<2x3xf32>
    %26:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%6) {backend_config = "", mhlo.backend_config = {uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>)
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %28 = stablehlo.compare EQ, %26#4, %27, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %32 = stablehlo.select %31, %26#0, %30 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %33 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %36 = stablehlo.select %35, %26#1, %34 : tensor<2x4xi1>, tensor<2x4xf32>
    %37 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_6 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %40 = stablehlo.select %39, %26#2, %38 : tensor<2x3xi1>, tensor<2x3xf32>
    %41 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %43 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %44 = stablehlo.select %43, %26#3, %42 : tensor<2x3xi1>, tensor<2x3xf32>
    %45 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %46 = stablehlo.add %0, %45 : tensor<2x4x4xf64>
    %47:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%46) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %49 = stablehlo.compare EQ, %47#4, %48, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_9 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %51 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %52 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %53 = stablehlo.select %52, %47#0, %51 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %54 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_10 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %56 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %57 = stablehlo.select %56, %47#1, %55 : tensor<2x4xi1>, tensor<2x4xf64>
    %58 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %59 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %60 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %61 = stablehlo.select %60, %47#2, %59 : tensor<2x3xi1>, tensor<2x3xf64>
    %62 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_12 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %63 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %64 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %65 = stablehlo.select %64, %47#3, %63 : tensor<2x3xi1>, tensor<2x3xf64>
    %66:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%46) {backend_config = "", mhlo.backend_config = {uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %68 = stablehlo.compare EQ, %66#4, %67, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %70 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %71 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %72 = stablehlo.select %71, %66#0, %70 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %73 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_15 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %76 = stablehlo.select %75, %66#1, %74 : tensor<2x4xi1>, tensor<2x4xf64>
    %77 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_16 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %78 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %80 = stablehlo.select %79, %66#2, %78 : tensor<2x3xi1>, tensor<2x3xf64>
    %81 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_17 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %82 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %83 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %84 = stablehlo.select %83, %66#3, %82 : tensor<2x3xi1>, tensor<2x3xf64>
    %85 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %86 = stablehlo.real %85 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
    %87 = stablehlo.imag %85 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
    %88 = stablehlo.negate %87 : tensor<2x4x4xf32>
    %89 = stablehlo.complex %86, %88 : tensor<2x4x4xcomplex<f32>>
    %90 = stablehlo.add %1, %89 : tensor<2x4x4xcomplex<f32>>
    %91:5 = stablehlo.custom_call @lapack_chetrd_ffi(%90) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2xi32>)
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %93 = stablehlo.compare EQ, %91#4, %92, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_19 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %95 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %96 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %97 = stablehlo.select %96, %91#0, %95 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %98 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_20 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %100 = stablehlo.broadcast_in_dim %98, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %101 = stablehlo.select %100, %91#1, %99 : tensor<2x4xi1>, tensor<2x4xf32>
    %102 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_21 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %105 = stablehlo.select %104, %91#2, %103 : tensor<2x3xi1>, tensor<2x3xf32>
    %106 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_22 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %107 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %108 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %109 = stablehlo.select %108, %91#3, %107 : tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
    %110:5 = stablehlo.custom_call @lapack_chetrd_ffi(%90) {backend_config = "", mhlo.backend_config = {uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2xi32>)
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %112 = stablehlo.compare EQ, %110#4, %111, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_24 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %114 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %115 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %116 = stablehlo.select %115, %110#0, %114 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %117 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_25 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %119 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %120 = stablehlo.select %119, %110#1, %118 : tensor<2x4xi1>, tensor<2x4xf32>
    %121 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_26 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %123 = stablehlo.broadcast_in_dim %121, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %124 = stablehlo.select %123, %110#2, %122 : tensor<2x3xi1>, tensor<2x3xf32>
    %125 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_27 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %126 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %127 = stablehlo.broadcast_in_dim %125, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %128 = stablehlo.select %127, %110#3, %126 : tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
    %129 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %130 = stablehlo.real %129 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %131 = stablehlo.imag %129 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %132 = stablehlo.negate %131 : tensor<2x4x4xf64>
    %133 = stablehlo.complex %130, %132 : tensor<2x4x4xcomplex<f64>>
    %134 = stablehlo.add %4, %133 : tensor<2x4x4xcomplex<f64>>
    %135:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%134) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %136 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %137 = stablehlo.compare EQ, %135#4, %136, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_29 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %139 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %140 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %141 = stablehlo.select %140, %135#0, %139 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %142 = stablehlo.broadcast_in_dim %137, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_30 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %143 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %144 = stablehlo.broadcast_in_dim %142, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %145 = stablehlo.select %144, %135#1, %143 : tensor<2x4xi1>, tensor<2x4xf64>
    %146 = stablehlo.broadcast_in_dim %137, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_31 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %147 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %148 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %149 = stablehlo.select %148, %135#2, %147 : tensor<2x3xi1>, tensor<2x3xf64>
    %150 = stablehlo.broadcast_in_dim %137, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_32 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %151 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %152 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %153 = stablehlo.select %152, %135#3, %151 : tensor<2x3xi1>, tensor<2x3xcomplex<f64>>
    %154:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%134) {backend_config = "", mhlo.backend_config = {uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o], [i, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=3, p=3}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2xi32>)
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %155 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %156 = stablehlo.compare EQ, %154#4, %155, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_34 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %158 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %159 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %160 = stablehlo.select %159, %154#0, %158 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %161 = stablehlo.broadcast_in_dim %156, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_35 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %162 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %163 = stablehlo.broadcast_in_dim %161, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %164 = stablehlo.select %163, %154#1, %162 : tensor<2x4xi1>, tensor<2x4xf64>
    %165 = stablehlo.broadcast_in_dim %156, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_36 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %166 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %167 = stablehlo.broadcast_in_dim %165, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %168 = stablehlo.select %167, %154#2, %166 : tensor<2x3xi1>, tensor<2x3xf64>
    %169 = stablehlo.broadcast_in_dim %156, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_37 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %170 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %171 = stablehlo.broadcast_in_dim %169, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %172 = stablehlo.select %171, %154#3, %170 : tensor<2x3xi1>, tensor<2x3xcomplex<f64>>
    return %13, %17, %21, %25, %32, %36, %40, %44, %53, %57, %61, %65, %72, %76, %80, %84, %97, %101, %105, %109, %116, %120, %124, %128, %141, %145, %149, %153, %160, %164, %168, %172 : tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>
  }
}
