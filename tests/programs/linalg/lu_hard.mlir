module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[0][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][0][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][1][0]"}, tensor<2x4xi32> {jax.result_info = "result[0][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][1][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][2][0]"}, tensor<2x4xi32> {jax.result_info = "result[0][2][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][2][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[0][3][0]"}, tensor<2x4xi32> {jax.result_info = "result[0][3][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][3][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][0][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][1][0]"}, tensor<2x4xi32> {jax.result_info = "result[1][1][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][1][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][2][0]"}, tensor<2x4xi32> {jax.result_info = "result[1][2][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][2][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][3][0]"}, tensor<2x4xi32> {jax.result_info = "result[1][3][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][3][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %6 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %7 = stablehlo.add %arg0, %6 : tensor<2x4x4xf32>
    %8 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %11 = stablehlo.add %8, %10 : tensor<4x4xi64>
    %12 = stablehlo.compare EQ, %11, %9, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %13 = stablehlo.convert %12 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<4x4xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %18 = stablehlo.add %7, %17 : tensor<2x4x4xf32>
    %19 = stablehlo.negate %18 : tensor<2x4x4xf32>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %21 = stablehlo.add %5, %20 : tensor<2x4x4xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %22, %23, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %26 = "stablehlo.scatter"(%arg0, %24, %25) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x4x4xf32>
    %27:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%5) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %29 = stablehlo.subtract %27#1, %28 : tensor<2x4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %31 = stablehlo.compare GE, %27#2, %30, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %35 = stablehlo.select %34, %27#0, %33 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %36 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %37:4 = stablehlo.while(%iterArg = %29, %iterArg_52 = %c_9, %iterArg_53 = %c_8, %iterArg_54 = %36) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %38:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%19) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %40 = stablehlo.subtract %38#1, %39 : tensor<2x4xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %42 = stablehlo.compare GE, %38#2, %41, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_12 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %46 = stablehlo.select %45, %38#0, %44 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %47 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i64>
    %c_14 = stablehlo.constant dense<0> : tensor<i64>
    %48:4 = stablehlo.while(%iterArg = %40, %iterArg_52 = %c_14, %iterArg_53 = %c_13, %iterArg_54 = %47) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %49:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%21) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %51 = stablehlo.subtract %49#1, %50 : tensor<2x4xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %53 = stablehlo.compare GE, %49#2, %52, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_17 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %56 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %57 = stablehlo.select %56, %49#0, %55 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %58 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %c_19 = stablehlo.constant dense<0> : tensor<i64>
    %59:4 = stablehlo.while(%iterArg = %51, %iterArg_52 = %c_19, %iterArg_53 = %c_18, %iterArg_54 = %58) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %60:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%26) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
    %c_20 = stablehlo.constant dense<1> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %62 = stablehlo.subtract %60#1, %61 : tensor<2x4xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %63 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %64 = stablehlo.compare GE, %60#2, %63, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %67 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %68 = stablehlo.select %67, %60#0, %66 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %69 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_23 = stablehlo.constant dense<0> : tensor<i64>
    %c_24 = stablehlo.constant dense<0> : tensor<i64>
    %70:4 = stablehlo.while(%iterArg = %62, %iterArg_52 = %c_24, %iterArg_53 = %c_23, %iterArg_54 = %69) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %cst_25 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %71 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %72 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %73 = stablehlo.real %72 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %74 = stablehlo.imag %72 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %75 = stablehlo.negate %74 : tensor<2x4x4xf64>
    %76 = stablehlo.complex %73, %75 : tensor<2x4x4xcomplex<f64>>
    %77 = stablehlo.add %4, %76 : tensor<2x4x4xcomplex<f64>>
    %78 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %79 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_26 = stablehlo.constant dense<0> : tensor<i64>
    %80 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %81 = stablehlo.add %78, %80 : tensor<4x4xi64>
    %82 = stablehlo.compare EQ, %81, %79, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %83 = stablehlo.convert %82 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f64>>
    %cst_27 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %84 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %85 = stablehlo.multiply %84, %83 : tensor<4x4xcomplex<f64>>
    %86 = stablehlo.broadcast_in_dim %85, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<1x4x4xcomplex<f64>>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %88 = stablehlo.add %77, %87 : tensor<2x4x4xcomplex<f64>>
    %89 = stablehlo.negate %88 : tensor<2x4x4xcomplex<f64>>
    %cst_28 = stablehlo.constant dense<(0x7FF8000000000000,0.000000e+00)> : tensor<complex<f64>>
    %90 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %91 = stablehlo.add %71, %90 : tensor<2x4x4xcomplex<f64>>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_30 = stablehlo.constant dense<1> : tensor<i32>
    %93 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %94 = stablehlo.concatenate %92, %93, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %cst_31 = stablehlo.constant dense<(0x7FF0000000000000,0.000000e+00)> : tensor<complex<f64>>
    %95 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %96 = "stablehlo.scatter"(%4, %94, %95) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f64>>, %arg3: tensor<complex<f64>>):
      stablehlo.return %arg3 : tensor<complex<f64>>
    }) : (tensor<2x4x4xcomplex<f64>>, tensor<2xi32>, tensor<2xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %97:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%71) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_32 = stablehlo.constant dense<1> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %99 = stablehlo.subtract %97#1, %98 : tensor<2x4xi32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %101 = stablehlo.compare GE, %97#2, %100, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_34 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %103 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %105 = stablehlo.select %104, %97#0, %103 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %106 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_35 = stablehlo.constant dense<0> : tensor<i64>
    %c_36 = stablehlo.constant dense<0> : tensor<i64>
    %107:4 = stablehlo.while(%iterArg = %99, %iterArg_52 = %c_36, %iterArg_53 = %c_35, %iterArg_54 = %106) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %108:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%89) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_37 = stablehlo.constant dense<1> : tensor<i32>
    %109 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %110 = stablehlo.subtract %108#1, %109 : tensor<2x4xi32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %112 = stablehlo.compare GE, %108#2, %111, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_39 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %114 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %115 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %116 = stablehlo.select %115, %108#0, %114 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %117 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_40 = stablehlo.constant dense<0> : tensor<i64>
    %c_41 = stablehlo.constant dense<0> : tensor<i64>
    %118:4 = stablehlo.while(%iterArg = %110, %iterArg_52 = %c_41, %iterArg_53 = %c_40, %iterArg_54 = %117) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %119:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%91) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_42 = stablehlo.constant dense<1> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %121 = stablehlo.subtract %119#1, %120 : tensor<2x4xi32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %122 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %123 = stablehlo.compare GE, %119#2, %122, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_44 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %125 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %127 = stablehlo.select %126, %119#0, %125 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %128 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_45 = stablehlo.constant dense<0> : tensor<i64>
    %c_46 = stablehlo.constant dense<0> : tensor<i64>
    %129:4 = stablehlo.while(%iterArg = %121, %iterArg_52 = %c_46, %iterArg_53 = %c_45, %iterArg_54 = %128) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %130:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%96) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_47 = stablehlo.constant dense<1> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %132 = stablehlo.subtract %130#1, %131 : tensor<2x4xi32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %133 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %134 = stablehlo.compare GE, %130#2, %133, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_49 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %136 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %137 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %138 = stablehlo.select %137, %130#0, %136 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %139 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_50 = stablehlo.constant dense<0> : tensor<i64>
    %c_51 = stablehlo.constant dense<0> : tensor<i64>
    %140:4 = stablehlo.while(%iterArg = %132, %iterArg_52 = %c_51, %iterArg_53 = %c_50, %iterArg_54 = %139) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_55 = stablehlo.constant dense<4> : tensor<i64>
      %141 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141:2 = func.call @closed_call(%iterArg, %iterArg_53, %iterArg_54) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_55 = stablehlo.constant dense<1> : tensor<i64>
      %142 = stablehlo.add %iterArg_52, %c_55 : tensor<i64>
      stablehlo.return %iterArg, %142, %141#0, %141#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    return %35, %29, %37#3, %46, %40, %48#3, %57, %51, %59#3, %68, %62, %70#3, %105, %99, %107#3, %116, %110, %118#3, %127, %121, %129#3, %138, %132, %140#3 : tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x4xi32>
  }
  func.func private @closed_call(%arg0: tensor<2x4xi32>, %arg1: tensor<i64>, %arg2: tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<4> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i64>
    %c_3 = stablehlo.constant dense<4> : tensor<i64>
    %10 = stablehlo.add %9, %c_3 : tensor<i64>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %13 = "stablehlo.gather"(%arg2, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %14 = stablehlo.reshape %13 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %16 = stablehlo.compare LT, %7, %15, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %18 = stablehlo.add %7, %17 : tensor<2xi32>
    %19 = stablehlo.select %16, %18, %7 : tensor<2xi1>, tensor<2xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %21 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %22 = stablehlo.reshape %21 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %23 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<4> : tensor<i64>
    %24 = stablehlo.add %arg1, %c_7 : tensor<i64>
    %25 = stablehlo.select %23, %24, %arg1 : tensor<i1>, tensor<i64>
    %26 = stablehlo.convert %25 : (tensor<i64>) -> tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg2, %27, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %30 = stablehlo.compare LT, %7, %29, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_9 = stablehlo.constant dense<4> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %32 = stablehlo.add %7, %31 : tensor<2xi32>
    %33 = stablehlo.select %30, %32, %7 : tensor<2xi1>, tensor<2xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %35 = "stablehlo.scatter"(%28, %34, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    return %0, %35 : tensor<i64>, tensor<2x4xi32>
  }
}
