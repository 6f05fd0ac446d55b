module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32> {jax.result_info = "result[0][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[0][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][0][2]"}, tensor<2x4x3xf32> {jax.result_info = "result[0][1][0][0]"}, tensor<2x3xi32> {jax.result_info = "result[0][1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[0][1][0][2]"}, tensor<2x3x4xf32> {jax.result_info = "result[0][1][1][0]"}, tensor<2x3xi32> {jax.result_info = "result[0][1][1][1]"}, tensor<2x3xi32> {jax.result_info = "result[0][1][1][2]"}, tensor<2x4x4xf64> {jax.result_info = "result[1][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][0][2]"}, tensor<2x4x3xf64> {jax.result_info = "result[1][1][0][0]"}, tensor<2x3xi32> {jax.result_info = "result[1][1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[1][1][0][2]"}, tensor<2x3x4xf64> {jax.result_info = "result[1][1][1][0]"}, tensor<2x3xi32> {jax.result_info = "result[1][1][1][1]"}, tensor<2x3xi32> {jax.result_info = "result[1][1][1][2]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[2][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[2][0][2]"}, tensor<2x4x3xcomplex<f32>> {jax.result_info = "result[2][1][0][0]"}, tensor<2x3xi32> {jax.result_info = "result[2][1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[2][1][0][2]"}, tensor<2x3x4xcomplex<f32>> {jax.result_info = "result[2][1][1][0]"}, tensor<2x3xi32> {jax.result_info = "result[2][1][1][1]"}, tensor<2x3xi32> {jax.result_info = "result[2][1][1][2]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][0][0]"}, tensor<2x4xi32> {jax.result_info = "result[3][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[3][0][2]"}, tensor<2x4x3xcomplex<f64>> {jax.result_info = "result[3][1][0][0]"}, tensor<2x3xi32> {jax.result_info = "result[3][1][0][1]"}, tensor<2x4xi32> {jax.result_info = "result[3][1][0][2]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[3][1][1][0]"}, tensor<2x3xi32> {jax.result_info = "result[3][1][1][1]"}, tensor<2x3xi32> {jax.result_info = "result[3][1][1][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %7 = stablehlo.subtract %5#1, %6 : tensor<2x4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %9 = stablehlo.compare GE, %5#2, %8, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = stablehlo.select %12, %5#0, %11 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %14 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %15:4 = stablehlo.while(%iterArg = %7, %iterArg_58 = %c_2, %iterArg_59 = %c_1, %iterArg_60 = %14) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<4> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %16 = stablehlo.slice %arg0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf32>) -> tensor<2x4x3xf32>
    %17:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%16) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %19 = stablehlo.subtract %17#1, %18 : tensor<2x3xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %21 = stablehlo.compare GE, %17#2, %20, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %25 = stablehlo.select %24, %17#0, %23 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    %26 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %27:4 = stablehlo.while(%iterArg = %19, %iterArg_58 = %c_7, %iterArg_59 = %c_6, %iterArg_60 = %26) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_0(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %28 = stablehlo.slice %arg0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
    %29:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%28) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3xi32>, tensor<2xi32>)
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %31 = stablehlo.subtract %29#1, %30 : tensor<2x3xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %33 = stablehlo.compare GE, %29#2, %32, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_10 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %37 = stablehlo.select %36, %29#0, %35 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %38 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i64>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %39:4 = stablehlo.while(%iterArg = %31, %iterArg_58 = %c_12, %iterArg_59 = %c_11, %iterArg_60 = %38) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_1(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    }
    %40:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2xi32>)
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %42 = stablehlo.subtract %40#1, %41 : tensor<2x4xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %44 = stablehlo.compare GE, %40#2, %43, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_15 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %46 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %48 = stablehlo.select %47, %40#0, %46 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %49 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i64>
    %c_17 = stablehlo.constant dense<0> : tensor<i64>
    %50:4 = stablehlo.while(%iterArg = %42, %iterArg_58 = %c_17, %iterArg_59 = %c_16, %iterArg_60 = %49) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<4> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %51 = stablehlo.slice %0 [0:2, 0:4, 0:3] : (tensor<2x4x4xf64>) -> tensor<2x4x3xf64>
    %52:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%51) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %54 = stablehlo.subtract %52#1, %53 : tensor<2x3xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %56 = stablehlo.compare GE, %52#2, %55, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_20 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %58 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %59 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %60 = stablehlo.select %59, %52#0, %58 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    %61 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i64>
    %c_22 = stablehlo.constant dense<0> : tensor<i64>
    %62:4 = stablehlo.while(%iterArg = %54, %iterArg_58 = %c_22, %iterArg_59 = %c_21, %iterArg_60 = %61) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_0(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %63 = stablehlo.slice %0 [0:2, 0:3, 0:4] : (tensor<2x4x4xf64>) -> tensor<2x3x4xf64>
    %64:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%63) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xi32>, tensor<2xi32>)
    %c_23 = stablehlo.constant dense<1> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %66 = stablehlo.subtract %64#1, %65 : tensor<2x3xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %68 = stablehlo.compare GE, %64#2, %67, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_25 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %70 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<2x3x4xf64>
    %71 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %72 = stablehlo.select %71, %64#0, %70 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    %73 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i64>
    %c_27 = stablehlo.constant dense<0> : tensor<i64>
    %74:4 = stablehlo.while(%iterArg = %66, %iterArg_58 = %c_27, %iterArg_59 = %c_26, %iterArg_60 = %73) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_1(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    }
    %75:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4x4xcomplex<f32>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_28 = stablehlo.constant dense<1> : tensor<i32>
    %76 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %77 = stablehlo.subtract %75#1, %76 : tensor<2x4xi32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %78 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %79 = stablehlo.compare GE, %75#2, %78, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_30 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %81 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %82 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %83 = stablehlo.select %82, %75#0, %81 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %84 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_31 = stablehlo.constant dense<0> : tensor<i64>
    %c_32 = stablehlo.constant dense<0> : tensor<i64>
    %85:4 = stablehlo.while(%iterArg = %77, %iterArg_58 = %c_32, %iterArg_59 = %c_31, %iterArg_60 = %84) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<4> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %86 = stablehlo.slice %1 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %87:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%86) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2xi32>)
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %89 = stablehlo.subtract %87#1, %88 : tensor<2x3xi32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %91 = stablehlo.compare GE, %87#2, %90, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_35 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %93 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %94 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %95 = stablehlo.select %94, %87#0, %93 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %96 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i64>
    %c_37 = stablehlo.constant dense<0> : tensor<i64>
    %97:4 = stablehlo.while(%iterArg = %89, %iterArg_58 = %c_37, %iterArg_59 = %c_36, %iterArg_60 = %96) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_0(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %98 = stablehlo.slice %1 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %99:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%98) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f32>>) -> (tensor<2x3x4xcomplex<f32>>, tensor<2x3xi32>, tensor<2xi32>)
    %c_38 = stablehlo.constant dense<1> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %101 = stablehlo.subtract %99#1, %100 : tensor<2x3xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %102 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %103 = stablehlo.compare GE, %99#2, %102, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_40 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %105 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    %106 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %107 = stablehlo.select %106, %99#0, %105 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f32>>
    %108 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i64>
    %c_42 = stablehlo.constant dense<0> : tensor<i64>
    %109:4 = stablehlo.while(%iterArg = %101, %iterArg_58 = %c_42, %iterArg_59 = %c_41, %iterArg_60 = %108) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_1(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    }
    %110:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%4) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2xi32>)
    %c_43 = stablehlo.constant dense<1> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %112 = stablehlo.subtract %110#1, %111 : tensor<2x4xi32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %114 = stablehlo.compare GE, %110#2, %113, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_45 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %116 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %117 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %118 = stablehlo.select %117, %110#0, %116 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %119 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_46 = stablehlo.constant dense<0> : tensor<i64>
    %c_47 = stablehlo.constant dense<0> : tensor<i64>
    %120:4 = stablehlo.while(%iterArg = %112, %iterArg_58 = %c_47, %iterArg_59 = %c_46, %iterArg_60 = %119) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<4> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %121 = stablehlo.slice %4 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %122:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%121) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=3, l=4, m=3, n=3}, custom>} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2xi32>)
    %c_48 = stablehlo.constant dense<1> : tensor<i32>
    %123 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %124 = stablehlo.subtract %122#1, %123 : tensor<2x3xi32>
    %c_49 = stablehlo.constant dense<0> : tensor<i32>
    %125 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %126 = stablehlo.compare GE, %122#2, %125, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_50 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %128 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %129 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %130 = stablehlo.select %129, %122#0, %128 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f64>>
    %131 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_51 = stablehlo.constant dense<0> : tensor<i64>
    %c_52 = stablehlo.constant dense<0> : tensor<i64>
    %132:4 = stablehlo.while(%iterArg = %124, %iterArg_58 = %c_52, %iterArg_59 = %c_51, %iterArg_60 = %131) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_0(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %133 = stablehlo.slice %4 [0:2, 0:3, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %134:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%133) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xcomplex<f64>>) -> (tensor<2x3x4xcomplex<f64>>, tensor<2x3xi32>, tensor<2xi32>)
    %c_53 = stablehlo.constant dense<1> : tensor<i32>
    %135 = stablehlo.broadcast_in_dim %c_53, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %136 = stablehlo.subtract %134#1, %135 : tensor<2x3xi32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %137 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %138 = stablehlo.compare GE, %134#2, %137, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_55 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %140 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %141 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %142 = stablehlo.select %141, %134#0, %140 : tensor<2x3x4xi1>, tensor<2x3x4xcomplex<f64>>
    %143 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %c_56 = stablehlo.constant dense<0> : tensor<i64>
    %c_57 = stablehlo.constant dense<0> : tensor<i64>
    %144:4 = stablehlo.while(%iterArg = %136, %iterArg_58 = %c_57, %iterArg_59 = %c_56, %iterArg_60 = %143) : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i64>
      %145 = stablehlo.compare LT, %iterArg_58, %c_61, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145:2 = func.call @closed_call_1(%iterArg, %iterArg_59, %iterArg_60) : (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>)
      %c_61 = stablehlo.constant dense<1> : tensor<i64>
      %146 = stablehlo.add %iterArg_58, %c_61 : tensor<i64>
      stablehlo.return %iterArg, %146, %145#0, %145#1 : tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>
    }
    return %13, %7, %15#3, %25, %19, %27#3, %37, %31, %39#3, %48, %42, %50#3, %60, %54, %62#3, %72, %66, %74#3, %83, %77, %85#3, %95, %89, %97#3, %107, %101, %109#3, %118, %112, %120#3, %130, %124, %132#3, %142, %136, %144#3 : tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x3x4xf32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x3x4xf64>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x3x4xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x3x4xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3xi32>
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
  func.func private @closed_call_0(%arg0: tensor<2x3xi32>, %arg1: tensor<i64>, %arg2: tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<3> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
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
  func.func private @closed_call_1(%arg0: tensor<2x3xi32>, %arg1: tensor<i64>, %arg2: tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<3> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i64>
    %c_3 = stablehlo.constant dense<3> : tensor<i64>
    %10 = stablehlo.add %9, %c_3 : tensor<i64>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %13 = "stablehlo.gather"(%arg2, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %14 = stablehlo.reshape %13 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %16 = stablehlo.compare LT, %7, %15, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_5 = stablehlo.constant dense<3> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %18 = stablehlo.add %7, %17 : tensor<2xi32>
    %19 = stablehlo.select %16, %18, %7 : tensor<2xi1>, tensor<2xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %21 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %22 = stablehlo.reshape %21 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %23 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<3> : tensor<i64>
    %24 = stablehlo.add %arg1, %c_7 : tensor<i64>
    %25 = stablehlo.select %23, %24, %arg1 : tensor<i1>, tensor<i64>
    %26 = stablehlo.convert %25 : (tensor<i64>) -> tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg2, %27, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x3xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x3xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %30 = stablehlo.compare LT, %7, %29, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %32 = stablehlo.add %7, %31 : tensor<2xi32>
    %33 = stablehlo.select %30, %32, %7 : tensor<2xi1>, tensor<2xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %35 = "stablehlo.scatter"(%28, %34, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xi32>
    return %0, %35 : tensor<i64>, tensor<2x3xi32>
  }
}
